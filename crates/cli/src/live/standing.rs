//! The best configurations in the runs so far, according to the metric of the table. The ranking is computed from aggregates.

use evogrid_analysis::metric::{BestOfMany, Metric, Rate};
use evogrid_core::family::Direction;
use evogrid_results::format::{fixed, short};

use super::tally::ConfigurationTally;

/// At most this many configurations are named.
const MOST_PLACES: usize = 5;

/// Why incomplete configurations are not ranked.
const ORDER: &str = "incomplete configurations are left out, because easy instances may come first in the file";

/// The leading configurations.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Standing {
    /// The measure that ranks the configurations.
    pub(crate) measure: &'static str,
    /// The configurations that have finished all their runs, each with its value (`85 % (71 to 93)`). The best configuration comes first.
    pub(crate) places: Vec<(usize, String)>,
    /// The best of these configurations, with its result on instances (or repetitions) that were not used to choose it.
    pub(crate) best: Option<BestOfMany>,
    /// Why the ranking is empty or incomplete.
    pub(crate) note: Option<String>,
}

impl Standing {
    /// Ranks the configurations of an experiment with these numbers of instances and families, and this direction of all objectives. The
    /// ranking uses the planned metric if the counters of the live view include it.
    pub(crate) fn new(
        configurations: &[ConfigurationTally],
        (n_instances, n_families, shared_direction): (u64, usize, Option<Direction>),
        planned: Option<Metric>,
    ) -> Self {
        let any =
            |count: fn(&ConfigurationTally) -> u64| configurations.iter().any(|configuration| count(configuration) > 0);
        let by_default = Metric::by_default(
            any(|configuration| configuration.judged),
            any(|configuration| configuration.gaps.n()),
            any(|configuration| configuration.without_gap),
        );
        let is_watched = |metric: &Metric| matches!(metric, Metric::Solved | Metric::Gap | Metric::Objective);
        let metric = planned.filter(is_watched).unwrap_or(by_default);
        let measure = match metric {
            Metric::Solved => {
                "solved (the 95 % interval holds only for these instances; the table shows a wider interval)"
            }
            Metric::Gap => "mean gap to the best known values",
            _ if shared_direction == Some(Direction::Maximise) => "mean objective, largest first",
            _ => "mean objective, smallest first",
        };
        let unaveraged = match shared_direction {
            _ if n_families > 1 => Some("objectives of several families of problems are not averaged"),
            None => Some("some objectives are maximised, and others minimised: no average is possible"),
            Some(_) => None,
        };
        if let Some(note) = unaveraged.filter(|_| metric == Metric::Objective) {
            return Self { measure, places: Vec::new(), best: None, note: Some(note.to_owned()) };
        }
        let direction = shared_direction.unwrap_or_default();
        let is_complete = |tally: &ConfigurationTally| tally.present() == tally.planned;
        let shown = |tally: &ConfigurationTally| figure((metric, direction), tally).filter(|_| is_complete(tally));
        let place = |(number, tally)| shown(tally).map(|(cost, figure)| (cost, (number, figure)));
        let mut ranked: Vec<(f64, (usize, String))> = configurations.iter().enumerate().filter_map(place).collect();
        let finite = |tally: &ConfigurationTally| shown(tally).filter(|(cost, _)| cost.is_finite());
        let parts = configurations.iter().map(|tally| finite(tally).map(|_| *tally.parts.of(metric)));
        let best = BestOfMany::new((metric, direction), n_instances > 1, parts);
        ranked.sort_by(|one, other| one.0.total_cmp(&other.0));
        let n_begun = configurations
            .iter()
            .filter(|configuration| (1..configuration.planned).contains(&configuration.present()))
            .count();
        let note = match (n_begun, ranked.is_empty()) {
            (0, _) => None,
            (_, true) => Some(format!("no comparison yet, since no configuration is complete: {ORDER}")),
            (_, false) => Some(ORDER.to_owned()),
        };
        Self { measure, places: ranked.into_iter().take(MOST_PLACES).map(|(_, place)| place).collect(), best, note }
    }
}

/// The cost and the figure of a configuration. Better configurations have a lower cost. Returns `None` if the configuration has no figure.
fn figure((metric, direction): (Metric, Direction), configuration: &ConfigurationTally) -> Option<(f64, String)> {
    let or_infinite = |mean: Option<f64>, direction: Direction, text: &dyn Fn(f64) -> String| {
        let infinite =
            || (f64::INFINITY, format!("infinite (runs without a solution: {})", configuration.without_solution));
        if configuration.without_solution > 0 {
            Some(infinite())
        } else {
            mean.map(|mean| (direction.cost(mean), text(mean)))
        }
    };
    match metric {
        Metric::Solved => {
            let rate = Rate::of_these(configuration.solved, configuration.judged);
            (configuration.judged > 0).then(|| (Direction::Maximise.cost(rate.share), rate.text()))
        }
        Metric::Gap => {
            or_infinite(configuration.gaps.mean(), Direction::Minimise, &|mean| format!("{} %", fixed(Some(mean), 2)))
        }
        _ => or_infinite(configuration.objectives.mean(), direction, &|mean| short(Some(mean))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evogrid_runner::engine::moments::Moments;

    const SMALLER: Option<Direction> = Some(Direction::Minimise);

    fn moments(figures: &[f64]) -> Moments {
        let mut moments = Moments::default();
        figures.iter().for_each(|&figure| moments.add(figure));
        moments
    }

    fn shown(standing: &Standing) -> Vec<(usize, &str)> {
        standing.places.iter().map(|(number, figure)| (*number, figure.as_str())).collect()
    }

    #[test]
    fn complete_configurations_alone_are_judged_and_the_best_comes_first() {
        let solved = |done, judged, solved| ConfigurationTally {
            planned: 10,
            done,
            judged,
            solved,
            ..ConfigurationTally::default()
        };
        let configurations = [solved(10, 10, 4), solved(9, 9, 9), solved(10, 10, 9), solved(0, 0, 0)];
        let standing = Standing::new(&configurations, (1, 1, SMALLER), None);
        // statsmodels.stats.proportion.proportion_confint(9, 10, method="wilson") is 0.59585 to 0.98212.
        assert_eq!(shown(&standing), [(2, "90 % (59 to 99)"), (0, "40 % (16 to 69)")]);
        assert_eq!(standing.note.as_deref(), Some(ORDER));
        let standing = Standing::new(&configurations[1..2], (1, 1, SMALLER), None);
        assert!(standing.places.is_empty() && standing.note.is_some_and(|note| note.contains("no comparison yet")));
        assert_eq!(
            Standing::new(&configurations, (1, 1, SMALLER), Some(Metric::Gap)).measure,
            "mean gap to the best known values"
        );
        assert_eq!(
            Standing::new(&configurations, (1, 1, SMALLER), Some(Metric::CpuMs)).places.len(),
            2,
            "times are not watched"
        );
        assert_eq!(
            Standing::new(&configurations[2..], (1, 1, SMALLER), None).note,
            None,
            "none is begun and not complete"
        );
    }

    #[test]
    fn objectives_are_averaged_within_one_family() {
        let configuration = |figures: &[f64]| ConfigurationTally {
            planned: 2,
            done: 2,
            objectives: moments(figures),
            without_gap: 2,
            ..ConfigurationTally::default()
        };
        let configurations = [configuration(&[10.0, 20.0]), configuration(&[1.0, 1.0])];
        assert_eq!(shown(&Standing::new(&configurations, (1, 1, SMALLER), None)), [(1, "1.000"), (0, "15.00")]);
        assert!(shown(&Standing::new(&configurations, (1, 2, SMALLER), None)).is_empty());
        let maximised = Standing::new(&configurations, (1, 1, Some(Direction::Maximise)), None);
        assert_eq!(shown(&maximised), [(0, "15.00"), (1, "1.000")]);
        assert_eq!(maximised.measure, "mean objective, largest first");
        let mixed = Standing::new(&configurations, (1, 1, None), None);
        assert!(
            mixed.places.is_empty() && mixed.note.is_some_and(|note| note.contains("some objectives are maximised"))
        );
    }

    #[test]
    fn a_run_without_a_solution_makes_a_mean_gap_infinite() {
        let gaps = |done, figures: &[f64], without_solution| ConfigurationTally {
            planned: 2,
            done,
            gaps: moments(figures),
            without_solution,
            ..ConfigurationTally::default()
        };
        let configurations = [gaps(2, &[0.5], 1), gaps(2, &[3.0, 4.0], 0)];
        assert_eq!(
            shown(&Standing::new(&configurations, (1, 1, SMALLER), None)),
            [(1, "3.50 %"), (0, "infinite (runs without a solution: 1)")]
        );
    }
}
