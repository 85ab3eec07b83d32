//! Families of problems: how instances are read, made, rated, drawn and checked. The rest of the program knows a problem only through its
//! family; a command that needs something that the family does not offer says so.

pub mod example;
mod generator;
mod instance;
mod objective;

use crate::family::example::WorkedExample;
use crate::settings::{Capability, Declaration, Operators, Settings, defaults};

pub use crate::direction::Direction;
pub use generator::{
    GeneratedField, GeneratedInstance, Generator, GeneratorRequest, OptionDeclaration, OptionError, PublishedInstance,
    PublishedSet, RequestOptions,
};
pub use instance::{FileInstance, Instance, InstanceError, InstancePart, Marks, Options, Rating, Room};
pub use objective::{BestKnown, BestKnownStatus, MeasureFunction, Objective, ObjectiveSource};

/// A family of problems.
///
/// Only the methods without a body must be written; each of the others is an optional offer of the family.
pub trait Family: Send + Sync {
    /// The name of the family, its description and its settings.
    fn declaration(&self) -> &'static Declaration;

    /// The word for an instance in messages: `board`, `tour`.
    fn noun(&self) -> &'static str {
        "instance"
    }

    /// The column of a data set that holds the text of an instance.
    fn text_column(&self) -> &'static str;

    /// The additional [`Options`] that an instance may have.
    fn options(&self) -> &'static [OptionDeclaration] {
        &[]
    }

    /// Reads an instance from its text.
    ///
    /// # Errors
    /// What is wrong, and with which part.
    fn read(&self, text: &str, options: &Options) -> Result<Box<dyn Instance>, InstanceError>;

    /// Reads an instance from its [canonical text](Instance::content), which a results folder stores. By default the text is read like
    /// any other text without options.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn restore(&self, content: &str) -> Result<Box<dyn Instance>, InstanceError> {
        self.read(content, &Options::new())
    }

    /// The sizes of the family's instances, for limits that grow with them: `evaluations = { per = "n*n", times = 100 }`. Each instance
    /// has a [value](Instance::sizes) for every size.
    fn sizes(&self) -> &'static [Size] {
        &[]
    }

    /// Whether solutions are genomes: if not, only [searches that answer with text](crate::catalogue::Catalogue::add_text_search) fit.
    fn has_genomes(&self) -> bool {
        true
    }

    /// Whether every column of a data set belongs to its instance: then columns without another meaning are handed to
    /// [`read`](Self::read) as options, the text column may be missing, and instances may have sizes that the family does not declare.
    fn takes_columns(&self) -> bool {
        false
    }

    /// The file formats, in addition to CSV, that [`read_file`](Self::read_file) reads.
    fn file_forms(&self) -> &'static [FileForm] {
        &[]
    }

    /// Reads a file in the family's own format and passes on each instance or the fault in it; the [bytes](InstanceError::bytes) of an
    /// error refer to the text of the file. By default the text is a single instance.
    fn read_file(&self, text: &str, options: &Options, each: &mut dyn FnMut(Result<FileInstance, InstanceError>)) {
        let whole = |instance| FileInstance { id: None, line: 1, best_known: None, instance };
        each(self.read(text, options).map(whole));
    }

    /// The measures of solutions, computed by code that is independent of the search. The list is empty if the family has no such
    /// measure; then only the search reports the quality of a solution. If there are several, an option of the instance says which one
    /// applies.
    fn objectives(&self) -> &'static [Objective] {
        &[]
    }

    /// The objective of the instance with this [canonical text](Instance::content); by default the first of the
    /// [objectives](Self::objectives).
    fn objective(&self, content: &str) -> Option<Objective> {
        let _ = content;
        self.objectives().first().cloned()
    }

    /// The name of the function that is optimised under resolved settings on an instance with this objective. Values of different
    /// functions are never compared. The name is [marked](Direction::marked) if the objective is maximised: then the values of the function
    /// are, too. If it is the [name](Objective::fitness_name) of the objective, the fitness is the objective.
    fn fitness(&self, settings: &Settings, objective: Option<&Objective>) -> String {
        let _ = settings;
        objective.map_or_else(|| "fitness".to_owned(), Objective::fitness_name)
    }

    /// Whether smaller or larger objectives are better on the instance with this [canonical text](Instance::content).
    fn direction(&self, content: &str) -> Direction {
        self.objective(content).map_or(Direction::Minimise, |objective| objective.direction)
    }

    /// The preparation of an instance under these settings before a search begins, if there is any: work that the search does not count.
    /// It becomes part of the unit of work, for example `evaluations after propagation`, so that searches with and without it are
    /// compared only by success and time.
    fn preparation(&self, settings: &Settings) -> Option<&'static str> {
        let _ = settings;
        None
    }

    /// A small instance that shows what the problems of the family offer. Without it they are assumed to offer nothing.
    fn sample(&self) -> Option<Box<dyn Instance>> {
        None
    }

    /// The capabilities that the family's problems offer under resolved settings.
    fn offers(&self, settings: &Settings) -> Vec<Capability> {
        self.sample().map_or_else(Vec::new, |instance| instance.prepare(settings).offers())
    }

    /// The names of the family's constructions, each with a line of documentation: values of settings such as `start`.
    fn constructions(&self) -> Vec<(&'static str, &'static str)> {
        let settings = defaults(self.declaration().parameters);
        self.sample().map_or_else(Vec::new, |instance| instance.prepare(&settings).construction_names())
    }

    /// The presets: published settings by name, each as the text of a TOML file. The first one is the default of `runner solve`.
    fn presets(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// A small first experiment, for `runner init`.
    fn first_experiment(&self) -> Option<FirstExperiment> {
        None
    }

    /// A small first tuning, for `runner init --tune`.
    fn first_tuning(&self) -> Option<FirstExperiment> {
        None
    }

    /// The generator of instances, if the family has one.
    fn generator(&self) -> Option<&'static Generator> {
        None
    }

    /// Published instances that can be generated from their seeds.
    fn published_sets(&self) -> &'static [PublishedSet] {
        &[]
    }

    /// The measures of difficulty by which instances are [rated](Instance::rate), and their help text; `None` if instances cannot be
    /// rated.
    fn measures(&self) -> Option<Measures> {
        None
    }

    /// Worked examples: what its source documents print of an instance or an operator, recomputed.
    fn examples(&self, _operators: &Operators) -> Vec<WorkedExample> {
        Vec::new()
    }

    /// JavaScript for the report and for drawings of solutions: an expression whose value is a function of the content of an instance and of a
    /// solution, or `null` for the instance alone, both as text. The function returns the text of an SVG picture with a `viewBox`, or
    /// `null` if it cannot draw them. It can use the language alone, without a document. Text in the picture must be escaped.
    fn drawing(&self) -> Option<&'static str> {
        None
    }
}

/// A small experiment on a family, which runs in seconds: a first example for a new user.
#[derive(Clone, Copy, Debug)]
pub struct FirstExperiment {
    /// The text of the TOML file; `{name}` in it is replaced by the name of the experiment.
    pub experiment: &'static str,
    /// The files that the experiment reads: for each the path from the folder of the experiment, with `/` between its parts, and the
    /// text.
    pub files: &'static [(&'static str, &'static str)],
}

/// The measures by which the instances of a family are rated.
#[derive(Clone, Copy, Debug)]
pub struct Measures {
    /// The measures, in the order of their columns.
    pub measures: &'static [Measure],
    /// The meaning of the columns, for the help of the command.
    pub help: &'static str,
}

/// One measure of difficulty.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// The name of its column.
    pub name: &'static str,
    /// Whether the table on the terminal shows it.
    pub is_in_table: bool,
    /// Whether it is a number, so that it is right-aligned.
    pub is_number: bool,
}

/// A size of the instances of a family.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Its name, a letter or a word: `n`.
    pub name: &'static str,
    /// What the size counts, in one line.
    pub doc: &'static str,
}

/// A file format of a family.
#[derive(Clone, Copy, Debug)]
pub struct FileForm {
    /// The file extension, without the dot: `dat`.
    pub extension: &'static str,
    /// What such a file contains, in one line.
    pub doc: &'static str,
}
