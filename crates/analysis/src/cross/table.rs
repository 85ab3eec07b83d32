//! Writes cross tables as text.

use evogrid_results::format::{capital, shortest};

use super::cells::Cells;
use super::figure::Spread;
use crate::metric::Metric;
use crate::responses::RunCosts;
use crate::samples::{Key, Samples};
use crate::table::{Caption, Cell, Column, ColumnKind, Format, Table, write};

/// A table whose rows and columns are values of keys.
#[derive(Clone, Copy, Debug)]
pub struct CrossTable<'a> {
    /// The keys of the rows.
    pub rows: &'a [Key],
    /// The keys of the columns.
    pub columns: &'a [Key],
    /// The metrics in the cells. If there are several metrics, their columns are side by side.
    pub metrics: &'a [Metric],
    /// The numbers beside each estimate.
    pub spread: Spread,
    /// The column with which every other column is compared. The table shows how often each column wins and loses. The default is the
    /// column with the best mean rank.
    pub baseline: Option<&'a str>,
}

/// The table as text.
///
/// # Errors
/// Returns an error if the runs cannot be compared. Returns an error if no column has the name of the baseline. The message includes a line
/// of help.
pub fn render_cross(
    samples: &Samples,
    asked: CrossTable<'_>,
    format: Format,
    notes: &[String],
) -> Result<String, String> {
    for &metric in asked.metrics {
        samples.check_metric(metric).map_err(|error| format!("{error}\n  {}", error.help()))?;
    }
    let cells = Cells::new(samples, [asked.rows, asked.columns]);
    let baseline = match asked.baseline {
        None => None,
        Some(name) => Some(cells.columns.iter().position(|column| column == name).ok_or_else(|| {
            let expected =
                evogrid_core::suggestion::one_of(name, &cells.columns.iter().map(String::as_str).collect::<Vec<_>>());
            format!("no column is called `{name}`\n  {expected}")
        })?),
    };
    if format == Format::Csv {
        return Ok(write(&data_frame(&cells, asked), format));
    }
    let names: Vec<&str> = asked.rows.iter().map(|&key| samples.roster.name(key)).collect();
    let is_single = asked.metrics.len() == 1;
    let mut columns = vec![Column::new(&names.join(", "), "", ColumnKind::Text)];
    for metric in asked.metrics {
        let unit = metric.declaration().estimate;
        let title = |name: &String| if is_single { name.clone() } else { format!("{name}: {unit}") };
        columns.extend(cells.columns.iter().map(|name| Column::new(&title(name), "", ColumnKind::Number)));
    }
    let mut rows: Vec<Vec<Cell>> = cells.rows.iter().map(|name| vec![Cell::plain(name)]).collect();
    let mut told = vec![caption_of(asked, cells.is_ranked)];
    let mut footer: [Vec<Cell>; 2] = ["mean rank", "wins/ties/losses"].map(|name| vec![Cell::plain(name)]);
    for &metric in asked.metrics {
        let costs = RunCosts::new(samples, metric);
        for (at, row) in rows.iter_mut().enumerate() {
            row.extend(cells.row(at, (metric, &costs), asked.spread));
        }
        let overall = cells.overall(&costs);
        match overall.as_ref().and_then(|responses| cells.standing(responses, baseline)) {
            Some((ranks, counts, sentence)) => {
                footer[0].extend(ranks.into_iter().map(Cell::Plain));
                footer[1].extend(counts.into_iter().map(Cell::Plain));
                told.extend(Some(sentence).filter(|sentence| !told.contains(sentence)));
            }
            None => footer.iter_mut().for_each(|row| row.extend(cells.columns.iter().map(|_| Cell::absent()))),
        }
        told.extend(overall.as_ref().and_then(|responses| cells.virtual_best(responses)));
    }
    if told.len() > 1 {
        rows.extend(footer);
    }
    told.extend_from_slice(notes);
    let label = asked.metrics.first().map_or("results", |metric| metric.declaration().name);
    let caption = Caption { text: "Results", label };
    let estimate = |metric: &Metric| match (metric, asked.spread) {
        (Metric::Evaluations, Spread::Expected) => "Expected running time (ERT)".to_owned(),
        _ => capital(metric.declaration().estimate),
    };
    let heading = asked.metrics.iter().map(estimate).collect::<Vec<_>>().join("; ");
    let table = Table { heading: Some(heading + "."), ..Table::of_rows(caption, columns, rows, told) };
    Ok(write(&table, format))
}

/// The caption. It explains the marks and the numbers.
fn caption_of(asked: CrossTable<'_>, is_ranked: bool) -> String {
    let spread = match asked.spread {
        Spread::Interval => {
            " The 95 % interval is in brackets. The intervals of means and rates hold for instances like these. The intervals of medians hold for these instances only."
        }
        Spread::Deviation => " Cells: mean ± standard deviation of the runs. A rate has no standard deviation.",
        Spread::Quartiles => " Cells: median of the runs, with the quartiles in brackets. A rate has no quartiles.",
        Spread::Expected => {
            " ERT: the evaluations of all runs, divided by the number of solved runs. The brackets contain the 95 % bootstrap interval of the ERT over the runs. After the interval come the numbers of solved runs and of all runs."
        }
        Spread::None => "",
    };
    let marks = "The best value of each row is marked (* or bold). Values with ~ may also be the best (95 % confidence set over the row's instances).";
    if is_ranked { format!("{marks}{spread}") } else { spread.trim_start().to_owned() }
}

/// A row for each cell and metric.
fn data_frame(cells: &Cells<'_>, asked: CrossTable<'_>) -> Table {
    let text = ["row", "column", "metric"].map(|name| (name, ColumnKind::Text));
    let numbers = ["estimate", "low", "high", "best", "may_be_best"].map(|name| (name, ColumnKind::Number));
    let mut rows = Vec::new();
    for &metric in asked.metrics {
        let costs = RunCosts::new(cells.samples, metric);
        for (at, row) in cells.rows.iter().enumerate() {
            let figures = cells.figures(at, metric, asked.spread);
            let (best, may_be) = cells.marks(at, &costs, &figures);
            for (column, figure) in figures.iter().enumerate() {
                let names = [row, &cells.columns[column], metric.declaration().name].map(Cell::plain);
                let ends = figure.ends.map(|end| Cell::Plain(shortest(end)));
                let marks = [best[column], may_be[column]].map(|mark| Cell::Plain(u8::from(mark).to_string()));
                rows.push(names.into_iter().chain(ends).chain(marks).collect());
            }
        }
    }
    Table::of_rows(Caption::default(), Column::named(text.into_iter().chain(numbers)), rows, Vec::new())
}
