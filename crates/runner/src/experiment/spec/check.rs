//! The check of an algorithm's settings, with the place of each fault.

use std::collections::BTreeSet;

use evogrid_core::settings::Settings;

use super::algorithm_table::{Context, PlacedAlgorithm};
use super::axis::PlacedAxis;
use super::configurations;
use super::exclusion::PlacedExclusion;
use super::fault_report::{FaultReport, is_written};
use super::fields::Reader;
use super::resolved::{ResolvedAlgorithm, SettingsError};
use super::space_check::{self, SpaceCheck};
use super::space_table::{PlacedDesign, PlacedDimension, axes_of};
use crate::experiment::design::Design;
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
    let n_faults = reader.faults();
    let mut report = FaultReport { reader, entry, table, context, reported: BTreeSet::new() };
    if is_whole && (!space.is_empty() || !designs.is_empty()) {
        (spec.space, spec.designs) = spaces(&mut report, &spec.base, &space, &designs, &forbidden)?;
        if let Some(exclusion) = exclusions.first().filter(|_| !designs.is_empty()) {
            let message = "no design and no space has all settings of this exclusion";
            return report.reader.refuse(&exclusion.span, message, "name settings that one design or the space varies");
        }
    }
    let of_designs: Vec<Vec<PlacedAxis<'d>>> = designs.iter().map(|design| axes_of(&design.dimensions)).collect();
    let add = |report: &mut FaultReport<'_, 'd>, error: &SettingsError| match error {
        // The first point is the number of a design. The other points are choices of its dimensions.
        SettingsError::Fault { fault, points } if !of_designs.is_empty() => {
            report.add_fault(&of_designs[points[0]], fault, &points[1..]);
        }
        error => report.add(of_designs.first().unwrap_or(&axes), error),
    };
    let check = |settings: &_| if is_whole { external::faults(settings) } else { Vec::new() };
    let resolved = match ResolvedAlgorithm::new(spec, context.catalogue, context.problems, check) {
        Ok(resolved) => resolved,
        Err(errors) => {
            errors.iter().for_each(|error| add(&mut report, error));
            return None;
        }
    };
    if is_whole {
        configurations::check(&mut report, &resolved, &axes, &exclusions);
    }
    let [n_forbidden, n_alike] = resolved.n_left_out;
    for (n_points, why) in [(n_forbidden, "forbidden by `exclude`"), (n_alike, "equal to an earlier point")] {
        if n_points > 0 {
            let points = counted(n_points, "point");
            report.reader.notes.push(format!("`{}`: {points} of its designs left out: {why}", resolved.spec().name));
        }
    }
    if is_whole && report.reader.faults() == n_faults {
        let varied: Vec<PlacedAxis<'_>> = axes.iter().chain(of_designs.iter().flatten()).cloned().collect();
        let misfits = context.solved.misfits(&resolved, |path| is_written(path, table, &varied));
        misfits.iter().for_each(|misfit| add(&mut report, misfit));
        report.reader.diagnostics.count_misfits_since(n_faults);
    }
    Some(resolved)
}

/// The space and the designs of an algorithm, checked.
fn spaces<'d>(
    report: &mut FaultReport<'_, 'd>,
    base: &Settings,
    space: &[PlacedDimension<'d>],
    designs: &[PlacedDesign<'d>],
    forbidden: &[PlacedExclusion],
) -> Option<(Space, Vec<Design>)> {
    let n_faults = report.reader.faults();
    // A search of the space begins with the configuration without the space.
    if let Err(faults) = report.context.catalogue.resolve(base, report.context.problems) {
        faults.iter().for_each(|fault| report.add_fault(&[], fault, &[]));
        return None;
    }
    let mut whole =
        if space.is_empty() { Space::default() } else { SpaceCheck::new(base, report.context, space).space(report)? };
    let mut united = Vec::new();
    for PlacedDesign { dimensions, sample } in designs {
        let space = SpaceCheck::new(base, report.context, dimensions).space(report)?;
        united.push(Design::new(space, *sample, Vec::new()));
    }
    let mut spaces: Vec<&mut Space> = united.iter_mut().map(|design| &mut design.space).collect();
    spaces.push(&mut whole);
    for exclusion in forbidden {
        space_check::forbid(report.reader, exclusion, &mut spaces);
    }
    (report.reader.faults() == n_faults).then_some((whole, united))
}
