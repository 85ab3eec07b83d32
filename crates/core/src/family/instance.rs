//! Instances: how a family represents them, what it can tell of one, and what can be wrong with it.

use std::collections::BTreeMap;
use std::ops::Range;

use super::objective::BestKnown;
use crate::algorithm::Solve;
use crate::layout::LayoutError;
use crate::settings::Settings;

/// Attributes of an instance besides its text: further columns of a data set, keys of `[[instances]]`, options of a command.
pub type Options = BTreeMap<String, String>;

/// One instance of a family, before the settings say how it is represented.
pub trait Instance: Send + Sync {
    /// The canonical text: equal for equal instances, however they were written.
    fn content(&self) -> String;

    /// The text of a data set's column, or of a command line, that reads as this instance together with its
    /// [options](Self::options): its [content](Self::content), unless that has another form.
    fn text(&self) -> String {
        self.content()
    }

    /// The options without which the text would be read differently, or not at all.
    fn options(&self) -> Options {
        Options::new()
    }

    /// Its size in a few words: `27 givens`, `50 cities`.
    fn size(&self) -> String;

    /// The values of the family's [sizes](super::Family::sizes), in their order.
    fn sizes(&self) -> Vec<f64> {
        Vec::new()
    }

    /// The approximate bytes that it takes with everything that it computes once, such as a table of distances; 0 if that is little beside
    /// its content. Instances are kept between runs while there is room for them.
    fn memory(&self) -> usize {
        0
    }

    /// The problem to solve, under resolved settings.
    fn prepare(&self, settings: &Settings) -> Box<dyn Solve>;

    /// What can be found out before a search in about a second, such as whether it has a solution.
    fn remark(&self) -> Option<String> {
        None
    }

    /// A defect that makes every search on it pointless or ambiguous: `no solution`, `several solutions`. Takes tenths of a second at most;
    /// `None` also if that is not enough to know.
    fn defect(&self) -> Option<&'static str> {
        None
    }

    /// How difficult it is, by the family's [measures](super::Family::measures). Takes seconds at most.
    fn rate(&self) -> Option<Rating> {
        None
    }

    /// The lines of a drawing for people: of the solution in one line of text if there is one, else of the instance. It fits into the room
    /// if possible, and marks errors.
    fn draw(&self, solution: Option<&str>, marks: Marks, room: Room) -> Vec<String> {
        let _ = marks;
        let text = solution.map_or_else(|| self.text(), str::to_owned);
        text.lines().take(room.rows).map(|line| line.chars().take(room.columns).collect()).collect()
    }

    /// Whether a [drawing](Self::draw) of a solution shows all of it.
    fn draws_whole_solution(&self) -> bool {
        true
    }
}

/// An instance of a file of the family's own form.
pub struct FileInstance {
    /// Its id, if the file has one.
    pub id: Option<String>,
    /// The line on which it begins, from 1.
    pub line: usize,
    /// The best known value, if the file has one.
    pub best_known: Option<BestKnown>,
    /// The instance.
    pub instance: Box<dyn Instance>,
}

/// What is wrong with an instance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct InstanceError {
    /// The faulty part.
    pub part: InstancePart,
    /// The faulty bytes of the text; `None` if the fault concerns all of it.
    pub bytes: Option<Range<usize>>,
    /// What is wrong with it, for a person.
    pub message: String,
    /// What was expected, if that helps: `the square of its side, such as 16`.
    pub expected: Option<String>,
}

impl InstanceError {
    /// Something is wrong with the text.
    ///
    /// ```
    /// use evogrid_core::family::InstanceError;
    ///
    /// let text = "3 cities\n0 0\n3 x\n";
    /// let word = text.lines().nth(2).and_then(|line| line.split(' ').nth(1)).expect("it is there");
    /// let error = InstanceError::new(format!("`{word}` is not a coordinate")).expecting("a number").at(text, word);
    /// assert_eq!(error.bytes, Some(15..16));
    /// ```
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { part: InstancePart::Text, bytes: None, message: message.into(), expected: None }
    }

    /// Something is wrong with an option.
    #[must_use]
    pub fn option(name: &'static str, message: impl Into<String>) -> Self {
        Self::new(message).in_part(InstancePart::Option(name))
    }

    /// The same in another part of the instance.
    #[must_use]
    pub fn in_part(self, part: InstancePart) -> Self {
        Self { part, ..self }
    }

    /// The same with what was expected.
    #[must_use]
    pub fn expecting(self, expected: impl Into<String>) -> Self {
        Self { expected: Some(expected.into()), ..self }
    }

    /// The message, with what was expected.
    #[must_use]
    pub fn in_full(&self) -> String {
        self.message.clone()
            + &self.expected.iter().map(|expected| format!(": expected {expected}")).collect::<String>()
    }

    /// The same with its place: `piece` is a part of the `text` that was read. A piece of another text gives no place.
    #[must_use]
    pub fn at(self, text: &str, piece: &str) -> Self {
        let start = (piece.as_ptr() as usize).checked_sub(text.as_ptr() as usize);
        let bytes = start.map(|start| start..start + piece.len()).filter(|bytes| bytes.end <= text.len());
        Self { bytes, ..self }
    }
}

impl From<LayoutError> for InstanceError {
    fn from(error: LayoutError) -> Self {
        Self::new(error.to_string())
    }
}

/// A part of an instance that can be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstancePart {
    /// Its text.
    Text,
    /// Its text, which has a character without meaning: perhaps it was never meant as an instance.
    Character,
    /// An option.
    Option(&'static str),
    /// An option that is needed and was not given.
    MissingOption {
        /// Its name.
        name: &'static str,
        /// A value that it could have.
        example: String,
    },
}
/// How difficult an instance is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rating {
    /// The bucket of difficulty that it falls into.
    pub bucket: String,
    /// A value for every measure; empty if it could not be found.
    pub values: Vec<String>,
    /// A remark for the reader, for example that it has several solutions.
    pub remark: Option<&'static str>,
    /// Whether it is known to have no solution.
    pub is_infeasible: bool,
}

/// How a drawing marks errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// Not at all.
    None,
    /// By a `!` behind it.
    Beside,
    /// In red, with given parts in bold.
    Colour,
}

/// The room that a drawing has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Characters in a line.
    pub columns: usize,
    /// Lines.
    pub rows: usize,
}

impl Room {
    /// As much as the drawing needs.
    pub const UNBOUNDED: Self = Self { columns: usize::MAX, rows: usize::MAX };
}
