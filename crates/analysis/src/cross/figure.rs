//! The figures in the cells of a cross table.

use evogrid_results::format::percent;
use evogrid_statistics::{median as median_of, quantile};

use crate::metric::{Estimator, ExpectedTime, InstanceMean, Metric, Rate, figure_text, gap_ends};
use crate::samples::{Sample, Samples};
use crate::table::interval_ends;

/// Which numbers a cell shows beside the estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spread {
    /// The 95 % interval of the estimate. If the estimate is a mean or a rate, the interval holds for all instances of the same kind. If
    /// the estimate is a median, the interval holds only for the instances of the runs.
    #[default]
    Interval,
    /// The mean and the standard deviation of the runs.
    Deviation,
    /// The median and the quartiles of the runs.
    Quartiles,
    /// The expected running time until a solution (ERT). Only metrics that measure work have an ERT. The bootstrap interval is computed
    /// from the runs.
    Expected,
    /// Nothing.
    None,
}

/// An estimate in a cell.
pub(crate) struct Figure {
    pub(crate) text: String,
    /// The cost by which the cells are ordered. A smaller cost is better. `None` if the cell has no estimate.
    pub(crate) cost: Option<f64>,
    /// The estimate, and the two ends of the range that the cell shows.
    pub(crate) ends: [Option<f64>; 3],
}

impl Figure {
    /// A cell without a figure.
    pub(crate) fn none() -> Self {
        Self { text: String::new(), cost: None, ends: [None; 3] }
    }

    /// The figure of the runs in a cell.
    pub(crate) fn new(samples: &Samples, metric: Metric, spread: Spread, runs: &[&Sample]) -> Self {
        let values = || runs.iter().filter_map(|run| Some((run.instance(), metric.figure(samples, run)?)));
        let Some(first) = runs.first().filter(|_| values().next().is_some()) else { return Self::none() };
        let cost = |value: f64| Some(metric.direction(samples, first).cost(value));
        let mut sorted: Vec<f64> = values().map(|(_, value)| value).collect();
        sorted.sort_by(f64::total_cmp);
        let [low, median, high] = [0.25, 0.5, 0.75].map(|share| quantile(&sorted, share));
        let bracketed = |estimate: String, [low, high]: [String; 2]| format!("{estimate} [{low}, {high}]");
        let whole = |[low, high]: [f64; 2]| [Some(low), Some(high)];
        let (text, value, ends) = match (metric.declaration().estimator, spread) {
            (Estimator::Rate, _) => {
                let rate = Rate::of_solved(runs.iter().copied());
                let [share, low, high] = [rate.share, rate.interval.low, rate.interval.high].map(|rate| 100.0 * rate);
                let text = match spread {
                    Spread::Interval => bracketed(percent(rate.share), interval_ends(low, high, 1.0)),
                    _ => percent(rate.share),
                };
                (text, Some(share), whole([low, high]))
            }
            (_, Spread::Quartiles) => {
                let text = |value: Option<f64>| value.map(figure_text).unwrap_or_default();
                (bracketed(text(median), [text(low), text(high)]), median, [low, high])
            }
            (_, Spread::Deviation) => {
                let n = sorted.len() as f64;
                let mean = sorted.iter().sum::<f64>() / n;
                let squares = sorted.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
                let deviation = (n > 1.0 && mean.is_finite()).then(|| (squares / (n - 1.0)).sqrt());
                let spread = deviation.map(|deviation| format!(" ± {}", figure_text(deviation))).unwrap_or_default();
                let deviation = deviation.unwrap_or(0.0);
                (figure_text(mean) + &spread, Some(mean), whole([mean - deviation, mean + deviation]))
            }
            (Estimator::InstanceMean, _) => {
                let found = InstanceMean::of_values(values());
                let estimate = found.mean.map_or_else(|| "infinite".to_owned(), |mean| format!("{mean:.2}"));
                let text = match found.interval.filter(|_| spread == Spread::Interval) {
                    Some(interval) => bracketed(estimate, gap_ends(interval.low, interval.high)),
                    None => estimate,
                };
                let ends = found.interval.map_or([None; 2], |one| whole([one.low, one.high]));
                return Self {
                    text,
                    cost: cost(found.mean.unwrap_or(f64::INFINITY)),
                    ends: [found.mean, ends[0], ends[1]],
                };
            }
            (Estimator::Median, Spread::Expected) if metric == Metric::Evaluations => {
                let found = ExpectedTime::of_runs(runs);
                let ends = [found.interval.low, found.interval.high];
                let written = |value: f64| if value.is_finite() { figure_text(value) } else { "infinite".to_owned() };
                let (reached, all) = (found.reached, found.runs);
                let text = match found.ert {
                    Some(ert) => bracketed(figure_text(ert), ends.map(written)) + &format!(" {reached}/{all}"),
                    None => format!("- 0/{all}"),
                };
                (text, found.ert, whole(ends))
            }
            (Estimator::Median, _) => {
                let estimate = median_of(&mut sorted);
                let text = match estimate {
                    Some(found) if spread == Spread::Interval && (found.low.is_finite() || found.high.is_finite()) => {
                        bracketed(figure_text(found.median), [found.low, found.high].map(figure_text))
                    }
                    _ => median.map(figure_text).unwrap_or_default(),
                };
                (text, median, estimate.map_or([None; 2], |found| whole([found.low, found.high])))
            }
        };
        Self { text, cost: value.and_then(cost), ends: [value, ends[0], ends[1]] }
    }
}
