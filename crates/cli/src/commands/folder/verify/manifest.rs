//! Checks whether the statements in the manifest about its experiment are true.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use evogrid_results::journal::{Index, SESSION_SUFFIX};
use serde_json::{Value, json};

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

/// Facts that a process records only at its end.
const CHANGING: [&str; 3] = ["at_end", "done", "ended"];

/// Checks the recorded settings of the algorithms, and that names are unique. Warnings are made from these settings.
pub(super) fn check_experiment(experiment: &Experiment, plan: &Plan, found: &mut Findings) {
    if let Some(algorithm) = experiment.misdescribed(plan) {
        found
            .faults
            .add(format!("manifest.json: the `settings` of `{algorithm}` differ from the settings in the plan"));
    }
    let mut algorithms: Vec<&str> = plan.spec().algorithms.iter().map(|algorithm| &*algorithm.spec().name).collect();
    algorithms.sort_unstable();
    let by_id = InstancesById::new(Arc::clone(&plan.spec().instances));
    let ids = by_id.iter().zip(by_id.iter().skip(1)).map(|(one, next)| (one.id, next.id));
    let names = algorithms.windows(2).map(|pair| (pair[0], pair[1]));
    if let Some((name, _)) = names.chain(ids).find(|(one, next)| one == next) {
        found.faults.add(format!("manifest.json: two instances or two algorithms have the name `{name}`"));
    }
}

/// Checks the counts in the manifest, and that the manifest names the sessions that are next to the journal.
pub(super) fn check_facts(
    results: &Path,
    (plan, index): (&Plan, &Index),
    made: &OutputReport,
    found: &mut Findings,
) -> Result<()> {
    let members = outline(results)?.unwrap_or_default();
    let has_ended = !members["runs"]["present"].is_null();
    let mut expected = vec![("runs.planned", json!(plan.n_runs()))];
    if has_ended {
        expected.extend([
            ("runs.present", json!(made.runs)),
            ("runs.failed", json!(made.failed)),
            ("all_instances_used", json!(uses_all_instances(plan, made))),
            ("depends_on_speed", json!(depends_on_speed(plan.spec()))),
            (REUSED, json!(made.reused)),
        ]);
    } else {
        found.notes.add(format!(
            "manifest.json does not record the end of the experiment: update the manifest with `{} run` or `merge`",
            program::name()
        ));
    }
    for (name, expected) in expected {
        let none = if name == REUSED { json!([]) } else { Value::Null };
        let said = members.pointer(&format!("/{}", name.replace('.', "/"))).unwrap_or(&none);
        if *said != expected {
            found.faults.add(format!("manifest.json: `{name}` is {said}, but should be {expected}"));
        }
    }
    for ReusedRuns { from, runs, sessions } in &made.reused {
        let (runs, sessions) = (counted(*runs, "run"), counted(*sessions, "session"));
        found.notes.add(format!("copied from {from}: {runs} of {sessions}"));
    }
    let [_, after] = PlannedAnalysis::of(Some(&members))?.history;
    if !after.is_empty() {
        found.notes.add(format!("manifest.json: `analysis` was changed after the first run: {}", in_one_line(&after)));
    }
    // The manifest does not have the sessions that began after it was written.
    let files = if has_ended { index.counting_files() } else { Vec::new() };
    check_sessions(&members, &Folder::new(results.to_owned()), &files, found);
    Ok(())
}

/// Checks the sessions in the manifest. Each session must have a file next to the journal. Each journal file whose runs count must have a
/// session in the manifest. The facts at the top of the manifest must equal the facts of the last session.
fn check_sessions(members: &Value, folder: &Folder, files: &[&Path], found: &mut Findings) {
    let lasting = |session: &Value| -> Option<Vec<(String, Value)>> {
        let facts = session.as_object()?.iter().filter(|(name, _)| !CHANGING.contains(&name.as_str()));
        Some(facts.map(|(name, value)| (name.clone(), value.clone())).collect())
    };
    let there: Vec<_> = sessions(&folder.journal()).iter().filter_map(lasting).collect();
    let named = members["sessions"].as_array().map(Vec::as_slice).unwrap_or_default();
    let lasting_named: Vec<_> = named.iter().filter_map(lasting).collect();
    // If the journal was copied from another folder, the session that made the files has no file there.
    if !there.is_empty() && !lasting_named.iter().all(|session| there.contains(session)) {
        found.faults.add("manifest.json names a session that has no file next to the journal".to_owned());
    }
    let is_unnamed = |file: &&&Path| {
        lasting(&facts(&file.with_extension(SESSION_SUFFIX))).is_some_and(|session| !lasting_named.contains(&session))
    };
    if let Some(file) = files.iter().find(is_unnamed) {
        found.faults.add(format!(
            "manifest.json does not contain the session of {}, although the results use the runs of this journal file",
            file.display()
        ));
    }
    let leading: Vec<_> = leading_facts(named).collect();
    for (name, value) in leading.iter().filter(|(name, _)| !CHANGING.contains(&name.as_str())) {
        if members[name.as_str()] != **value {
            found.faults.add(format!("manifest.json: `{name}` differs from its value in the last session"));
        }
    }
    // If there is a session, facts that a later version adds are ignored.
    let mut names = members.as_object().into_iter().flat_map(serde_json::Map::keys);
    let fact = names.find(|name| leading.is_empty() && !OWN_MEMBERS.contains(&name.as_str()));
    if let Some(name) = fact {
        found.faults.add(format!("manifest.json: `{name}` does not occur in any session of the manifest"));
    }
}
