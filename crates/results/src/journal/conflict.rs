//! Finds records of one run that contradict each other.
//!
//! A run may be done twice: by processes that share a folder, or because a scheduler restarts a task after an apparent failure of its node.
//! Such records differ only in their times if runs are repeatable on every machine.

use std::path::Path;

use evogrid_core::budget::UNSET;
use serde_json::Value;

use crate::columns::differences;
use crate::format::printable;
use crate::json::RecordLine;
use crate::record::Record;
use crate::solution::{brief, hash_of};
use crate::trace::Trace;

/// A sentence about the first field in which two records of a run differ; `None` if the records agree. Each record is given with its file.
///
/// Times may differ. Names and buckets may differ, since they are not part of a run's identity. One record may lack the trace, or the
/// points of its trace may be at other moments. The outcomes may differ if a limit in seconds makes them depend on the machine.
pub(super) fn between(
    (one, one_path): (&RecordLine, &Path),
    (other, other_path): (&RecordLine, &Path),
) -> Option<String> {
    let first = &one.record;
    let outcome = || if has_time_limit(first) { None } else { difference_in_outcome(one, other) };
    let (field, values) = difference_in_identity(first, &other.record).or_else(outcome)?;
    let [one, other] = [one_path, other_path].map(|path| printable(&path.to_string_lossy()).into_owned());
    let [first_value, second_value] = values.map(|value| printable(&value).into_owned());
    Some(format!(
        "two records of run {} differ: `{field}` is {first_value} in `{one}`, but {second_value} in `{other}`",
        first.key.run_id
    ))
}

/// Whether the outcome depends on the speed of the machine. It does if the record has a limit of time other than `none`.
fn has_time_limit(record: &Record) -> bool {
    record.settings.iter().any(|(path, value)| {
        let rest = ["budget.seconds", "budget.cpu_seconds"].iter().find_map(|limit| path.strip_prefix(limit));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.')) && value != UNSET
    })
}

/// The first difference in the identity of the runs. The run's id is a hash of the identity, so one of the records must be wrong.
fn difference_in_identity(one: &Record, other: &Record) -> Option<(&'static str, [String; 2])> {
    let text = |record: &Record, path| record.settings.get(path).map_or_else(|| "none".to_owned(), Value::to_string);
    let mut paths = one.settings.keys().chain(other.settings.keys());
    let setting = paths.find(|path| one.settings.get(*path) != other.settings.get(*path));
    if let Some(path) = setting {
        return Some(("settings", [one, other].map(|record| format!("{path} = {}", text(record, path)))));
    }
    let fields = [
        ("problem", [one, other].map(|record| record.key.problem.clone())),
        ("seed", [one, other].map(|record| record.key.seed.to_string())),
        ("repetition", [one, other].map(|record| record.key.repetition.to_string())),
    ];
    fields.into_iter().find(|(_, [first, second])| first != second)
}

fn difference_in_outcome(one_line: &RecordLine, other_line: &RecordLine) -> Option<(&'static str, [String; 2])> {
    let (one, other) = (&one_line.record, &other_line.record);
    if let Some((column, values)) = differences(&one.outcome, &other.outcome).next() {
        return Some((column, values.map(|value| value.to_string())));
    }
    let lines = [one_line, other_line];
    if one.says_its_solution() && other.says_its_solution() && solution_hash(one_line) != solution_hash(other_line) {
        return Some(("solution", lines.map(solution_in_words)));
    }
    let (first, second) = (one.trace.as_ref()?, other.trace.as_ref()?);
    let at = (0..first.points.len().max(second.points.len())).find(|&at| first.points.get(at) != second.points.get(at));
    let point = |trace: &Trace, at: usize| {
        let text = trace.points.get(at).map(|point| serde_json::to_string(point).unwrap_or_default());
        text.unwrap_or_else(|| "none".to_owned())
    };
    let at = at.filter(|_| first.trigger == second.trigger)?;
    Some(("trace", [first, second].map(|trace| point(trace, at))))
}

/// The hash of the solution. The solution may be in the line or in the file of solutions.
fn solution_hash(line: &RecordLine) -> Option<String> {
    let in_line = || line.record.solution.as_ref().map(|solution| hash_of(solution.as_bytes()));
    line.solution_place.as_ref().map(|place| place.blake3.clone()).or_else(in_line)
}

fn solution_in_words(line: &RecordLine) -> String {
    match (&line.solution_place, &line.record.solution) {
        (Some(place), _) => place.to_string(),
        (None, Some(solution)) => brief(solution).into_owned(),
        (None, None) => "none".to_owned(),
    }
}
