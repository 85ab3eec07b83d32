//! Published tables: published rates or means are compared with our values, cell by cell and as a whole.

use std::collections::BTreeMap;

use super::finding::{Finding, Grid, Judge, Verdict};
use evogrid_analysis::metric::Rate;
use evogrid_analysis::published::{AllowedCounts, Match, MatchedRuns, Published, PublishedRow};
use evogrid_analysis::samples::{Roster, Sample, Samples, Selection, SelectionError, Selector};
use evogrid_results::format::{percent, rounded_text, short, shortest};
use evogrid_statistics::{MeanCell, TableCell, count_p_value, holm, joint_p_value, mean_estimate, predict_means};

/// The number of simulated tables that judge a table of rates as a whole, and their seed.
const TABLES: (usize, u64) = (20_000, 1);

/// The seed of the simulated tables of means.
const SEED: u64 = 1;

/// A published table that is compared with our table.
#[derive(Clone, Debug, PartialEq)]
pub struct TableClaim {
    /// The published values.
    pub published: Published,
    /// The column of the published values.
    pub column: PublishedFigure,
}

evogrid_core::choices! {
    /// A column of published values.
    pub enum PublishedFigure {
        /// Success rates.
        SuccessRate = "success_rate",
        /// The mean number of generations over all runs.
        MeanGenerations = "mean_generations",
        /// The published mean number of generations. We interpret the number as the generations until the best solution. Our value is an
        /// estimate: our number of generations, multiplied by `e / E`. A run makes `E` evaluations in all, and `e` evaluations until it
        /// finds its best solution.
        MeanGenerationsToBest = "mean_generations_to_best",
        /// The mean processor time of the solved runs in milliseconds. If the processor time was not measured, the wall time is used. The
        /// two machines may differ in speed. Therefore the values also agree if all our times differ from the published times by the same
        /// factor.
        MeanMsSolved = "mean_ms_solved",
    }
}

/// A cell of the table: our runs, and the published row for the same settings.
struct PublishedCell<'a> {
    labels: Vec<&'a str>,
    runs: Vec<&'a Sample>,
    row: &'a PublishedRow,
}

/// The finding on a cell.
struct CellFinding {
    /// The row of this cell on the page.
    row: Vec<String>,
    p: f64,
    is_wide: bool,
}

/// The finding on a table: its cells with a published value, a sentence about the whole table, and the p-value of the whole table.
struct TableFinding {
    cells: Vec<CellFinding>,
    whole: String,
    p: f64,
}

impl Judge for TableClaim {
    fn check(&self, roster: &Roster, _: &Selector) -> Result<(), SelectionError> {
        let is_found = roster.configurations.iter().any(|configuration| {
            let names = std::iter::once(&configuration.algorithm).chain(&configuration.varied);
            roster.instances.iter().any(|instance| {
                let values: Vec<&str> = names.clone().chain([&instance.bucket]).map(String::as_str).collect();
                matches!(self.published.find(&roster.varied, &values), Match::One(_))
            })
        });
        if is_found { Ok(()) } else { Err(nothing_published()) }
    }

    fn judge(&self, samples: &Samples, _: &Selector, selection: &Selection) -> Result<Finding, SelectionError> {
        let cells: Vec<PublishedCell<'_>> =
            self.published.matched(samples, selection).into_iter().filter_map(PublishedCell::new).collect();
        if cells.is_empty() {
            return Err(nothing_published());
        }
        let table = match self.column {
            PublishedFigure::SuccessRate => judge_rates(&cells),
            column => column.judge_means(&cells),
        };
        let whole = || "The published table has no values for these runs.".to_owned();
        let table = table.unwrap_or_else(|| TableFinding { cells: Vec::new(), whole: whole(), p: 1.0 });
        let p_values = holm(&table.cells.iter().map(|finding| finding.p).collect::<Vec<_>>());
        let outside = p_values.iter().filter(|&&p| p < 0.05).count();

        let names = samples.roster.varied.iter().map(String::as_str).chain(["bucket"]);
        let ours = if self.column == PublishedFigure::SuccessRate { "ours (95 %)" } else { "ours, mean" };
        let figures = ["published", ours, "runs", "allowed", "p"];
        let mut grid = Grid::new(names.chain(figures), samples.roster.varied.len() + 1);
        grid.rows.extend(table.cells.iter().map(|finding| finding.row.clone()));
        let judged = table.cells.len();
        let is_of_times = self.column == PublishedFigure::MeanMsSolved;
        let up_to = if is_of_times { " up to a common factor" } else { "" };
        let (verdict, reasons) = self.verdict(&table, outside);
        Ok(Finding {
            verdict,
            published: format!("{judged} cells"),
            ours: format!("{} of {judged} cells agree{up_to}", judged - outside),
            published_runs: cells.iter().map(|cell| cell.row.runs).sum(),
            runs: cells.iter().map(|cell| cell.runs.len() as u64).sum(),
            reasons,
            grids: vec![grid],
            ..Finding::default()
        })
    }
}

impl TableClaim {
    fn verdict(&self, table: &TableFinding, outside: usize) -> (Verdict, Vec<String>) {
        let judged = table.cells.len();
        let wide = table.cells.iter().filter(|finding| finding.is_wide).count();
        if judged == 0 {
            return (Verdict::CannotBeTold, vec![table.whole.clone()]);
        }
        let which = if outside == 0 {
            "No judged cell of the published table lies".to_owned()
        } else {
            format!("{outside} of {judged} judged cells of the published table lie")
        };
        let mut reasons = vec![format!(
            "{which} outside the range that our runs predict. The test is two-sided (predictive p < 0.05, with Holm's \
             correction for {judged} cells). The table shows uncorrected p-values."
        )];
        reasons.push(table.whole.clone());
        if self.column == PublishedFigure::MeanMsSolved {
            let reason = "Times depend on the machine and the programming language. Therefore only ratios between the times in the table are judged.";
            reasons.push(reason.to_owned());
        }
        if wide > 0 {
            reasons.push(format!(
                "{wide} of {judged} published cells have few runs. In a cell with few published runs, more than half of all \
                 possible rates lie in the range that our runs predict. Therefore agreement in a cell with few published runs has little \
                 meaning, even if we do more runs."
            ));
        }
        let fails = outside > 0 || table.p < 0.05;
        // A single time has no ratio to another time.
        let says_little = 2 * wide > judged || (self.column == PublishedFigure::MeanMsSolved && judged < 2);
        (Verdict::new(!fails && !says_little, fails), reasons)
    }
}

impl<'a> PublishedCell<'a> {
    /// The cell, if exactly one published row matches the runs.
    fn new(matched: MatchedRuns<'a>) -> Option<Self> {
        let Match::One(row) = matched.published else { return None };
        Some(Self { labels: matched.values[1..].to_vec(), runs: matched.runs, row })
    }

    fn finding(&self, [published, ours, allowed]: [String; 3], p: f64, is_wide: bool) -> CellFinding {
        let labels = self.labels.iter().map(|&label| label.to_owned());
        let figures = [published, ours, self.runs.len().to_string(), allowed, rounded_text(p, 1e4)];
        CellFinding { row: labels.chain(figures).collect(), p, is_wide }
    }

    fn rate(&self) -> Rate {
        Rate::of_solved(self.runs.iter().copied())
    }

    /// Our count of solved runs (for the equivalent number of independent runs) and the published count; `None` if the number of runs was not
    /// published.
    fn counts(&self) -> Option<TableCell> {
        let (solved, runs) = self.rate().effective_counts();
        let (further_solved, further) = self.row.counts()?;
        Some(TableCell { solved, runs, further_solved, further })
    }
}

impl PublishedFigure {
    fn judge_means(self, cells: &[PublishedCell<'_>]) -> Option<TableFinding> {
        let (cells, means): (Vec<&PublishedCell<'_>>, Vec<MeanCell>) =
            cells.iter().filter_map(|cell| Some((cell, self.mean_cell(cell)?))).unzip();
        let as_ratios = self == Self::MeanMsSolved;
        let predicted = predict_means(&means, as_ratios, SEED)?;
        // Here each run counts as a run on an instance of its own.
        let alike = means.iter().enumerate().map(|(at, cell)| {
            let figures = cell.figures.values().flatten().enumerate();
            let figures = figures.map(|(run, &figure)| ((at << 32) + run, vec![figure])).collect();
            MeanCell { figures, ..*cell }
        });
        let alike = predict_means(&alike.collect::<Vec<_>>(), as_ratios, SEED)?;
        let whole = format!(
            "The p-value of the whole table is {}. The test draws random tables from our instances and their runs. \
             If the runs on an instance were independent, the p-value would be {}.",
            rounded_text(predicted.p_value, 1e4),
            rounded_text(alike.p_value, 1e4)
        );
        let findings = cells.iter().zip(&means).zip(&predicted.cells).map(|((cell, means), predicted)| {
            let values: Vec<f64> = means.figures.values().flatten().copied().collect();
            let ours = short(mean_estimate(&values).map(|found| found.mean));
            let allowed = format!("{} to {}", short(Some(predicted.low)), short(Some(predicted.high)));
            cell.finding([shortest(Some(means.seen)), ours, allowed], predicted.p_value, false)
        });
        Some(TableFinding { cells: findings.collect(), whole, p: predicted.p_value })
    }

    /// Our values by instance, and the published mean; `None` if the paper gives no mean.
    fn mean_cell(self, cell: &PublishedCell<'_>) -> Option<MeanCell> {
        let mut figures: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for run in &cell.runs {
            if let Some(figure) = self.figure(run) {
                figures.entry(run.instance()).or_default().push(figure);
            }
        }
        let (seen, further) = match self {
            Self::MeanMsSolved => (cell.row.mean_ms_solved?, cell.row.counts()?.0),
            _ => (cell.row.mean_generations?, cell.row.runs?),
        };
        (further > 0 && !figures.is_empty()).then_some(MeanCell { figures, further, seen })
    }

    /// The value of a run; `None` if the run has no value.
    fn figure(self, run: &Sample) -> Option<f64> {
        // A short time may be rounded to 0.
        const LEAST_MS: f64 = 1e-3;
        let outcome = &run.outcome;
        let generations = outcome.generations as f64;
        match self {
            Self::MeanMsSolved => {
                let ms = outcome.cpu_ms.unwrap_or(outcome.wall_ms).max(LEAST_MS);
                outcome.is_solved().then_some(ms)
            }
            Self::MeanGenerationsToBest => Some(outcome.generations_to_best()),
            _ => Some(generations),
        }
    }
}

fn judge_rates(cells: &[PublishedCell<'_>]) -> Option<TableFinding> {
    let counts: Vec<TableCell> = cells.iter().filter_map(PublishedCell::counts).collect();
    let p = joint_p_value(&counts, TABLES.0, TABLES.1);
    let whole = format!(
        "The p-value of the whole table is {}. The test draws {} random tables from our rates.",
        rounded_text(p, 1e4),
        TABLES.0
    );
    let finding = |cell: &PublishedCell<'_>| {
        let printed = cell.row.success_rate?;
        let TableCell { solved, runs, further_solved: seen, further: theirs } = cell.counts()?;
        let allowed = AllowedCounts::new((solved, runs), theirs);
        let texts = [format!("{} % of {theirs}", percent(printed)), cell.rate().text(), allowed.to_string()];
        Some(cell.finding(texts, count_p_value(solved, runs, theirs, seen), allowed.is_wide()))
    };
    let cells: Vec<_> = cells.iter().filter_map(finding).collect();
    (!cells.is_empty()).then_some(TableFinding { cells, whole, p })
}

fn nothing_published() -> SelectionError {
    SelectionError::nothing("any row of the published table")
}
