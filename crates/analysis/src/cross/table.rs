//! The runs in the cells of a cross table, the marks of the cells, the comparison of the columns over all instances, and the table as text.

use std::collections::BTreeMap;

use evogrid_results::ALL_BUCKETS;
use evogrid_results::format::{capital, printable, shortest};
use evogrid_statistics::{Confidence, best_set, friedman};

use super::figure::{Figure, Spread};
use crate::metric::Metric;
use crate::responses::{Responses, RunCosts, Unit};
use crate::samples::{Key, Sample, Samples, Selector};
use crate::table::{Caption, Cell, Column, ColumnKind, Format, Table, write};
use crate::truncation::TARGET_SETTING;

/// The maximum number of columns whose contributions to the virtual best are named in the sentence.
const MOST_CONTRIBUTIONS: usize = 5;

/// Runs in the cells of a table.
struct Cells<'s> {
    samples: &'s Samples,
    rows: Vec<String>,
    columns: Vec<String>,
    /// For each row: the index of each run, with the index of the run's column.
    members: Vec<Vec<(usize, usize)>>,
    /// Whether the objectives of the runs are different measures, for example of different families.
    has_measures: bool,
    /// Whether one column can be better than another column. Columns of configurations are ranked; columns of targets, buckets or instances
    /// are not.
    is_ranked: bool,
}

impl<'s> Cells<'s> {
    fn new(samples: &'s Samples, [rows_by, columns_by]: [&[Key]; 2]) -> Self {
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
        let mut members: Vec<Vec<(usize, usize)>> = Vec::new();
        let mut all = Vec::with_capacity(samples.runs.len());
        for (at, run) in samples.runs.iter().enumerate() {
            let [row, column] = [place(0, rows_by, run), place(1, columns_by, run)];
            members.resize(members.len().max(row + 1), Vec::new());
            members[row].push((at, column));
            all.push((at, column));
        }
        let [mut rows, columns] = names;
        if rows.len() > 1 {
            rows.push(ALL_BUCKETS.to_owned());
            members.push(all);
        }
        let has_measures = samples.n_measures(&samples.runs) > 1;
        let is_compared = |key: &Key| key.is_of_configurations() && samples.roster.name(*key) != TARGET_SETTING;
        let is_ranked = columns_by.iter().all(is_compared);
        Self { samples, rows, columns, members, has_measures, is_ranked }
    }

    /// The mean costs of all columns in a row, on each instance on which all columns have runs.
    fn responses(&self, row: usize, costs: &RunCosts) -> Option<Responses> {
        Responses::of_groups(self.samples, costs, self.columns.len(), self.members[row].iter().copied())
    }

    /// The figures of a row, one for each column.
    fn figures(&self, row: usize, metric: Metric, spread: Spread) -> Vec<Figure> {
        let mut runs: Vec<Vec<&Sample>> = vec![Vec::new(); self.columns.len()];
        self.members[row].iter().for_each(|&(at, column)| runs[column].push(&self.samples.runs[at]));
        // Objectives and gaps of different families have no common scale.
        let all: Vec<&Sample> = runs.iter().flatten().copied().collect();
        let is_mixed = match metric {
            Metric::Objective => self.has_measures && self.samples.n_measures(runs.iter().flatten().copied()) > 1,
            Metric::Gap => self.samples.n_families(&all) > 1,
            _ => false,
        };
        let figure = |runs: &Vec<&Sample>| {
            if is_mixed { Figure::none() } else { Figure::new(self.samples, metric, spread, runs) }
        };
        runs.iter().map(figure).collect()
    }

    /// For each column of a row: whether the column has the best figure, and whether it is in the confidence set of the best.
    fn marks(&self, row: usize, costs: &RunCosts, figures: &[Figure]) -> (Vec<bool>, Vec<bool>) {
        if !self.is_ranked {
            return (vec![false; figures.len()], vec![false; figures.len()]);
        }
        let least = figures.iter().filter_map(|figure| figure.cost).reduce(f64::min);
        let best = figures.iter().map(|figure| figure.cost.is_some() && figure.cost == least).collect();
        let may_be = self.responses(row, costs).map(|found| best_set(&found.costs, Confidence::PERCENT_95));
        (best, may_be.unwrap_or_else(|| vec![false; self.columns.len()]))
    }

    fn row(&self, row: usize, (metric, costs): (Metric, &RunCosts), spread: Spread) -> Vec<Cell> {
        let figures = self.figures(row, metric, spread);
        let (best, may_be) = self.marks(row, costs, &figures);
        let cell = |(at, figure): (usize, Figure)| match (best[at], may_be[at] && figure.cost.is_some()) {
            (true, _) if best.contains(&false) => Cell::Best(figure.text),
            (_, true) => Cell::MayBeBest(figure.text),
            _ => Cell::Plain(figure.text),
        };
        figures.into_iter().enumerate().map(cell).collect()
    }

    /// The mean costs of all columns over the runs of all rows; `None` if columns are not ranked.
    fn overall(&self, costs: &RunCosts) -> Option<Responses> {
        let is_compared = self.is_ranked && self.columns.len() > 1;
        is_compared.then(|| self.responses(self.rows.len() - 1, costs)).flatten()
    }

    /// The mean costs by instance.
    fn by_instance(responses: &Responses) -> Vec<Vec<f64>> {
        let mut instances: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (block, &place) in responses.places.iter().enumerate() {
            instances.entry(if responses.instances > 1 { place } else { 0 }).or_default().push(block);
        }
        let mean = |costs: &Vec<f64>, blocks: &Vec<usize>| {
            blocks.iter().map(|&at| costs[at]).sum::<f64>() / blocks.len() as f64
        };
        instances.values().map(|blocks| responses.costs.iter().map(|costs| mean(costs, blocks)).collect()).collect()
    }

    /// The mean rank of each column over instances; the wins, ties and losses of each column; and a sentence that explains these numbers.
    fn standing(&self, responses: &Responses, baseline: Option<usize>) -> Option<(Vec<String>, Vec<String>, String)> {
        let blocks = Self::by_instance(responses);
        let ranks = friedman(&blocks.iter().map(Vec::as_slice).collect::<Vec<_>>()).mean_ranks;
        let first = (0..ranks.len()).min_by(|&one, &other| ranks[one].total_cmp(&ranks[other]))?;
        let reference = baseline.unwrap_or(first);
        let counts = |column: usize| {
            let order = |block: &Vec<f64>| (block[column] - block[reference]).abs() < 1e-9;
            let ties = blocks.iter().filter(|block| order(block)).count();
            let wins = blocks.iter().filter(|block| !order(block) && block[column] < block[reference]).count();
            if column == reference { "-".to_owned() } else { format!("{wins}/{ties}/{}", blocks.len() - wins - ties) }
        };
        let instances = if blocks.len() == 1 { "1 instance" } else { &format!("{} instances", blocks.len()) };
        let which = if baseline.is_some() { "" } else { ", which has the best mean rank" };
        let sentence = format!(
            "Ranks, wins, ties and losses are computed from the mean of each column on each instance. Only instances with runs in all columns are used ({instances}). Wins, ties and losses are counted against {}{which}.",
            printable(&self.columns[reference])
        );
        let ranks = ranks.iter().map(|rank| format!("{rank:.2}")).collect();
        Some((ranks, (0..self.columns.len()).map(counts).collect(), sentence))
    }

    /// A sentence about the virtual best and about the contributions of the columns. The virtual best takes the best column on each
    /// instance.
    fn virtual_best(&self, responses: &Responses) -> Option<String> {
        if !matches!(responses.unit, Unit::Solved | Unit::Gap) || responses.instances < 2 {
            return None;
        }
        let blocks = Self::by_instance(responses);
        let without = |left: Option<usize>| {
            let kept = || (0..self.columns.len()).filter(|&at| Some(at) != left);
            let least = |block: &Vec<f64>| kept().map(|at| block[at]).fold(f64::INFINITY, f64::min);
            blocks.iter().map(least).sum::<f64>() / blocks.len() as f64
        };
        let best = without(None);
        let mut added: Vec<(f64, &String)> =
            self.columns.iter().enumerate().map(|(at, name)| (without(Some(at)) - best, name)).collect();
        added.sort_by(|one, other| other.0.total_cmp(&one.0));
        let text =
            |value: f64| if responses.unit == Unit::Solved { format!("{value:.1}") } else { format!("{value:.2}") };
        let named: Vec<String> = added
            .iter()
            .take(MOST_CONTRIBUTIONS)
            .map(|(by, name)| format!("{} {}", printable(name), text(*by)))
            .collect();
        let more = if added.len() > MOST_CONTRIBUTIONS { ", other columns less" } else { "" };
        Some(format!(
            "Virtual best (the best column on each instance): {} %. Loss of the virtual best without the named column, in percentage points: {}{more}. The virtual best is chosen and judged with the same runs. Therefore the virtual best looks too good.",
            text(responses.unit.shown(best)),
            named.join(", ")
        ))
    }
}

/// A table whose rows and columns are values of keys.
#[derive(Clone, Copy, Debug)]
pub struct CrossTable<'a> {
    /// The keys of the rows.
    pub rows: &'a [Key],
    /// The keys of the columns.
    pub columns: &'a [Key],
    /// The metrics in the cells. If there are several metrics, the columns of the metrics are side by side.
    pub metrics: &'a [Metric],
    /// The numbers that are shown beside each estimate.
    pub spread: Spread,
    /// The baseline: the column with which all other columns are compared. For each column except the baseline, the table shows how often
    /// the column wins and loses against the baseline. The default is the column with the best mean rank.
    pub baseline: Option<&'a str>,
}

/// The table as text.
///
/// # Errors
/// Returns an error if the runs cannot be compared. Returns an error if no column has the name of the baseline. The error message includes
/// a line of help.
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
            " ERT: the evaluations of all runs, divided by the number of solved runs. The brackets contain the 95 % bootstrap interval of the ERT over the runs. After the interval, each cell shows the number of solved runs and the number of all runs."
        }
        Spread::None => "",
    };
    let marks = "The best value of each row is marked (* or bold). Values with ~ may also be the best (95 % confidence set over the instances of the row).";
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
