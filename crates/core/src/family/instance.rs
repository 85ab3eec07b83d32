//! Instances: what a family makes of a text, what can be said of one, and what can be wrong with it.

use std::collections::BTreeMap;
use std::ops::Range;

use super::objective::BestKnown;
use crate::algorithm::Solve;
use crate::layout::LayoutError;
use crate::settings::Settings;

/// What is said of an instance beside its text: further columns of a data set, keys of `[[instances]]`, options of a command.
pub type Options = BTreeMap<String, String>;

/// One instance of a family, before the settings say how it is represented.
pub trait Instance: Send + Sync {
    /// The canonical text: the same for the same instance however it was written.
    fn content(&self) -> String;

    /// The text of a data set's column, or of a command line, that reads as this instance together with its
    /// [options](Self::options): its [content](Self::content), unless that has another form.
    fn text(&self) -> String {
        self.content()
    }

    /// The options without which the text would be read otherwise, or not at all.
    fn options(&self) -> Options {
        Options::new()
    }

    /// Its size in a few words: `27 givens`, `50 cities`.
    fn size(&self) -> String;

    /// The values of the family's [sizes](super::Family::sizes), in their order.
    fn sizes(&self) -> Vec<f64> {
        Vec::new()
    }

    /// The bytes that it takes once all is there that it computes once, such as a table of distances, about; 0 where that is little
    /// beside its content. Instances are kept between runs as long as there is room for them.
    fn memory(&self) -> usize {
        0
    }

    /// The problem to solve, under resolved settings.
    fn prepare(&self, settings: &Settings) -> Box<dyn Solve>;

    /// What can be said of it before a search in a second or so, as whether it has a solution.
    fn remark(&self) -> Option<String> {
        None
    }

    /// What makes every search on it pointless or ambiguous: `no solution`, `several solutions`. Takes tenths of a second at most;
    /// `None` also where that is not enough to know.
    fn defect(&self) -> Option<&'static str> {
        None
    }

    /// How difficult it is, by the family's [measures](super::Family::measures). Takes seconds at most.
    fn rate(&self) -> Option<Rating> {
        None
    }

    /// The lines of a drawing for people: of the solution in one line of text where there is one, else of the instance. It keeps
    /// to the room where it can, and marks what is wrong.
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
    /// Its id, where the file says one.
    pub id: Option<String>,
    /// The line on which it begins, from 1.
    pub line: usize,
    /// The best known value, where the file says one.
    pub best_known: Option<BestKnown>,
    /// The instance.
    pub instance: Box<dyn Instance>,
}

/// What is wrong with an instance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct InstanceError {
    /// Which part of it is.
    pub part: InstancePart,
    /// The bytes of the text that are wrong; `None` where it is all of it.
    pub bytes: Option<Range<usize>>,
    /// What is wrong with it, for a person.
    pub message: String,
    /// What was expected, where that helps: `the square of its side, such as 16`.
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
        Self { part: InstancePart::Option(name), ..Self::new(message) }
    }

    /// The same with what was expected.
    #[must_use]
    pub fn expecting(self, expected: impl Into<String>) -> Self {
        Self { expected: Some(expected.into()), ..self }
    }

    /// The same with its place: a `piece` of the `text` that was read. A piece of another text says nothing.
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
    /// Its text, a character of which stands for nothing: perhaps it was never meant as an instance.
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
    /// A value for every measure; empty where it could not be found.
    pub values: Vec<String>,
    /// What a reader should know of it: that it has several solutions, say.
    pub remark: Option<&'static str>,
    /// Whether it is known to have no solution.
    pub is_infeasible: bool,
}

/// How a drawing shows what is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// Not at all.
    None,
    /// By a `!` behind it.
    Beside,
    /// In red, what is given in bold.
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
    /// As much as it takes.
    pub const UNBOUNDED: Self = Self { columns: usize::MAX, rows: usize::MAX };
}
