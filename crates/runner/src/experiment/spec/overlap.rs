//! Overlaps: two axes that vary the same setting, or an axis that removes a fixed setting. One value would override the other, and the results
//! would show a value that no run had.

use evogrid_core::catalogue::SettingPart;
use evogrid_core::settings::{Settings, Value};

use super::axis::{Axis, PlacedAxis};
use super::fields::Reader;
use crate::experiment::document::dotted::{overlap, span_at, value_at, within};
use crate::experiment::document::{Span, Table};

/// The first setting that two axes vary. A value of one axis may also set the setting that the other axis varies.
pub(crate) fn overlapping(axes: &[Axis]) -> Option<&str> {
    let settings: Vec<(&Axis, usize)> =
        axes.iter().flat_map(|axis| (0..axis.paths.len()).map(move |at| (axis, at))).collect();
    settings.iter().enumerate().find_map(|(number, &inner)| {
        let path = &inner.0.paths[inner.1];
        let mut others = settings.iter().enumerate().filter(|(other, _)| *other != number).map(|(_, other)| *other);
        others.any(|outer| outer.0.paths[outer.1] == *path || nested_point(outer, inner).is_some()).then_some(&**path)
    })
}

/// The first point at which a value of the outer setting sets the inner setting.
fn nested_point((outer, outer_at): (&Axis, usize), (inner, inner_at): (&Axis, usize)) -> Option<usize> {
    let rest = within(&inner.paths[inner_at], &outer.paths[outer_at]).filter(|rest| !rest.is_empty())?;
    let sets = |value: &Value| {
        value_at(value, rest).is_some_and(|set| inner.points.iter().any(|point| overlap(set, &point[inner_at])))
    };
    outer.points.iter().position(|point| sets(&point[outer_at]))
}

/// Refuses axes with the same path, and values of an axis that set a setting of another axis.
pub(super) fn check_axes(reader: &mut Reader<'_>, placed: &[PlacedAxis<'_>]) {
    let settings: Vec<(&PlacedAxis<'_>, usize)> =
        placed.iter().flat_map(|axis| (0..axis.axis.paths.len()).map(move |at| (axis, at))).collect();
    for (number, &second) in settings.iter().enumerate() {
        for &first in &settings[..number] {
            let [one, other] = [first, second].map(|(axis, at)| axis.axis.paths[at].as_str());
            if one == other {
                reader.twice(one, "varied", *first.0.keys[first.1], *second.0.keys[second.1]);
            }
            for ((outer, outer_at), (inner, inner_at)) in [(first, second), (second, first)] {
                let Some(point) = nested_point((&outer.axis, outer_at), (&inner.axis, inner_at)) else { continue };
                let (path, key) = (&inner.axis.paths[inner_at], inner.keys[inner_at]);
                let place = reader.document().place_name(&outer.node(outer_at, point).span, key);
                let message = format!("`{path}` is varied, but the value {place} also sets `{path}`");
                let (outer_path, value) = (&outer.axis.paths[outer_at], &outer.axis.points[point][outer_at]);
                let help = format!(
                    "the results would show `{outer_path} = {value}`, but the runs would use the varied value of `{path}` \
                     instead. Remove `{path}` from the value of `{outer_path}`, or do not vary `{path}`"
                );
                reader.fault(key, message, help);
            }
        }
    }
}

/// Refuses the bare name of an operator as a value of an axis, if the table of the algorithm fixes a setting of this operator. The bare name
/// means the operator with its defaults.
pub(super) fn check_fixed(
    reader: &mut Reader<'_>,
    table: &Table,
    base: &Settings,
    own: &Settings,
    placed: &[PlacedAxis<'_>],
) {
    let is_varied = |fixed: &str| placed.iter().any(|placed| placed.axis.paths.iter().any(|path| path == fixed));
    for (fixed, value) in own.flat().into_iter().filter(|(fixed, _)| !is_varied(fixed)) {
        for placed in placed {
            for (at, path) in placed.axis.paths.iter().enumerate() {
                let is_below = within(&fixed, path).is_some_and(|rest| !rest.is_empty() && rest != "kind");
                let kind = base.at(path).and_then(|operator| value_at(operator, "kind"));
                let drops = |point: &Vec<Value>| matches!(point[at], Value::Text(_)) && Some(&point[at]) == kind;
                let Some(point) = placed.axis.points.iter().position(drops).filter(|_| is_below) else { continue };
                let span = placed.node(at, point).span;
                let first = span_at(table, &fixed, SettingPart::Name).unwrap_or_else(Span::start);
                let place = reader.document().place_name(&first, &span);
                let name = &placed.axis.points[point][at];
                let message = format!(
                    "only the name `{name}` is given here, so all settings of `{name}` would get their default values, \
                     and the setting `{fixed} = {value}` {place} would be lost"
                );
                let help =
                    format!("write {{ kind = \"{name}\" }} to keep the setting `{fixed}`, or remove this setting");
                reader.fault(&span, message, help);
            }
        }
    }
}
