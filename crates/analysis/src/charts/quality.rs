//! The quality of solutions: gaps, or objectives relative to the best objective of the runs. Also the value of a group of runs in any
//! metric.

use super::axis::Axis;
use super::error::{ChartError, refused};
use super::input::ChartInput;
use crate::cross::{self, Spread};
use crate::metric::{InstanceMean, Metric, figure_text};
use crate::samples::{Sample, Samples};
use evogrid_core::budget::Stop;
use evogrid_core::family::Direction;
use evogrid_results::format::{capital, percent, rounded_text};
use evogrid_results::gap;
use evogrid_statistics::Interval;

/// If the largest mean is at least this many times the smallest mean, the axis is logarithmic.
const LOG_RATIO: f64 = 30.0;

/// The format of the ticks.
const FORMAT: &str = ",.6~g";

/// The mean quality of a group of runs.
pub(super) struct Figure {
    pub(super) value: f64,
    pub(super) interval: Interval,
    /// The mean with its interval, as text.
    pub(super) text: String,
}

/// The measure of quality that a chart draws.
pub(super) struct Quality<'a> {
    samples: &'a Samples,
    reference: Reference,
    /// The direction of the objectives, if objectives are drawn.
    direction: Direction,
}

/// The texts for a measure of quality.
pub(super) struct QualityWords {
    /// The title of an axis of means.
    pub(super) title: String,
    /// The title at the start of a sentence, without a unit.
    pub(super) heading: String,
    /// The title of an axis that shows relative values of single runs.
    run: String,
    /// The title of a chart of single runs.
    pub(super) runs_heading: String,
    /// A sentence about the value of a run.
    pub(super) scale: String,
    /// Sentences about means and their intervals.
    pub(super) of_means: String,
    /// The reason why runs may have no value.
    silence: &'static str,
}

/// The reference values of the measure.
enum Reference {
    /// The best known values. The measure is the gap.
    BestKnown,
    /// The best objective of all runs on each instance, by the index of the instance in the roster.
    BestOfRuns(Vec<f64>),
    /// No reference. With one instance, the objectives themselves are drawn.
    Nothing,
}

impl<'a> Quality<'a> {
    /// The measure for a metric: gaps, or objectives if the metric is the objective. Objectives on a single instance are not relative.
    pub(super) fn new(samples: &'a Samples, metric: Metric) -> Result<Self, ChartError> {
        let quality = Self::relative(samples, metric)?;
        match quality.reference {
            Reference::BestOfRuns(ref best) if best.len() < 2 => Ok(Self { reference: Reference::Nothing, ..quality }),
            _ => Ok(quality),
        }
    }

    /// Like [`Self::new`], but objectives on a single instance are also relative.
    pub(super) fn relative(samples: &'a Samples, metric: Metric) -> Result<Self, ChartError> {
        if metric != Metric::Objective {
            if samples.runs.iter().all(|run| run.gap.is_none()) {
                let reason = "no run has a gap; add best known values, or use `--metric objective`";
                return Err(refused(reason));
            }
            return Ok(Self { samples, reference: Reference::BestKnown, direction: Direction::Minimise });
        }
        samples.check_comparable(Metric::Objective, &samples.runs)?;
        let direction = samples.runs.first().map_or_else(Direction::default, |run| samples.direction(run));
        let mut costs = vec![f64::INFINITY; samples.roster.instances.len()];
        for run in &samples.runs {
            let cost = run.outcome.objective.map_or(f64::INFINITY, |objective| direction.cost(objective));
            costs[run.instance()] = costs[run.instance()].min(cost);
        }
        if costs.iter().all(|cost| cost.is_infinite()) {
            return Err(refused("no run has an objective"));
        }
        let best = costs.into_iter().map(|cost| direction.cost(cost)).collect();
        Ok(Self { samples, reference: Reference::BestOfRuns(best), direction })
    }

    /// The value of a run. It is infinite if the run has no solution, and `None` if it is unknown.
    pub(super) fn figure(&self, run: &Sample) -> Option<f64> {
        match &self.reference {
            Reference::BestKnown => Metric::Gap.figure(self.samples, run),
            Reference::Nothing => Metric::Objective.figure(self.samples, run),
            Reference::BestOfRuns(best) => {
                let (objective, best) = (Metric::Objective.figure(self.samples, run)?, best[run.instance()]);
                // If no run on the instance has a solution, all runs there are equally bad.
                if objective.is_infinite() && best != 0.0 {
                    Some(f64::INFINITY)
                } else {
                    gap(objective, best, self.direction)
                }
            }
        }
    }

    /// Whether some of these runs have values, and all values have the same scale.
    pub(super) fn known(&self, runs: &[&Sample]) -> bool {
        self.samples.n_families(runs) == 1 && runs.iter().any(|run| self.figure(run).is_some())
    }

    /// The direction of the values.
    pub(super) fn direction_of_values(&self) -> Direction {
        if matches!(self.reference, Reference::Nothing) { self.direction } else { Direction::Minimise }
    }

    /// The mean of these runs with its interval. Runs of several families have no mean.
    pub(super) fn mean(&self, runs: &[&Sample]) -> InstanceMean {
        let runs = if self.known(runs) { runs } else { &[] };
        InstanceMean::of_values(runs.iter().filter_map(|run| Some((run.instance(), self.figure(run)?))))
    }

    /// The mean as a cost. A smaller cost is better. The cost is infinite if the mean is infinite or undefined.
    pub(super) fn cost(&self, runs: &[&Sample]) -> f64 {
        self.mean(runs).mean.map_or(f64::INFINITY, |mean| self.direction_of_values().cost(mean))
    }

    /// The mean that is drawn; `None` if the mean is infinite or undefined.
    pub(super) fn estimate(&self, runs: &[&Sample]) -> Option<Figure> {
        let mean = self.mean(runs);
        let value = mean.mean?;
        Some(Figure {
            value,
            interval: mean.interval.unwrap_or(Interval { low: value, high: value }),
            text: mean.figure(),
        })
    }

    /// The words for the measure.
    pub(super) fn words(&self) -> QualityWords {
        let instances = "The chart shows means over instances. The 95 % intervals hold for instances like these";
        let (noun, reference, scale, note, silence) = match (&self.reference, self.direction) {
            (Reference::BestKnown, _) => (
                "gap",
                "",
                "A gap is the distance from the best known value, in per cent of this value.".to_owned(),
                format!("{instances}. With only one instance, the chart shows means over runs."),
                "the best known value of the instance is missing or 0",
            ),
            (Reference::BestOfRuns(_), direction) => {
                let (noun, reference, side) = match direction {
                    Direction::Minimise => ("excess", " over the best value found", "above"),
                    Direction::Maximise => ("shortfall", " from the best value found", "below"),
                };
                let scale = format!(
                    "The {noun} says by how many per cent the objective of a run is {side} the best objective of all runs on the instance. Objectives of different instances cannot be averaged. New runs may find better objectives."
                );
                let silence = "these runs have no objective, or the best objective is 0";
                (noun, reference, scale, format!("{instances}."), silence)
            }
            (Reference::Nothing, direction) => {
                let mark = if direction == Direction::Maximise { " (maximised)" } else { "" };
                return QualityWords {
                    title: format!("mean objective{mark}"),
                    heading: "Mean objective".to_owned(),
                    run: String::new(),
                    runs_heading: String::new(),
                    scale: String::new(),
                    of_means: "The chart shows means of the runs on one instance. Intervals are 95 % intervals."
                        .to_owned(),
                    silence: "these runs do not report an objective",
                };
            }
        };
        let plural = if noun == "gap" { "Gaps".to_owned() } else { capital(noun) };
        QualityWords {
            title: format!("mean {noun}{reference} (%)"),
            heading: format!("Mean {noun}{reference}"),
            run: format!("{noun}{reference} (%)"),
            runs_heading: format!("{plural} of the runs{reference}"),
            of_means: format!("{scale} {note}"),
            scale,
            silence,
        }
    }

    /// A sentence about the number of runs without a value, if there are such runs.
    pub(super) fn silence(&self) -> Option<String> {
        let all = self.samples.runs.len();
        let silent = self.samples.runs.iter().filter(|run| self.figure(run).is_none()).count();
        (silent > 0).then(|| format!("{silent} of {all} runs are omitted: {}.", self.words().silence))
    }

    /// Sentences for charts of means about runs without a value or without a solution.
    pub(super) fn remarks(&self) -> Vec<String> {
        let all = self.samples.runs.len();
        let infinite = self.samples.runs.iter().filter(|run| self.figure(run).is_some_and(f64::is_infinite)).count();
        let mut remarks: Vec<String> = self.silence().into_iter().collect();
        if infinite > 0 {
            remarks.push(format!(
                "{infinite} of {all} runs found no solution. A mean that includes one of these runs is undefined, and is not drawn."
            ));
        }
        remarks
    }

    /// A sentence if some runs stopped at a target, because these runs cannot show lower gaps.
    pub(super) fn caveat(&self) -> Option<String> {
        let is_stopped = |run: &&Sample| {
            run.outcome.stop == Stop::Target && self.figure(run).is_some_and(|gap| gap > 0.0 && gap.is_finite())
        };
        let (n, all) = (self.samples.runs.iter().filter(is_stopped).count(), self.samples.runs.len());
        (n > 0 && matches!(self.reference, Reference::BestKnown)).then(|| {
            format!(
                "{n} of {all} runs stopped at a target worse than the best known value. The gaps of these runs cannot be lower than the target's gap."
            )
        })
    }

    /// An axis for means. Intervals are cut at the ends of the axis.
    pub(super) fn axis(&self, figures: &[&Figure]) -> Axis {
        let means: Vec<f64> = figures.iter().map(|figure| figure.value).collect();
        let ends = figures.iter().flat_map(|figure| [figure.interval.low, figure.value, figure.interval.high]);
        axis(&self.words().title, &means, ends)
    }

    /// An axis for the values of runs.
    pub(super) fn axis_of_runs(&self, values: &[f64]) -> Axis {
        axis(&self.words().run, values, values.iter().copied())
    }

    /// An axis for the means on instances. If some means are infinite, the axis has a lane.
    pub(super) fn axis_of_instances(&self, means: &[f64]) -> Axis {
        let finite: Vec<f64> = means.iter().copied().filter(|mean| mean.is_finite()).collect();
        let axis = axis(&self.words().title, &finite, finite.iter().copied());
        if finite.len() < means.len() { axis.with_lane("none") } else { axis }
    }
}

/// An axis for means and their intervals. The axis is logarithmic if the largest mean is many times the smallest mean. A logarithmic axis
/// shows a mean of 0 or less at its start, and the title explains this.
pub(super) fn axis(title: &str, means: &[f64], ends: impl Iterator<Item = f64>) -> Axis {
    let high = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let low = means.iter().copied().filter(|&mean| mean > 0.0).fold(f64::INFINITY, f64::min);
    if high / low >= LOG_RATIO {
        let at_edge = means.iter().any(|&mean| mean <= 0.0);
        let title =
            if at_edge { title.replace("(%)", "(%; values of 0 or less lie at the edge)") } else { title.to_owned() };
        // An interval that reaches 0 is cut. Otherwise it would lengthen the axis by decades.
        let least = if at_edge { low / 2.0 } else { low / 3.0 };
        let ends: Vec<f64> = ends.collect();
        let is_cut = ends.iter().any(|end| *end < least && !means.contains(end));
        let mut axis = Axis::log(&title, ends.into_iter().map(|end| end.max(least)), FORMAT);
        if is_cut {
            axis.title.push("intervals that reach lower values are cut at the edge".to_owned());
        }
        return axis;
    }
    // The marks at the ends need room, unless the axis begins at 0.
    let least = means.iter().copied().fold(f64::INFINITY, f64::min);
    let room = 0.03 * (high - least);
    let ends = ends.flat_map(|end| [if end < 0.0 { end - room } else { (end - room).max(0.0) }, end + room]);
    Axis::linear(title, ends, FORMAT)
}

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
        let figure = cross::Figure::new(self.samples, self.metric, Spread::None, runs);
        figure.cost.map(|_| figure.ends[0].unwrap_or(f64::INFINITY))
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
