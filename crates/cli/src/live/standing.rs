//! What leads so far, by the metric of the table, as far as it can be said of aggregates.

use evogrid_analysis::metric::{Metric, Rate};
use evogrid_results::format::{fixed, short};

use super::tally::CellTally;

/// The most cells that are named.
const MOST_PLACES: usize = 5;

/// Why cells that are not complete are not judged.
const ORDER: &str = "instances are done in the order of the file, and easy ones may come first";

/// That nobody should stop, or go on, by what leads now.
pub(crate) const WARNING: &str = "Early results are not a stopping rule: looking repeatedly and stopping as soon as a \
                                  difference shows finds false differences far more often than 5 % of the time. Fix \
                                  the number of repetitions beforehand.";

/// The cells that lead.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Standing {
    /// By what they are judged.
    pub(crate) measure: &'static str,
    /// Cells all of whose runs are there, the best first.
    pub(crate) places: Vec<Place>,
    /// Why there is nothing to see, or what is not in it.
    pub(crate) note: Option<String>,
}

/// A cell with its figure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) cell: usize,
    /// `85 % (71 to 93)`.
    pub(crate) figure: String,
}

impl Standing {
    /// Of the cells of an experiment, each with so many runs planned, on instances of so many families of problems.
    pub(crate) fn new(cells: &[CellTally], runs_a_cell: u64, n_families: usize) -> Self {
        let any = |count: fn(&CellTally) -> u64| cells.iter().any(|cell| count(cell) > 0);
        let metric =
            Metric::by_default(any(|cell| cell.judged), any(|cell| cell.gaps.n()), any(|cell| cell.without_gap));
        let measure = match metric {
            Metric::Solved => "solved (95 % interval for these instances alone: the table's is wider)",
            Metric::Gap => "mean gap to the best known values",
            _ => "mean objective, the least first",
        };
        if metric == Metric::Objective && n_families > 1 {
            let note = "objectives of several families of problems are not averaged".to_owned();
            return Self { measure, places: Vec::new(), note: Some(note) };
        }
        let complete = cells.iter().enumerate().filter(|(_, cell)| cell.present(runs_a_cell) == runs_a_cell);
        let mut ranked: Vec<(f64, Place)> = complete
            .filter_map(|(cell, tally)| figure(metric, tally).map(|(cost, figure)| (cost, Place { cell, figure })))
            .collect();
        ranked.sort_by(|one, other| one.0.total_cmp(&other.0));
        let n_begun = cells.iter().filter(|cell| (1..runs_a_cell).contains(&cell.present(runs_a_cell))).count();
        let note = match (n_begun, ranked.is_empty()) {
            (0, _) => None,
            (_, true) => Some(format!("no comparison yet, since no configuration is complete: {ORDER}")),
            (_, false) => Some(format!("incomplete configurations are left out: {ORDER}")),
        };
        Self { measure, places: ranked.into_iter().take(MOST_PLACES).map(|(_, place)| place).collect(), note }
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
            let rate = Rate::of_these(cell.solved, cell.judged);
            (cell.judged > 0).then(|| (metric.cost(rate.share()), rate.text()))
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
        standing.places.iter().map(|place| (place.cell, place.figure.as_str())).collect()
    }

    #[test]
    fn complete_cells_alone_are_judged_and_the_best_comes_first() {
        let solved = |done, judged, solved| CellTally { done, judged, solved, ..CellTally::default() };
        let cells = [solved(10, 10, 4), solved(9, 9, 9), solved(10, 10, 9), solved(0, 0, 0)];
        let standing = Standing::new(&cells, 10, 1);
        // statsmodels.stats.proportion.proportion_confint(9, 10, method="wilson") is 0.59585 to 0.98212.
        assert_eq!(shown(&standing), [(2, "90 % (59 to 99)"), (0, "40 % (16 to 69)")]);
        assert_eq!(standing.note, Some(format!("incomplete configurations are left out: {ORDER}")));
        let standing = Standing::new(&cells[1..2], 10, 1);
        assert!(standing.places.is_empty() && standing.note.is_some_and(|note| note.contains("no comparison yet")));
        assert_eq!(Standing::new(&cells[2..], 10, 1).note, None, "none is begun and not complete");
    }

    #[test]
    fn objectives_are_averaged_within_one_family() {
        let cell = |figures: &[f64]| CellTally {
            done: 2,
            objectives: moments(figures),
            without_gap: 2,
            ..CellTally::default()
        };
        let cells = [cell(&[10.0, 20.0]), cell(&[1.0, 1.0])];
        assert_eq!(shown(&Standing::new(&cells, 2, 1)), [(1, "1.000"), (0, "15.00")]);
        assert!(shown(&Standing::new(&cells, 2, 2)).is_empty());
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
        assert_eq!(shown(&Standing::new(&cells, 2, 1)), [(1, "3.50 %"), (0, "infinite: 1 without a solution")]);
    }
}
