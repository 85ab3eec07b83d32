//! The manifest of a results folder. The manifest describes the experiment, the code, the machine and the times. The manifest also says
//! whether the experiment has ended.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};
use evogrid_core::identity::RESULTS_VERSION;
use evogrid_results::files::{create, open_regular};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::engine::execute::Tally;
use crate::engine::experiment_error::ExperimentError;
use crate::engine::folder::outputs::{Folder, OutputReport};
use crate::engine::folder::session::{REUSED, sessions, write_json, write_value};
use crate::experiment::document::reader_of;
use crate::experiment::manifest_form::Experiment;
use crate::experiment::plan::Plan;
use crate::experiment::settings_on_instance::{TIME_LIMITS, has_time_limit};
use crate::experiment::spec::Spec;

/// The size limit of a manifest in bytes. The limit is large, because a manifest contains every instance.
pub const MANIFEST_SIZE_LIMIT: u64 = 1 << 30;

/// The part of a manifest that this program reads.
#[derive(Debug, Deserialize)]
pub struct Manifest {
    /// The experiment.
    pub experiment: Experiment,
    #[serde(default)]
    evogrid: Option<Versions>,
}

/// The version of the code that wrote a manifest.
#[derive(Debug, Deserialize)]
pub struct Versions {
    results_version: u32,
}

impl Versions {
    /// Returns an error if the manifest has a results version that this program cannot read.
    pub fn check(versions: Option<&Self>, manifest: &Path) -> Result<()> {
        let other = versions.filter(|versions| versions.results_version != RESULTS_VERSION);
        other.map_or(Ok(()), |versions| {
            anyhow::bail!(
                "{} has results version {}, but this program reads only version {RESULTS_VERSION}: use the version \
                 of Evogrid that did the runs",
                manifest.display(),
                versions.results_version
            )
        })
    }
}

impl Manifest {
    /// Reads the manifest of a results folder.
    ///
    /// # Errors
    /// Returns an error if the manifest cannot be read, or if the results version in the manifest is a version that this program cannot
    /// read.
    pub fn open(results: &Path) -> Result<Self> {
        let path = place(results);
        Self::read(&path, open_regular(&path))
    }

    /// Reads the manifest of a results folder; `None` if there is no manifest.
    ///
    /// # Errors
    /// The errors of [`open`](Self::open).
    pub(crate) fn find(results: &Path) -> Result<Option<Self>> {
        let path = place(results);
        match open_regular(&path) {
            // A link to a missing file is an error. A manifest that has appeared in the meantime is read.
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
                    && !path.symlink_metadata().is_ok_and(|found| found.is_symlink()) =>
            {
                Ok(None)
            }
            file => Self::read(&path, file).map(Some),
        }
    }

    fn read(path: &Path, file: io::Result<File>) -> Result<Self> {
        // The manifest is parsed while it is read: its whole text would take twice the memory of the instances.
        let reader = reader_of(path, file, MANIFEST_SIZE_LIMIT)?;
        let manifest: Self = serde_json::from_reader(reader).with_context(|| not_valid(path))?;
        Versions::check(manifest.evogrid.as_ref(), path)?;
        Ok(manifest)
    }
}

/// The size and the modification time that a manifest file had when this process last checked or wrote the file. The size and the time show
/// whether another process has replaced the file.
pub struct Announcement(Option<FileStamp>);

/// The properties that change when a file is replaced.
pub type FileStamp = (SystemTime, u64);

/// The present stamp of the manifest in a results folder; `None` if there is no manifest.
pub fn stamp(results: &Path) -> Option<FileStamp> {
    let metadata = std::fs::symlink_metadata(place(results)).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// Writes the manifest of an experiment at its start, unless the manifest already exists. So the folder shows its experiment even if no run
/// finishes. Returns `None` if the folder has the manifest of another experiment, and this manifest may not be overwritten. Just before
/// this call, another process may have written the manifest of a different experiment into this folder.
///
/// # Errors
/// If the manifest cannot be written.
pub(crate) fn announce(
    folder: &Folder,
    plan: &Plan,
    experiment: &Experiment,
    overwrite: bool,
) -> Result<Option<Announcement>> {
    let seen = stamp(folder.path());
    if seen.is_some() {
        let there = Manifest::open(folder.path()).map(|manifest| manifest.experiment);
        if there.as_ref().is_ok_and(|there| there == experiment) {
            return Ok(Some(Announcement(seen)));
        }
        if !overwrite && !there.is_ok_and(|there| there.identity_difference(experiment).is_none()) {
            return Ok(None);
        }
    }
    let runs = json!({ "planned": plan.n_runs() });
    let manifest = members(experiment, &[("runs", runs)], sessions(&folder.journal()));
    if seen.is_some() {
        write_json(&place(folder.path()), &manifest)?;
    } else {
        std::fs::create_dir_all(folder.path())
            .with_context(|| format!("cannot create `{}`", folder.path().display()))?;
        if create(&place(folder.path()), |output| write_value(output, &manifest))?.is_none() {
            return Ok(None);
        }
    }
    Ok(Some(Announcement(stamp(folder.path()))))
}

impl Announcement {
    /// Checks that the folder still belongs to this experiment and this plan.
    ///
    /// # Errors
    /// If the folder belongs to another experiment or plan. The error describes the difference.
    pub fn check(&self, folder: &Folder, experiment: &Experiment) -> Result<()> {
        if self.0.is_some() && stamp(folder.path()) == self.0 {
            return Ok(());
        }
        let Ok(there) = Manifest::open(folder.path()) else { return Ok(()) };
        match there.experiment.difference(experiment) {
            Some(difference) => Err(ExperimentError::displaced(folder.path(), &difference).into()),
            None => Ok(()),
        }
    }
}

/// Writes the manifest of an experiment whose files have just been written. `session` is the session that wrote the files. `session` is
/// used only if no journal file has a session file.
///
/// # Errors
/// If the manifest cannot be written.
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
    let runs = json!({
        "planned": plan.n_runs(),
        "present": written.runs,
        "failed": written.failed,
        "done_this_time": tally.done,
        "found_this_time": tally.found,
    });
    let mut facts = vec![
        ("runs", runs),
        ("all_instances_used", uses_all_instances(plan, written).into()),
        ("depends_on_speed", depends_on_speed(plan.spec()).into()),
    ];
    if !written.reused.is_empty() {
        facts.push((REUSED, serde_json::to_value(&written.reused)?));
    }
    write_json(&place(folder.path()), &members(experiment, &facts, sessions))
}

/// The value of a key of a manifest.
#[derive(Serialize)]
#[serde(untagged)]
enum Member<'m> {
    Experiment(&'m Experiment),
    Fact(Value),
}

/// The keys of a manifest in alphabetical order.
fn members<'m>(
    experiment: &'m Experiment,
    facts: &[(&str, Value)],
    sessions: Vec<Value>,
) -> BTreeMap<String, Member<'m>> {
    let facts = facts.iter().map(|(name, fact)| ((*name).to_owned(), fact.clone()));
    let leading = leading_facts(&sessions).map(|(name, fact)| (name.clone(), fact.clone()));
    let facts = facts.chain(leading).map(|(name, fact)| (name, Member::Fact(fact)));
    let mut members: BTreeMap<String, Member<'m>> = facts.collect();
    members.insert("experiment".to_owned(), Member::Experiment(experiment));
    members.insert("sessions".to_owned(), Member::Fact(sessions.into()));
    members
}

/// The keys that only manifests contain. All other keys of a manifest are copied from a session file.
pub const OWN_MEMBERS: [&str; 8] =
    ["all_instances_used", "depends_on_speed", "done", "experiment", "plan", REUSED, "runs", "sessions"];

/// Returns some keys and values of the last session. A manifest repeats these keys and values at its top level. Session files of other
/// programs are ignored.
pub fn leading_facts(sessions: &[Value]) -> impl Iterator<Item = (&String, &Value)> {
    let is_ours = |session: &&Value| Versions::deserialize(&session["evogrid"]).is_ok();
    let last = sessions.iter().rfind(is_ours).and_then(Value::as_object);
    last.into_iter().flatten().filter(|(name, _)| !OWN_MEMBERS.contains(&name.as_str()))
}

/// Returns the path of the manifest in a results folder.
pub fn place(results: &Path) -> PathBuf {
    results.join("manifest.json")
}

/// Returns the message about a file that cannot be read as a manifest.
pub fn not_valid(path: &Path) -> String {
    format!("{} is not a valid manifest: run the experiment again to write a new manifest", path.display())
}

/// Whether every instance of the data sets has at least one run.
pub fn uses_all_instances(plan: &Plan, written: &OutputReport) -> bool {
    let spec = plan.spec();
    written.instances == spec.instances.len() && spec.n_left_out == 0
}

/// Whether an algorithm has a time limit. With a time limit, the results depend on the speed of the machine.
pub fn depends_on_speed(spec: &Spec) -> bool {
    spec.algorithms.iter().any(|algorithm| {
        let algorithm = algorithm.spec();
        has_time_limit(&algorithm.base) || algorithm.paths().any(|path| TIME_LIMITS.contains(&path.as_str()))
    })
}
