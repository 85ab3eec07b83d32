//! Families of problems: how instances are read, made, rated, drawn and checked. A family is all that the rest of the program
//! knows of a problem; what it does not offer, the commands that would need it say.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::algorithm::Solve;
use crate::example::WorkedExample;
use crate::parameter::Declaration;
use crate::registry::Operators;
use crate::settings::Settings;

/// What is said of an instance beside its text: further columns of a data set, keys of `[[instances]]`, options of a command.
pub type Options = BTreeMap<String, String>;

/// A family of problems.
///
/// Only the methods without a body must be written; each of the others is something that a family may offer.
pub trait Family: Send + Sync {
    /// Its name, and what an experiment can set about it.
    fn declaration(&self) -> &'static Declaration;

    /// What an instance is called in messages: `board`, `tour`.
    fn noun(&self) -> &'static str;

    /// The column of a data set that holds the text of an instance.
    fn text_column(&self) -> &'static str;

    /// The [`Options`] that an instance may come with.
    fn options(&self) -> &'static [OptionDeclaration] {
        &[]
    }

    /// Reads an instance from its text.
    ///
    /// # Errors
    /// What is wrong, and with which part.
    fn read(&self, text: &str, options: &Options) -> Result<Box<dyn Instance>, InstanceError>;

    /// Reads an instance from its [canonical text](Instance::content), which a results folder keeps.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn restore(&self, content: &str) -> Result<Box<dyn Instance>, InstanceError>;

    /// What is minimised under resolved settings, by its name. Figures of different fitnesses are never compared.
    fn fitness(&self, _settings: &Settings) -> String {
        "fitness".to_owned()
    }

    /// Where the instances of a file of the family's own form stand: the number of the line and the bytes of each.
    fn split(&self, text: &str, _options: &Options) -> Vec<(usize, Range<usize>)> {
        vec![(1, 0..text.len())]
    }

    /// How its solutions are measured, by code that shares nothing with the search; `None` where it has no such measure, and nothing
    /// but the search says what a solution is worth.
    fn objective(&self) -> Option<&'static Objective> {
        None
    }

    /// Presets: published settings by name, each the text of a TOML file. The first is what `runner solve` takes unless told.
    fn presets(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// How instances are made, where they can be.
    fn generator(&self) -> Option<&dyn Generator> {
        None
    }

    /// The measures of difficulty that its instances are [rated](Instance::rate) by, and what the help says of them; `None` where
    /// instances are not rated.
    fn measures(&self) -> Option<Measures> {
        None
    }

    /// What its source documents print of an instance or an operator, worked again.
    fn examples(&self, _operators: &Operators) -> Vec<WorkedExample> {
        Vec::new()
    }

    /// JavaScript for the report: an expression, a function of the content of an instance that returns a DOM node, or `null`
    /// where it cannot.
    fn page_drawing(&self) -> Option<&'static str> {
        None
    }
}

/// One instance of a family, before the settings say how it is represented.
pub trait Instance: Send + Sync {
    /// The canonical text: the same for the same instance however it was written.
    fn content(&self) -> String;

    /// The text of a data set's column, or of a command line, that reads as this instance together with its
    /// [options](Self::options).
    fn text(&self) -> String;

    /// The options without which the text would be read otherwise, or not at all.
    fn options(&self) -> Options {
        Options::new()
    }

    /// Its size in a few words: `27 givens`, `50 cities`.
    fn size(&self) -> String;

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

    /// How difficult it is, by the family's [measures](Family::measures). Takes seconds at most.
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
}

/// A family's own measure of solutions, minimised. Whatever fitness a search was told to minimise, its best solution has an objective,
/// so that runs of different fitness functions can be compared in it.
#[derive(Debug)]
pub struct Objective {
    /// What it counts: `digits missing`, `tour length`.
    pub name: &'static str,
    /// Its value where an instance is solved, if there is such a value.
    pub solved: Option<f64>,
    /// The objective of a solution ([described](crate::problem::Problem::describe) in one line) of the instance of a
    /// [content](Instance::content). It fails with the first thing for which the text is no candidate solution, for a person: that it
    /// changes what is given, say.
    pub measure: fn(content: &str, solution: &str) -> Result<f64, String>,
}

/// What is wrong with an instance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct InstanceError {
    /// Which part of it is.
    pub part: InstancePart,
    /// What is wrong with it, for a person.
    pub message: String,
    /// What was expected, where that helps: `the square of its side, such as 16`.
    pub expected: Option<String>,
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

/// An option of a family: a key, a column or an option of the command line.
#[derive(Clone, Copy, Debug)]
pub struct OptionDeclaration {
    /// Its name.
    pub name: &'static str,
    /// What stands for its value in help, `RxC`; `None` for a flag.
    pub placeholder: Option<&'static str>,
    /// One line of what it means.
    pub doc: &'static str,
    /// A regular expression that its values match, for editors.
    pub pattern: Option<&'static str>,
    /// Its value where none is given.
    pub default: Option<&'static str>,
    /// Whether it may be given several times.
    pub is_repeated: bool,
    /// Options that it cannot stand beside.
    pub conflicts: &'static [&'static str],
    /// An option without which it means nothing.
    pub requires: Option<&'static str>,
}

impl OptionDeclaration {
    /// An option with one value and nothing else said of it.
    #[must_use]
    pub const fn new(name: &'static str, placeholder: &'static str, doc: &'static str) -> Self {
        let placeholder = Some(placeholder);
        Self {
            name,
            placeholder,
            doc,
            pattern: None,
            default: None,
            is_repeated: false,
            conflicts: &[],
            requires: None,
        }
    }
}

/// The options that instances are asked for with, each with its values in the order in which they were given; a flag that was
/// given has none.
pub type RequestOptions = BTreeMap<&'static str, Vec<String>>;

/// An option has a value that it cannot have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct OptionError {
    /// What is wrong, for a person.
    pub message: String,
    /// What was expected.
    pub expected: String,
}

/// Makes instances.
pub trait Generator: Send + Sync {
    /// The options that say which are made.
    fn options(&self) -> &'static [OptionDeclaration];

    /// How they are made, and what the columns of the data set mean: the end of the command's help.
    fn help(&self) -> &'static str;

    /// Asks for `count` instances of every bucket that the options name. They depend on the seed and the options alone.
    ///
    /// # Errors
    /// If an option is missing or wrong.
    fn request(
        &self,
        options: &RequestOptions,
        count: usize,
        seed: u64,
    ) -> Result<Box<dyn GeneratorRequest>, OptionError>;
}

/// Instances that are asked for. Each can be made by itself, on any thread.
pub trait GeneratorRequest: Sync {
    /// How many there are.
    fn n_instances(&self) -> usize;

    /// Makes one, by its number from 0.
    ///
    /// # Errors
    /// Why it cannot be made, for a person.
    fn make(&self, number: usize) -> Result<GeneratedInstance, OptionError>;
}

/// A row of a data set that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedInstance {
    /// Its id.
    pub id: String,
    /// Its bucket of difficulty.
    pub bucket: String,
    /// The other columns, the same for all instances of a request.
    pub fields: Vec<GeneratedField>,
}

/// A field of an instance that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedField {
    /// The name of its column.
    pub column: &'static str,
    /// Its value.
    pub value: String,
    /// The value that goes without saying: where all instances have it, there is no such column.
    pub default: Option<&'static str>,
}

/// What the instances of a family are rated by.
#[derive(Clone, Copy, Debug)]
pub struct Measures {
    /// The measures, in the order of their columns.
    pub measures: &'static [Measure],
    /// What the columns mean, for the command's help.
    pub help: &'static str,
}

/// One measure of difficulty.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// The name of its column.
    pub name: &'static str,
    /// Whether the table for the terminal has it, too.
    pub is_in_table: bool,
    /// Whether it is a number, which stands at the right of its column.
    pub is_number: bool,
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
