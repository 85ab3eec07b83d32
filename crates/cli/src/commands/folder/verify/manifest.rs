//! Whether what the manifest says of its experiment is true.

use std::path::Path;

use anyhow::Result;
use serde_json::Value;

use super::findings::Findings;
use crate::manifest_outline::outline;
use crate::planned_analysis::PlannedAnalysis;
use evogrid_runner::engine::folder::manifest::{depends_on_speed, leading_facts, uses_all_instances};
use evogrid_runner::engine::folder::outputs::{Folder, OutputReport};
use evogrid_runner::engine::folder::session::sessions;
use evogrid_runner::experiment::diagnostic::in_one_line;
use evogrid_runner::experiment::manifest_form::Experiment;
use evogrid_runner::experiment::plan::Plan;
use evogrid_runner::system::program;

/// Facts that a process records only at its end, or that every process records again.
const CHANGING: [&str; 3] = ["at_end", "done", "ended"];

/// Checks what is said of the algorithms' settings, from which warnings are made.
pub(super) fn check_experiment(experiment: &Experiment, plan: &Plan, found: &mut Findings) {
    if let Some(algorithm) = experiment.misdescribed(plan) {
        found.fault(format!("manifest.json: the `settings` of `{algorithm}` differ from those of its plan"));
    }
}

/// Checks what the manifest counts, and that the sessions it names are those beside the journal.
pub(super) fn check_facts(results: &Path, plan: &Plan, made: &OutputReport, found: &mut Findings) -> Result<()> {
    let members = outline(results)?.unwrap_or_default();
    let member = |name: &str| members[name].clone();
    let runs = member("runs");
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
            let said = member(name);
            if said != Value::Bool(expected) {
                found.fault(format!("manifest.json: `{name}` is {said}, and should be {expected}"));
            }
        }
    }
    for (name, expected) in expected {
        if runs[name].as_u64() != Some(expected) {
            found.fault(format!("manifest.json: `runs.{name}` is {}, and should be {expected}", runs[name]));
        }
    }
    let [_, after] = PlannedAnalysis::of(Some(&members))?.history;
    if !after.is_empty() {
        found.note(format!("manifest.json: `analysis` was changed after the first run: {}", in_one_line(&after)));
    }
    check_sessions(&member("sessions"), &Folder::new(results.to_owned()), &member, found);
    Ok(())
}

/// Whether each session that the manifest names stands beside the journal, and the facts at the top of the manifest are those of the last
/// session.
fn check_sessions(named: &Value, folder: &Folder, member: &dyn Fn(&str) -> Value, found: &mut Findings) {
    let lasting = |session: &Value| -> Option<Vec<(String, Value)>> {
        let facts = session.as_object()?.iter().filter(|(name, _)| !CHANGING.contains(&name.as_str()));
        Some(facts.map(|(name, value)| (name.clone(), value.clone())).collect())
    };
    let there: Vec<_> = sessions(&folder.journal()).iter().filter_map(lasting).collect();
    let named = named.as_array().map(Vec::as_slice).unwrap_or_default();
    // A folder whose journal came from elsewhere has the session that made the files, and no file of it.
    if !there.is_empty() && !named.iter().filter_map(lasting).all(|session| there.contains(&session)) {
        found.fault("manifest.json: it names a session that is not the one beside the journal".to_owned());
    }
    for (name, value) in leading_facts(named).filter(|(name, _)| !CHANGING.contains(&name.as_str())) {
        if member(name) != *value {
            found.fault(format!("manifest.json: `{name}` differs from what its last session says"));
        }
    }
}
