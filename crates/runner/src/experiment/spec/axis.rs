//! Axes: each setting of a `grid` is an axis with a list or a range of values. In a `zip`, several settings vary together.

use std::collections::BTreeMap;

use evogrid_core::settings::Value;
use serde::{Deserialize, Serialize};

use super::fields::Reader;
use crate::experiment::document::dotted::settings_of;
use crate::experiment::document::{Entry, MAX_DEPTH, Node, NodeValue, Span, Table};
use crate::experiment::settings_json::json_form;
use crate::system::numbers::counted;

/// The maximum number of values of a range.
const RANGE_LIMIT: f64 = 1e6;

/// An axis of a grid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// The points of the axis. Each point has one value for each setting in `paths`.
    #[serde(with = "json_form")]
    pub points: Vec<Vec<Value>>,
    /// The dotted paths of the settings that the axis varies. The axis varies one setting, or several settings that change together.
    #[serde(rename = "settings")]
    pub paths: Vec<String>,
}

/// An axis, or a dimension of a space, with the places of all its parts. When a dimension is read, it is unknown when the dimension has an
/// effect, and whether its range has only whole numbers.
#[derive(Clone)]
pub(super) struct PlacedAxis<'d> {
    pub(super) axis: Axis,
    pub(super) keys: Vec<&'d Span>,
    /// For each path, the nodes of its values: one node for each point, or a single node for a range.
    pub(super) nodes: Vec<Vec<&'d Node>>,
    /// Whether the range of a dimension is logarithmic; `None` for listed values. The points of such a range are its two ends.
    pub(super) range: Option<bool>,
    /// The condition of a dimension in the file, if there is one.
    pub(super) when: Option<&'d Entry>,
}

impl PlacedAxis<'_> {
    pub(super) fn path(&self) -> &str {
        &self.axis.paths[0]
    }

    /// The node of a value.
    pub(super) fn node(&self, path: usize, point: usize) -> &Node {
        let nodes = &self.nodes[path];
        nodes.get(point).unwrap_or(&nodes[0])
    }
}

/// The axes of a `grid`: one for each of its settings.
pub(super) fn read_grid<'d>(reader: &mut Reader<'d>, table: &'d Table) -> Vec<PlacedAxis<'d>> {
    let axes = read_axes(reader, table, false);
    axes.iter().for_each(|axis| check_distinct_values(reader, axis));
    axes
}

/// The axis of a `zip`: its settings vary together, so they need the same number of values.
pub(super) fn read_zip<'d>(reader: &mut Reader<'d>, entry: &'d Entry, table: &'d Table) -> Option<PlacedAxis<'d>> {
    let n_faults = reader.faults();
    let axes = read_axes(reader, table, false);
    if axes.len() < 2 && reader.faults() == n_faults {
        let (place, message) = match axes.first() {
            Some(only) => (only.keys[0], format!("this `zip` varies only `{}`", only.path())),
            None => (&entry.key_span, "this `zip` does not vary any setting".to_owned()),
        };
        let help = "expected two or more settings that vary together; put a single setting into `grid`";
        reader.fault(place, message, help);
    }
    let len = axes.first()?.axis.points.len();
    if let Some(other) = axes.iter().find(|other| other.axis.points.len() != len) {
        let [other_path, first_path] = [other, &axes[0]].map(PlacedAxis::path);
        let values = counted(other.axis.points.len() as u64, "value");
        let message = format!("`{other_path}` has {values}, but `{first_path}` has {len}");
        // A value that could not be read may be the missing value.
        if reader.faults() == n_faults {
            reader.fault(other.keys[0], message, "settings that vary together need the same number of values");
        }
        return None;
    }
    let point = |at: usize| axes.iter().map(|placed| placed.axis.points[at][0].clone()).collect();
    let paths = axes.iter().map(|placed| placed.path().to_owned()).collect();
    let axis = Axis { points: (0..len).map(point).collect(), paths };
    let (keys, nodes) = axes.iter().map(|placed| (placed.keys[0], placed.nodes[0].clone())).unzip();
    Some(PlacedAxis { axis, keys, nodes, range: None, when: None })
}

/// The axis of one setting.
fn axis_of<'d>(path: String, key: &'d Span, values: Vec<Value>, nodes: Vec<&'d Node>) -> PlacedAxis<'d> {
    let points = values.into_iter().map(|value| vec![value]).collect();
    let axis = Axis { points, paths: vec![path] };
    PlacedAxis { axis, keys: vec![key], nodes: vec![nodes], range: None, when: None }
}

/// The axes of a table: one for each of its settings. In a space, an axis is a dimension.
pub(super) fn read_axes<'d>(reader: &mut Reader<'d>, table: &'d Table, is_space: bool) -> Vec<PlacedAxis<'d>> {
    let (least, [form, few, help]) = if is_space {
        let form = "expected a range such as { from = 50, to = 1000 }, or a list of choices";
        let help = "if a setting has only one value, write the setting into the table of the algorithm";
        (2, [form, "has fewer than two values", help])
    } else {
        let form = "expected a list of values, or a range such as { from = 0.0, to = 0.5, step = 0.1 }";
        (1, [form, "has no values", "expected at least one value"])
    };
    let (mut axes, mut settings) = (Vec::new(), Vec::new());
    let is_whole = |table: &Table| is_range(table) || is_space && table.get("values").is_some();
    settings_of("", table, &|_, inner| is_whole(inner), &mut settings);
    for (path, entry) in settings {
        if !is_path(reader, &path, entry) {
            continue;
        }
        let n_faults = reader.faults();
        let axis = match &entry.node.value {
            NodeValue::List(items) => Some(read_list(reader, path, entry, items)),
            NodeValue::Table(range) if is_space && is_range(range) => read_dimension(reader, path, entry),
            NodeValue::Table(range) if is_range(range) => read_range(reader, path, entry),
            NodeValue::Table(list) => {
                reader.known(list, "a list of choices", &["values", "when"]);
                let items = reader.field(list, "values", "expected a list of choices", Node::items);
                items.map(|items| PlacedAxis { when: list.get("when"), ..read_list(reader, path, entry, items) })
            }
            _ => reader.unexpected(&path, &entry.node, form),
        };
        let Some(axis) = axis else { continue };
        if is_space && axis.range.is_none() {
            check_distinct_values(reader, &axis);
        }
        if axis.axis.points.len() < least && reader.faults() == n_faults {
            reader.fault(&entry.node.span, format!("`{}` {few}", axis.path()), help);
        }
        // A grid is examined further without the values that cannot be read.
        if reader.faults() == n_faults || !is_space && !axis.axis.points.is_empty() {
            axes.push(axis);
        }
    }
    axes
}

/// Whether a table is a range.
fn is_range(table: &Table) -> bool {
    table.get("from").is_some() || table.get("to").is_some()
}

/// Whether the key of an entry can be the path of a setting; reports other keys.
fn is_path(reader: &mut Reader<'_>, path: &str, entry: &Entry) -> bool {
    let is_path = !path.split('.').any(str::is_empty) && path.matches('.').count() <= MAX_DEPTH;
    if !is_path {
        let help = "expected the name of a setting, or names with dots between them";
        reader.fault(&entry.key_span, format!("`{path}` is not the name of a setting"), help);
    }
    is_path
}

/// Refuses a list that has a value twice. Different values that resolve to the same value are found later, after resolution.
fn check_distinct_values(reader: &mut Reader<'_>, PlacedAxis { axis, nodes, .. }: &PlacedAxis<'_>) {
    let mut places: BTreeMap<String, &Span> = BTreeMap::new();
    // A range has only one node, and its values differ.
    for (value, node) in axis.points.iter().map(|point| &point[0]).zip(&nodes[0]) {
        let first = *places.entry(comparison_key(value)).or_insert(&node.span);
        if *first != node.span {
            let place = reader.document().place_name(first, &node.span);
            let message = format!("the value `{value}` is given twice in `{}`", axis.paths[0]);
            reader.fault(&node.span, message, format!("write this value only once: the value is also given {place}"));
        }
    }
}

fn read_list<'d>(reader: &mut Reader<'d>, path: String, entry: &'d Entry, items: &'d [Node]) -> PlacedAxis<'d> {
    let (mut values, mut nodes) = (Vec::new(), Vec::new());
    for item in items {
        if let NodeValue::List(_) = item.value {
            reader.unexpected::<()>(&format!("a value of `{path}`"), item, "expected a number, a name or a table");
            continue;
        }
        let Some(value) = reader.value(&path, item) else { continue };
        values.push(value);
        nodes.push(item);
    }
    axis_of(path, &entry.key_span, values, nodes)
}

/// The nodes of `from` and `to`, which must be numbers; reports a missing or wrong end.
fn read_ends<'d>(reader: &mut Reader<'d>, path: &str, entry: &'d Entry, form: &str) -> Option<[&'d Node; 2]> {
    let range = entry.node.table()?;
    let ends = ["from", "to"].map(|key| match range.node(key) {
        None => reader.refuse(&entry.node.span, format!("the range of `{path}` needs the key `{key}`"), form),
        Some(node) if node.number().is_some() => Some(node),
        Some(node) => reader.unexpected(&format!("`{key}` of a range"), node, "expected a number"),
    });
    Some([ends[0]?, ends[1]?])
}

/// A range of a grid, which stands for all its values.
fn read_range<'d>(reader: &mut Reader<'d>, path: String, entry: &'d Entry) -> Option<PlacedAxis<'d>> {
    const FORM: &str = "expected { from, to, step } or { from, to, factor }";
    let range = entry.node.table()?;
    let n_faults = reader.faults();
    reader.known(range, "a range", &["from", "to", "step", "factor"]);
    let [step, factor] = ["step", "factor"].map(|key| reader.number(range, key));
    if reader.faults() > n_faults {
        return None;
    }
    let [from, to] = read_ends(reader, &path, entry, FORM)?.map(|node| node.number().expect("both are numbers"));
    let mut refuse = |key: &str, message: String, help: &str| {
        reader.refuse(range.node(key).map_or(&entry.node.span, |node| &node.span), message, help)
    };
    if to < from {
        let message = format!("the range of `{path}` ends below its start");
        return refuse("to", message, "expected `from` not larger than `to`");
    }
    let (points, at): (f64, Box<dyn Fn(f64) -> f64>) = match (step, factor) {
        (Some(step), None) if step <= 0.0 => {
            return refuse("step", format!("`step = {step}` does not increase the value"), "expected a number above 0");
        }
        (Some(step), None) => (((to - from) / step + 1e-9).floor(), Box::new(move |point| from + point * step)),
        (None, Some(factor)) if factor <= 1.0 => {
            let message = format!("`factor = {factor}` does not increase the value");
            return refuse("factor", message, "expected a number above 1");
        }
        (None, Some(_)) if from <= 0.0 => {
            let message = format!("a factor cannot increase the start value {from}, which is not above 0");
            return refuse(
                "from",
                message,
                "expected a number above 0: increase `from`, or use `step` instead of `factor`",
            );
        }
        (None, Some(factor)) => {
            (steps_by_factor(from, to, factor), Box::new(move |point| from * power(factor, point as u32)))
        }
        (None, None) => return refuse("", format!("the range of `{path}` needs the key `step` or `factor`"), FORM),
        (Some(_), Some(_)) => return refuse("", format!("the range of `{path}` has both `step` and `factor`"), FORM),
    };
    if !(0.0..RANGE_LIMIT).contains(&points) {
        return refuse("", format!("the range of `{path}` has more than a million values"), "expected a larger step");
    }
    let mut nodes = ["from", "step", "factor"].into_iter().filter_map(|key| range.node(key));
    let is_whole = nodes.all(|node| matches!(node.value, NodeValue::Integer(_)));
    let value = |point: u32| {
        let real = tidy(at(f64::from(point)));
        if is_whole { Value::Integer(real as i64) } else { Value::Real(real) }
    };
    Some(axis_of(path, &entry.key_span, (0..=points as u32).map(value).collect(), vec![&entry.node]))
}

/// A range of a space.
fn read_dimension<'d>(reader: &mut Reader<'d>, path: String, entry: &'d Entry) -> Option<PlacedAxis<'d>> {
    let range = entry.node.table()?;
    if let Some(step) = range.get("step").or_else(|| range.get("factor")) {
        let help = "remove this key, replace it by `scale = \"log\"`, or write a list of the values";
        reader.fault(&step.key_span, format!("a range in a space cannot have the key `{}`", step.key), help);
    } else {
        reader.known(range, "a range", &["from", "to", "scale", "when"]);
    }
    let scales = [("linear", false), ("log", true)];
    let is_log = reader.choice(range, "scale", &scales).unwrap_or(false);
    let [from, to] = read_ends(reader, &path, entry, "expected { from, to }")?;
    let [low, high] = [from, to].map(|node| node.number().expect("both are numbers"));
    if high <= low {
        let message = format!("the range of `{path}` has fewer than two values");
        reader.fault(&to.span, message, "expected `to` larger than `from`");
    } else if is_log && low <= 0.0 {
        let message = format!("a logarithmic range cannot start at {low}");
        reader.fault(&from.span, message, "expected a number above 0: increase `from`, or remove `scale`");
    } else if !(high - low).is_finite() {
        let message = format!("the range of `{path}` is too wide");
        reader.fault(&to.span, message, "expected a smaller difference between `from` and `to`");
    }
    let [Some(low), Some(high)] = [from, to].map(|node| reader.value(&path, node)) else { return None };
    let ends = if matches!((&low, &high), (Value::Integer(_), Value::Integer(_))) {
        vec![low, high]
    } else {
        [low, high].iter().filter_map(Value::as_real).map(Value::Real).collect()
    };
    let when = range.get("when");
    Some(PlacedAxis { range: Some(is_log), when, ..axis_of(path, &entry.key_span, ends, vec![from, to]) })
}

/// The number of times that `from` can be multiplied by `factor` without exceeding `to`, with a little tolerance for rounding. The result
/// is NaN if an argument is NaN. Logarithms are avoided, because they differ between platforms.
fn steps_by_factor(from: f64, to: f64, factor: f64) -> f64 {
    if from.is_nan() || to.is_nan() || factor.is_nan() {
        return f64::NAN;
    }
    let fits = |steps: u32| from * power(factor, steps) <= to * (1.0 + 1e-9);
    f64::from((1..=RANGE_LIMIT as u32).find(|&steps| !fits(steps)).unwrap_or(RANGE_LIMIT as u32 + 1) - 1)
}

/// `base` to the power of `exponent`, computed by repeated squaring. The result has the same bits on every platform; `f64::powi` does not
/// promise this.
fn power(base: f64, exponent: u32) -> f64 {
    let (mut result, mut square, mut left) = (1.0, base, exponent);
    loop {
        if left & 1 == 1 {
            result *= square;
        }
        left /= 2;
        if left == 0 {
            return result;
        }
        square *= square;
    }
}

/// The number with 12 significant digits, so that 0.1 + 2 * 0.1 is 0.3.
fn tidy(real: f64) -> f64 {
    format!("{real:.11e}").parse().expect("a number that this program wrote can be read back")
}

/// A text that is the same for two values with the same meaning, such as 1 and 1.0.
fn comparison_key(value: &Value) -> String {
    match value.as_real() {
        // Adding zero turns -0 into 0.
        Some(real) => format!("{:?}", real + 0.0),
        None => format!("{value:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_the_decimals_that_were_meant() {
        assert_eq!((0..7).map(|steps| power(2.0, steps)).collect::<Vec<_>>(), [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0]);
        for (from, to, factor, steps) in
            [(1.0, 1000.0, 10.0, 3.0), (1.0, 999.0, 10.0, 2.0), (0.1, 0.8, 2.0, 3.0), (3.0, 3.0, 2.0, 0.0)]
        {
            assert_eq!(steps_by_factor(from, to, factor), steps, "{from} to {to} by {factor}");
        }
        assert!(steps_by_factor(1.0, f64::NAN, 2.0).is_nan());
        assert_eq!(steps_by_factor(1.0, f64::INFINITY, 2.0), RANGE_LIMIT, "too many, so the range is refused");
        assert_eq!((0..4).map(|point| tidy(0.1 * f64::from(point))).collect::<Vec<_>>(), [0.0, 0.1, 0.2, 0.3]);
    }
}
