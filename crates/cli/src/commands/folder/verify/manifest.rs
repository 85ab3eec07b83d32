//! Whether what the manifest says of its experiment is true.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use evogrid_results::journal::{Index, SESSION_SUFFIX};
use serde_json::Value;

use super::findings::Findings;
use crate::manifest_outline::outline;
use crate::messages::{counted, in_one_line, program};
use crate::planned_analysis::PlannedAnalysis;
use evogrid_runner::engine::folder::manifest::{OWN_MEMBERS, depends_on_speed, leading_facts, uses_all_instances};
use evogrid_runner::engine::folder::outputs::{Folder, OutputReport};
use evogrid_runner::engine::folder::session::{REUSED, ReusedRuns, facts, sessions};
use evogrid_runner::experiment::instance_list::InstancesById;
use evogrid_runner::experiment::manifest_form::Experiment;
use evogrid_runner::experiment::plan::Plan;

/// Facts that a process records only at its end, or that every process records again.
const CHANGING: [&str; 3] = ["at_end", "done", "ended"];

/// Checks the recorded settings of the algorithms, from which warnings are made, and that names are unique.
pub(super) fn check_experiment(experiment: &Experiment, plan: &Plan, found: &mut Findings) {
    if let Some(algorithm) = experiment.misdescribed(plan) {
        found.fault(format!("manifest.json: the `settings` of `{algorithm}` differ from those of its plan"));
    }
    let mut algorithms: Vec<&str> = plan.spec().algorithms.iter().map(|algorithm| &*algorithm.spec().name).collect();
    algorithms.sort_unstable();
    let by_id = InstancesById::new(Arc::clone(plan.spec().instances.list()));
    let ids = by_id.iter().zip(by_id.iter().skip(1)).map(|(one, next)| (one.id, next.id));
    let names = algorithms.windows(2).map(|pair| (pair[0], pair[1]));
    if let Some((name, _)) = names.chain(ids).find(|(one, next)| one == next) {
        found.fault(format!("manifest.json: two instances or two algorithms have the name `{name}`"));
    }
}

/// Checks the counts in the manifest, and that its sessions are those next to the journal.
pub(super) fn check_facts(
    results: &Path,
    (plan, index): (&Plan, &Index),
    made: &OutputReport,
    found: &mut Findings,
) -> Result<()> {
    let members = outline(results)?.unwrap_or_default();
    let runs = &members["runs"];
    let mut expected = vec![("planned", plan.n_runs())];
    if runs["present"].is_null() {
        found.note(format!(
            "manifest.json does not say that the experiment has ended: `{} run` or `merge` updates it",
            program::name()
        ));
    } else {
        expected.extend([("present", made.runs), ("failed", made.failed)]);
        for (name, expected) in [
            ("all_instances_used", uses_all_instances(plan, made)),
            ("depends_on_speed", depends_on_speed(plan.spec())),
        ] {
            let said = &members[name];
            if *said != Value::Bool(expected) {
                found.fault(format!("manifest.json: `{name}` is {said}, but should be {expected}"));
            }
        }
    }
    for (name, expected) in expected {
        if runs[name].as_u64() != Some(expected) {
            found.fault(format!("manifest.json: `runs.{name}` is {}, but should be {expected}", runs[name]));
        }
    }
    let reused = serde_json::to_value(&made.reused)?;
    let said = members.get(REUSED).cloned().unwrap_or_else(|| Value::Array(Vec::new()));
    if !runs["present"].is_null() && said != reused {
        found.fault(format!("manifest.json: `{REUSED}` is {said}, but should be {reused}"));
    }
    for ReusedRuns { from, runs, sessions } in &made.reused {
        let (runs, sessions) = (counted(*runs, "run"), counted(*sessions, "session"));
        found.note(format!("copied from {from}: {runs} of {sessions}"));
    }
    let [_, after] = PlannedAnalysis::of(Some(&members))?.history;
    if !after.is_empty() {
        found.note(format!("manifest.json: `analysis` was changed after the first run: {}", in_one_line(&after)));
    }
    // The sessions that have begun since the manifest was written are not in it.
    let files = if runs["present"].is_null() { Vec::new() } else { index.counting_files() };
    check_sessions(&members, &Folder::new(results.to_owned()), &files, found);
    Ok(())
}

/// Whether the sessions that the manifest names are those beside the journal, with each whose file of the journal counts, and the facts at the
/// top of the manifest are those of the last session.
fn check_sessions(members: &Value, folder: &Folder, files: &[&Path], found: &mut Findings) {
    let lasting = |session: &Value| -> Option<Vec<(String, Value)>> {
        let facts = session.as_object()?.iter().filter(|(name, _)| !CHANGING.contains(&name.as_str()));
        Some(facts.map(|(name, value)| (name.clone(), value.clone())).collect())
    };
    let there: Vec<_> = sessions(&folder.journal()).iter().filter_map(lasting).collect();
    let named = members["sessions"].as_array().map(Vec::as_slice).unwrap_or_default();
    let lasting_named: Vec<_> = named.iter().filter_map(lasting).collect();
    // A folder whose journal came from elsewhere has the session that made the files, and no file of it.
    if !there.is_empty() && !lasting_named.iter().all(|session| there.contains(session)) {
        found.fault("manifest.json: it names a session that is not next to the journal".to_owned());
    }
    let is_unnamed = |file: &&&Path| {
        lasting(&facts(&file.with_extension(SESSION_SUFFIX))).is_some_and(|session| !lasting_named.contains(&session))
    };
    if let Some(file) = files.iter().find(is_unnamed) {
        found.fault(format!(
            "manifest.json: the session of {} is missing, although its runs are counted",
            file.display()
        ));
    }
    let leading: Vec<_> = leading_facts(named).collect();
    for (name, value) in leading.iter().filter(|(name, _)| !CHANGING.contains(&name.as_str())) {
        if members[name.as_str()] != **value {
            found.fault(format!("manifest.json: `{name}` differs from its last session"));
        }
    }
    // Beside a session, what a later version adds is passed over.
    let mut names = members.as_object().into_iter().flat_map(serde_json::Map::keys);
    let fact = names.find(|name| leading.is_empty() && !OWN_MEMBERS.contains(&name.as_str()));
    if let Some(name) = fact {
        found.fault(format!("manifest.json: `{name}` does not occur in any of its sessions"));
    }
}
