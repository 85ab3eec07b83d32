//! Conflicts: records of one run that disagree on what came out of it.
//!
//! A run may be done twice: by processes that share a folder, by a scheduler that restarts a task whose node it took for dead. Its
//! records then differ in their times alone, as long as runs are what they should be, the same again on every machine.

use std::fmt;
use std::path::{Path, PathBuf};

use evogrid_core::identity::RunId;

use crate::columns::differences;
use crate::format::printable;
use crate::record::Record;

/// Two records of one run that disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The run.
    pub run_id: RunId,
    /// The field in which they differ.
    pub field: &'static str,
    /// What the field is in each.
    pub values: [String; 2],
    /// The file of each.
    pub paths: [PathBuf; 2],
}

impl Conflict {
    /// The first field in which two records of a run differ, if any does.
    ///
    /// Times may differ; so may names, buckets and traces, which are no part of a run's identity; and all of it where a limit in
    /// seconds makes the outcome depend on the machine.
    pub(super) fn between(one: (&Record, &Path), other: (&Record, &Path)) -> Option<Self> {
        if one.0.settings.contains_key("budget.seconds") {
            return None;
        }
        let (field, values) = first_difference(one.0, other.0)?;
        let paths = [one.1.to_owned(), other.1.to_owned()];
        Some(Self { run_id: one.0.key.run_id, field, values, paths })
    }
}

fn first_difference(one: &Record, other: &Record) -> Option<(&'static str, [String; 2])> {
    if let Some((column, values)) = differences(&one.outcome, &other.outcome).next() {
        return Some((column, values.map(|value| value.to_string())));
    }
    let says_both = one.says_its_solution() && other.says_its_solution();
    let solution = |record: &Record| record.solution.clone().filter(|_| says_both).unwrap_or_else(|| "none".to_owned());
    let others = [
        ("seed", [one, other].map(|record| record.key.seed.to_string())),
        ("repetition", [one, other].map(|record| record.key.repetition.to_string())),
        ("solution", [one, other].map(solution)),
    ];
    others.into_iter().find(|(_, [first, second])| first != second)
}

impl fmt::Display for Conflict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, other] = self.paths.each_ref().map(|path| printable(&path.to_string_lossy()).into_owned());
        let [first, second] = self.values.each_ref().map(|value| printable(value).into_owned());
        write!(
            formatter,
            "two records of run {} disagree: `{}` is {first} in `{one}` and {second} in `{other}`",
            self.run_id, self.field
        )
    }
}
