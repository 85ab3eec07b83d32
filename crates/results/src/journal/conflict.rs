//! Conflicts: records of one run that disagree on what came out of it.
//!
//! A run may be done twice: by processes that share a folder, by a scheduler that restarts a task whose node it took for dead. Its
//! records then differ in their times alone, as long as runs are what they should be, the same again on every machine.

use std::fmt;
use std::path::{Path, PathBuf};

use evogrid_core::identity::RunId;

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
    /// seconds makes the outcome hang on the machine.
    pub(super) fn between(one: (&Record, &Path), other: (&Record, &Path)) -> Option<Self> {
        if one.0.settings.contains_key("budget.seconds") {
            return None;
        }
        let fields = fields(one.0).into_iter().zip(fields(other.0));
        let ((field, first), (_, second)) = fields.into_iter().find(|((_, first), (_, second))| first != second)?;
        let paths = [one.1.to_owned(), other.1.to_owned()];
        Some(Self { run_id: one.0.run_id, field, values: [first, second], paths })
    }
}

fn fields(record: &Record) -> [(&'static str, String); 10] {
    [
        ("solved", record.solved.to_string()),
        ("best_fitness", record.best_fitness.map_or_else(|| "none".to_owned(), |best| best.to_string())),
        ("evaluations", record.evaluations.to_string()),
        ("generations", record.generations.to_string()),
        ("restarts", record.restarts.to_string()),
        ("evaluations_to_best", record.evaluations_to_best.to_string()),
        ("stop", record.stop.to_string()),
        ("seed", record.seed.to_string()),
        ("repetition", record.repetition.to_string()),
        ("solution", record.solution.clone().unwrap_or_else(|| "none".to_owned())),
    ]
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
