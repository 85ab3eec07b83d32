//! A record as a JSON object, a line of a journal: its columns, its settings, and its other members.

use std::borrow::Cow;
use std::fmt;

use evogrid_core::budget::Stop;
use serde::Deserialize;
use serde::de::{self, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::columns::{BEFORE_SETTINGS, COLUMNS, Column, Part, Slot, Value};
use crate::record::{MESSAGE_LIMIT, Record};
use crate::solution::SolutionPlace;

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        LineToWrite { record: self, solution_place: None }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let RecordLine { record, solution_place } = RecordLine::deserialize(deserializer)?;
        let elsewhere =
            || de::Error::custom("the record lacks its solution, which is in a file beside the journal file");
        solution_place.map_or(Ok(record), |_| Err(elsewhere()))
    }
}

/// A journal line to be written: the record, and the position of its solution if the solution is not in the line.
pub(crate) struct LineToWrite<'r> {
    pub(crate) record: &'r Record,
    pub(crate) solution_place: Option<SolutionPlace>,
}

impl Serialize for LineToWrite<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { record, solution_place } = self;
        let mut object = serializer.serialize_map(None)?;
        for (at, column) in COLUMNS.iter().enumerate() {
            if at == BEFORE_SETTINGS {
                object.serialize_entry("settings", &record.settings)?;
            }
            if let Some(value) = value(column, record) {
                object.serialize_entry(column.name, &value)?;
            }
        }
        if let Some(place) = solution_place {
            object.serialize_entry("solution_place", place)?;
        } else if let Some(solution) = &record.solution {
            object.serialize_entry("solution", solution)?;
        }
        if let Some(message) = &record.message {
            object.serialize_entry("message", &message[..message.floor_char_boundary(MESSAGE_LIMIT)])?;
        }
        if let Some(memory) = &record.memory_mib {
            object.serialize_entry("memory_mib", memory)?;
        }
        if let Some(trace) = &record.trace {
            object.serialize_entry("trace", trace)?;
        }
        object.end()
    }
}

/// A journal line that was read: the record. The record has no solution if the solution is in another file.
#[derive(Debug, Default)]
pub(crate) struct RecordLine {
    pub(crate) record: Record,
    pub(crate) solution_place: Option<SolutionPlace>,
}

impl<'de> Deserialize<'de> for RecordLine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut line = Self::default();
        deserializer.deserialize_map(Members { line: &mut line, first: 0 })?;
        Ok(line)
    }
}

/// Reads the part of a line after the settings into `line`, as a separate object.
pub(crate) fn read_tail(text: &str, line: &mut RecordLine) -> serde_json::Result<()> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.deserialize_map(Members { line, first: BEFORE_SETTINGS })?;
    deserializer.end()
}

/// Reads the members of a line into `line`. The first expected column has the number `first`.
struct Members<'l> {
    line: &'l mut RecordLine,
    first: usize,
}

impl<'de> Visitor<'de> for Members<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a record")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        let Self { line: RecordLine { record, solution_place }, first } = self;
        let is_tail = first > 0;
        // One bit for each member that the line has.
        let (mut seen, mut next) = (0u64, first);
        while let Some(Text(name)) = object.next_key()? {
            let member = member(&name, next);
            if let Some(at) = member.filter(|at| seen >> at & 1 == 1) {
                return Err(de::Error::duplicate_field(member_name(at)));
            }
            seen |= member.map_or(0, |at| 1 << at);
            match (member, &*name) {
                (Some(at), _) if (first..COLUMNS.len()).contains(&at) => {
                    next = at + 1;
                    read_column(&COLUMNS[at], record, &mut object)?;
                }
                (_, SETTINGS) if !is_tail => record.settings = object.next_value()?,
                (_, "solution") => record.solution = object.next_value()?,
                (_, "solution_place") => *solution_place = Some(object.next_value()?),
                (_, "message") => record.message = object.next_value()?,
                (_, "memory_mib") => record.memory_mib = object.next_value()?,
                (_, "trace") => record.trace = object.next_value()?,
                (_, name) if is_tail && name != CHECKSUM => return Err(de::Error::custom("an unexpected member")),
                _ => object.next_value::<IgnoredAny>().map(drop)?,
            }
        }
        let is_missing = |at: usize| seen >> at & 1 == 0;
        let is_there = |name| member(name, 0).is_some_and(|at| !is_missing(at));
        if is_there("solution") && is_there("solution_place") {
            return Err(de::Error::custom(
                "the record contains both `solution` and `solution_place`: expected one of them",
            ));
        }
        let is_needed = |slot: Slot<'_>| !matches!(slot, Slot::Real(_) | Slot::OptionalTime(_));
        for (at, column) in COLUMNS.iter().enumerate().skip(first) {
            if at == BEFORE_SETTINGS && !is_tail && !is_there(SETTINGS) {
                return Err(de::Error::missing_field(SETTINGS));
            }
            if is_missing(at) && slot(column, record).is_some_and(is_needed) {
                return Err(de::Error::missing_field(column.name));
            }
        }
        Ok(())
    }
}

/// Text that is copied only if it contains escapes.
#[derive(Deserialize)]
struct Text<'l>(#[serde(borrow)] Cow<'l, str>);

const SETTINGS: &str = "settings";

/// The checksum of a line. It is checked elsewhere, and may occur several times.
const CHECKSUM: &str = "crc32";

/// The members of a line that are not columns, and may occur only once.
const OTHER_MEMBERS: [&str; 6] = [SETTINGS, "solution", "solution_place", "message", "memory_mib", "trace"];

/// The number of the member with this name. The columns are counted first, and then the other members. The next expected column is tried
/// first.
fn member(name: &str, next: usize) -> Option<usize> {
    if COLUMNS.get(next).is_some_and(|column| column.name == name) {
        return Some(next);
    }
    let other = OTHER_MEMBERS.iter().position(|other| *other == name).map(|at| COLUMNS.len() + at);
    let is_it = |column: &Column| column.name == name && !matches!(column.part, Part::Plan(_));
    other.or_else(|| COLUMNS.iter().position(is_it))
}

fn member_name(at: usize) -> &'static str {
    at.checked_sub(COLUMNS.len()).map_or_else(|| COLUMNS[at].name, |other| OTHER_MEMBERS[other])
}

/// Reads the value of a column.
fn read_column<'de, A: MapAccess<'de>>(column: &Column, record: &mut Record, object: &mut A) -> Result<(), A::Error> {
    match slot(column, record) {
        Some(Slot::Count(count)) => *count = object.next_value()?,
        Some(Slot::Real(number)) => *number = object.next_value()?,
        Some(Slot::Time(wall)) => *wall = time(object.next_value()?)?,
        Some(Slot::OptionalTime(cpu)) => *cpu = object.next_value::<Option<f64>>()?.map(time).transpose()?,
        Some(Slot::Text(text)) => *text = object.next_value()?,
        Some(Slot::Truth(truth)) => *truth = object.next_value()?,
        Some(Slot::Id(id)) => *id = object.next_value::<Text<'_>>()?.0.parse().map_err(de::Error::custom)?,
        Some(Slot::Reason(stop)) => *stop = reason(object.next_value()?)?,
        None => object.next_value::<IgnoredAny>().map(drop)?,
    }
    Ok(())
}

/// The value of a column in a record, if records have this column.
fn value<'a>(column: &Column, record: &'a Record) -> Option<Value<'a>> {
    match &column.part {
        Part::Plan(_) => None,
        Part::Key(access) => Some((access.get)(&record.key)),
        Part::Outcome(access) | Part::Timing(access) => Some((access.get)(&record.outcome)),
    }
}

/// Its place there.
fn slot<'a>(column: &Column, record: &'a mut Record) -> Option<Slot<'a>> {
    match &column.part {
        Part::Plan(_) => None,
        Part::Key(access) => Some((access.slot)(&mut record.key)),
        Part::Outcome(access) | Part::Timing(access) => Some((access.slot)(&mut record.outcome)),
    }
}

/// Checks that a time is not negative: the reader of `runs.csv` would refuse a negative time.
fn time<E: de::Error>(milliseconds: f64) -> Result<f64, E> {
    let wrong = || de::Error::custom(format!("expected a time of at least 0 ms, found {milliseconds}"));
    (milliseconds >= 0.0).then_some(milliseconds).ok_or_else(wrong)
}

/// The reason to stop with this name.
fn reason<E: de::Error>(Text(name): Text<'_>) -> Result<Stop, E> {
    Stop::named(&name).ok_or_else(|| E::custom(format!("`{name}` is not a known reason to stop")))
}
