//! Metrics: the values by which runs are compared, and the estimates for groups of runs.
//!
//! Comparisons, charts, claims, reports, the live view and the option `--metric` use the list [`METRICS`]. The list
//! [`FIGURES`](crate::summary::FIGURES) contains the estimates for groups of runs. The columns of `summary.csv` come from this list. An
//! estimate is a [`Rate`], an [`InstanceMean`] or a median.

mod best_of_many;
mod comparable;
mod estimates;
mod list;

use crate::samples::{Sample, Samples};
use evogrid_core::family::Direction;
use evogrid_core::suggestion::one_of;
use evogrid_results::format::short;
use evogrid_statistics::{MedianEstimate, median};

pub use best_of_many::{BestOfMany, PartTally, Parts};
pub(crate) use best_of_many::{add, have_equal_shares, standing_name};
pub use comparable::reported_objectives;
pub use estimates::{ExpectedTime, FEW_RUNS, InstanceMean, Rate, expected_evaluations, penalised_time};
pub(crate) use estimates::{effective_counts, gap_ends};
use list::DIVERSITY;
pub(crate) use list::penalised_ms;
pub use list::{Estimator, METRICS, Metric, MetricDeclaration, Shared, Subject};

impl Metric {
    /// The metric with this name. The name is a name in [`METRICS`], or `diversity@N` for the diversity at the end of generation N.
    ///
    /// # Errors
    /// If the name is unknown, returns a help line with the valid names.
    pub fn of_name(name: &str) -> Result<Self, String> {
        let found = METRICS.iter().find(|declared| declared.name == name).map(|declared| declared.metric);
        let diversity = || Some(Self::Diversity { generation: name.strip_prefix("diversity@")?.parse().ok()? });
        found.or_else(diversity).ok_or_else(|| {
            let names: Vec<&str> = METRICS.iter().map(|declared| declared.name).collect();
            format!("`diversity@N` is the diversity at the end of generation N; {}", one_of(name, &names))
        })
    }

    /// The declaration of the metric.
    pub fn declaration(self) -> &'static MetricDeclaration {
        METRICS.iter().find(|declared| declared.metric == self).unwrap_or(&DIVERSITY)
    }

    /// The value of a run; `None` if the run has no value.
    pub fn figure(self, samples: &Samples, sample: &Sample) -> Option<f64> {
        match self {
            Self::Gap => samples.gap(sample),
            Self::Evaluations if samples.is_work_unknown(sample) => None,
            Self::Diversity { generation } => samples.diversity.get(&generation)?.get(&sample.run).copied(),
            _ => {
                let figure = self.of_outcome(&sample.outcome)?;
                Some(if figure.is_infinite() { self.direction(samples, sample).cost(figure) } else { figure })
            }
        }
    }

    /// The column that the metric needs in addition to the usual columns.
    pub fn column(self) -> Option<&'static str> {
        match self {
            Self::Solved | Self::Diversity { .. } => None,
            _ => Some(self.declaration().column),
        }
    }

    /// A run's work, and whether the run was solved. This metric must measure the work that is needed to solve an instance. The result is
    /// `None` if the run's work or success is unknown. For an unsolved run, this function returns the work that the run did, which is
    /// finite. The metric itself has an infinite value for an unsolved run.
    pub fn observed_time(self, samples: &Samples, sample: &Sample) -> Option<(f64, bool)> {
        let is_solved = sample.outcome.solved?;
        let mut as_solved = *sample;
        as_solved.outcome.solved = Some(true);
        Some((self.figure(samples, &as_solved)?, is_solved))
    }

    /// Whether smaller or larger values are better for a run.
    pub fn direction(self, samples: &Samples, sample: &Sample) -> Direction {
        self.declaration().direction.unwrap_or_else(|| samples.direction(sample))
    }

    /// The value of a run as a cost. A smaller cost is better.
    pub fn cost(self, samples: &Samples, sample: &Sample) -> Option<f64> {
        Some(self.direction(samples, sample).cost(self.figure(samples, sample)?))
    }

    /// A verb phrase for a better configuration, for example `takes fewer evaluations`. The phrase depends on whether smaller or larger
    /// values are better.
    pub fn better(self, direction: Direction) -> &'static str {
        match (self, direction) {
            (Self::Objective, Direction::Maximise) => "ends at a higher objective",
            (Self::BestFitness, Direction::Maximise) => "ends at a higher fitness",
            _ => self.declaration().better,
        }
    }

    /// The name of the estimate. Sentences about several runs use this name.
    pub fn name(self) -> String {
        let name = self.declaration().estimate;
        match self {
            Self::Diversity { generation } => format!("{name} after {generation} generations"),
            _ => name.to_owned(),
        }
    }

    /// The estimate for a group of runs and its interval, as text. The group includes unsolved runs.
    pub fn group_figure(self, samples: &Samples, group: &[&Sample]) -> String {
        let figures = || group.iter().filter_map(|sample| Some((sample.instance(), self.figure(samples, sample)?)));
        match self.declaration().estimator {
            Estimator::Rate => Rate::of_solved(group.iter().copied()).text(),
            Estimator::InstanceMean if self == Self::Gap && samples.n_families(group) > 1 => {
                "of several families".to_owned()
            }
            Estimator::InstanceMean => InstanceMean::of_values(figures()).text(),
            Estimator::Median if self == Self::Objective && samples.n_measures(group.iter().copied()) > 1 => {
                "of several measures".to_owned()
            }
            Estimator::Median => median_text(figures().map(|(_, figure)| figure).collect()),
        }
    }
}

/// A median with its interval.
pub(crate) fn median_text(mut values: Vec<f64>) -> String {
    match median(&mut values) {
        Some(MedianEstimate { median, low, high }) if low.is_finite() || high.is_finite() => {
            format!("{} ({} to {})", figure_text(median), figure_text(low), figure_text(high))
        }
        // All infinite, or too few for an interval.
        Some(MedianEstimate { median, .. }) => figure_text(median),
        None => "none".to_owned(),
    }
}

/// A value without trailing zeros, for example `12.3` for `12.30`. The text for an infinite value is "unsolved".
pub fn figure_text(value: f64) -> String {
    if value.is_infinite() {
        return "unsolved".to_owned();
    }
    let text = short(Some(value));
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use evogrid_core::budget::Stop;
    use evogrid_results::RunOutcome;

    use super::*;

    #[test]
    fn every_metric_is_declared_once_and_found_by_its_name() {
        for declared in METRICS.iter() {
            assert_eq!(Metric::of_name(declared.name), Ok(declared.metric));
            assert_eq!(declared.metric.declaration().name, declared.name);
        }
        assert_eq!(Metric::of_name("diversity@7"), Ok(Metric::Diversity { generation: 7 }));
        assert!(Metric::of_name("evaluation").is_err_and(|help| help.contains("did you mean `evaluations`?")));
    }

    #[test]
    fn a_penalised_time_is_that_of_runs_that_did_not_fail() {
        let outcome = |solved, stop| RunOutcome { solved, stop, wall_ms: 7.0, ..RunOutcome::default() };
        let figures =
            |solved, stop| [Metric::WallMs, Metric::Par10Ms].map(|metric| metric.of_outcome(&outcome(solved, stop)));
        assert_eq!(figures(Some(true), Stop::Target), [Some(7.0); 2]);
        assert_eq!(figures(Some(false), Stop::Time), [Some(f64::INFINITY), Some(70.0)]);
        assert_eq!(figures(Some(false), Stop::Failed), [Some(f64::INFINITY), None]);
        assert_eq!(figures(None, Stop::Time), [None; 2]);
    }
}
