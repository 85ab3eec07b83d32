//! The check of an algorithm's settings, with the place of each fault.

use std::collections::BTreeSet;

use super::algorithm::AlgorithmSpec;
use super::algorithm_table::{Context, PlacedAlgorithm};
use super::axis::PlacedAxis;
use super::configurations;
use super::exclusion::PlacedExclusion;
use super::fault_report::{FaultReport, is_written};
use super::fields::Reader;
use super::resolved::{ResolvedAlgorithm, SettingsError};
use super::space_check::{self, SpaceCheck};
use super::space_table::{PlacedDesign, PlacedDimension};
use crate::experiment::design::Design;
use crate::experiment::document::{Entry, Table};
use crate::experiment::space::Space;
use crate::external;
use crate::system::numbers::counted;

/// Resolves the settings of an algorithm that was read, and reports their faults.
pub(super) fn resolve<'d>(
    reader: &mut Reader<'d>,
    algorithm: PlacedAlgorithm<'d>,
    context: &Context<'_>,
) -> Option<ResolvedAlgorithm> {
    let PlacedAlgorithm { mut spec, entry, table, axes, exclusions, space, designs, forbidden, is_whole } = algorithm;
    let check = |settings: &_| if is_whole { external::faults(settings) } else { Vec::new() };
    let n_faults = reader.faults();
    if is_whole && (!space.is_empty() || !designs.is_empty()) {
        (spec.space, spec.designs) = spaces(reader, (&spec, entry, table), context, &space, &designs, &forbidden)?;
        if let Some(exclusion) = exclusions.first().filter(|_| !designs.is_empty()) {
            let message = "no design and no space has all settings of this exclusion";
            reader.fault(&exclusion.span, message, "name settings that one of them varies");
            return None;
        }
    }
    // Of an algorithm with designs, the first of the points says which design, and the others where in it.
    let of_designs: Vec<Vec<PlacedAxis<'d>>> = designs.iter().map(|design| axes_of(&design.dimensions)).collect();
    let add = |reader: &mut Reader<'d>, errors: &[SettingsError]| {
        let mut reported = BTreeSet::new();
        for error in errors {
            let axes = match error {
                SettingsError::Fault { points, .. } if !of_designs.is_empty() => &of_designs[points[0]],
                _ => of_designs.first().unwrap_or(&axes),
            };
            let mut report =
                FaultReport { reader, entry, table, context, axes, reported: std::mem::take(&mut reported) };
            match error {
                SettingsError::Fault { fault, points } if !of_designs.is_empty() => {
                    report.add_fault(fault, &points[1..]);
                }
                error => report.add(error),
            }
            reported = report.reported;
        }
    };
    match ResolvedAlgorithm::new(spec, context.catalogue, context.problems, check) {
        Ok(resolved) => {
            if is_whole {
                configurations::check(
                    reader,
                    &resolved,
                    (entry, table),
                    &axes,
                    &exclusions,
                    &context.solved.foreign_settings(),
                );
            }
            let [n_forbidden, n_alike] = resolved.n_left_out;
            for (n_points, why) in [(n_forbidden, "forbidden by `exclude`"), (n_alike, "equal to an earlier point")] {
                if n_points > 0 {
                    let points = counted(n_points, "point");
                    reader.note(format!("`{}`: {points} of its designs left out: {why}", resolved.spec().name));
                }
            }
            if is_whole && reader.faults() == n_faults {
                let varied: Vec<PlacedAxis<'_>> = axes.iter().chain(of_designs.iter().flatten()).cloned().collect();
                let misfits = context.solved.misfits(&resolved, |path| is_written(path, table, &varied));
                add(reader, &misfits);
                reader.count_misfits_since(n_faults);
            }
            Some(resolved)
        }
        Err(errors) => {
            add(reader, &errors);
            None
        }
    }
}

fn axes_of<'d>(dimensions: &[PlacedDimension<'d>]) -> Vec<PlacedAxis<'d>> {
    dimensions.iter().map(|dimension| dimension.placed.clone()).collect()
}

/// The space and the designs of an algorithm, checked.
fn spaces<'d>(
    reader: &mut Reader<'d>,
    (spec, entry, table): (&AlgorithmSpec, &'d Entry, &'d Table),
    context: &Context<'_>,
    space: &[PlacedDimension<'d>],
    designs: &[PlacedDesign<'d>],
    forbidden: &[PlacedExclusion],
) -> Option<(Space, Vec<Design>)> {
    let Context { catalogue, problems, .. } = *context;
    let n_faults = reader.faults();
    // The configuration without the space: a search of the space begins with it.
    if let Err(faults) = catalogue.resolve(&spec.base, problems) {
        let mut report = FaultReport { reader, entry, table, context, axes: &[], reported: BTreeSet::new() };
        faults.iter().for_each(|fault| report.add_fault(fault, &[]));
        return None;
    }
    let mut complete = |dimensions: &[PlacedDimension<'d>]| {
        let axes = axes_of(dimensions);
        let mut report = FaultReport { reader, entry, table, context, axes: &axes, reported: BTreeSet::new() };
        SpaceCheck { base: &spec.base, catalogue, problems, dimensions, conditions: Vec::new() }.space(&mut report)
    };
    let mut whole = if space.is_empty() { Space::default() } else { complete(space)? };
    let mut united = Vec::new();
    for PlacedDesign { dimensions, sample } in designs {
        united.push(Design::new(complete(dimensions)?, *sample, Vec::new()));
    }
    let mut spaces: Vec<&mut Space> = united.iter_mut().map(|design| &mut design.space).collect();
    spaces.push(&mut whole);
    for exclusion in forbidden {
        space_check::forbid(reader, exclusion, &mut spaces);
    }
    (reader.faults() == n_faults).then_some((whole, united))
}
