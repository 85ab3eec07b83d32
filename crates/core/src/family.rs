//! Families of problems: how instances are read, made, rated, drawn and checked. The rest of the program knows a problem only through its
//! family; a command that needs something that the family does not offer says so.

pub mod example;
mod generator;
mod instance;
mod objective;

use crate::family::example::WorkedExample;
use crate::settings::Settings;
use crate::settings::capability::Capability;
use crate::settings::parameter::Declaration;
use crate::settings::registry::Operators;
use crate::settings::setting::defaults;

pub use generator::{
    GeneratedField, GeneratedInstance, Generator, GeneratorRequest, OptionDeclaration, OptionError, PublishedInstance,
    PublishedSet, RequestOptions,
};
pub use instance::{FileInstance, Instance, InstanceError, InstancePart, Marks, Options, Rating, Room};
pub use objective::{BestKnown, BestKnownStatus, Objective};

/// A family of problems.
///
/// Only the methods without a body must be written; each of the others is an optional offer of the family.
pub trait Family: Send + Sync {
    /// Its name, and what an experiment can set about it.
    fn declaration(&self) -> &'static Declaration;

    /// What an instance is called in messages: `board`, `tour`.
    fn noun(&self) -> &'static str {
        "instance"
    }

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

    /// Reads an instance from its [canonical text](Instance::content), which a results folder stores: by default like any other text
    /// without options.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn restore(&self, content: &str) -> Result<Box<dyn Instance>, InstanceError> {
        self.read(content, &Options::new())
    }

    /// The sizes of its instances, for limits that grow with them: `evaluations = { per = "n*n", times = 100 }`. Each instance has a
    /// [value](Instance::sizes) for each.
    fn sizes(&self) -> &'static [Size] {
        &[]
    }

    /// The forms of files, beside CSV, that [`read_file`](Self::read_file) reads.
    fn file_forms(&self) -> &'static [FileForm] {
        &[]
    }

    /// Reads a file of the family's own form, and passes on each of its instances, or the fault in it: the
    /// [bytes](InstanceError::bytes) of an error are those of the file's text. Unless a family has its own, the text is one instance.
    fn read_file(&self, text: &str, options: &Options, each: &mut dyn FnMut(Result<FileInstance, InstanceError>)) {
        let whole = |instance| FileInstance { id: None, line: 1, best_known: None, instance };
        each(self.read(text, options).map(whole));
    }

    /// How its solutions are measured, by code that shares nothing with the search; empty if it has no such measure, and then only the
    /// search says how good a solution is. If there are several, an option of its instances says which one applies.
    fn objectives(&self) -> &'static [Objective] {
        &[]
    }

    /// The objective of the instance of a [canonical text](Instance::content): the first of its
    /// [objectives](Self::objectives), unless it says otherwise.
    fn objective(&self, content: &str) -> Option<&'static Objective> {
        let _ = content;
        self.objectives().first()
    }

    /// The name of what is minimised under resolved settings on an instance with this objective: different fitness functions are never
    /// compared. If the name is that of the objective, the fitness is the objective.
    fn fitness(&self, settings: &Settings, objective: Option<&Objective>) -> String {
        let _ = settings;
        objective.map_or("fitness", |objective| objective.name).to_owned()
    }

    /// The preparation of an instance under these settings before a search begins, if there is any: work that the search does not count. It
    /// becomes part of the unit of work, `evaluations after propagation`, so that searches with and without it are compared only by success
    /// and time.
    fn preparation(&self, settings: &Settings) -> Option<&'static str> {
        let _ = settings;
        None
    }

    /// A small instance, from which follows what the problems of the family offer; without one they are taken to offer nothing.
    fn sample(&self) -> Option<Box<dyn Instance>> {
        None
    }

    /// What its problems offer under resolved settings.
    fn offers(&self, settings: &Settings) -> Vec<Capability> {
        self.sample().map_or_else(Vec::new, |instance| instance.prepare(settings).offers())
    }

    /// The names of its constructions, each with a line of documentation: values of a setting such as `start`.
    fn constructions(&self) -> Vec<(&'static str, &'static str)> {
        let settings = defaults(self.declaration().parameters);
        self.sample().map_or_else(Vec::new, |instance| instance.prepare(&settings).construction_names())
    }

    /// Presets: published settings by name, each the text of a TOML file. The first is the default of `runner solve`.
    fn presets(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// A small first experiment, for `runner init`.
    fn first_experiment(&self) -> Option<FirstExperiment> {
        None
    }

    /// How instances are generated, if they can be.
    fn generator(&self) -> Option<&'static Generator> {
        None
    }

    /// Published instances that can be generated from their seeds.
    fn published_sets(&self) -> &'static [PublishedSet] {
        &[]
    }

    /// The measures of difficulty by which its instances are [rated](Instance::rate), and their help text; `None` if instances are not
    /// rated.
    fn measures(&self) -> Option<Measures> {
        None
    }

    /// Worked examples: what its source documents print of an instance or an operator, recomputed.
    fn examples(&self, _operators: &Operators) -> Vec<WorkedExample> {
        Vec::new()
    }

    /// JavaScript for the report: an expression whose value is a function from the content of an instance to a DOM node, or to `null` if it
    /// cannot draw it.
    fn page_drawing(&self) -> Option<&'static str> {
        None
    }
}

/// A small experiment on a family, which runs in seconds: a first example for a new user.
#[derive(Clone, Copy, Debug)]
pub struct FirstExperiment {
    /// The text of the TOML file; `{name}` in it stands for the experiment's name.
    pub experiment: &'static str,
    /// The files that it reads: the path of each, from the experiment's folder, with `/` between its parts, and its text.
    pub files: &'static [(&'static str, &'static str)],
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
    /// Whether the terminal's table shows it, too.
    pub is_in_table: bool,
    /// Whether it is a number, which is right-aligned.
    pub is_number: bool,
}

/// A size of the instances of a family.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Its name, a letter or a word: `n`.
    pub name: &'static str,
    /// One line of what it counts.
    pub doc: &'static str,
}

/// A form of files.
#[derive(Clone, Copy, Debug)]
pub struct FileForm {
    /// How their names end, without the dot: `dat`.
    pub extension: &'static str,
    /// One line of what stands in them.
    pub doc: &'static str,
}
