//! Instances of a family, and faults in the texts of instances.

use std::collections::BTreeMap;
use std::ops::Range;

use super::objective::BestKnown;
use crate::algorithm::Solve;
use crate::layout::LayoutError;
use crate::settings::Settings;

/// The attributes that an instance has in addition to its text. Attributes are columns of a data set, keys of `[[instances]]`, or options
/// of a command.
pub type Options = BTreeMap<String, String>;

/// One instance of a family. The settings of the algorithm determine how solutions of the instance are represented.
pub trait Instance: Send + Sync {
    /// The canonical text. Equal instances have equal texts, even if their files differ.
    fn content(&self) -> String;

    /// The text for a data set or a command line. The family can read the instance again from this text and the [options](Self::options).
    /// By default this text is the [content](Self::content).
    fn text(&self) -> String {
        self.content()
    }

    /// The options that the family needs to read the text of the instance correctly.
    fn options(&self) -> Options {
        Options::new()
    }

    /// The size of the instance in a few words, such as `27 givens` or `50 cities`.
    fn size(&self) -> String;

    /// The name and the value of each [size](super::Family::sizes) of the instance.
    fn sizes(&self) -> Vec<(&str, f64)> {
        Vec::new()
    }

    /// The approximate number of bytes for the instance. The number includes data that are computed once, such as distances. If the
    /// instance needs only few bytes in addition to its canonical text, the method may return 0. If there is enough memory, instances are
    /// kept in memory between runs.
    fn memory(&self) -> usize {
        0
    }

    /// Builds the problem that a search solves. The resolved settings decide the form of the problem.
    fn prepare(&self, settings: &Settings) -> Box<dyn Solve>;

    /// A remark on the instance, for example that no solution exists. This method takes at most about a second.
    fn remark(&self) -> Option<String> {
        None
    }

    /// A defect that makes every search pointless or ambiguous: `no solution`, `several solutions`. The search for defects takes less than
    /// a second. If the search for defects would take a second or longer, the result is `None`.
    fn defect(&self) -> Option<&'static str> {
        None
    }

    /// Computes the difficulty of the instance with the [measures](super::Family::measures) of the family. This method takes at most a few
    /// seconds.
    fn rate(&self) -> Option<Rating> {
        None
    }

    /// Draws a solution as lines of text. `solution` is the solution as one line of text. If `solution` is `None`, the instance itself is
    /// drawn. `marks` says how the drawing marks errors. If possible, the drawing fits into the space `room`.
    fn draw(&self, solution: Option<&str>, marks: Marks, room: Room) -> Vec<String> {
        let _ = marks;
        let text = solution.map_or_else(|| self.text(), str::to_owned);
        text.lines().take(room.rows).map(|line| line.chars().take(room.columns).collect()).collect()
    }

    /// Whether the [drawing](Self::draw) of a solution shows the whole solution.
    fn draws_whole_solution(&self) -> bool {
        true
    }
}

/// An instance from a file in the family's own format.
pub struct FileInstance {
    /// The id of the instance, if the file has one.
    pub id: Option<String>,
    /// The number of the line on which the instance begins. The first line of the file is line 1.
    pub line: usize,
    /// The best known value, if the file has one.
    pub best_known: Option<BestKnown>,
    /// The instance.
    pub instance: Box<dyn Instance>,
}

/// The error for an invalid instance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct InstanceError {
    /// The faulty part.
    pub part: InstancePart,
    /// The faulty bytes of the text. `None` if the whole text is faulty.
    pub bytes: Option<Range<usize>>,
    /// The fault, as text for the user.
    pub message: String,
    /// The expected value, as text for the user. The text says which values are valid, for example `the square of its side, such as 16`.
    /// `None` if such a text does not help the user.
    pub expected: Option<String>,
}

impl InstanceError {
    /// An error in the text.
    ///
    /// ```
    /// use evogrid_core::family::InstanceError;
    ///
    /// let text = "3 cities\n0 0\n3 x\n";
    /// let word = text.lines().nth(2).and_then(|line| line.split(' ').nth(1)).expect("it is there");
    /// let error = InstanceError::new(format!("`{word}` is not a coordinate")).expecting("a number").at(text, word);
    /// assert_eq!(error.bytes, Some(15..16));
    /// ```
    pub fn new(message: impl Into<String>) -> Self {
        Self { part: InstancePart::Text, bytes: None, message: message.into(), expected: None }
    }

    /// An error in an option.
    pub fn option(name: &'static str, message: impl Into<String>) -> Self {
        Self::new(message).in_part(InstancePart::Option(name))
    }

    /// Returns a copy of this error in which `part` is the faulty part.
    #[must_use]
    pub fn in_part(self, part: InstancePart) -> Self {
        Self { part, ..self }
    }

    /// Returns a copy of this error in which `expected` is the expected value.
    #[must_use]
    pub fn expecting(self, expected: impl Into<String>) -> Self {
        Self { expected: Some(expected.into()), ..self }
    }

    /// The message of the error, followed by the expected value.
    pub fn in_full(&self) -> String {
        self.message.clone()
            + &self.expected.iter().map(|expected| format!(": expected {expected}")).collect::<String>()
    }

    /// Returns a copy of this error that contains the place of the fault. `piece` is the faulty part of `text`. If `piece` is not a part of
    /// `text`, the copy does not contain the place of the fault.
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

/// A part of an instance that can be invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstancePart {
    /// The text.
    Text,
    /// The text contains a character that has no meaning for the family. Perhaps a text with such a character is not an instance at all.
    Character,
    /// An option.
    Option(&'static str),
    /// A required option that was not given.
    MissingOption {
        /// The name of the option.
        name: &'static str,
        /// A possible value of the option.
        example: String,
    },
}
/// The difficulty of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rating {
    /// The difficulty bucket of the instance.
    pub bucket: String,
    /// The value of every measure as text. If a value is unknown, its text is empty.
    pub values: Vec<String>,
    /// A remark for the reader. For example, the remark can say that the instance has several solutions.
    pub remark: Option<&'static str>,
    /// Whether the instance is known to have no solution.
    pub is_infeasible: bool,
}

/// The way in which a drawing marks errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// No marks.
    None,
    /// The drawing shows a `!` after each error.
    Beside,
    /// The drawing shows errors in red. The parts that the instance gives are in bold type.
    Colour,
}

/// The space that is available for a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// The number of characters in a line.
    pub columns: usize,
    /// The number of lines.
    pub rows: usize,
}

impl Room {
    /// Unlimited space.
    pub const UNBOUNDED: Self = Self { columns: usize::MAX, rows: usize::MAX };
}
