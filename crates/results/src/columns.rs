//! The list of the columns of a run. The journal, the exports and the comparisons use this list. The writers and readers of `runs.csv` also
//! use this list.
//!
//! To add a column, add an entry here and a field in [`RunOutcome`], [`RunKey`] or [`Row`].

use std::borrow::Cow;
use std::fmt;

use evogrid_core::budget::Stop;
use evogrid_core::identity::RunId;
use serde::{Serialize, Serializer};

use crate::run::{Row, RunKey, RunOutcome, gap};

/// A column of `runs.csv`.
///
/// ```
/// use evogrid_results::Row;
/// use evogrid_results::columns::{COLUMNS, Value};
///
/// let column = COLUMNS.iter().find(|column| column.name == "evaluations").expect("it is there");
/// let mut row = Row::default();
/// row.outcome.evaluations = 4200;
/// assert_eq!(column.get(&row), Value::Count(4200));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Column {
    /// The name of the column, in files and in the journal.
    pub name: &'static str,
    /// The description of the column, in one line of Markdown.
    pub doc: &'static str,
    /// The value that a run gets if the file lacks the column.
    pub missing: Missing,
    /// The part of a run that contains the value. The variant contains the functions that get and set the value.
    pub part: Part,
}

/// The value that a run gets if the file lacks a column.
#[derive(Debug)]
pub enum Missing {
    /// The program refuses a file that lacks the column.
    Refused,
    /// The value is 0, or the field is empty.
    Empty,
    /// The function computes the value from the other columns of the row. The second argument of the function is the number of earlier
    /// rows.
    Derived(fn(&mut Row, u64)),
}

/// The part of a run to which a column belongs.
#[derive(Debug)]
pub enum Part {
    /// The plan determines the value. The value is not part of a record. An example is the number of the run, which changes when a grid
    /// grows. Values that follow from the settings also belong to this part.
    Plan(Access<Row>),
    /// The key of the run. The key is known before the run starts, and is part of the record.
    Key(Access<RunKey>),
    /// The value is part of the outcome. If the run is repeated, the value does not change.
    Outcome(Access<RunOutcome>),
    /// The value is part of the outcome. If the run is repeated, the value can change.
    Timing(Access<RunOutcome>),
}

/// Functions to get and set the value of a column.
#[derive(Debug)]
pub struct Access<T> {
    /// Reads the value.
    pub get: for<'a> fn(&'a T) -> Value<'a>,
    /// Returns a mutable reference to the value.
    pub slot: for<'a> fn(&'a mut T) -> Slot<'a>,
}

/// The value of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// A whole number, 0 or more.
    Count(u64),
    /// A finite number, or no value.
    Real(Option<f64>),
    /// A time in milliseconds, 0 or more, or no value.
    Time(Option<f64>),
    /// Any text, or the name of a reason to stop.
    Text(&'a str),
    /// The value true, false, or unknown.
    Truth(Option<bool>),
    /// The identity of a run.
    Id(RunId),
}

/// A mutable reference to the value of a column.
pub enum Slot<'a> {
    /// A whole number, 0 or more.
    Count(&'a mut u64),
    /// A finite number, or no value.
    Real(&'a mut Option<f64>),
    /// A time in milliseconds, 0 or more.
    Time(&'a mut f64),
    /// A time in milliseconds, 0 or more, or no value.
    OptionalTime(&'a mut Option<f64>),
    /// Any text.
    Text(&'a mut String),
    /// The value true, false, or unknown.
    Truth(&'a mut Option<bool>),
    /// The identity of a run.
    Id(&'a mut RunId),
    /// The reason why a run stopped.
    Reason(&'a mut Stop),
}

/// Declares the column of a field. The arguments are the part of the run, the kind of the values, the field, the rule for files without the
/// column, and the description. By default, the rule gives an empty value.
macro_rules! column {
    ($part:ident, $kind:ident, $field:ident, $doc:literal) => {
        column!($part, $kind, $field, Missing::Empty, $doc)
    };
    ($part:ident, $kind:ident, $field:ident, $missing:expr, $doc:literal) => {
        Column {
            name: stringify!($field),
            doc: $doc,
            missing: $missing,
            part: Part::$part(Access { get: |of| value!($kind, of.$field), slot: |of| Slot::$kind(&mut of.$field) }),
        }
    };
}

/// The value in a field.
macro_rules! value {
    (Text, $field:expr) => {
        Value::Text(&$field)
    };
    (Reason, $field:expr) => {
        Value::Text($field.name())
    };
    (Time, $field:expr) => {
        Value::Time(Some($field))
    };
    (OptionalTime, $field:expr) => {
        Value::Time($field)
    };
    ($kind:ident, $field:expr) => {
        Value::$kind($field)
    };
}

/// The number of columns that come before the varied settings. In the journal, these columns come before all settings.
pub const BEFORE_SETTINGS: usize = 3;

/// The columns before the varied settings, and the columns after them, without missing columns.
pub(crate) fn around_settings(missing: &[&str]) -> [Vec<&'static Column>; 2] {
    let (before, after) = COLUMNS.split_at(BEFORE_SETTINGS);
    [before, after].map(|part| part.iter().filter(|column| !missing.contains(&column.name)).collect())
}

/// The name of the column of a varied setting: the dotted path of the setting. `setting.` is added before the path if another column has
/// this name.
pub(crate) fn column_of_setting(path: &str) -> Cow<'_, str> {
    let is_taken = COLUMNS.iter().any(|column| column.name == path);
    if is_taken { format!("{SETTING_PREFIX}{path}").into() } else { path.into() }
}

/// The varied setting of a column.
pub(crate) fn setting_of_column(column: &str) -> &str {
    let is_taken = |path: &&str| COLUMNS.iter().any(|column| column.name == *path);
    column.strip_prefix(SETTING_PREFIX).filter(is_taken).unwrap_or(column)
}

/// The name of the column that older files lack.
const OBJECTIVE: &str = "objective";

const SETTING_PREFIX: &str = "setting.";

/// All columns in order, without the columns of the varied settings.
pub static COLUMNS: &[Column] = &[
    column!(
        Plan,
        Count,
        run,
        Missing::Derived(|row, n_before| row.run = n_before),
        "number of the run in the plan; the first run has number 0"
    ),
    column!(Key, Id, run_id, "the identity of the run: a hash of everything that determines its outcome"),
    column!(Key, Text, algorithm, Missing::Refused, "the name of the algorithm in the experiment"),
    column!(Key, Text, problem, "the family of problems"),
    column!(Key, Text, instance, Missing::Refused, "the instance's id"),
    column!(Key, Text, bucket, "the difficulty bucket of the instance"),
    column!(
        Key,
        Count,
        repetition,
        "number of the repetition, from 0; repetitions of a run differ only in their random stream"
    ),
    column!(Key, Count, seed, "seed of the random stream, below 2^53"),
    column!(Outcome, Truth, solved, "whether the target was reached; empty if the search had no target"),
    column!(
        Outcome,
        Real,
        objective,
        "the objective of the best solution, as the problem family defines it. The choice of the fitness function does \
         not change the objective. If the name in the column `fitness` ends in ` (maximised)`, larger values are \
         better. Otherwise, smaller values are better. Empty if the run has no solution, or in files of older versions \
         of Evogrid"
    ),
    column!(
        Plan,
        Real,
        best_known,
        "the best known objective of the instance. Empty if no best known value is given, or in files of older \
         versions of Evogrid"
    ),
    column!(
        Plan,
        Real,
        gap,
        Missing::Derived(|row, _| row.gap = row
            .outcome
            .objective
            .zip(row.best_known)
            .and_then(|(objective, best)| gap(objective, best, row.direction()))),
        "distance of the objective from the best known value, in per cent of the absolute value of the best known \
         value. Negative if the objective is better than the best known value. Empty if a value is missing, or if the \
         best known value is 0"
    ),
    column!(
        Plan,
        Text,
        fitness,
        "the name of the fitness function. If the name ends in ` (maximised)`, the run maximised the fitness. \
         Otherwise, the run minimised the fitness. Compare fitnesses only between runs with the same name in this \
         column"
    ),
    column!(Outcome, Real, best_fitness, "the best fitness found; empty if the run found no finite fitness"),
    column!(
        Plan,
        Text,
        unit,
        "the unit of the column `evaluations`: `evaluations`, or the unit of an exact method, such as `nodes`. \
         The unit `evaluations after propagation` does not count the work of the propagation"
    ),
    column!(Outcome, Count, evaluations, "number of evaluations in all trials of the run"),
    column!(Outcome, Count, generations, "number of generations in all trials of the run"),
    column!(Outcome, Count, restarts, "number of restarts in the run"),
    column!(
        Outcome,
        Count,
        evaluations_to_best,
        "number of evaluations until the best fitness was found, including this evaluation"
    ),
    column!(
        Outcome,
        Reason,
        stop,
        Missing::Derived(
            |row, _| row.outcome.stop = if row.outcome.is_solved() { Stop::Target } else { Stop::Exhausted }
        ),
        "why the run stopped: `target`, `generations`, `evaluations`, `stagnation`, `time`, `memory`, `restarts`, `exhausted` or `failed`"
    ),
    column!(Timing, Time, wall_ms, "wall time of the run"),
    column!(
        Timing,
        OptionalTime,
        cpu_ms,
        "processor time of the run. If the run starts an external program, this is the time of the program and of the \
         processes that the program waited for. Empty if the system does not report processor times"
    ),
];

impl Column {
    /// The value in a row.
    pub fn get<'a>(&self, row: &'a Row) -> Value<'a> {
        match &self.part {
            Part::Plan(access) => (access.get)(row),
            Part::Key(access) => (access.get)(&row.key),
            Part::Outcome(access) | Part::Timing(access) => (access.get)(&row.outcome),
        }
    }

    /// Returns a mutable reference to the value in a row.
    pub fn slot<'a>(&self, row: &'a mut Row) -> Slot<'a> {
        match &self.part {
            Part::Plan(access) => (access.slot)(row),
            Part::Key(access) => (access.slot)(&mut row.key),
            Part::Outcome(access) | Part::Timing(access) => (access.slot)(&mut row.outcome),
        }
    }
}

/// Returns the columns in which two outcomes of a run differ, with the values of both outcomes. The function does not compare times,
/// because times may differ. The function compares the objectives only if both outcomes have an objective. Runs of early versions have no
/// objective, because the column was added later.
pub fn differences<'a>(
    one: &'a RunOutcome,
    other: &'a RunOutcome,
) -> impl Iterator<Item = (&'static str, [Value<'a>; 2])> {
    COLUMNS.iter().filter_map(move |column| match &column.part {
        Part::Outcome(access) => {
            let values = [one, other].map(access.get);
            let is_unknown = column.name == OBJECTIVE && values.contains(&Value::Real(None));
            (values[0] != values[1] && !is_unknown).then_some((column.name, values))
        }
        Part::Plan(_) | Part::Key(_) | Part::Timing(_) => None,
    })
}

/// Writes the value for a message; an absent number is written as `none`.
impl fmt::Display for Value<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => count.fmt(formatter),
            Self::Real(Some(number)) | Self::Time(Some(number)) => number.fmt(formatter),
            Self::Real(None) | Self::Time(None) | Self::Truth(None) => formatter.write_str("none"),
            Self::Text(text) => formatter.write_str(text),
            Self::Truth(Some(truth)) => truth.fmt(formatter),
            Self::Id(id) => id.fmt(formatter),
        }
    }
}

/// Writes the value in the form of the journal.
impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Count(count) => serializer.serialize_u64(*count),
            Self::Real(number) | Self::Time(number) => number.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Truth(truth) => truth.serialize(serializer),
            Self::Id(id) => serializer.collect_str(id),
        }
    }
}

impl Slot<'_> {
    /// Sets the value to 0, or to an empty text.
    pub fn clear(self) {
        match self {
            Self::Count(count) => *count = 0,
            Self::Real(number) | Self::OptionalTime(number) => *number = None,
            Self::Time(milliseconds) => *milliseconds = 0.0,
            Self::Text(text) => text.clear(),
            Self::Truth(truth) => *truth = None,
            Self::Id(id) => *id = RunId::default(),
            Self::Reason(stop) => *stop = Stop::Failed,
        }
    }
}
