//! What leads so far, by the metric of the table, as far as it can be said of aggregates.

use evogrid_analysis::samples::Metric;
use evogrid_results::format::{fixed, percent, short};
use evogrid_statistics::wilson;

use super::tally::CellTally;

/// The most cells that are named of those that are complete, and of the others.
const MOST_COMPLETE: usize = 5;
const MOST_INCOMPLETE: usize = 3;

/// That nobody should stop, or go on, by what leads now.
pub(crate) const WARNING: &str = "Looking early is no stopping rule: whoever looks again and again and stops when a difference shows \
                                  finds one that is not there far more often than 5 % of the time. Fix the repetitions before.";

/// The cells that lead.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Standing {
    /// By what they are judged.
    pub(crate) measure: &'static str,
    /// Cells all of whose runs are there, the best first.
    pub(crate) complete: Vec<Place>,
    /// The same of others, which have done other runs than these so far.
    pub(crate) incomplete: Vec<Place>,
    /// Why there is nothing to see, or what is not in it.
    pub(crate) note: Option<String>,
}

/// A cell with its figure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) cell: usize,
    /// `85 % (71 to 93)`.
    pub(crate) figure: String,
    /// Runs that are there.
    pub(crate) n_runs: u64,
}

impl Standing {
    /// Of the cells of an experiment, each with so many runs planned, on so many instances and families of problems.
    pub(crate) fn new(cells: &[CellTally], runs_a_cell: u64, (n_instances, n_families): (u64, usize)) -> Self {
        let any = |count: fn(&CellTally) -> u64| cells.iter().any(|cell| count(cell) > 0);
        let metric =
            Metric::by_default(any(|cell| cell.judged), any(|cell| cell.gaps.n()), any(|cell| cell.without_gap));
        let measure = match metric {
            Metric::Solved => "solved (95 % interval on these instances)",
            Metric::Gap => "mean gap to the best known values",
            _ => "mean objective, the least first",
        };
        let mut standing = Self { measure, complete: Vec::new(), incomplete: Vec::new(), note: None };
        if metric == Metric::Objective && n_families > 1 {
            standing.note = Some("objectives of several families of problems are not averaged".to_owned());
            return standing;
        }
        // Objectives of other instances are other quantities; of rates and gaps at least the scale is the same.
        let compares_incomplete = metric != Metric::Objective || n_instances == 1;
        let places = |is_complete: bool, most: usize| {
            let ranked = |(number, cell): (usize, &CellTally)| {
                let n_runs = cell.present(runs_a_cell);
                let (cost, figure) =
                    figure(metric, cell).filter(|_| n_runs > 0 && (n_runs == runs_a_cell) == is_complete)?;
                Some((cost, Place { cell: number, figure, n_runs }))
            };
            let mut ranked: Vec<(f64, Place)> = cells.iter().enumerate().filter_map(ranked).collect();
            ranked.sort_by(|one, other| one.0.total_cmp(&other.0));
            ranked.into_iter().take(most).map(|(_, place)| place).collect()
        };
        standing.complete = places(true, MOST_COMPLETE);
        let n_begun = cells.iter().filter(|cell| (1..runs_a_cell).contains(&cell.present(runs_a_cell))).count();
        if compares_incomplete {
            standing.incomplete = places(false, MOST_INCOMPLETE);
        } else if n_begun > 0 {
            standing.note = Some(
                "cells are compared once all their runs are there: means over other instances are other quantities"
                    .to_owned(),
            );
        }
        standing
    }
}

/// A cell's figure, and what is less where it is better; `None` if it has none.
fn figure(metric: Metric, cell: &CellTally) -> Option<(f64, String)> {
    let or_infinite = |mean: Option<f64>, text: &dyn Fn(f64) -> String| {
        let infinite = || (f64::INFINITY, format!("infinite: {} without a solution", cell.without_solution));
        if cell.without_solution > 0 { Some(infinite()) } else { mean.map(|mean| (mean, text(mean))) }
    };
    match metric {
        Metric::Solved => {
            let share = (cell.judged > 0).then(|| cell.solved as f64 / cell.judged as f64)?;
            let interval = wilson(cell.solved, cell.judged);
            let [low, high] = [(100.0 * interval.low).floor(), (100.0 * interval.high).ceil()];
            Some((-share, format!("{} % ({low} to {high})", percent(share))))
        }
        Metric::Gap => or_infinite(cell.gaps.mean(), &|mean| format!("{} %", fixed(Some(mean), 2))),
        _ => or_infinite(cell.objectives.mean(), &|mean| short(Some(mean))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::moments::Moments;

    fn moments(figures: &[f64]) -> Moments {
        let mut moments = Moments::default();
        figures.iter().for_each(|&figure| moments.add(figure));
        moments
    }

    fn shown(standing: &Standing) -> Vec<(usize, &str)> {
        let places = standing.complete.iter().chain(&standing.incomplete);
        places.map(|place| (place.cell, place.figure.as_str())).collect()
    }

    #[test]
    fn complete_cells_come_before_others_and_the_best_first() {
        let solved = |done, judged, solved| CellTally { done, judged, solved, ..CellTally::default() };
        let cells = [solved(10, 10, 4), solved(3, 3, 3), solved(10, 10, 9), solved(0, 0, 0)];
        let standing = Standing::new(&cells, 10, (5, 1));
        // statsmodels.stats.proportion.proportion_confint(9, 10, method="wilson") is 0.59585 to 0.98212.
        assert_eq!(shown(&standing), [(2, "90 % (59 to 99)"), (0, "40 % (16 to 69)"), (1, "100 % (43 to 100)")]);
    }

    #[test]
    fn objectives_are_compared_on_the_same_instances_only() {
        let cell = |done, figures: &[f64]| CellTally {
            done,
            objectives: moments(figures),
            without_gap: done,
            ..CellTally::default()
        };
        let cells = [cell(2, &[10.0, 20.0]), cell(1, &[1.0])];
        let standing = Standing::new(&cells, 2, (2, 1));
        assert_eq!(shown(&standing), [(0, "15.00")]);
        assert!(standing.note.is_some_and(|note| note.contains("once all their runs are there")));
        assert_eq!(shown(&Standing::new(&cells, 2, (1, 1))), [(0, "15.00"), (1, "1.000")], "one instance");
        assert!(shown(&Standing::new(&cells, 2, (2, 2))).is_empty(), "several families");
    }

    #[test]
    fn a_run_without_a_solution_makes_a_mean_gap_infinite() {
        let gaps = |done, figures: &[f64], without_solution| CellTally {
            done,
            gaps: moments(figures),
            without_solution,
            ..CellTally::default()
        };
        let cells = [gaps(2, &[0.5], 1), gaps(2, &[3.0, 4.0], 0)];
        assert_eq!(shown(&Standing::new(&cells, 2, (2, 1))), [(1, "3.50 %"), (0, "infinite: 1 without a solution")]);
    }
}
