//! Axes: what a `grid` varies, a list, a range or a list of tables; and `zip`, where several settings move together.

use evogrid_core::settings::Value;

use super::fields::Reader;
use crate::document::{Entry, Node, NodeValue, Span, Table};

/// The most values that a range may have.
const LIMIT: f64 = 1e6;

/// One direction of a grid.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The settings that it varies, by dotted path: one, or several that move together.
    pub paths: Vec<String>,
    /// At each point a value for each path.
    pub points: Vec<Vec<Value>>,
}

/// An axis, and where everything in it stands.
pub(super) struct Placed<'d> {
    pub(super) axis: Axis,
    pub(super) keys: Vec<&'d Span>,
    /// For each path the nodes of its values: one for each point, or one for all of a range.
    pub(super) nodes: Vec<Vec<&'d Node>>,
}

impl Placed<'_> {
    /// The node of a value.
    pub(super) fn node(&self, path: usize, point: usize) -> &Node {
        let nodes = &self.nodes[path];
        nodes.get(point).unwrap_or(&nodes[0])
    }
}

/// The axes of a `grid`: one for each of its settings.
pub(super) fn read_grid<'d>(reader: &mut Reader<'d>, table: &'d Table) -> Vec<Placed<'d>> {
    let sweeps = read_sweeps(reader, "", table);
    let axes = sweeps.into_iter().map(|sweep| Placed {
        axis: Axis { paths: vec![sweep.path], points: sweep.values.into_iter().map(|value| vec![value]).collect() },
        keys: vec![sweep.key],
        nodes: vec![sweep.nodes],
    });
    axes.collect()
}

/// The axis of a `zip`: its settings move together, so they have equally many values.
pub(super) fn read_zip<'d>(reader: &mut Reader<'d>, entry: &'d Entry, table: &'d Table) -> Option<Placed<'d>> {
    let sweeps = read_sweeps(reader, "", table);
    let len = sweeps.first()?.values.len();
    if let Some(other) = sweeps.iter().find(|sweep| sweep.values.len() != len) {
        let message = format!("`{}` has {} values and `{}` {len}", other.path, other.values.len(), sweeps[0].path);
        reader.fault(other.key, message, "settings that move together have equally many values");
        return None;
    }
    let points = (0..len).map(|point| sweeps.iter().map(|sweep| sweep.values[point].clone()).collect());
    let axis = Axis { paths: sweeps.iter().map(|sweep| sweep.path.clone()).collect(), points: points.collect() };
    if sweeps.len() < 2 {
        reader.fault(&entry.key_span, "only one setting moves here", "expected several; one alone belongs in `grid`");
    }
    let (keys, nodes) = sweeps.into_iter().map(|sweep| (sweep.key, sweep.nodes)).unzip();
    Some(Placed { axis, keys, nodes })
}

/// One setting with all its values.
struct Sweep<'d> {
    path: String,
    key: &'d Span,
    values: Vec<Value>,
    nodes: Vec<&'d Node>,
}

fn read_sweeps<'d>(reader: &mut Reader<'d>, prefix: &str, table: &'d Table) -> Vec<Sweep<'d>> {
    let mut sweeps = Vec::new();
    for entry in &table.entries {
        let path = if prefix.is_empty() { entry.key.clone() } else { format!("{prefix}.{}", entry.key) };
        let (values, nodes) = match &entry.node.value {
            NodeValue::List(items) => read_list(reader, items),
            NodeValue::Table(range) if range.get("from").is_some() || range.get("to").is_some() => {
                (read_range(reader, entry, range).unwrap_or_default(), vec![&entry.node])
            }
            // `mutation.other = [...]` without quotes is a table in a table.
            NodeValue::Table(inner) => {
                sweeps.extend(read_sweeps(reader, &path, inner));
                continue;
            }
            other => {
                let help = "expected a list of values, or a range as { from = 0.0, to = 0.5, step = 0.1 }";
                reader.unexpected::<()>(&entry.node, other, help);
                continue;
            }
        };
        if nodes.is_empty() {
            reader.fault(&entry.node.span, format!("`{path}` has no values"), "expected at least one");
        } else if !values.is_empty() {
            sweeps.push(Sweep { path, key: &entry.key_span, values, nodes });
        }
    }
    sweeps
}

fn read_list<'d>(reader: &mut Reader<'d>, items: &'d [Node]) -> (Vec<Value>, Vec<&'d Node>) {
    let mut values: Vec<Value> = Vec::new();
    for item in items {
        let Some(value) = reader.value(item) else { continue };
        if values.iter().any(|other| same(other, &value)) {
            reader.fault(&item.span, format!("the value `{value}` stands twice"), "leave one out");
        }
        values.push(value);
    }
    (values, items.iter().collect())
}

fn read_range(reader: &mut Reader<'_>, entry: &Entry, range: &Table) -> Option<Vec<Value>> {
    reader.known(range, "a range", &["from", "to", "step", "factor"]);
    let mut number = |key: &str| {
        let node = &range.get(key)?.node;
        match reader.value(node)? {
            Value::Integer(integer) => Some((integer as f64, true)),
            Value::Real(real) => Some((real, false)),
            _ => reader.unexpected(node, &node.value, "expected a number"),
        }
    };
    let (from, to, step, factor) = (number("from"), number("to"), number("step"), number("factor"));
    let (help, span) = ("expected { from, to, step } or { from, to, factor }", &entry.node.span);
    let (Some(from), Some(to)) = (from, to) else {
        reader.fault(span, "a range has two ends", help);
        return None;
    };
    let whole = from.1 && step.or(factor).is_some_and(|(_, whole)| whole);
    let (points, at): (f64, Box<dyn Fn(f64) -> f64>) = match (step, factor) {
        (Some((step, _)), None) if step > 0.0 => {
            (((to.0 - from.0) / step + 1e-9).floor(), Box::new(move |point| from.0 + point * step))
        }
        (None, Some((factor, _))) if factor > 1.0 && from.0 > 0.0 => (
            ((to.0 / from.0).ln() / factor.ln() + 1e-9).floor(),
            Box::new(move |point| from.0 * factor.powi(point as i32)),
        ),
        _ => {
            reader.fault(
                span,
                "the range has no way from its start to its end",
                format!("{help}, step > 0, factor > 1"),
            );
            return None;
        }
    };
    if !(0.0..LIMIT).contains(&points) {
        reader.fault(span, "the range has no values, or over a million", "expected `from` up to `to`");
        return None;
    }
    let value = |point: u32| {
        let real = tidy(at(f64::from(point)));
        if whole { Value::Integer(real as i64) } else { Value::Real(real) }
    };
    Some((0..=points as u32).map(value).collect())
}

/// The number with 12 significant digits: 0.1 + 2 * 0.1 is meant to be 0.3.
fn tidy(real: f64) -> f64 {
    format!("{real:.11e}").parse().expect("a number is read back")
}

/// Whether two values mean the same: 1 and 1.0 do.
pub(super) fn same(one: &Value, other: &Value) -> bool {
    match (one.as_real(), other.as_real()) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_the_decimals_that_were_meant() {
        assert_eq!((0..4).map(|point| tidy(0.1 * f64::from(point))).collect::<Vec<_>>(), [0.0, 0.1, 0.2, 0.3]);
    }
}
