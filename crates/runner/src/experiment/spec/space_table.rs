//! The tables `space` and `design` of an algorithm, with the places of all their parts.

use evogrid_core::settings::Value;

use super::axis::{self, Axis, PlacedAxis};
use super::fields::Reader;
use crate::experiment::design::{MAX_POINTS, MAX_SEQUENCE_DIMENSIONS, METHODS, Sample, SampleMethod};
use crate::experiment::document::dotted::settings_of;
use crate::experiment::document::{Entry, MAX_KEYS, Node, NodeValue, Span, Table};

/// The seed of a sample if none is given.
const DEFAULT_SEED: u64 = 1;

/// A dimension as it is written. At this stage, it is unknown when the dimension has an effect, and whether its range has only whole
/// numbers.
#[derive(Clone)]
pub(super) struct PlacedDimension<'d> {
    /// The choices of the dimension, or the two ends of its range.
    pub(super) placed: PlacedAxis<'d>,
    /// Whether the range of the dimension is logarithmic; `None` for choices.
    pub(super) range: Option<bool>,
    /// The condition in the file, if there is one.
    pub(super) when: Option<&'d Entry>,
}

impl PlacedDimension<'_> {
    pub(super) fn path(&self) -> &str {
        &self.placed.axis.paths[0]
    }
}

/// The axes of these dimensions.
pub(super) fn axes_of<'d>(dimensions: &[PlacedDimension<'d>]) -> Vec<PlacedAxis<'d>> {
    dimensions.iter().map(|dimension| dimension.placed.clone()).collect()
}

/// A design as it is written.
pub(super) struct PlacedDesign<'d> {
    pub(super) dimensions: Vec<PlacedDimension<'d>>,
    pub(super) sample: Option<Sample>,
}

/// The dimensions of a table `space`.
pub(super) fn read_space<'d>(reader: &mut Reader<'d>, table: &'d Table) -> Vec<PlacedDimension<'d>> {
    let Some(space) = reader.table(table, "space") else { return Vec::new() };
    let dimensions = read_dimensions(reader, space);
    if let Some(dimension) = dimensions.get(MAX_KEYS) {
        let message = format!("a space has more than {MAX_KEYS} dimensions");
        reader.fault(dimension.placed.keys[0], message, "remove some of them");
    }
    dimensions
}

/// A design: a sample of the space of the algorithm and of the space of the design, or all combinations of a grid.
pub(super) fn read_design<'d>(
    reader: &mut Reader<'d>,
    span: &Span,
    table: &'d Table,
    space: &[PlacedDimension<'d>],
) -> Option<PlacedDesign<'d>> {
    const FORM: &str = "expected `sample = { count = 200, method = \"sobol\" }`, or a `grid`";
    let n_faults = reader.faults();
    reader.known(table, "a design", &["sample", "space", "grid"]);
    let (sample, grid) = (table.get("sample"), reader.table(table, "grid"));
    let mut dimensions = match (sample, grid) {
        (Some(sample), Some(_)) => {
            return reader.refuse(&sample.key_span, "a design has both `sample` and `grid`", "write two designs");
        }
        (None, None) if reader.faults() == n_faults => {
            return reader.refuse(span, "a design has neither `sample` nor `grid`", FORM);
        }
        (None, Some(grid)) => {
            let choices = |placed| PlacedDimension { placed, range: None, when: None };
            axis::read_grid(reader, grid).into_iter().map(choices).collect()
        }
        _ => space.to_vec(),
    };
    for own in read_space(reader, table) {
        match dimensions.iter_mut().find(|dimension| dimension.path() == own.path()) {
            Some(dimension) => *dimension = own,
            None => dimensions.push(own),
        }
    }
    let sample = match sample {
        Some(_) => Some(read_sample(reader, table, dimensions.len())?),
        None => None,
    };
    if sample.is_some() && dimensions.is_empty() && reader.faults() == n_faults {
        let help = "write the settings to vary into `[algorithms.NAME.space]`, or into a `space` beside `sample`";
        reader.fault(span, "the design has no setting to vary", help);
    }
    let lengths = dimensions.iter().map(|dimension| dimension.placed.axis.points.len() as u64);
    if sample.is_none() && lengths.fold(1, u64::saturating_mul) > MAX_POINTS {
        reader.fault(
            span,
            format!("the design has more than {MAX_POINTS} combinations"),
            "write fewer values, or use a `sample`",
        );
    }
    (reader.faults() == n_faults).then_some(PlacedDesign { dimensions, sample })
}

fn read_sample<'d>(reader: &mut Reader<'d>, table: &'d Table, n_dimensions: usize) -> Option<Sample> {
    let sample = reader.table(table, "sample")?;
    let span = &table.get("sample").expect("it was read").key_span;
    reader.known(sample, "a sample", &["count", "method", "seed"]);
    for key in ["count", "method"].into_iter().filter(|key| Reader::lacks(sample, key, &["count", "method", "seed"])) {
        reader.fault(span, format!("the sample needs the key `{key}`"), "expected { count = 200, method = \"sobol\" }");
    }
    let count = reader.whole(sample, "count", 1, MAX_POINTS)?;
    let method = reader.choice(sample, "method", &METHODS)?;
    let seed = reader.whole(sample, "seed", 0, i64::MAX as u64).unwrap_or(DEFAULT_SEED);
    let is_sequence = matches!(method, SampleMethod::Sobol | SampleMethod::Halton);
    if is_sequence && n_dimensions > MAX_SEQUENCE_DIMENSIONS {
        let message = format!(
            "this method supports at most {MAX_SEQUENCE_DIMENSIONS} dimensions, but the space has {n_dimensions}"
        );
        reader.fault(&sample.get("method")?.node.span, message, "use `latin-hypercube` or `random`");
    }
    Some(Sample { count: u32::try_from(count).ok()?, method, seed })
}

fn read_dimensions<'d>(reader: &mut Reader<'d>, table: &'d Table) -> Vec<PlacedDimension<'d>> {
    const FORM: &str = "expected a range such as { from = 50, to = 1000 }, or a list of choices";
    let (mut dimensions, mut settings) = (Vec::new(), Vec::new());
    let is_whole = |table: &Table| axis::is_range(table) || table.get("values").is_some();
    settings_of("", table, &|_, inner| is_whole(inner), &mut settings);
    for (path, entry) in settings {
        if !axis::is_path(reader, &path, entry) {
            continue;
        }
        dimensions.extend(match &entry.node.value {
            NodeValue::List(items) => choices(reader, path, entry, items, None),
            NodeValue::Table(range) if axis::is_range(range) => read_range(reader, path, entry, range),
            NodeValue::Table(list) => {
                reader.known(list, "a list of choices", &["values", "when"]);
                let items = reader.field(list, "values", "expected a list of choices", Node::items);
                items.and_then(|items| choices(reader, path, entry, items, list.get("when")))
            }
            _ => reader.unexpected(&path, &entry.node, FORM),
        });
    }
    dimensions
}

fn choices<'d>(
    reader: &mut Reader<'d>,
    path: String,
    entry: &'d Entry,
    items: &'d [Node],
    when: Option<&'d Entry>,
) -> Option<PlacedDimension<'d>> {
    let n_faults = reader.faults();
    let placed = axis::read_choices(reader, path, entry, items);
    if placed.axis.points.len() < 2 && reader.faults() == n_faults {
        let message = format!("`{}` has fewer than two values", placed.axis.paths[0]);
        reader.fault(&entry.node.span, message, "write a setting with only one value into the table of the algorithm");
    }
    (reader.faults() == n_faults).then_some(PlacedDimension { placed, range: None, when })
}

fn read_range<'d>(
    reader: &mut Reader<'d>,
    path: String,
    entry: &'d Entry,
    range: &'d Table,
) -> Option<PlacedDimension<'d>> {
    let n_faults = reader.faults();
    if let Some(step) = range.get("step").or_else(|| range.get("factor")) {
        let help = "remove this key, replace it by `scale = \"log\"`, or write a list of the values";
        reader.fault(&step.key_span, format!("a range in a space cannot have the key `{}`", step.key), help);
    } else {
        reader.known(range, "a range", &["from", "to", "scale", "when"]);
    }
    let scales = [("linear", false), ("log", true)];
    let is_log = reader.choice(range, "scale", &scales).unwrap_or(false);
    let [from, to] = axis::read_ends(reader, &path, entry, range, "expected { from, to }")?;
    let [low, high] = [from, to].map(|node| node.number().expect("both are numbers"));
    if high <= low {
        let message = format!("the range of `{path}` has fewer than two values");
        reader.fault(&to.span, message, "expected `to` larger than `from`");
    } else if is_log && low <= 0.0 {
        let message = format!("a logarithmic range cannot start at {low}");
        reader.fault(&from.span, message, "expected `from` above 0, or remove `scale`");
    } else if !(high - low).is_finite() {
        let message = format!("the range of `{path}` is too wide");
        reader.fault(&to.span, message, "expected `from` and `to` closer to each other");
    }
    let values = [from, to].map(|node| reader.value(&path, node));
    let [Some(low), Some(high)] = values else { return None };
    let points = if matches!((&low, &high), (Value::Integer(_), Value::Integer(_))) {
        vec![vec![low], vec![high]]
    } else {
        [low, high].iter().filter_map(Value::as_real).map(|real| vec![Value::Real(real)]).collect()
    };
    let axis = Axis { paths: vec![path], points };
    let placed = PlacedAxis { axis, keys: vec![&entry.key_span], nodes: vec![vec![from, to]] };
    (reader.faults() == n_faults).then_some(PlacedDimension { placed, range: Some(is_log), when: range.get("when") })
}
