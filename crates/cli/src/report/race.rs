//! What a report shows of a race of configurations: every candidate, why it ended, and on what evidence.

use anyhow::Result;
use evogrid_analysis::race::{RecordedCandidate, RecordedFate, RecordedRace};
use evogrid_results::files::is_regular;
use evogrid_results::format::printable;
use serde_json::{Value, json};

use crate::messages::{program, shell_word};
use crate::opened::OpenedResults;

/// The most candidates that a page holds, the best of them.
const MOST_CANDIDATES: usize = 1000;

/// The race of a results folder; null if there was none.
pub(super) fn race_data(opened: &OpenedResults<'_>) -> Result<Value> {
    let Some(RecordedRace { settings, candidates }) = &opened.race else { return Ok(Value::Null) };
    let ranked = opened.race.iter().flat_map(RecordedRace::ranked).take(MOST_CANDIDATES);
    let test = opened.path.join("test");
    // The default configuration needs no test; one that is there is of an earlier winner.
    let is_default = candidates.iter().any(|candidate| candidate.number == 0 && candidate.fate == RecordedFate::Winner);
    let has_test = !is_default && is_regular(&test.join("runs.csv"))?;
    Ok(json!({
        "all": candidates.len(),
        "candidates": ranked.map(candidate_data).collect::<Vec<_>>(),
        "settings": settings.iter().map(|name| printable(name)).collect::<Vec<_>>(),
        "test": has_test.then(|| format!("{} report {}", program::name(), shell_word(&test))),
    }))
}

fn candidate_data(candidate: &RecordedCandidate) -> Value {
    let is_out = matches!(candidate.fate, RecordedFate::Worse | RecordedFate::SetAside);
    json!({
        "ended": is_out.then_some(candidate.blocks[1]),
        "evidence": candidate.evidence,
        "failed": candidate.n_failed,
        "fate": candidate.fate.words(),
        "mean": candidate.mean,
        "number": candidate.number,
        "runs": candidate.n_runs,
        "values": candidate.values.iter().map(|value| printable(value)).collect::<Vec<_>>(),
    })
}
