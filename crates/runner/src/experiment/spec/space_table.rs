//! The tables `space` and `design` of an algorithm, with the places of all their parts.

use super::axis::{self, PlacedAxis};
use super::fields::Reader;
use crate::experiment::design::{MAX_POINTS, MAX_SEQUENCE_DIMENSIONS, Sample, SampleMethod};
use crate::experiment::document::{MAX_KEYS, Span, Table};

/// The seed of a sample if none is given.
const DEFAULT_SEED: u64 = 1;

/// A design as it is written.
pub(super) struct PlacedDesign<'d> {
    pub(super) dimensions: Vec<PlacedAxis<'d>>,
    pub(super) sample: Option<Sample>,
}

/// The dimensions of a table `space`.
pub(super) fn read_space<'d>(reader: &mut Reader<'d>, table: &'d Table) -> Vec<PlacedAxis<'d>> {
    let Some(space) = reader.table(table, "space") else { return Vec::new() };
    let dimensions = axis::read_axes(reader, space, true);
    if let Some(dimension) = dimensions.get(MAX_KEYS) {
        let message = format!("a space has more than {MAX_KEYS} dimensions");
        reader.fault(dimension.keys[0], message, "remove some dimensions");
    }
    dimensions
}

/// A design: a sample of the space of the algorithm and of the space of the design, or all combinations of a grid.
pub(super) fn read_design<'d>(
    reader: &mut Reader<'d>,
    span: &Span,
    table: &'d Table,
    space: &[PlacedAxis<'d>],
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
        (None, Some(grid)) => axis::read_grid(reader, grid),
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
        let help = "add settings to `[algorithms.NAME.space]`, or to the `space` of this design";
        reader.fault(span, "the design has no setting to vary", help);
    }
    let lengths = dimensions.iter().map(|dimension| dimension.axis.points.len() as u64);
    if sample.is_none() && lengths.fold(1, u64::saturating_mul) > MAX_POINTS {
        let message = format!("the design has more than {MAX_POINTS} combinations");
        reader.fault(span, message, "write fewer values, or use a `sample`");
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
    let method = reader.choice(sample, "method", SampleMethod::CHOICES)?;
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
