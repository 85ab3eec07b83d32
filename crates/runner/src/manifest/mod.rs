//! The manifest: which experiment a results folder is of, and which code ran it, on which machine, when, and whether to its end.

mod experiment;
mod session;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use evogrid_core::budget::is_unset;
use evogrid_core::identity::RESULTS_VERSION;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

pub use experiment::Experiment;
pub(crate) use experiment::limits_of_algorithms;
pub use session::{Session, is_session, sessions};
pub(crate) use session::{is_of_another_build, processor, read_session};

use crate::document::regular_reader;
use crate::execute::Tally;
use crate::instance_list::InstanceList;
use crate::outputs::{Folder, OutputReport};
use crate::plan::Plan;
use crate::spec::Spec;

/// The largest manifest that is read, in bytes: it holds every instance.
pub const MANIFEST_SIZE_LIMIT: u64 = 1 << 30;

/// What is read of a manifest.
#[derive(Debug, Deserialize)]
pub struct Manifest {
    /// The experiment.
    pub experiment: Experiment,
    #[serde(default)]
    evogrid: Option<Versions>,
}

#[derive(Debug, Deserialize)]
struct Versions {
    results_version: u32,
}

impl Manifest {
    /// Reads the manifest of a results folder.
    ///
    /// # Errors
    /// If it cannot be read, or holds the runs of another version of the code, which cannot be planned by this one.
    pub fn open(results: &Path) -> Result<Self> {
        let path = place(results);
        // As it is read: with all its instances the text would take twice the memory that they do.
        let manifest: Self =
            serde_json::from_reader(regular_reader(&path, MANIFEST_SIZE_LIMIT)?).with_context(|| {
                format!(
                    "{} does not hold the experiment: run the experiment once more, and it is written anew",
                    path.display()
                )
            })?;
        if let Some(versions) = manifest.evogrid.as_ref().filter(|versions| versions.results_version != RESULTS_VERSION)
        {
            anyhow::bail!(
                "{} is of results version {}, and this is {RESULTS_VERSION}: use the version of Evogrid that did the runs",
                path.display(),
                versions.results_version
            );
        }
        Ok(manifest)
    }

    /// The manifest that a text is.
    ///
    /// # Errors
    /// If it does not hold an experiment.
    pub fn parse(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }
}

/// Writes the manifest of an experiment that begins, unless it is there already: so a folder shows what it is of even if nothing
/// ever ends in it.
///
/// # Errors
/// If it cannot be written.
pub fn announce(folder: &Folder, plan: &Plan, experiment: &Experiment) -> Result<()> {
    let is_there = Manifest::open(folder.path()).is_ok_and(|manifest| manifest.experiment == *experiment);
    if is_there {
        return Ok(());
    }
    let runs = json!({ "planned": plan.n_runs() });
    write(folder, json!({ "experiment": experiment, "runs": runs }), experiment, sessions(&folder.journal()))
}

/// Writes the manifest of an experiment whose files were just made. `session` is the one that made them, for the case that no
/// journal file has one beside it.
///
/// # Errors
/// If it cannot be written.
pub fn complete(
    folder: &Folder,
    plan: &Plan,
    experiment: &Experiment,
    written: &OutputReport,
    (tally, session): (&Tally, Option<Value>),
) -> Result<()> {
    let mut sessions = sessions(&folder.journal());
    if sessions.is_empty() {
        sessions.extend(session);
    }
    let manifest = json!({
        "experiment": experiment,
        "runs": {
            "planned": plan.n_runs(),
            "present": written.runs,
            "failed": written.failed,
            "done_this_time": tally.done,
            "found_this_time": tally.found,
        },
        "all_instances_used": uses_all_instances(plan, written),
        "depends_on_speed": depends_on_speed(plan.spec()),
    });
    write(folder, manifest, experiment, sessions)
}

fn write(folder: &Folder, mut manifest: Value, experiment: &Experiment, sessions: Vec<Value>) -> Result<()> {
    // What made the runs, at the top: the last session.
    for (key, value) in sessions.last().and_then(Value::as_object).into_iter().flatten() {
        if key != "done" {
            manifest[key] = value.clone();
        }
    }
    manifest["sessions"] = sessions.into();
    session::write_json(&place(folder.path()), &WithInstances { value: &manifest, instances: &experiment.instances })
}

/// What is written of a manifest: a value, and in its `experiment` the instances, one by one. Keys are in the order of the alphabet.
struct WithInstances<'m> {
    value: &'m Value,
    instances: &'m InstanceList,
}

/// The experiment of a manifest, with its instances.
struct ExperimentWithInstances<'m>(WithInstances<'m>);

impl Serialize for WithInstances<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (key, value) in self.value.as_object().into_iter().flatten() {
            match key.as_str() {
                "experiment" => map.serialize_entry(key, &ExperimentWithInstances(Self { value, ..*self }))?,
                _ => map.serialize_entry(key, value)?,
            }
        }
        map.end()
    }
}

impl Serialize for ExperimentWithInstances<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let WithInstances { value, instances } = self.0;
        let fields: BTreeMap<&str, &Value> =
            value.as_object().into_iter().flatten().map(|(key, value)| (key.as_str(), value)).collect();
        let mut map = serializer.serialize_map(None)?;
        fields.range(.."instances").try_for_each(|(key, value)| map.serialize_entry(key, value))?;
        map.serialize_entry("instances", instances)?;
        fields.range("instances"..).try_for_each(|(key, value)| map.serialize_entry(key, value))?;
        map.end()
    }
}

fn place(results: &Path) -> PathBuf {
    results.join("manifest.json")
}

/// Whether every instance of the data sets has a run.
pub(crate) fn uses_all_instances(plan: &Plan, written: &OutputReport) -> bool {
    let spec = plan.spec();
    written.instances == spec.instances.len() && spec.n_left_out == 0
}

/// Whether a limit in seconds makes the results depend on the machine.
pub(crate) fn depends_on_speed(spec: &Spec) -> bool {
    spec.algorithms.iter().any(|algorithm| {
        let algorithm = algorithm.spec();
        algorithm.base.at("budget.seconds").is_some_and(|seconds| !is_unset("budget.seconds", seconds))
            || algorithm.axes.iter().flat_map(|axis| &axis.paths).any(|path| path == "budget.seconds")
    })
}
