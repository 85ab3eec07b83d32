//! The table of a paper: one key down, another across, and in each cell the figure of a metric; the best of each row is marked, and what
//! cannot be told from it.

mod figure;
mod standing;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use evogrid_results::format::shortest;
use evogrid_statistics::{Confidence, best_set};

use crate::effects::Responses;
use crate::metric::Metric;
use crate::samples::{Key, MixedFigures, Sample, Samples, Selector};
use crate::table::{Caption, Cell, Column, ColumnKind, Format, Table, write};
use figure::Figure;

/// What stands in a cell beside the estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spread {
    /// The 95 % interval of the estimate, for instances like these.
    #[default]
    Interval,
    /// The mean and the standard deviation of the runs.
    Deviation,
    /// The median and the quartiles of the runs.
    Quartiles,
    /// Nothing.
    None,
}

/// A table with one key down and another across.
#[derive(Clone, Copy, Debug)]
pub struct CrossTable<'a> {
    /// The keys of the rows.
    pub rows: &'a [Key],
    /// The keys of the columns.
    pub columns: &'a [Key],
    /// What stands in the cells; several stand beside each other.
    pub metrics: &'a [Metric],
    /// What stands beside each estimate.
    pub spread: Spread,
    /// The column against which wins are counted; the one with the best mean rank if there is none.
    pub baseline: Option<&'a str>,
}

/// The name of the row over all runs.
const ALL: &str = "all";

/// Runs in the cells of a table.
struct Cells<'s> {
    samples: &'s Samples,
    rows: Vec<String>,
    columns: Vec<String>,
    /// The row and the column of each run.
    places: Vec<[usize; 2]>,
}

/// The table as text.
///
/// # Errors
/// If figures of the runs cannot be compared, or there is no column that is called as the baseline; the message has a line of help.
pub fn render_cross(
    samples: &Samples,
    asked: CrossTable<'_>,
    format: Format,
    notes: &[String],
) -> Result<String, String> {
    for &metric in asked.metrics {
        if let Some(column) = metric.column().filter(|column| samples.missing.contains(column)) {
            return Err(format!("the file has no column `{column}`\n  choose another `--metric`, or add the column"));
        }
        let told = |error: MixedFigures| format!("{error}\n  {}", error.help);
        samples.check_comparable(metric, &samples.runs).map_err(told)?;
    }
    let cells = Cells::new(samples, asked);
    let baseline = match asked.baseline {
        None => None,
        Some(name) => Some(cells.columns.iter().position(|column| column == name).ok_or_else(|| {
            let expected =
                evogrid_core::suggestion::one_of(name, &cells.columns.iter().map(String::as_str).collect::<Vec<_>>());
            format!("no column is called `{name}`\n  {expected}")
        })?),
    };
    if format == Format::Csv {
        return Ok(write(&cells.data_frame(asked), format));
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
    let mut told = vec![caption_of(asked)];
    let mut footer: [Vec<Cell>; 2] = ["mean rank", "wins/ties/losses"].map(|name| vec![Cell::plain(name)]);
    for &metric in asked.metrics {
        for (at, row) in rows.iter_mut().enumerate() {
            row.extend(cells.row(at, metric, asked.spread));
        }
        match cells.standing(metric, baseline) {
            Some((ranks, counts, sentence)) => {
                footer[0].extend(ranks.into_iter().map(Cell::Plain));
                footer[1].extend(counts.into_iter().map(Cell::Plain));
                told.extend(Some(sentence).filter(|sentence| !told.contains(sentence)));
            }
            None => footer.iter_mut().for_each(|row| row.extend(cells.columns.iter().map(|_| Cell::absent()))),
        }
        told.extend(cells.virtual_best(metric));
    }
    if told.len() > 1 {
        rows.extend(footer);
    }
    told.extend_from_slice(notes);
    let caption = Caption { text: "Results", label: "results" };
    let heading =
        asked.metrics.iter().map(|metric| capital(metric.declaration().estimate)).collect::<Vec<_>>().join("; ");
    let table = Table { heading: Some(heading + "."), ..Table::of_rows(caption, columns, rows, told) };
    Ok(write(&table, format))
}

/// What the marks and the numbers mean.
fn caption_of(asked: CrossTable<'_>) -> String {
    let spread = match asked.spread {
        Spread::Interval => {
            " In brackets: the 95 % interval for instances like these (of medians: for these instances)."
        }
        Spread::Deviation => " Mean ± standard deviation of the runs.",
        Spread::Quartiles => " Median of the runs; in brackets their quartiles.",
        Spread::None => "",
    };
    format!(
        "The best of each row is marked (* or bold); ~ marks what may be the best as well (95 % confidence set over the instances of the row).{spread}"
    )
}

/// A text that begins with a capital letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

impl<'s> Cells<'s> {
    fn new(samples: &'s Samples, asked: CrossTable<'_>) -> Self {
        let mut names = [Vec::new(), Vec::new()];
        let mut known: [BTreeMap<Vec<&str>, usize>; 2] = Default::default();
        let mut place = |side: usize, keys: &[Key], run: &'s Sample| {
            let values: Vec<&str> = keys.iter().map(|&key| samples.value(key, run)).collect();
            *known[side].entry(values).or_insert_with_key(|values| {
                let label = match values.as_slice() {
                    [only] => (*only).to_owned(),
                    values => Selector::with_values(&samples.roster, keys, values).label(),
                };
                names[side].push(if label.is_empty() { "-".to_owned() } else { label });
                names[side].len() - 1
            })
        };
        let places = samples.runs.iter().map(|run| [place(0, asked.rows, run), place(1, asked.columns, run)]).collect();
        let [mut rows, columns] = names;
        if rows.len() > 1 {
            rows.push(ALL.to_owned());
        }
        Self { samples, rows, columns, places }
    }

    /// Whether a run is in a row; all are in the last one, if there are several.
    fn is_in_row(&self, row: usize, run: usize) -> bool {
        self.places[run][0] == row || row + 1 == self.rows.len() && row > 0
    }

    /// The figures of a row, one for each column.
    fn figures(&self, row: usize, metric: Metric, spread: Spread) -> Vec<Figure> {
        let mut runs: Vec<Vec<&Sample>> = vec![Vec::new(); self.columns.len()];
        for (at, run) in self.samples.runs.iter().enumerate().filter(|(at, _)| self.is_in_row(row, *at)) {
            runs[self.places[at][1]].push(run);
        }
        // Neither objectives nor gaps of different families have one scale.
        let family = |run: &&Sample| self.samples.roster.instances[run.instance()].problem.as_str();
        let families: BTreeSet<&str> = runs.iter().flatten().map(family).collect();
        let is_mixed = match metric {
            Metric::Objective => self.samples.n_measures(runs.iter().flatten().copied()) > 1,
            Metric::Gap => families.len() > 1,
            _ => false,
        };
        let figure = |runs: &Vec<&Sample>| {
            if is_mixed { Figure::none() } else { Figure::new(self.samples, metric, spread, runs) }
        };
        runs.iter().map(figure).collect()
    }

    /// Which columns are the best of a row by their figures, and which may be by the confidence set.
    fn marks(&self, row: usize, metric: Metric, figures: &[Figure]) -> (Vec<bool>, Vec<bool>) {
        let least = figures.iter().filter_map(|figure| figure.cost).reduce(f64::min);
        let best = figures.iter().map(|figure| figure.cost.is_some() && figure.cost == least).collect();
        let in_row = |at: usize| self.is_in_row(row, at).then_some(self.places[at][1]);
        let responses = Responses::of_groups(self.samples, metric, self.columns.len(), in_row);
        let may_be = responses.map(|found| best_set(&found.costs, Confidence::PERCENT_95));
        (best, may_be.unwrap_or_else(|| vec![false; self.columns.len()]))
    }

    fn row(&self, row: usize, metric: Metric, spread: Spread) -> Vec<Cell> {
        let figures = self.figures(row, metric, spread);
        let (best, may_be) = self.marks(row, metric, &figures);
        let cell = |(at, figure): (usize, Figure)| match (best[at], may_be[at] && figure.cost.is_some()) {
            (true, _) if figures_differ(&best) => Cell::Best(figure.text),
            (_, true) => Cell::MayBeBest(figure.text),
            _ => Cell::Plain(figure.text),
        };
        figures.into_iter().enumerate().map(cell).collect()
    }

    /// A row for each cell and metric.
    fn data_frame(&self, asked: CrossTable<'_>) -> Table {
        let text = ["row", "column", "metric"].map(|name| Column::new(name, "", ColumnKind::Text));
        let numbers =
            ["estimate", "low", "high", "best", "may_be_best"].map(|name| Column::new(name, "", ColumnKind::Number));
        let mut rows = Vec::new();
        for &metric in asked.metrics {
            for (at, row) in self.rows.iter().enumerate() {
                let figures = self.figures(at, metric, asked.spread);
                let (best, may_be) = self.marks(at, metric, &figures);
                for (column, figure) in figures.iter().enumerate() {
                    let names = [row, &self.columns[column], metric.declaration().name].map(Cell::plain);
                    let ends = figure.ends.map(|end| Cell::Plain(shortest(end)));
                    let marks = [best[column], may_be[column]].map(|mark| Cell::Plain(u8::from(mark).to_string()));
                    rows.push(names.into_iter().chain(ends).chain(marks).collect());
                }
            }
        }
        Table::of_rows(Caption::default(), text.into_iter().chain(numbers).collect(), rows, Vec::new())
    }
}

/// Whether not all are the best.
fn figures_differ(best: &[bool]) -> bool {
    best.contains(&false)
}
