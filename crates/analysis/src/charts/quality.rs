//! The quality of solutions: their gaps, or their objectives relative to the best of these runs.

use super::axis::Axis;
use super::chart::ChartInput;
use super::error::ChartError;
use super::figure::Figure;
use crate::metric::{InstanceMean, Metric};
use crate::samples::{Sample, Samples};
use evogrid_core::budget::Stop;
use evogrid_core::family::Direction;
use evogrid_results::gap;
use evogrid_statistics::Interval;

/// From this ratio of the largest mean to the smallest on the axis is logarithmic.
const LOG_RATIO: f64 = 30.0;

/// How means over instances are drawn.
const MEANS: &str = "The chart shows means over instances with the 95 % interval for instances like these.";

/// The format of the ticks.
const FORMAT: &str = ",.6~g";

/// The quality measure of a run that is drawn.
pub(super) struct Quality<'a> {
    samples: &'a Samples,
    reference: Reference,
    /// Whether smaller or larger objectives are better, if objectives are drawn.
    direction: Direction,
}

/// The words for a quality measure.
pub(super) struct QualityWords {
    /// The title of an axis of means.
    pub(super) title: &'static str,
    /// The title at the start of a sentence, without a unit.
    pub(super) heading: &'static str,
    /// The title of an axis of single runs, whose values are relative.
    pub(super) run: &'static str,
    /// The title of a chart of single runs.
    pub(super) runs_heading: &'static str,
    /// A sentence about the value of a run.
    pub(super) scale: &'static str,
    /// A sentence about means and their intervals.
    note: &'static str,
    /// Why runs may have none.
    silence: &'static str,
}

impl QualityWords {
    /// Sentences about means.
    pub(super) fn of_means(&self) -> String {
        format!("{} {}", self.scale, self.note).trim_start().to_owned()
    }
}

/// What objectives are compared with.
enum Reference {
    /// The best known values: gaps.
    BestKnown,
    /// The best objective of all runs on each instance, by its index in the roster.
    BestOfRuns(Vec<f64>),
    /// There is no reference, because there is one instance.
    Nothing,
}

impl<'a> Quality<'a> {
    /// The gaps of the input's runs, or their objectives if that is the metric.
    pub(super) fn new(input: &ChartInput<'a>) -> Result<Self, ChartError> {
        Self::relative_from(input, 2)
    }

    /// The same, but objectives on a single instance are relative, too.
    pub(super) fn relative(input: &ChartInput<'a>) -> Result<Self, ChartError> {
        Self::relative_from(input, 1)
    }

    fn relative_from(input: &ChartInput<'a>, instances: usize) -> Result<Self, ChartError> {
        let samples = input.samples;
        let has_gaps = samples.runs.iter().any(|run| run.gap.is_some());
        if input.metric != Metric::Objective {
            return if has_gaps {
                Ok(Self { samples, reference: Reference::BestKnown, direction: Direction::Minimise })
            } else {
                Err(ChartError::NoGaps)
            };
        }
        samples.check_comparable(Metric::Objective, &samples.runs)?;
        let direction = samples.runs.first().map_or_else(Direction::default, |run| samples.direction(run));
        let mut costs = vec![f64::INFINITY; samples.roster.instances.len()];
        for run in &samples.runs {
            let cost = run.outcome.objective.map_or(f64::INFINITY, |objective| direction.cost(objective));
            costs[run.instance()] = costs[run.instance()].min(cost);
        }
        if costs.iter().all(|cost| cost.is_infinite()) {
            return Err(ChartError::NoObjectives);
        }
        let reference = if costs.len() < instances {
            Reference::Nothing
        } else {
            Reference::BestOfRuns(costs.into_iter().map(|cost| direction.cost(cost)).collect())
        };
        Ok(Self { samples, reference, direction })
    }

    /// The value of a run: infinitely bad without a solution, `None` if it is unknown.
    pub(super) fn figure(&self, run: &Sample) -> Option<f64> {
        match &self.reference {
            Reference::BestKnown => Metric::Gap.figure(self.samples, run),
            Reference::Nothing => Metric::Objective.figure(self.samples, run),
            Reference::BestOfRuns(best) => {
                let (objective, best) = (Metric::Objective.figure(self.samples, run)?, best[run.instance()]);
                // Where no run has a solution they are all as bad.
                if objective.is_infinite() && best != 0.0 {
                    Some(f64::INFINITY)
                } else {
                    gap(objective, best, self.direction)
                }
            }
        }
    }

    /// Whether some runs have values, and all of them one scale.
    pub(super) fn known(&self, runs: &[&Sample]) -> bool {
        self.samples.n_families(runs) == 1 && runs.iter().any(|run| self.figure(run).is_some())
    }

    /// The direction of the values.
    pub(super) fn direction_of_values(&self) -> Direction {
        if matches!(self.reference, Reference::Nothing) { self.direction } else { Direction::Minimise }
    }

    /// The mean of some runs with its interval; of runs of several families there is none.
    pub(super) fn mean(&self, runs: &[&Sample]) -> InstanceMean {
        let runs = if self.known(runs) { runs } else { &[] };
        InstanceMean::of_values(runs.iter().filter_map(|run| Some((run.instance(), self.figure(run)?))))
    }

    /// The mean as a cost: less is better; infinite if it is infinite or undefined.
    pub(super) fn cost(&self, runs: &[&Sample]) -> f64 {
        self.mean(runs).mean.map_or(f64::INFINITY, |mean| self.direction_of_values().cost(mean))
    }

    /// The mean as it is drawn; `None` if it is infinite or undefined.
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
        match (&self.reference, self.direction) {
            (Reference::BestKnown, _) => QualityWords {
                title: "mean gap (%)",
                heading: "Mean gap",
                run: "gap (%)",
                runs_heading: "Gaps of the runs",
                scale: "Gaps are per cent worse than the best known value.",
                note: "The chart shows means over instances with the 95 % interval for instances like these, or means \
                    over runs if there is one instance.",
                silence: "their instances have no best known value, or it is 0",
            },
            (Reference::BestOfRuns(_), Direction::Minimise) => QualityWords {
                title: "mean excess over the best value found (%)",
                heading: "Mean excess over the best value found",
                run: "excess over the best value found (%)",
                runs_heading: "Excess of the runs over the best value found",
                scale: "The excess is per cent above the best objective of all these runs on the instance, because \
                    objectives of different instances cannot be averaged. New runs may find better objectives.",
                note: MEANS,
                silence: "they do not report their objective, or the best objective is 0",
            },
            (Reference::BestOfRuns(_), Direction::Maximise) => QualityWords {
                title: "mean shortfall from the best value found (%)",
                heading: "Mean shortfall from the best value found",
                run: "shortfall from the best value found (%)",
                runs_heading: "Shortfall of the runs from the best value found",
                scale: "The shortfall is per cent below the best objective of all these runs on the instance, because \
                    objectives of different instances cannot be averaged. New runs may find better objectives.",
                note: MEANS,
                silence: "they do not report their objective, or the best objective is 0",
            },
            (Reference::Nothing, direction) => QualityWords {
                title: match direction {
                    Direction::Minimise => "mean objective",
                    Direction::Maximise => "mean objective (maximised)",
                },
                heading: "Mean objective",
                run: "",
                runs_heading: "",
                scale: "",
                note: "The chart shows means of the runs on the only instance, with their 95 % interval.",
                silence: "they do not report their objective",
            },
        }
    }

    /// A sentence about runs without a value.
    pub(super) fn silence(&self) -> Option<String> {
        let all = self.samples.runs.len();
        let silent = self.samples.runs.iter().filter(|run| self.figure(run).is_none()).count();
        (silent > 0).then(|| format!("{silent} of {all} runs are omitted: {}.", self.words().silence))
    }

    /// Sentences about runs without a value or without a solution, for means.
    pub(super) fn remarks(&self) -> Vec<String> {
        let all = self.samples.runs.len();
        let infinite = self.samples.runs.iter().filter(|run| self.figure(run).is_some_and(f64::is_infinite)).count();
        let mut remarks: Vec<String> = self.silence().into_iter().collect();
        if infinite > 0 {
            remarks.push(format!(
                "{infinite} of {all} runs found no solution: means that include such runs are undefined and not drawn."
            ));
        }
        remarks
    }

    /// A sentence if runs stopped at a target, so that they cannot show lower gaps.
    pub(super) fn caveat(&self) -> Option<String> {
        let is_stopped = |run: &&Sample| {
            run.outcome.stop == Stop::Target && self.figure(run).is_some_and(|gap| gap > 0.0 && gap.is_finite())
        };
        let (n, all) = (self.samples.runs.iter().filter(is_stopped).count(), self.samples.runs.len());
        (n > 0 && matches!(self.reference, Reference::BestKnown)).then(|| {
            format!(
                "{n} of {all} runs stopped at a target worse than the best known value, so they cannot show lower gaps."
            )
        })
    }

    /// An axis for means; intervals are cut at its ends.
    pub(super) fn axis(&self, figures: &[&Figure]) -> Axis {
        let means: Vec<f64> = figures.iter().map(|figure| figure.value).collect();
        let ends = figures.iter().flat_map(|figure| [figure.interval.low, figure.value, figure.interval.high]);
        axis(self.words().title, &means, ends)
    }

    /// An axis for the values of runs.
    pub(super) fn axis_of_runs(&self, values: &[f64]) -> Axis {
        axis(self.words().run, values, values.iter().copied())
    }

    /// An axis for the means of instances, with a lane if some are infinite.
    pub(super) fn axis_of_instances(&self, means: &[f64]) -> Axis {
        let finite: Vec<f64> = means.iter().copied().filter(|mean| mean.is_finite()).collect();
        let axis = axis(self.words().title, &finite, finite.iter().copied());
        if finite.len() < means.len() { axis.with_lane_of("none") } else { axis }
    }
}

/// An axis for means, up to the ends of their intervals: logarithmic if the largest mean is many times the smallest. On a logarithmic axis
/// a mean of 0 or less is placed at its start, and the title says so.
pub(super) fn axis(title: &str, means: &[f64], ends: impl Iterator<Item = f64>) -> Axis {
    let high = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let low = means.iter().copied().filter(|&mean| mean > 0.0).fold(f64::INFINITY, f64::min);
    if high / low >= LOG_RATIO {
        let at_edge = means.iter().any(|&mean| mean <= 0.0);
        let title = if at_edge { title.replace("(%)", "(%; 0 and less at the edge)") } else { title.to_owned() };
        // An interval that reaches to 0 is cut, rather than stretching the axis by decades.
        let least = if at_edge { low / 2.0 } else { low / 3.0 };
        let ends: Vec<f64> = ends.collect();
        let is_cut = ends.iter().any(|end| *end < least && !means.contains(end));
        let mut axis = Axis::log(&title, ends.into_iter().map(|end| end.max(least)), FORMAT);
        if is_cut {
            axis.title.push("intervals that reach further down are cut at the edge".to_owned());
        }
        return axis;
    }
    // Room for the marks at the ends, unless the axis begins at 0.
    let least = means.iter().copied().fold(f64::INFINITY, f64::min);
    let room = 0.03 * (high - least);
    let ends = ends.flat_map(|end| [if end < 0.0 { end - room } else { (end - room).max(0.0) }, end + room]);
    Axis::linear(title, ends, FORMAT)
}
