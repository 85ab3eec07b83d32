//! The planned analysis of an experiment: the decisions before and after its first run, and the points at which results were visible.

use std::collections::BTreeSet;

use crate::messages::{counted, grouped};
use anyhow::{Context, Result};
use evogrid_results::format::without_point;
use evogrid_runner::engine::folder::session::{REUSED, is_copy};
use evogrid_runner::experiment::spec::AnalysisPlan;
use serde_json::Value;

/// The planned analysis of an experiment, and its history.
#[derive(Default)]
pub(crate) struct PlannedAnalysis {
    /// The present plan.
    pub plan: AnalysisPlan,
    /// The decisions before the first run and the decisions after it, as texts. A text is empty if there are no such decisions.
    pub history: [String; 2],
    /// A sentence that says that runs were added after results were visible.
    growth: Option<String>,
}

impl PlannedAnalysis {
    /// The planned analysis in a manifest; empty without a manifest.
    ///
    /// # Errors
    /// If the manifest does not contain a valid plan.
    pub(crate) fn of(manifest: Option<&Value>) -> Result<Self> {
        let Some(manifest) = manifest else { return Ok(Self::default()) };
        let present = &manifest["experiment"]["analysis"];
        let plan = AnalysisPlan::of_manifest(present).context("manifest.json: cannot read `analysis`")?;
        let sessions = manifest["sessions"].as_array().map(Vec::as_slice).unwrap_or_default();
        let first = sessions.first().map_or(present, |session| &session["plan"]["analysis"]);
        let growth = growth(sessions, manifest["runs"]["planned"].as_u64(), &plan.looks);
        Ok(Self { plan, history: history(first, present), growth })
    }

    /// A warning about looks at incomplete or growing results that were not planned.
    pub(crate) fn looks(&self, present: u64, planned: u64) -> Option<String> {
        let incomplete = (present < planned && self.plan.looks.is_empty())
            .then(|| format!("{} of {} are done.", grouped(present), counted(planned, "planned run")));
        let why: Vec<String> = incomplete.into_iter().chain(self.growth.clone()).collect();
        (!why.is_empty()).then(|| {
            format!(
                "{} If you stop at the first difference, you find a false difference in more than {} of 100 cases. \
                 The analysis corrects only for looks that are planned in `[analysis]`.",
                why.join(" "),
                self.plan.criteria().confidence.level_percent()
            )
        })
    }
}

/// The decisions in words: `metric gap; looks 5, 10`.
pub(crate) fn decisions(analysis: &Value) -> String {
    let parts = analysis.as_object().into_iter().flatten();
    parts.map(|(key, value)| format!("{key} {}", text(value))).collect::<Vec<_>>().join("; ")
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => "not decided".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let joint = if items.iter().any(Value::is_string) { " and " } else { ", " };
            items.iter().map(text).collect::<Vec<_>>().join(joint)
        }
        Value::Object(parts) => {
            parts.iter().map(|(key, value)| format!("{key} {}", text(value))).collect::<Vec<_>>().join(", ")
        }
        other => without_point(&other.to_string()).to_owned(),
    }
}

/// Compares the first plan with the present plan. Returns the decisions before the first run, and the changes after it.
fn history(first: &Value, present: &Value) -> [String; 2] {
    let keys: BTreeSet<&String> =
        [first, present].into_iter().filter_map(Value::as_object).flat_map(|map| map.keys()).collect();
    let (before, after): (Vec<_>, Vec<_>) = keys.into_iter().partition(|key| first[*key] == present[*key]);
    let before: Vec<String> = before.into_iter().map(|key| format!("{key} {}", text(&present[key]))).collect();
    let after: Vec<String> =
        after.into_iter().map(|key| format!("{key} {} (before: {})", text(&present[key]), text(&first[key]))).collect();
    [before.join("; "), after.join("; ")]
}

/// Returns a sentence if the plan grew after a session of a smaller plan had ended, unless this end was a planned look. Sessions of shards
/// do not count, since a shard makes no tables. For a session of another folder, only the copied runs count.
fn growth(sessions: &[Value], planned: Option<u64>, looks: &[u64]) -> Option<String> {
    let runs = |session: &Value| session[REUSED].get("runs").unwrap_or(&session["plan"]["runs"]).as_u64();
    let is_seen = |session: &&Value| {
        let is_planned =
            session["plan"]["repetitions"].as_u64().is_some_and(|repetitions| looks.contains(&repetitions));
        !session["ended"].is_null() && session["shard"].is_null() && !is_planned
    };
    let largest = sessions.iter().filter(|session| !is_copy(session)).filter_map(runs).max().or(planned)?;
    let sizes: BTreeSet<u64> =
        sessions.iter().filter(is_seen).filter_map(runs).filter(|&runs| runs < largest).collect();
    let sizes: Vec<String> = sizes.into_iter().map(grouped).collect();
    (!sizes.is_empty()).then(|| {
        let (seen, all) = (sizes.join(" and "), counted(largest, "run"));
        format!("Results were visible after {seen} runs, before all {all} were finished.")
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_decided_before_is_told_from_what_was_after() {
        let first = json!({ "metric": "gap", "looks": [5, 10], "baseline": "a" });
        let present = json!({ "metric": "solved", "looks": [5, 10], "margin": { "points": 2.0, "ratio": 1.5 } });
        assert_eq!(
            history(&first, &present),
            [
                "looks 5, 10",
                "baseline not decided (before: a); margin points 2, ratio 1.5 (before: not decided); metric solved (before: gap)"
            ]
        );
        assert_eq!(history(&Value::Null, &Value::Null), ["", ""]);
    }

    #[test]
    fn a_plan_that_grew_after_results_is_noticed() {
        let session = |runs, repetitions, ended, shard: Option<&str>| json!({ "plan": { "runs": runs, "repetitions": repetitions }, "ended": ended, "shard": shard });
        let grown = [session(10, 5, Some("t"), None), session(20, 10, Some("t"), None)];
        let said = growth(&grown, None, &[]).expect("it grew");
        assert_eq!(said, "Results were visible after 10 runs, before all 20 runs were finished.");
        assert_eq!(growth(&grown, None, &[5, 10]), None, "the look was planned");
        assert_eq!(growth(&grown[..1], None, &[]), None);
        let killed = [session(10, 5, None, None), session(20, 10, Some("t"), None)];
        assert_eq!(growth(&killed, None, &[]), None, "no tables were made");
        let shards = [session(10, 5, Some("t"), Some("1/2")), session(20, 10, Some("t"), None)];
        assert_eq!(growth(&shards, None, &[]), None);
        assert_eq!(
            growth(&[json!({ "ended": "t" }), session(20, 10, Some("t"), None)], None, &[]),
            None,
            "an old session tells no plan"
        );
        let mut reused = session(1000, 5, Some("t"), None);
        reused[REUSED] = json!({ "from": "pilot", "runs": 8 });
        let said = growth(&[reused.clone(), session(20, 10, Some("t"), None)], Some(20), &[]).expect("8 were seen");
        assert_eq!(said, "Results were visible after 8 runs, before all 20 runs were finished.");
        assert_eq!(growth(&[reused.clone()], Some(8), &[]), None, "nothing was added");
        assert_eq!(growth(&[reused], Some(20), &[5]), None, "the look was planned");
        let planned = PlannedAnalysis::default();
        assert_eq!(planned.looks(20, 20), None);
        assert!(
            planned.looks(7, 20).is_some_and(|said| said.starts_with("7 of 20 planned runs are done. If you stop"))
        );
        let strict = AnalysisPlan { confidence: Some(0.99), ..AnalysisPlan::default() };
        let strict = PlannedAnalysis { plan: strict, ..PlannedAnalysis::default() };
        for (planned, said) in [(planned, " in more than 5 of 100 cases."), (strict, " in more than 1 of 100 cases.")] {
            assert!(planned.looks(7, 20).is_some_and(|told| told.contains(said)), "{said}");
        }
    }
}
