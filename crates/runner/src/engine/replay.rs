//! A replay repeats a run of a results folder, using only the content of the folder. The new outcome and the recorded outcome are compared
//! bit for bit.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use evogrid_core::catalogue::{Catalogue, Fault};
use evogrid_core::family::{Family, Instance};
use evogrid_core::identity::{Fingerprint, RunId};
use evogrid_core::settings::Settings;
use evogrid_results::Record;
use evogrid_results::columns::differences;
use evogrid_results::solution::brief;

pub use crate::engine::execute::Repetition;
use crate::engine::execute::{RunFailure, measure};
use crate::engine::folder::manifest::Manifest;
use crate::experiment::diagnostic::in_one_line;
pub use crate::experiment::instance_list::InstancesById as Instances;
use crate::experiment::instance_list::ListedInstance;
use crate::experiment::settings_json::value_from_json;
use crate::experiment::settings_on_instance::budget_on;
use crate::external::{self, ProgramPolicy};
use crate::system::numbers::counted;

/// A difference between a repeated run and the original run's record: the column, the value in the record, and the value of the repeated
/// run.
pub type Difference = (&'static str, String, String);

/// The error if this program cannot repeat a run on this machine. The error does not mean that the recorded outcome is wrong.
#[derive(Debug, thiserror::Error)]
#[error("this run cannot be repeated here: {0}")]
pub struct Unrepeatable(
    /// The reason.
    pub String,
);

impl Unrepeatable {
    /// Returns the error for a run that was done with other versions of its algorithm or operators.
    pub fn because_of(versions: &[(String, u32)]) -> Self {
        let versions: Vec<String> = versions.iter().map(|(name, version)| format!("{version} of `{name}`")).collect();
        Self(format!("this program has version {}, but another version did the run", versions.join(", ")))
    }
}

fn unrepeatable(faults: &[Fault]) -> Unrepeatable {
    Unrepeatable(faults.first().map(|fault| format!("{}: {}", fault.path, fault.message)).unwrap_or_default())
}

/// Reads the instances of a results folder from its manifest.
///
/// # Errors
/// If the manifest cannot be read.
pub fn read_instances(results: &Path) -> Result<Instances> {
    Ok(Instances::new(Manifest::open(results)?.experiment.instances))
}

/// The error if the run needs an external program, but the user did not allow external programs.
#[derive(Debug, thiserror::Error)]
#[error(
    "the run starts an external program with the command `{}`\n  if the command is safe, use `--run-programs`",
    in_one_line(.0)
)]
pub struct UnaskedProgram(pub(crate) String);

/// Repeats a run, and returns the differences from its record. If the outcome is the same, the list is empty.
///
/// # Errors
/// If the instance, the algorithm or a setting of the run is missing. If the run needs an external program that the user did not allow.
pub fn replay(
    record: &Record,
    instances: &Instances,
    catalogue: &Catalogue,
    policy: ProgramPolicy,
) -> Result<Vec<Difference>> {
    let stored = find_instance(record, instances, catalogue)?;
    let family = family(stored.problem, catalogue)?;
    let instance: Box<dyn Instance> = family
        .restore(stored.content)
        .map_err(|wrong| anyhow!("cannot read the instance `{}` from the manifest: {wrong}", stored.id))?;
    let settings = settings(record, stored.problem, catalogue)?;
    if let (Some(command), ProgramPolicy::Refuse) = (external::command(&settings), policy) {
        return Err(UnaskedProgram(command.to_owned()).into());
    }
    let search = catalogue.algorithm(&settings);
    let (instance, content) = (instance.as_ref(), &instance.content());
    repeat(record, &Repetition { family, instance, content, settings: &settings, search: &search })
}

/// Repeats a run, even if the run starts an external program. Returns the differences from the record. If the outcome is the same, the list
/// is empty.
///
/// # Errors
/// Returns an error if the run starts an external program, and this program does not exist.
pub fn repeat(record: &Record, run: &Repetition<'_>) -> Result<Vec<Difference>> {
    let missing = external::faults(run.settings);
    if !missing.is_empty() {
        return Err(unrepeatable(&missing).into());
    }
    let budget = budget_on(run.settings, run.family, run.instance);
    let trigger = record.trace.as_ref().map(|trace| trace.trigger);
    let (measured, _, trace) = measure(run, &budget, record.key.seed, trigger);
    let (found, solution) = match measured {
        Ok(measured) => measured,
        Err(RunFailure { message, .. }) => {
            let recorded = record.message.clone().unwrap_or_default();
            return Ok(if recorded == message { Vec::new() } else { vec![("message", recorded, message)] });
        }
    };
    let mut differences: Vec<Difference> = differences(&record.outcome, &found)
        .map(|(column, [recorded, found])| (column, recorded.to_string(), found.to_string()))
        .collect();
    if record.solution != solution && record.says_its_solution() {
        let text = |solution: &Option<String>| brief(solution.as_deref().unwrap_or_default()).into_owned();
        let [recorded, found] = [&record.solution, &solution].map(text);
        differences.push(("solution", recorded, found));
    }
    if let (Some(recorded), Some(found)) = (&record.trace, trace)
        && recorded.points != found.points
    {
        let [recorded, found] = [recorded, &found].map(|trace| counted(trace.points.len() as u64, "point"));
        differences.push(("trace", recorded, format!("{found} with other values")));
    }
    Ok(differences)
}

/// Finds the instance of a record. The name of the instance may have changed. For each instance in turn, the function computes the identity
/// that the run would have on this instance. The identity is computed from this instance, and from the settings and the seed of the record.
/// The search stops when the computed identity equals the recorded identity.
///
/// # Errors
/// If no instance in the manifest belongs to the record.
pub fn find_instance<'a>(
    record: &Record,
    instances: &'a Instances,
    catalogue: &Catalogue,
) -> Result<ListedInstance<'a>> {
    let named = instances.get(&record.key.instance).into_iter();
    let others = instances.iter().filter(|stored| stored.id != record.key.instance);
    let mut first_error = None;
    for stored in named.chain(others).filter(|stored| stored.problem == record.key.problem) {
        match identity(record, stored, catalogue) {
            Ok(id) if id == record.key.run_id => return Ok(stored),
            Err(error) if first_error.is_none() => first_error = Some(error),
            _ => {}
        }
    }
    let none = || {
        let id = record.key.run_id;
        anyhow!(
            "with the recorded settings and seed, the run id {id} does not belong to any instance: perhaps the \
             experiment was changed later"
        )
    };
    Err(first_error.unwrap_or_else(none))
}

/// The family with this name.
///
/// # Errors
/// If the catalogue does not have the family.
pub fn family<'c>(problem: &str, catalogue: &'c Catalogue) -> Result<&'c dyn Family, Unrepeatable> {
    catalogue.family(problem).ok_or_else(|| Unrepeatable(format!("unknown problem `{problem}`")))
}

/// Computes a run's identity from its settings, its instance and its seed.
///
/// # Errors
/// If the settings are not valid.
pub fn identity(record: &Record, stored: ListedInstance<'_>, catalogue: &Catalogue) -> Result<RunId> {
    let settings = settings(record, stored.problem, catalogue)?;
    let family_versions = family(stored.problem, catalogue)?.declaration().versions();
    let instance = Fingerprint::of_instance(stored.problem, stored.content);
    let id = |settings: &Fingerprint, instance: &Fingerprint| RunId::new(settings, instance, record.key.seed);
    let found = id(&catalogue.fingerprint(&settings), &instance.with_versions(&family_versions));
    let versions = [family_versions, catalogue.versions(&settings)].concat();
    if found != record.key.run_id && !versions.is_empty() {
        return Err(Unrepeatable::because_of(&versions).into());
    }
    Ok(found)
}

/// Returns the settings of a record, resolved for instances of the problem `problem`.
///
/// # Errors
/// If the settings are not valid, or if they use a component that is missing in the catalogue.
pub fn settings(record: &Record, problem: &str, catalogue: &Catalogue) -> Result<Settings> {
    let mut raw = Settings::new();
    for (path, recorded) in record.settings.iter() {
        raw.set_at(path, value_from_json(recorded).with_context(|| format!("cannot read the setting `{path}`"))?);
    }
    family(problem, catalogue)?;
    catalogue.resolve(&raw, &[problem]).map_err(|faults| unrepeatable(&faults).into())
}
