//! Replay: a run of a results folder done again, bit for bit, from what the folder holds.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use evogrid_core::budget::Budget;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::{Family, Instance};
use evogrid_core::identity::{Fingerprint, RunId};
use evogrid_core::settings::Settings;
use evogrid_results::columns::differences;
use evogrid_results::{Record, RunOutcome};

use crate::execute::solve;
use crate::manifest::{Manifest, ManifestInstance};
use crate::settings_json::value_from_json;

/// The instances of a results folder by their ids.
pub type Instances = BTreeMap<String, ManifestInstance>;

/// A field in which a run done again differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The column.
    pub column: &'static str,
    /// What the record has.
    pub recorded: String,
    /// What came out now.
    pub found: String,
}

/// Reads the instances of a results folder from its manifest.
///
/// # Errors
/// If it cannot be read.
pub fn read_instances(results: &Path) -> Result<Instances> {
    let manifest = Manifest::open(results)?;
    Ok(manifest.experiment.instances.into_iter().map(|stored| (stored.id.clone(), stored)).collect())
}

/// Does a run again. Its differences from what was recorded are returned: none if it comes out the same.
///
/// # Errors
/// If what it takes is not there: the instance, the algorithm, a setting.
pub fn replay(record: &Record, instances: &Instances, catalogue: &Catalogue) -> Result<Vec<Difference>> {
    let stored = find_instance(record, instances)?;
    let instance: Box<dyn Instance> = family(stored, catalogue)?
        .restore(&stored.content)
        .map_err(|wrong| anyhow!("the instance `{}` cannot be read from the manifest: {wrong}", stored.id))?;
    let settings = settings(record, stored, catalogue)?;
    let search = catalogue.algorithm(&settings);
    let budget = Budget::from_settings(settings.table("budget"));
    let (outcome, solution) = match solve(instance.as_ref(), &settings, &search, &budget, record.key.seed, &mut ()) {
        Ok(outcome) => outcome,
        Err(message) => {
            let recorded = record.message.clone().unwrap_or_default();
            return Ok(if recorded == message { Vec::new() } else { vec![difference("message", recorded, message)] });
        }
    };
    let found = RunOutcome::from_search(&outcome, solution.is_some());
    let mut differences: Vec<Difference> = differences(&record.outcome, &found)
        .map(|(column, [recorded, found])| difference(column, recorded.to_string(), found.to_string()))
        .collect();
    if record.solution != solution {
        let [recorded, found] = [&record.solution, &solution].map(|solution| solution.clone().unwrap_or_default());
        differences.push(difference("solution", recorded, found));
    }
    Ok(differences)
}

fn difference(column: &'static str, recorded: String, found: String) -> Difference {
    Difference { column, recorded, found }
}

/// The instance of a record.
///
/// # Errors
/// If the manifest does not have it.
pub fn find_instance<'a>(record: &Record, instances: &'a Instances) -> Result<&'a ManifestInstance> {
    instances.get(&record.key.instance).ok_or_else(|| {
        anyhow!("the manifest has no instance `{}`: did the experiment change since?", record.key.instance)
    })
}

/// The family of an instance.
///
/// # Errors
/// If the catalogue does not have it.
pub fn family<'c>(stored: &ManifestInstance, catalogue: &'c Catalogue) -> Result<&'c dyn Family> {
    catalogue.family(&stored.problem).ok_or_else(|| anyhow!("there is no problem `{}` here", stored.problem))
}

/// The identity of a record, made anew from its settings, its instance and its seed.
///
/// # Errors
/// If its settings are none.
pub fn identity(record: &Record, stored: &ManifestInstance, catalogue: &Catalogue) -> Result<RunId> {
    let settings = Fingerprint::of_settings(&settings(record, stored, catalogue)?.canonical());
    Ok(RunId::new(&settings, &Fingerprint::of_instance(&stored.problem, &stored.content), record.key.seed))
}

/// The settings of a record, resolved.
fn settings(record: &Record, stored: &ManifestInstance, catalogue: &Catalogue) -> Result<Settings> {
    let mut raw = Settings::new();
    for (path, recorded) in &record.settings {
        raw.set_at(path, value_from_json(recorded).with_context(|| format!("the setting `{path}` cannot be read"))?);
    }
    catalogue.resolve(&raw, &[&stored.problem]).map_err(|faults| {
        let first = faults.first().map(|fault| format!("{}: {}", fault.path, fault.message)).unwrap_or_default();
        anyhow!("its settings are none that can be built here: {first}")
    })
}
