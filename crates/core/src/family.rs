//! Families of problems. A family reads, generates and rates its instances, makes drawings of them, and checks solutions. The rest of the
//! program knows a family only through the methods of the trait [`Family`]. If a command needs a method that the family does not define,
//! the command reports an error.

pub mod example;
mod generator;
mod instance;
mod objective;

use crate::family::example::WorkedExample;
use crate::settings::{AddedNames, Capability, Declaration, Operators, Settings, defaults};

pub use crate::direction::Direction;
pub use generator::{
    GeneratedField, GeneratedInstance, Generator, GeneratorRequest, OptionDeclaration, OptionError, PublishedInstance,
    PublishedSet, RequestOptions,
};
pub use instance::{FileInstance, Instance, InstanceError, InstancePart, Marks, Options, Rating, Room};
pub use objective::{BestKnown, BestKnownStatus, MeasureFunction, Objective, ObjectiveSource};

/// A family of problems.
///
/// A family must define all methods that have no default implementation. Methods with a default implementation are optional.
pub trait Family: Send + Sync {
    /// The name of the family, its description and its settings.
    fn declaration(&self) -> &'static Declaration;

    /// The word that messages use for an instance, such as `board` or `tour`.
    fn noun(&self) -> &'static str {
        "instance"
    }

    /// The name of the column that contains the text of an instance in a data set.
    fn text_column(&self) -> &'static str;

    /// The additional [`Options`] that an instance may have.
    fn options(&self) -> &'static [OptionDeclaration] {
        &[]
    }

    /// Reads an instance from its text.
    ///
    /// # Errors
    /// Returns an error if the text is not an instance of the family. The error says which part of the text is wrong, and why.
    fn read(&self, text: &str, options: &Options) -> Result<Box<dyn Instance>, InstanceError>;

    /// Reads an instance from its [canonical text](Instance::content), which a results folder stores. By default this method calls
    /// [`read`](Self::read) without options.
    ///
    /// # Errors
    /// Returns the same errors as [`read`](Self::read).
    fn restore(&self, content: &str) -> Result<Box<dyn Instance>, InstanceError> {
        self.read(content, &Options::new())
    }

    /// The sizes of the family's instances. Limits can grow with these sizes: `evaluations = { per = "n*n", times = 100 }`. For each of
    /// these sizes, every instance has a [value](Instance::sizes).
    fn sizes(&self) -> &'static [Size] {
        &[]
    }

    /// Whether solutions are genomes. If solutions are not genomes, a run needs a [search that returns
    /// texts](crate::catalogue::Catalogue::add_text_search).
    fn has_genomes(&self) -> bool {
        true
    }

    /// Whether the extra columns of a data set belong to the instance. The extra columns are all columns without another meaning. For
    /// example, the columns `id`, `bucket` and `best_known` are not extra columns. If the result is true, [`read`](Self::read) receives the
    /// extra columns as options. The data set of such a family needs no separate column with the text of the instance. Instances may also
    /// have sizes that the family does not declare.
    fn takes_columns(&self) -> bool {
        false
    }

    /// The file formats that [`read_file`](Self::read_file) reads in addition to CSV.
    fn file_forms(&self) -> &'static [FileForm] {
        &[]
    }

    /// Reads a file in the family's own format. For every instance, the method calls `each`. The argument of `each` is the instance, or an
    /// error if the instance is invalid. The error gives the faulty [bytes](InstanceError::bytes) as a range of the file's text. By default
    /// the text of the file is a single instance.
    fn read_file(&self, text: &str, options: &Options, each: &mut dyn FnMut(Result<FileInstance, InstanceError>)) {
        let whole = |instance| FileInstance { id: None, line: 1, best_known: None, instance };
        each(self.read(text, options).map(whole));
    }

    /// The measures of the quality of solutions. The family computes the quality measures independently of the search. If the list is
    /// empty, only the search reports the quality of a solution. If there are several measures, an option of the instance selects one of
    /// them.
    fn objectives(&self) -> &'static [Objective] {
        &[]
    }

    /// The objective of the instance with this [canonical text](Instance::content). By default the result is the first
    /// [objective](Self::objectives) of the family.
    fn objective(&self, content: &str) -> Option<Objective> {
        let _ = content;
        self.objectives().first().cloned()
    }

    /// Returns the name of the fitness function for an instance with this objective. The settings, which must be resolved, choose the
    /// fitness function. The program never compares the values of two fitness functions with different names. If the function is maximised,
    /// its name has a [mark](Direction::marked). If the fitness function equals the objective, the function has the
    /// [name](Objective::fitness_name) of the objective.
    fn fitness(&self, settings: &Settings, objective: Option<&Objective>) -> String {
        let _ = settings;
        objective.map_or_else(|| "fitness".to_owned(), Objective::fitness_name)
    }

    /// The direction of the objective of the instance with this [canonical text](Instance::content).
    fn direction(&self, content: &str) -> Direction {
        self.objective(content).map_or(Direction::Minimise, |objective| objective.direction)
    }

    /// The name of the work that prepares an instance before the search, such as propagation. The result is `None` if the settings choose
    /// no preparation. The work of the preparation is not counted. The name of the preparation becomes part of the work unit: `evaluations
    /// after propagation`. A search with a preparation and a search without one are compared only by success and time.
    fn preparation(&self, settings: &Settings) -> Option<&'static str> {
        let _ = settings;
        None
    }

    /// A small sample instance. With the same settings, the problem of the sample instance must offer the same [capabilities](Capability) as
    /// every problem of the family. The result is `None` if the problems of the family offer no capabilities.
    fn sample(&self) -> Option<Box<dyn Instance>> {
        None
    }

    /// The capabilities that the family's problems offer with these resolved settings.
    fn offers(&self, settings: &Settings) -> Vec<Capability> {
        self.sample().map_or_else(Vec::new, |instance| instance.prepare(settings).offers())
    }

    /// The names that the family adds to the values of settings such as `start` and `neighbourhood`. Each name has one line of
    /// documentation.
    fn added_names(&self, added: AddedNames) -> Vec<(&'static str, &'static str)> {
        let settings = defaults(self.declaration().parameters);
        self.sample().map_or_else(Vec::new, |instance| instance.prepare(&settings).added_names(added))
    }

    /// The presets: published settings that have a name. Each preset gives its settings as the text of a TOML file. The first preset is the
    /// default of `runner solve`.
    fn presets(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// A small first experiment, which `runner init` writes.
    fn first_experiment(&self) -> Option<FirstExperiment> {
        None
    }

    /// A small first experiment for tuning, which `runner init --tune` writes.
    fn first_tuning(&self) -> Option<FirstExperiment> {
        None
    }

    /// The generator of instances, if the family has one.
    fn generator(&self) -> Option<&'static Generator> {
        None
    }

    /// Sets of published instances that the program can generate from their seeds.
    fn published_sets(&self) -> &'static [PublishedSet] {
        &[]
    }

    /// The difficulty measures of [`rate`](Instance::rate), with their help text. `None` if instances cannot be rated.
    fn measures(&self) -> Option<Measures> {
        None
    }

    /// The worked examples. A worked example is a calculation that is printed in a source document. Evogrid repeats this calculation and
    /// compares the results.
    fn examples(&self, _operators: &Operators) -> Vec<WorkedExample> {
        Vec::new()
    }

    /// JavaScript that draws solutions, for example in the report. The script is an expression whose value is a function. The function
    /// receives the texts of an instance and a solution. The solution may be `null`. The function returns the text of an SVG picture with a
    /// `viewBox`. If a picture is impossible, the function returns `null`. The function must not use `document`. The function must escape
    /// all text in the picture.
    fn drawing(&self) -> Option<&'static str> {
        None
    }
}

/// A small first experiment on a family, for new users. The experiment takes only a few seconds.
#[derive(Clone, Copy, Debug)]
pub struct FirstExperiment {
    /// The text of the experiment file in TOML. The name of the experiment replaces `{name}` in the text.
    pub experiment: &'static str,
    /// The paths and the texts of the files that the experiment reads. A path is relative to the experiment's folder, with `/` between its
    /// parts.
    pub files: &'static [(&'static str, &'static str)],
}

/// The measures by which the instances of a family are rated.
#[derive(Clone, Copy, Debug)]
pub struct Measures {
    /// The measures, in the order of their columns.
    pub measures: &'static [Measure],
    /// An explanation of the columns. The help text of the command that rates instances contains this explanation.
    pub help: &'static str,
}

/// One measure of difficulty.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// The name of the column.
    pub name: &'static str,
    /// Whether the table on the terminal shows the measure.
    pub is_in_table: bool,
    /// Whether the values of the measure are numbers. Numbers are right-aligned.
    pub is_number: bool,
}

/// A size of the instances of a family.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// The name of the size. The name is a letter or a word, for example `n`.
    pub name: &'static str,
    /// The meaning of the size, described in one line.
    pub doc: &'static str,
}

/// A file format of a family.
#[derive(Clone, Copy, Debug)]
pub struct FileForm {
    /// The file extension, without the dot: `dat`.
    pub extension: &'static str,
    /// The content of a file in this format, described in one line.
    pub doc: &'static str,
}
