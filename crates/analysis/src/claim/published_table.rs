//! Published tables: rates or means of another's runs beside ours, cell by cell and as a whole.

use super::finding::{Finding, Grid, Verdict};
use super::rate::WIDE;
use crate::published::{Match, Published, PublishedRow};
use crate::samples::{Cell, Key, Roster, Sample, Samples, Selector, Unselected, rate};
use evogrid_results::format::{percent, short, shortest};
use evogrid_results::summary::{Figures, SummaryRow};
use evogrid_statistics::{TableCell, count_p_value, holm, joint_p_value, predict_count, predict_mean};

/// Simulated tables for the judgement of a whole one, and their seed.
const TABLES: (usize, u64) = (20_000, 1);

/// A published table that ours is held against.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedTable {
    /// What was published.
    pub published: Published,
    /// Which column of it.
    pub column: Column,
    /// Which runs of ours.
    pub of: Selector,
}

/// A column of published figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
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
struct Cells<'a> {
    labels: Vec<String>,
    runs: Vec<&'a Sample>,
    row: &'a PublishedRow,
}

/// What a cell says.
struct Judged {
    published: String,
    ours: String,
    allowed: String,
    p: f64,
    is_wide: bool,
}

impl PublishedTable {
    pub(super) fn check(&self, roster: &Roster) -> Result<(), Unselected> {
        roster.select(&self.of)?;
        let rows = roster.cells.iter().flat_map(|cell| {
            roster.instances.iter().map(move |instance| summary_row(cell, &instance.bucket, Figures::default()))
        });
        if rows.into_iter().any(|row| matches!(self.published.find(&roster.varied, &row), Match::One(_))) {
            return Ok(());
        }
        Err(Unselected::Nothing { conditions: "any row of the published table".to_owned() })
    }

    pub(super) fn judge(&self, samples: &Samples) -> Result<Finding, Unselected> {
        let cells = self.cells(samples)?;
        if cells.is_empty() {
            return Err(Unselected::Nothing { conditions: "any row of the published table".to_owned() });
        }
        let judged: Vec<Judged> = cells.iter().filter_map(|cell| self.column.judge(cell)).collect();
        let p_values = holm(&judged.iter().map(|judged| judged.p).collect::<Vec<_>>());
        let outside = p_values.iter().filter(|&&p| p < 0.05).count();
        let wide = judged.iter().filter(|judged| judged.is_wide).count();

        let varied = samples.roster.varied.iter().map(String::as_str);
        let header: Vec<&str> = varied.chain(["bucket", "published", "ours (95 %)", "runs", "allowed", "p"]).collect();
        let mut grid = Grid::new(&header, header.len() - 5);
        for (cell, judged) in cells.iter().filter(|cell| self.column.of(cell.row).is_some()).zip(&judged) {
            let mut row = cell.labels.clone();
            let p = if self.column == Column::MeanMsSolved {
                String::new()
            } else {
                shortest(Some((judged.p * 1e4).round() / 1e4))
            };
            row.extend([
                judged.published.clone(),
                judged.ours.clone(),
                cell.runs.len().to_string(),
                judged.allowed.clone(),
                p,
            ]);
            grid.rows.push(row);
        }

        let (verdict, reasons) = self.verdict(&cells, judged.len(), outside, wide);
        Ok(Finding {
            verdict,
            published: format!("{} cells", judged.len()),
            ours: match self.column {
                Column::MeanMsSolved => "beside them".to_owned(),
                _ => format!("{} of {} agree", judged.len() - outside, judged.len()),
            },
            published_runs: cells.iter().map(|cell| cell.row.runs).sum(),
            runs: cells.iter().map(|cell| cell.runs.len() as u64).sum(),
            reasons,
            grids: vec![grid],
        })
    }

    fn cells<'a>(&'a self, samples: &'a Samples) -> Result<Vec<Cells<'a>>, Unselected> {
        let selection = samples.roster.select(&self.of)?;
        let n_varied = samples.roster.varied.len();
        let keys: Vec<Key> =
            std::iter::once(Key::Algorithm).chain((0..n_varied).map(Key::Setting)).chain([Key::Bucket]).collect();
        let mut cells = Vec::new();
        for (values, runs) in samples.grouped(&keys, &selection) {
            let (bucket, cell) = values.split_last().expect("the bucket is a key");
            let named = Cell {
                algorithm: cell[0].to_owned(),
                varied: cell[1..].iter().map(|&value| value.to_owned()).collect(),
            };
            let row = summary_row(&named, bucket, Figures::default());
            if let Match::One(row) = self.published.find(&samples.roster.varied, &row) {
                let labels = values[1..].iter().map(|&value| value.to_owned()).collect();
                cells.push(Cells { labels, runs, row });
            }
        }
        Ok(cells)
    }

    fn verdict(&self, cells: &[Cells<'_>], judged: usize, outside: usize, wide: usize) -> (Verdict, Vec<String>) {
        let p_of_table = match self.column {
            Column::MeanMsSolved => {
                let reason = "Times are of a machine and a language: they are shown, and not judged.";
                return (Verdict::CannotBeTold, vec![reason.to_owned()]);
            }
            Column::MeanGenerations | Column::MeanGenerationsToBest => None,
            Column::SuccessRate => {
                let cells: Vec<TableCell> = cells.iter().filter_map(table_cell).collect();
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
                shortest(Some((p * 1e4).round() / 1e4))
            ));
        }
        if wide > 0 {
            reasons.push(format!(
                "{wide} of {judged} cells rest on so few runs that more than half of all figures would have passed: of those the \
                 agreement says little."
            ));
        }
        let verdict = if outside > 0 || p_of_table.is_some_and(|p| p < 0.05) {
            Verdict::DoesNotHold
        } else if 2 * wide > judged {
            Verdict::CannotBeTold
        } else {
            Verdict::Holds
        };
        (verdict, reasons)
    }
}

impl Column {
    fn of(self, row: &PublishedRow) -> Option<f64> {
        match self {
            Self::SuccessRate => row.success_rate,
            Self::MeanGenerations | Self::MeanGenerationsToBest => row.mean_generations,
            Self::MeanMsSolved => row.mean_ms_solved,
        }
    }

    /// What a cell says; `None` where nothing was printed.
    fn judge(self, cell: &Cells<'_>) -> Option<Judged> {
        let printed = self.of(cell.row)?;
        match self {
            Self::SuccessRate => {
                let (TableCell { solved, runs, .. }, theirs, seen) =
                    (table_cell(cell)?, cell.row.runs?, cell.row.solved()?);
                let allowed = predict_count(solved, runs, theirs);
                let share = |count: u64| count as f64 / theirs as f64;
                Some(Judged {
                    published: format!("{} % of {theirs}", percent(printed)),
                    ours: rate(solved, runs),
                    allowed: format!("{} to {} %", percent(share(allowed.low)), percent(share(allowed.high))),
                    p: count_p_value(solved, runs, theirs, seen),
                    is_wide: share(allowed.high) - share(allowed.low) > WIDE,
                })
            }
            Self::MeanGenerations | Self::MeanGenerationsToBest => {
                let share = |run: &Sample| match (self, run.outcome.evaluations) {
                    (Self::MeanGenerations, _) | (_, 0) => 1.0,
                    (_, all) => run.outcome.evaluations_to_best as f64 / all as f64,
                };
                let sample: Vec<f64> =
                    cell.runs.iter().map(|run| run.outcome.generations as f64 * share(run)).collect();
                let predicted = predict_mean(&sample, cell.row.runs?, printed, 1)?;
                Some(Judged {
                    published: shortest(Some(printed)),
                    ours: short(Some(sample.iter().sum::<f64>() / sample.len() as f64)),
                    allowed: format!("{} to {}", short(Some(predicted.low)), short(Some(predicted.high))),
                    p: predicted.p_value,
                    is_wide: false,
                })
            }
            Self::MeanMsSolved => {
                let solved: Vec<f64> =
                    cell.runs.iter().filter(|run| run.outcome.solved).map(|run| run.outcome.wall_ms).collect();
                let mean = (!solved.is_empty()).then(|| solved.iter().sum::<f64>() / solved.len() as f64);
                let published = shortest(Some(printed));
                Some(Judged { published, ours: short(mean), allowed: String::new(), p: 1.0, is_wide: false })
            }
        }
    }
}

fn table_cell(cell: &Cells<'_>) -> Option<TableCell> {
    let solved = cell.runs.iter().filter(|run| run.outcome.solved).count() as u64;
    let (further_solved, further) = (cell.row.solved()?, cell.row.runs?);
    Some(TableCell { solved, runs: cell.runs.len() as u64, further_solved, further })
}

fn summary_row(cell: &Cell, bucket: &str, figures: Figures) -> SummaryRow {
    SummaryRow { algorithm: cell.algorithm.clone(), varied: cell.varied.clone(), bucket: bucket.to_owned(), figures }
}
