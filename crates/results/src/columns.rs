//! The columns of a run: the one list from which the journal, `runs.csv`, its readers and exports, and the comparisons of runs follow.
//!
//! A column is added by its entry here and the field of [`RunOutcome`], [`RunKey`] or [`Row`] that holds it.

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
    /// Its name, in the journal too.
    pub name: &'static str,
    /// Its description, in one line of Markdown.
    pub doc: &'static str,
    /// What a file without the column says about each of its runs.
    pub missing: Missing,
    /// The part of a run that the value belongs to, and how to get and set it.
    pub part: Part,
}

/// What a file without a column says about each of its runs.
#[derive(Debug)]
pub enum Missing {
    /// The column is required: without it the file is refused.
    Refused,
    /// 0, or an empty field.
    Empty,
    /// It follows from the rest of the row and the number of rows before it.
    Derived(fn(&mut Row, u64)),
}

/// The part of a run that a column belongs to.
#[derive(Debug)]
pub enum Part {
    /// The plan: the run's number, which changes when a grid grows, and what follows from the settings; not part of a record.
    Plan(Access<Row>),
    /// The run's key, known from the start and part of its record.
    Key(Access<RunKey>),
    /// The outcome: the same whenever the run is repeated.
    Outcome(Access<RunOutcome>),
    /// The outcome, but different each time.
    Timing(Access<RunOutcome>),
}

/// How the value of a column is got and set.
#[derive(Debug)]
pub struct Access<T> {
    /// The value.
    pub get: for<'a> fn(&'a T) -> Value<'a>,
    /// Its place.
    pub slot: for<'a> fn(&'a mut T) -> Slot<'a>,
}

/// The value of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// A whole number from 0.
    Count(u64),
    /// A finite number, or none.
    Real(Option<f64>),
    /// Milliseconds from 0, or none.
    Time(Option<f64>),
    /// Any text, or the name of a reason to stop.
    Text(&'a str),
    /// True, false, or unknown.
    Truth(Option<bool>),
    /// A run's identity.
    Id(RunId),
}

/// The place of a column's value.
pub enum Slot<'a> {
    /// A whole number from 0.
    Count(&'a mut u64),
    /// A finite number, or none.
    Real(&'a mut Option<f64>),
    /// Milliseconds from 0.
    Time(&'a mut f64),
    /// Milliseconds from 0, or none.
    OptionalTime(&'a mut Option<f64>),
    /// Any text.
    Text(&'a mut String),
    /// True, false, or unknown.
    Truth(&'a mut Option<bool>),
    /// A run's identity.
    Id(&'a mut RunId),
    /// Why a run stopped.
    Reason(&'a mut Stop),
}

/// The column of a field: whose it is, what its values are, the field, what a file without it says (by default nothing), and what it
/// says.
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

/// The number of columns before those of the varied settings; in the journal, before all settings.
pub const BEFORE_SETTINGS: usize = 3;

/// The column of a varied setting: its dotted path, behind `setting.` where a column of every run has that name.
pub(crate) fn column_of_setting(path: &str) -> Cow<'_, str> {
    let is_taken = COLUMNS.iter().any(|column| column.name == path);
    if is_taken { format!("{SETTING_PREFIX}{path}").into() } else { path.into() }
}

/// The varied setting of a column.
pub(crate) fn setting_of_column(column: &str) -> &str {
    let is_taken = |path: &&str| COLUMNS.iter().any(|column| column.name == *path);
    column.strip_prefix(SETTING_PREFIX).filter(is_taken).unwrap_or(column)
}

/// The column that older files do not have.
const OBJECTIVE: &str = "objective";

const SETTING_PREFIX: &str = "setting.";

/// All columns but those of the varied settings, in order.
pub static COLUMNS: &[Column] = &[
    column!(
        Plan,
        Count,
        run,
        Missing::Derived(|row, n_before| row.run = n_before),
        "number of the run in the plan, from 0"
    ),
    column!(Key, Id, run_id, "the run's identity, a hash of all that determines its outcome"),
    column!(Key, Text, algorithm, Missing::Refused, "the algorithm's name in the experiment"),
    column!(Key, Text, problem, "the family of problems"),
    column!(Key, Text, instance, Missing::Refused, "the instance's id"),
    column!(Key, Text, bucket, "the instance's bucket of difficulty"),
    column!(Key, Count, repetition, "which of the runs that differ in their random stream only, from 0"),
    column!(Key, Count, seed, "seed of the random stream, below 2^53"),
    column!(
        Outcome,
        Truth,
        solved,
        "whether the target was reached; empty where nothing says what solving would be: the search had no target"
    ),
    column!(
        Outcome,
        Real,
        objective,
        "the family's own measure of the best solution, minimised, whatever the fitness; empty if the run has no solution, or was \
         made before there was this column"
    ),
    column!(
        Plan,
        Real,
        best_known,
        "the best known value of the objective of the instance; empty where none is given, and in files made before there was this column"
    ),
    column!(
        Plan,
        Real,
        gap,
        Missing::Derived(|row, _| row.gap =
            row.outcome.objective.zip(row.best_known).and_then(|(objective, best)| gap(objective, best))),
        "how far the objective lies above the best known value, in per cent of that value's magnitude; negative if the objective is better; empty if the \
         objective or the best known value is missing, or if the best known value is 0"
    ),
    column!(Plan, Text, fitness, "the name of what was minimised, which two runs must share to be compared in it"),
    column!(
        Outcome,
        Real,
        best_fitness,
        "the best fitness found, which is minimised; empty if the run evaluated nothing, or found none that is finite"
    ),
    column!(
        Plan,
        Text,
        unit,
        "the unit of `evaluations`: `evaluations`, or what an exact method counts instead, such as `nodes`; in `evaluations after propagation`, the propagation is not counted"
    ),
    column!(Outcome, Count, evaluations, "evaluations over all trials of the run"),
    column!(Outcome, Count, generations, "generations over all trials of the run"),
    column!(Outcome, Count, restarts, "restarts used"),
    column!(Outcome, Count, evaluations_to_best, "evaluations up to and with the one that found the best fitness"),
    column!(
        Outcome,
        Reason,
        stop,
        Missing::Derived(
            |row, _| row.outcome.stop = if row.outcome.is_solved() { Stop::Target } else { Stop::Exhausted }
        ),
        "why the run stopped: `target`, `generations`, `evaluations`, `stagnation`, `time`, `restarts`, `exhausted` or `failed`"
    ),
    column!(Timing, Time, wall_ms, "wall time"),
    column!(
        Timing,
        OptionalTime,
        cpu_ms,
        "processor time; of an external program its own and that of the processes it waited for; empty where the machine \
         does not tell it"
    ),
];

impl Column {
    /// The value in a row.
    #[must_use]
    pub fn get<'a>(&self, row: &'a Row) -> Value<'a> {
        match &self.part {
            Part::Plan(access) => (access.get)(row),
            Part::Key(access) => (access.get)(&row.key),
            Part::Outcome(access) | Part::Timing(access) => (access.get)(&row.outcome),
        }
    }

    /// Its place in a row.
    pub fn slot<'a>(&self, row: &'a mut Row) -> Slot<'a> {
        match &self.part {
            Part::Plan(access) => (access.slot)(row),
            Part::Key(access) => (access.slot)(&mut row.key),
            Part::Outcome(access) | Part::Timing(access) => (access.slot)(&mut row.outcome),
        }
    }
}

/// The columns in which two outcomes of one run differ, with both values. Times may differ, and are not compared; neither is an objective
/// that only one of them has, since a run may be older than the column.
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

/// As messages have it: `none` for a number that is absent.
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

/// As a journal has it.
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
    /// Sets the value to 0 or empty.
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
