//! The check of an algorithm's settings and configurations, with the place of each fault. Each exclusion must remove a configuration, but not all
//! configurations. No two configurations may be equal or look equal.

use std::collections::BTreeSet;

use evogrid_core::catalogue::SettingPart;
use evogrid_core::settings::{Settings, Value};

use super::algorithm::{AlgorithmSpec, label};
use super::algorithm_table::{Context, PlacedAlgorithm, PlacedExclusion};
use super::axis::PlacedAxis;
use super::equal::{COMPARISON_LIMIT, EqualConfigurations, Likeness};
use super::fault_report::{FaultReport, is_written};
use super::fields::Reader;
use super::resolved::{IdleExclusion, ResolvedAlgorithm};
use super::space_check::{self, SpaceCheck};
use super::space_table::PlacedDesign;
use crate::experiment::design::Design;
use crate::experiment::document::Span;
use crate::experiment::space::Space;
use crate::external;
use crate::system::numbers::counted;

/// Resolves the settings of an algorithm that was read, and reports their faults.
pub(super) fn resolve<'d>(
    reader: &mut Reader<'d>,
    mut spec: AlgorithmSpec,
    placed: &PlacedAlgorithm<'d>,
    context: &Context<'_>,
) -> Option<ResolvedAlgorithm> {
    let PlacedAlgorithm { axes, exclusions, space, designs, is_whole, .. } = placed;
    let n_faults = reader.faults();
    let mut report = FaultReport { reader, placed, context, reported: BTreeSet::new() };
    if *is_whole && (!space.is_empty() || !designs.is_empty()) {
        (spec.space, spec.designs) = spaces(&mut report, &spec.base)?;
        if let Some(exclusion) = exclusions.first().filter(|_| !designs.is_empty()) {
            let message = "neither the space nor any single design contains all settings of this exclusion";
            let help = "either the space or one design must contain all settings of the exclusion";
            return report.reader.refuse(&exclusion.span, message, help);
        }
    }
    let check = |settings: &_| if *is_whole { external::faults(settings) } else { Vec::new() };
    let resolved = match ResolvedAlgorithm::new(spec, context.catalogue, context.problems, check) {
        Ok(resolved) => resolved,
        Err(errors) => {
            errors.iter().for_each(|error| report.add(error));
            return None;
        }
    };
    if *is_whole {
        check_configurations(&mut report, &resolved);
    }
    let [n_forbidden, n_alike] = resolved.n_left_out;
    for (n_points, why) in [(n_forbidden, "forbidden by `exclude`"), (n_alike, "equal to an earlier point")] {
        if n_points > 0 {
            let points = counted(n_points, "point");
            report.reader.notes.push(format!("the designs of `{}` leave out {points}: {why}", resolved.spec().name));
        }
    }
    if *is_whole && report.reader.faults() == n_faults {
        let of_designs = designs.iter().flat_map(|design| &design.dimensions);
        let varied: Vec<PlacedAxis<'_>> = axes.iter().chain(of_designs).cloned().collect();
        let misfits = context.solved.misfits(&resolved, |path| is_written(path, placed.table, &varied));
        misfits.iter().for_each(|misfit| report.add(misfit));
        report.reader.diagnostics.count_misfits_since(n_faults);
    }
    Some(resolved)
}

/// The space and the designs of an algorithm with these fixed settings, checked.
fn spaces(report: &mut FaultReport<'_, '_>, base: &Settings) -> Option<(Space, Vec<Design>)> {
    let PlacedAlgorithm { space, designs, forbidden, .. } = report.placed;
    let n_faults = report.reader.faults();
    // A search of the space begins with the configuration without the space.
    if let Err(faults) = report.context.catalogue.resolve(base, report.context.problems) {
        faults.iter().for_each(|fault| report.add_fault(&[], fault, &[]));
        return None;
    }
    let mut whole = SpaceCheck::new(base, report.context, space).space(report)?;
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

/// The maximum number of differences that an advice lists.
const DIFFERENCES_LISTED: usize = 3;

/// Reports faults of the configurations of an algorithm whose settings are valid.
fn check_configurations(report: &mut FaultReport<'_, '_>, algorithm: &ResolvedAlgorithm) {
    let FaultReport { reader, placed: PlacedAlgorithm { entry, table, axes, exclusions, .. }, context, .. } = report;
    let n_faults = reader.faults();
    check_exclusions(reader, algorithm, exclusions);
    if reader.faults() > n_faults {
        return;
    }
    if algorithm.n_configurations() == 0 {
        let span = &table.get("exclude").unwrap_or(entry).key_span;
        let message = format!("`exclude` removes all configurations of `{}`", algorithm.spec().name);
        return reader.fault(span, message, "remove an entry from `exclude`");
    }
    match algorithm.equal_configurations(&context.solved.foreign_settings()) {
        Ok(None) => {}
        Ok(Some(configurations)) => report_equal(reader, algorithm, axes, &configurations),
        Err(varied) => {
            let message = format!(
                "the algorithm has more than {COMPARISON_LIMIT} combinations: the program cannot compare so many \
                 configurations"
            );
            reader.fault(axes[varied[0]].keys[0], message, "write several algorithms, each with fewer combinations");
        }
    }
}

/// Reports exclusions that do not remove any configuration.
fn check_exclusions(reader: &mut Reader<'_>, algorithm: &ResolvedAlgorithm, exclusions: &[PlacedExclusion]) {
    for IdleExclusion { exclusion, condition, fault } in &algorithm.idle_exclusions {
        let exclusion = &exclusions[*exclusion];
        let Some(condition) = *condition else {
            let help = "no combination contains all values of this entry: remove the entry from `exclude`, or correct \
                        a value";
            reader.fault(&exclusion.span, "no combination contains all these values", help);
            continue;
        };
        let (key, span) = &exclusion.places[condition];
        if let Some(fault) = fault {
            let span = if fault.part == SettingPart::Name { key } else { span };
            reader.fault(span, fault.message.clone(), fault.expected.clone());
            continue;
        }
        let (path, value) = &exclusion.combination[condition];
        let help = "expected a value that the `grid`, a `zip` or the algorithm's table gives to this setting";
        reader.fault(span, format!("`{path}` never has the value `{value}`"), help);
    }
}

/// Reports two configurations that are equal, or look equal.
fn report_equal(
    reader: &mut Reader<'_>,
    algorithm: &ResolvedAlgorithm,
    axes: &[PlacedAxis<'_>],
    ([first, second], likeness): &EqualConfigurations,
) {
    // The settings of the axes at which the points differ: the path, both values, and both places.
    let mut differing: Vec<(&String, [&Value; 2], [Span; 2])> = Vec::new();
    let points = first.iter().zip(second).map(|(&one, &other)| [one, other]);
    for (placed, points) in axes.iter().zip(points).filter(|(_, [one, other])| one != other) {
        for (at, path) in placed.axis.paths.iter().enumerate() {
            let (value, place) = (|point: usize| &placed.axis.points[point][at], |point| placed.node(at, point).span);
            differing.push((path, points.map(value), points.map(place)));
        }
    }
    let described = |which: usize, text: &dyn Fn(&String, &Value) -> String| {
        let settings = differing.iter().map(|(path, values, _)| format!("{path} = {}", text(path, values[which])));
        settings.collect::<Vec<_>>().join(", ")
    };
    let written = |which: usize| described(which, &|_, value| as_toml(value));
    let [other, span] = differing.iter().find(|(_, [one, other], _)| one != other).unwrap_or(&differing[0]).2;
    let [here, there] = [second, first].map(|points| algorithm.settings(points));
    let also = if span == other {
        "another value of this range".to_owned()
    } else {
        format!("`{}` {}", written(0), reader.document().place_name(&other, &span))
    };
    let (message, help) = match likeness {
        Likeness::Settings => {
            let resolved = |path: &String, value: &Value| here.at(path).unwrap_or(value).to_string();
            let both = described(1, &resolved);
            (
                format!("`{}` gives the same configuration as {also}", written(1)),
                format!("remove one of the two configurations: both are `{both}`, and each run would count twice"),
            )
        }
        Likeness::SettingsFor(family) => (
            format!("`{}` gives the same configuration as {also} for `{family}`", written(1)),
            format!(
                "`{family}` does not use the settings that differ between these configurations, so each run on \
                 `{family}` would count twice. Vary these settings in an experiment without `{family}`"
            ),
        ),
        Likeness::Labels => {
            let shown = |path: &String, value: &Value| label(here.at(path), Some(value));
            let (shown, differences) = (described(1, &shown), differences(&here, &there));
            (
                format!("`{}` has the same name in the results as {also}", written(1)),
                format!(
                    "both configurations appear as `{shown}`, but {differences}. Remove one of the two configurations. \
                     To keep both configurations, find the settings in which they differ. Then write a value for each of \
                     these settings in both configurations"
                ),
            )
        }
    };
    reader.fault(&span, message, help);
}

/// The differences between the settings of two configurations, in words.
fn differences(here: &Settings, there: &Settings) -> String {
    let (here, there) = (here.flat(), there.flat());
    let of = |settings: &[(String, &Value)], path: &str| {
        let found = settings.iter().find(|(own, _)| own == path);
        found.map_or_else(|| "absent".to_owned(), |(_, value)| as_toml(value))
    };
    let paths: BTreeSet<&str> = here.iter().chain(&there).map(|(path, _)| path.as_str()).collect();
    let both = paths.into_iter().map(|path| (path, of(&here, path), of(&there, path)));
    let differences = both.filter(|(_, here, there)| here != there).take(DIFFERENCES_LISTED);
    let described: Vec<String> = differences
        .map(|(path, here, there)| {
            format!("`{path}` is {there} in the first configuration and {here} in the second configuration")
        })
        .collect();
    described.join(", ")
}

/// The text of a value in an experiment file.
fn as_toml(value: &Value) -> String {
    match value {
        Value::Text(text) => format!("{text:?}"),
        Value::Table(table) => {
            let kind = table.iter().filter(|(name, _)| *name == "kind");
            let entries = kind.chain(table.iter().filter(|(name, _)| *name != "kind"));
            let entries: Vec<String> = entries.map(|(name, value)| format!("{name} = {}", as_toml(value))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        value => value.to_string(),
    }
}
