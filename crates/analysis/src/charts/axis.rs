//! Axes of charts: ranges, ticks, and the separate lane for runs without a finite value.

use serde_json::{Value, json};

use super::labels::rounded;

/// If the largest value of a parameter is at least this many times the smallest value, the axis is logarithmic.
const LOG_RATIO: f64 = 100.0;

/// If the largest value of a course is at least this many times the smallest value, the axis is logarithmic.
const COURSE_RATIO: f64 = 1000.0;

/// The largest range of a logarithmic axis. Numbers beyond this range could overflow when the axis is computed.
const LOG_RANGE: [f64; 2] = [1e-100, 1e100];

/// The smallest distance that an axis shows, as a fraction of the largest distance.
const LEAST_DISTANCE: f64 = 1e-6;

/// The maximum number of ticks of an axis.
const MOST_TICKS: usize = 8;

/// An axis of numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    /// The lines of the axis title, with the unit.
    pub(super) title: Vec<String>,
    pub(super) domain: [f64; 2],
    /// Whether the axis is logarithmic.
    pub(super) is_log: bool,
    /// The ticks. If the list is empty, Vega chooses the ticks.
    pub(super) ticks: Vec<f64>,
    /// The number format of the ticks, in the syntax of d3.
    pub(super) format: &'static str,
    /// The lane for runs without a finite value.
    pub(super) lane: Option<Lane>,
}

/// The lane of an axis for values without a number, such as unsolved runs. It follows the range of the numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lane {
    pub(super) edge: f64,
    pub(super) middle: f64,
    /// The label of the lane.
    pub(super) name: &'static str,
}

impl Axis {
    fn new(title: &str, domain: [f64; 2], is_log: bool, ticks: Vec<f64>, format: &'static str) -> Self {
        Self { title: vec![title.to_owned()], domain: domain.map(rounded), is_log, ticks, format, lane: None }
    }

    /// An axis for rates from 0 to 1. Its ticks are in per cent.
    pub(super) fn rate(title: &str) -> Self {
        Self::new(title, [0.0, 1.0], false, vec![0.0, 0.2, 0.4, 0.6, 0.8, 1.0], ".0%")
    }

    /// A logarithmic axis for positive numbers. Its ticks are powers of ten, with further ticks between them if the axis has few powers.
    /// Numbers that are not positive are ignored. Numbers beyond `LOG_RANGE` are drawn at the ends of the axis.
    pub(super) fn log(title: &str, values: impl IntoIterator<Item = f64>, format: &'static str) -> Self {
        let [low, high] = ends(values.into_iter().filter(|&value| value > 0.0))
            .unwrap_or([1.0, 10.0])
            .map(|end| end.clamp(LOG_RANGE[0], LOG_RANGE[1]));
        // The marks at the ends need room. If all values are equal, the axis needs room for ticks.
        let room = if high / low < 2.0 { 2.0 } else { (high / low).powf(0.03) };
        let domain = [low / room, high * room].map(rounded);
        Self::new(title, domain, true, log_ticks(domain), format)
    }

    /// A logarithmic axis for distances in per cent. Very small, zero and negative distances are drawn at the start of the axis. The title
    /// of the axis explains this.
    pub(super) fn distances(title: &str, values: &[f64]) -> Self {
        let high = values.iter().copied().fold(0.0, f64::max);
        let low = values.iter().copied().filter(|&value| value > high * LEAST_DISTANCE).fold(f64::INFINITY, f64::min);
        let is_at_edge = values.iter().any(|&value| value < low);
        let title = if is_at_edge {
            title.replace("(%)", "(%; values of 0 or less lie at the edge)")
        } else {
            title.to_owned()
        };
        let least = if is_at_edge { low / 2.0 } else { low };
        Self::log(&title, values.iter().map(|value| value.max(least)), ",.6~g")
    }

    /// A linear axis that begins at 0, or at the smallest number if that number is far from 0.
    pub(super) fn linear(title: &str, values: impl IntoIterator<Item = f64>, format: &'static str) -> Self {
        let [low, high] = ends(values).unwrap_or([0.0, 1.0]);
        let low = if low > 0.0 && low <= high / 4.0 { 0.0 } else { low };
        let high = if high > low { high } else { low + 1.0 };
        Self::new(title, [low, high], false, Vec::new(), format)
    }

    /// An axis for the course of a value, such as the distance from an optimum. The axis is logarithmic if the largest value is at least
    /// 1000 times the smallest value.
    pub(super) fn course(title: &str, values: impl Iterator<Item = f64> + Clone) -> Self {
        match ends(values.clone()) {
            Some([low, high]) if low > 0.0 && high / low >= COURSE_RATIO => Self::log(title, values, ".3~g"),
            _ => Self::linear(title, values, ".6~g"),
        }
    }

    /// An axis for the values of a parameter. If there are few values, each value has a tick. The axis is logarithmic if the largest value
    /// is at least 100 times the smallest value.
    pub(super) fn parameter(title: &str, values: &[f64]) -> Self {
        let [low, high] = ends(values.iter().copied()).unwrap_or([0.0, 1.0]);
        let is_log = low > 0.0 && high / low >= LOG_RATIO;
        let format = if high >= 1e4 { "~s" } else { ".6~g" };
        if is_log {
            let mut axis = Self::log(title, values.iter().copied(), format);
            if values.len() <= MOST_TICKS {
                axis.ticks = values.to_vec();
            }
            return axis;
        }
        let room = if high > low { (high - low) * 0.05 } else { 0.5 };
        let ticks = if values.len() <= MOST_TICKS { apart(values, (high - low) / 14.0) } else { Vec::new() };
        Self::new(title, [low - room, high + room], is_log, ticks, format)
    }

    /// Adds a lane with this label to the axis.
    pub(super) fn with_lane(mut self, name: &'static str) -> Self {
        let [low, high] = self.domain;
        let beyond = |part: f64| {
            if self.is_log { high * (high / low).powf(part) } else { high + (high - low) * part }
        };
        let [edge, middle, end] = [beyond(0.02), beyond(0.13), beyond(0.24)].map(rounded);
        self.domain = [low, end];
        self.lane = Some(Lane { edge, middle, name });
        self
    }

    /// The position of a value on the axis. A value beyond an end is placed at that end. An infinite value is placed in the lane, if there
    /// is a lane.
    pub(super) fn place(&self, value: f64) -> f64 {
        match self.lane {
            Some(lane) if value == f64::INFINITY => lane.middle,
            _ => rounded(value.clamp(self.domain[0], self.domain[1])),
        }
    }

    /// The position of a value on the axis. In the lane, `part` from 0 to 1 gives the position, so many values can lie side by side there.
    pub(super) fn place_beside(&self, value: f64, part: f64) -> f64 {
        match self.lane {
            Some(lane) if value == f64::INFINITY => {
                let [from, to] = [lane.edge, self.domain[1]].map(|end| self.along(end));
                let along = from + (to - from) * (0.15 + 0.7 * part);
                rounded(if self.is_log { along.exp() } else { along })
            }
            _ => self.place(value),
        }
    }

    /// Moves a value along the axis by `part` of the length of the axis.
    pub(super) fn moved(&self, value: f64, part: f64) -> f64 {
        let [low, high] = self.domain.map(|end| self.along(end));
        let along = self.along(value) + part * (high - low);
        rounded(if self.is_log { along.exp() } else { along })
    }

    /// The position of a number along the axis, in a unit of the axis itself.
    fn along(&self, value: f64) -> f64 {
        if self.is_log { value.ln() } else { value }
    }

    /// The Vega-Lite channel that places a field along the axis.
    pub(super) fn encoding(&self, field: &str) -> Value {
        let kind = if self.is_log { "log" } else { "linear" };
        let title = if let [line] = self.title.as_slice() { json!(line) } else { json!(self.title) };
        let mut axis = json!({ "title": title, "format": self.format });
        let mut ticks = self.ticks.clone();
        if let Some(lane) = self.lane {
            if ticks.is_empty() {
                let [low, _] = self.domain;
                ticks = (0..=4).map(|part| low + (lane.edge - low) * f64::from(part) / 4.0).collect();
            }
            // The name of the lane needs the room of other ticks.
            let reach = self.along(lane.middle) - self.along(lane.edge);
            ticks.retain(|&tick| self.along(lane.edge) - self.along(tick) > reach / 2.0);
            ticks.push(lane.middle);
            axis["labelOverlap"] = json!(false);
            let test = format!("datum.value > {}", lane.edge);
            axis["gridOpacity"] = json!({ "condition": { "test": test, "value": 0 }, "value": 1 });
            axis["labelExpr"] = json!(format!(
                "datum.value > {} ? '{}' : format(datum.value, '{}')",
                lane.edge, lane.name, self.format
            ));
        }
        if !ticks.is_empty() {
            axis["values"] = json!(ticks);
        }
        let mut scale = json!({ "type": kind, "domain": self.domain, "nice": false });
        // A value of 0 has no logarithm, so it is at the start of the axis.
        scale[if self.is_log { "clamp" } else { "zero" }] = json!(self.is_log);
        json!({ "field": field, "type": "quantitative", "title": field, "scale": scale, "axis": axis })
    }

    /// The ends of the lane as the data of a layer that shades the lane. If there is no lane, the ends are equal.
    pub(super) fn lane_ends(&self) -> Value {
        let from = self.lane.map_or(self.domain[1], |lane| lane.edge);
        json!([{ "from": from, "to": self.domain[1] }])
    }
}

/// The van der Corput sequence (J. G. van der Corput, 1935): the digits of `number` in reverse order, behind the point. The result lies
/// between 0 and 1, far from the results of the previous numbers.
pub(super) fn spread(mut number: usize, base: usize) -> f64 {
    let (mut part, mut step) = (0.0, 1.0);
    while number > 0 {
        step /= base as f64;
        part += step * (number % base) as f64;
        number /= base;
    }
    part
}

/// At most `most` of the items, evenly distributed. The first and the last item are always kept.
pub(super) fn thinned<T: Copy>(items: &[T], most: usize) -> Vec<T> {
    if items.len() <= most {
        return items.to_vec();
    }
    (0..most).map(|at| items[at * (items.len() - 1) / (most - 1)]).collect()
}

/// The smallest and the largest of the finite values.
fn ends(values: impl IntoIterator<Item = f64>) -> Option<[f64; 2]> {
    let widen = |ends: Option<[f64; 2]>, value: f64| {
        Some(ends.map_or([value; 2], |[low, high]| [low.min(value), high.max(value)]))
    };
    values.into_iter().filter(|value| value.is_finite()).fold(None, widen)
}

/// The ticks of a logarithmic axis: the powers of ten between the ends of the axis. If there are many powers, some are skipped. If there
/// are few powers, further ticks lie between them.
fn log_ticks([low, high]: [f64; 2]) -> Vec<f64> {
    const STEPS: [&[f64]; 4] = [&[1.0], &[1.0, 3.0], &[1.0, 2.0, 5.0], &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0]];
    const FEWEST_TICKS: usize = 4;
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let within = |steps: &[f64]| -> Vec<f64> {
        let powers = (first..=last).flat_map(|power| steps.iter().map(move |step| rounded(step * decade(power))));
        powers.filter(|tick| (low..=high).contains(tick)).collect()
    };
    let mut all = STEPS.map(within).into_iter();
    let finest = all.next_back().unwrap_or_default();
    let within = all.find(|ticks| ticks.len() >= FEWEST_TICKS).unwrap_or(finest);
    let stride = within.len().div_ceil(MOST_TICKS - 1).max(1);
    within.into_iter().step_by(stride).collect()
}

/// The number closest to a power of ten.
fn decade(power: i32) -> f64 {
    format!("1e{power}").parse().unwrap_or(f64::NAN)
}

/// Drops values that are too close to the previous value. The values ascend, and the last value is always kept.
fn apart(values: &[f64], least: f64) -> Vec<f64> {
    let mut kept: Vec<f64> = Vec::new();
    for &value in values {
        if kept.last().is_none_or(|last| value - last >= least) {
            kept.push(value);
        } else if values.last() == Some(&value) {
            kept.pop();
            kept.push(value);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_over_many_decades_is_logarithmic_unless_it_reaches_0() {
        let is_log = |values: &[f64]| Axis::course("best", values.iter().copied()).is_log;
        assert!(is_log(&[1e-9, 3e6]));
        assert!(!is_log(&[0.0, 3e6]) && !is_log(&[-1.0, 3e6]) && !is_log(&[900.0, 1000.0]) && !is_log(&[]));
    }

    #[test]
    fn ticks_of_a_logarithmic_axis_are_decades_or_finer() {
        assert_eq!(log_ticks([36.0, 1_200_000.0]), [100.0, 1000.0, 1e4, 1e5, 1e6]);
        assert_eq!(log_ticks([80.0, 1200.0]), [100.0, 200.0, 500.0, 1000.0]);
        assert_eq!(log_ticks([0.5, 3.0]), [0.5, 0.6, 0.8, 1.0, 1.5, 2.0, 3.0]);
        assert_eq!(log_ticks([1050.0, 99_500.0]), [2000.0, 5000.0, 1e4, 2e4, 5e4], "not one alone");
        assert_eq!(log_ticks([1e-9, 1e9]), [1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e9]);
    }

    #[test]
    fn the_largest_and_the_smallest_numbers_have_a_logarithmic_axis() {
        let extremes = [f64::from_bits(1), 1.0, f64::MAX];
        for axis in [Axis::log("x", extremes, "~s").with_lane("unsolved"), Axis::parameter("x", &extremes)] {
            let shown = axis.domain.into_iter().chain(extremes.map(|value| axis.place(value)));
            assert!(shown.into_iter().all(|place| place.is_finite() && place > 0.0), "{axis:?}");
        }
        assert!(Axis::log("x", extremes, "~s").ticks.len() <= MOST_TICKS);
    }

    #[test]
    fn a_parameter_over_two_decades_is_logarithmic() {
        let axis = Axis::parameter("x", &[10.0, 100.0, 1000.0]);
        assert!(axis.is_log && axis.ticks == [10.0, 100.0, 1000.0], "{axis:?}");
        assert!(!Axis::parameter("x", &[100.0, 500.0, 1000.0]).is_log);
        assert!(!Axis::parameter("x", &[0.0, 0.01, 1000.0]).is_log, "0 has no logarithm");
    }

    #[test]
    fn numbers_are_spread_far_from_those_before() {
        assert_eq!([1, 2, 3, 4].map(|number| spread(number, 2)), [0.5, 0.25, 0.75, 0.125]);
        assert_eq!([1, 2, 3].map(|number| (9.0 * spread(number, 3)).round()), [3.0, 6.0, 1.0]);
    }

    #[test]
    fn ticks_that_lie_too_close_are_left_out() {
        assert_eq!(Axis::parameter("x", &[100.0, 110.0, 500.0, 1000.0]).ticks, [100.0, 500.0, 1000.0]);
        assert_eq!(Axis::parameter("x", &[100.0, 500.0, 990.0, 1000.0]).ticks, [100.0, 500.0, 1000.0]);
    }

    #[test]
    fn the_unsolved_stand_behind_the_end() {
        let axis = Axis::log("evaluations", [10.0, 1000.0, f64::INFINITY], "~s").with_lane("unsolved");
        let lane = axis.lane.expect("a lane");
        assert!(axis.place(1000.0) < lane.edge && lane.edge < axis.place(f64::INFINITY));
        let beside = [0.0, 0.5, 1.0].map(|part| axis.place_beside(f64::INFINITY, part));
        assert!(lane.edge < beside[0] && beside[0] < beside[1] && beside[1] < beside[2] && beside[2] < axis.domain[1]);
        assert!(axis.place(f64::INFINITY) < axis.domain[1] && axis.place(0.0) == axis.domain[0]);
    }
}
