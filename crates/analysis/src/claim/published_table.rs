//! Published tables: rates or means of another's runs beside ours, cell by cell and as a whole.

use super::finding::{Finding, Grid, Judge, Verdict};
use crate::published::{AllowedCounts, Match, MatchedRuns, Published, PublishedRow};
use crate::samples::{Rate, Roster, Sample, Samples, SelectionError, Selector};
use evogrid_results::format::{percent, rounded_text, short, shortest};
use evogrid_statistics::{TableCell, count_p_value, holm, joint_p_value, predict_mean};

/// Simulated tables for the judgement of a whole one, and their seed.
const TABLES: (usize, u64) = (20_000, 1);

/// A published table that ours is held against.
#[derive(Clone, Debug, PartialEq)]
pub struct TableClaim {
    /// What was published.
    pub published: Published,
    /// Which of its figures.
    pub column: PublishedFigure,
    /// Which runs of ours.
    pub of: Selector,
}

/// A column of published figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublishedFigure {
    /// Success rates.
    SuccessRate,
    /// Mean generations of all runs.
    MeanGenerations,
    /// The same figures read as mean generations up to the one that found the best: the generations of a run times its
    /// evaluations to the best over all its evaluations.
    MeanGenerationsToBest,
    /// Mean milliseconds of the solved runs, which are shown and not judged.
    MeanMsSolved,
}

/// A cell of the table: the runs of ours, and the row that was published for them.
struct PublishedCell<'a> {
    labels: Vec<&'a str>,
    runs: Vec<&'a Sample>,
    row: &'a PublishedRow,
}

/// What a cell says.
struct CellFinding {
    published: String,
    ours: String,
    allowed: String,
    p: f64,
    is_wide: bool,
}

impl Judge for TableClaim {
    fn check(&self, roster: &Roster) -> Result<(), SelectionError> {
        roster.select(&self.of)?;
        let is_found = roster.configurations.iter().any(|configuration| {
            let names = std::iter::once(&configuration.algorithm).chain(&configuration.varied);
            roster.instances.iter().any(|instance| {
                let values: Vec<&str> = names.clone().chain([&instance.bucket]).map(String::as_str).collect();
                matches!(self.published.find(&roster.varied, &values), Match::One(_))
            })
        });
        if is_found { Ok(()) } else { Err(nothing_published()) }
    }

    fn judge(&self, samples: &Samples) -> Result<Finding, SelectionError> {
        let selection = samples.roster.select(&self.of)?;
        let cells: Vec<PublishedCell<'_>> =
            self.published.matched(samples, &selection).into_iter().filter_map(PublishedCell::new).collect();
        if cells.is_empty() {
            return Err(nothing_published());
        }
        let judged: Vec<(&PublishedCell<'_>, CellFinding)> =
            cells.iter().filter_map(|cell| Some((cell, self.column.judge(cell)?))).collect();
        let p_values = holm(&judged.iter().map(|(_, finding)| finding.p).collect::<Vec<_>>());
        let outside = p_values.iter().filter(|&&p| p < 0.05).count();
        let wide = judged.iter().filter(|(_, finding)| finding.is_wide).count();

        let names = samples.roster.varied.iter().map(String::as_str).chain(["bucket"]);
        let figures = ["published", "ours (95 %)", "runs", "allowed", "p"];
        let mut grid = Grid::new(names.chain(figures), samples.roster.varied.len() + 1);
        for (cell, finding) in &judged {
            let p =
                if self.column == PublishedFigure::MeanMsSolved { String::new() } else { rounded_text(finding.p, 1e4) };
            let (published, ours, allowed) = (&finding.published, &finding.ours, &finding.allowed);
            let mut row: Vec<String> = cell.labels.iter().map(|&label| label.to_owned()).collect();
            row.extend([published.clone(), ours.clone(), cell.runs.len().to_string(), allowed.clone(), p]);
            grid.rows.push(row);
        }
        let (verdict, reasons) = self.verdict(&cells, judged.len(), outside, wide);
        Ok(Finding {
            verdict,
            published: format!("{} cells", judged.len()),
            ours: match self.column {
                PublishedFigure::MeanMsSolved => "beside them".to_owned(),
                _ => format!("{} of {} agree", judged.len() - outside, judged.len()),
            },
            published_runs: cells.iter().map(|cell| cell.row.runs).sum(),
            runs: cells.iter().map(|cell| cell.runs.len() as u64).sum(),
            reasons,
            grids: vec![grid],
        })
    }
}

impl TableClaim {
    fn verdict(
        &self,
        cells: &[PublishedCell<'_>],
        judged: usize,
        outside: usize,
        wide: usize,
    ) -> (Verdict, Vec<String>) {
        let p_of_table = match self.column {
            PublishedFigure::MeanMsSolved => {
                let reason = "Times are of a machine and a language: they are shown, and not judged.";
                return (Verdict::CannotBeTold, vec![reason.to_owned()]);
            }
            PublishedFigure::MeanGenerations | PublishedFigure::MeanGenerationsToBest => None,
            PublishedFigure::SuccessRate => {
                let cells: Vec<TableCell> = cells.iter().filter_map(PublishedCell::counts).collect();
                Some(joint_p_value(&cells, TABLES.0, TABLES.1))
            }
        };
        let mut reasons = vec![match outside {
            0 => format!(
                "No cell lies outside what our runs allow for one of its size (two-sided predictive p, Holm's correction over {judged} cells)."
            ),
            n => format!(
                "{n} of {judged} cells {} outside what our runs allow for one of its size (two-sided predictive p < 0.05, Holm's correction).",
                if n == 1 { "lies" } else { "lie" }
            ),
        }];
        if let Some(p) = p_of_table {
            reasons.push(format!(
                "The table as a whole: of {} tables drawn from our rates a share of {} lies as far from them or farther.",
                TABLES.0,
                rounded_text(p, 1e4)
            ));
        }
        if wide > 0 {
            reasons.push(format!(
                "{wide} of {judged} cells rest on so few runs that more than half of all figures would have passed: of those the \
                 agreement says little."
            ));
        }
        let fails = outside > 0 || p_of_table.is_some_and(|p| p < 0.05);
        (Verdict::new(!fails && 2 * wide <= judged, fails), reasons)
    }
}

impl<'a> PublishedCell<'a> {
    /// The cell of runs for which one row is published.
    fn new(matched: MatchedRuns<'a>) -> Option<Self> {
        let Match::One(row) = matched.published else { return None };
        Some(Self { labels: matched.values[1..].to_vec(), runs: matched.runs, row })
    }

    fn rate(&self) -> Rate {
        Rate::of_solved(self.runs.iter().copied())
    }

    /// Its solved runs, ours (as many independent ones as tell as much) and theirs, if they say how many there were.
    fn counts(&self) -> Option<TableCell> {
        let (solved, runs) = self.rate().effective_counts();
        let (further_solved, further) = self.row.counts()?;
        Some(TableCell { solved, runs, further_solved, further })
    }
}

impl PublishedFigure {
    /// What a cell says; `None` where nothing was printed.
    fn judge(self, cell: &PublishedCell<'_>) -> Option<CellFinding> {
        match self {
            Self::SuccessRate => {
                let printed = cell.row.success_rate?;
                let TableCell { solved, runs, further_solved: seen, further: theirs } = cell.counts()?;
                let allowed = AllowedCounts::new((solved, runs), theirs);
                Some(CellFinding {
                    published: format!("{} % of {theirs}", percent(printed)),
                    ours: cell.rate().text(),
                    allowed: allowed.to_string(),
                    p: count_p_value(solved, runs, theirs, seen),
                    is_wide: allowed.is_wide(),
                })
            }
            Self::MeanGenerations | Self::MeanGenerationsToBest => {
                let printed = cell.row.mean_generations?;
                let share = |run: &Sample| match (self, run.outcome.evaluations) {
                    (Self::MeanGenerations, _) | (_, 0) => 1.0,
                    (_, all) => run.outcome.evaluations_to_best as f64 / all as f64,
                };
                let generations: Vec<f64> =
                    cell.runs.iter().map(|run| run.outcome.generations as f64 * share(run)).collect();
                let predicted = predict_mean(&generations, cell.row.runs?, printed, 1)?;
                Some(CellFinding {
                    published: shortest(Some(printed)),
                    ours: short(mean(&generations)),
                    allowed: format!("{} to {}", short(Some(predicted.low)), short(Some(predicted.high))),
                    p: predicted.p_value,
                    is_wide: false,
                })
            }
            Self::MeanMsSolved => {
                let published = shortest(Some(cell.row.mean_ms_solved?));
                let solved = cell.runs.iter().filter(|run| run.outcome.solved);
                let ours = short(mean(&solved.map(|run| run.outcome.wall_ms).collect::<Vec<_>>()));
                Some(CellFinding { published, ours, allowed: String::new(), p: 1.0, is_wide: false })
            }
        }
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn nothing_published() -> SelectionError {
    SelectionError::Nothing { conditions: "any row of the published table".to_owned() }
}
