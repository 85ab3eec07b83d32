//! The value of a group of runs in any metric.

use super::error::ChartError;
use super::input::ChartInput;
use super::quality::Quality;
use crate::metric::{Estimator, InstanceMean, Metric, Rate, figure_text};
use crate::samples::{Sample, Samples};
use evogrid_core::family::Direction;
use evogrid_results::format::{percent, rounded_text};
use evogrid_statistics::median;

/// Computes the value of a group of runs in one metric: a rate in per cent, a mean over instances, or a median.
pub(super) struct GroupValue<'a> {
    samples: &'a Samples,
    pub(super) metric: Metric,
    quality: Option<Quality<'a>>,
}

impl<'a> GroupValue<'a> {
    /// Prepares the computation of values in this metric. An objective is replaced by its excess over the best objective of all runs on the
    /// instance.
    pub(super) fn new(input: &ChartInput<'a>, metric: Metric) -> Result<Self, ChartError> {
        if let Some(column) = metric.column().filter(|&column| column != "gap") {
            input.need(column)?;
        }
        let samples = input.samples;
        samples.check_comparable(metric, &samples.runs)?;
        let is_of_quality = matches!(metric, Metric::Gap | Metric::Objective);
        let quality = is_of_quality.then(|| Quality::new(samples, metric)).transpose()?;
        Ok(Self { samples, metric, quality })
    }

    /// The value of a group. The value is infinite if a run has no solution. It is `None` if it is unknown, or if the runs have no common
    /// scale.
    pub(super) fn of(&self, runs: &[&Sample]) -> Option<f64> {
        if let Some(quality) = &self.quality {
            return quality.known(runs).then(|| quality.mean(runs).mean.unwrap_or(f64::INFINITY));
        }
        let values = || runs.iter().filter_map(|run| Some((run.instance(), self.metric.figure(self.samples, run)?)));
        values().next()?;
        match self.metric.declaration().estimator {
            Estimator::Rate => Some(100.0 * Rate::of_solved(runs.iter().copied()).share),
            Estimator::InstanceMean => Some(InstanceMean::of_values(values()).mean.unwrap_or(f64::INFINITY)),
            Estimator::Median => median(&mut values().map(|(_, value)| value).collect::<Vec<_>>()).map(|of| of.median),
        }
    }

    /// The title of an axis of the values.
    pub(super) fn title(&self) -> String {
        match &self.quality {
            Some(quality) => quality.words().title,
            None if self.metric == Metric::Solved => "success rate (%)".to_owned(),
            None => self.metric.name(),
        }
    }

    /// Whether smaller or larger values are better.
    pub(super) fn direction(&self) -> Direction {
        match (&self.quality, self.samples.runs.first()) {
            (Some(quality), _) => quality.direction_of_values(),
            (None, Some(run)) => self.metric.direction(self.samples, run),
            (None, None) => Direction::Minimise,
        }
    }

    /// A value as text.
    pub(super) fn text(&self, value: f64) -> String {
        match value {
            _ if value.is_infinite() => "none".to_owned(),
            _ if self.metric == Metric::Solved => format!("{} %", percent(value / 100.0)),
            _ => figure_text(value),
        }
    }

    /// A value in three or four characters.
    pub(super) fn cell_text(&self, value: f64) -> String {
        match value {
            _ if value.is_infinite() => "-".to_owned(),
            _ if self.metric == Metric::Solved => value.round().to_string(),
            _ => short_text(value),
        }
    }
}

/// A number with about three digits, and a letter for thousands, millions or more: `12.3`, `4.5k`.
fn short_text(value: f64) -> String {
    let (number, unit) = match value.abs() {
        size if size >= 999_500_000.0 => (value / 1e9, "G"),
        size if size >= 999_500.0 => (value / 1e6, "M"),
        size if size >= 9_999.5 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let decimals = match number.abs() {
        size if size >= 99.95 => 0,
        size if size >= 9.995 => 1,
        _ => 2,
    };
    rounded_text(number, 10f64.powi(decimals)) + unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_cells_have_three_digits() {
        let shown = [0.0, 0.126, 4.0, 12.34, 99.96, 1234.0, 10_500.0, 2_345_678.0, 5e9, -0.5].map(short_text);
        assert_eq!(shown, ["0", "0.13", "4", "12.3", "100", "1234", "10.5k", "2.35M", "5G", "-0.5"]);
    }
}
