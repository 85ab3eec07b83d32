//! Arguments of `runner generate`, `solve` and `rate`. The family of the instances adds the options that it declares.

use std::path::PathBuf;

use clap::builder::{Resettable, Str};
use clap::{ArgAction, ArgMatches, Args, Id, ValueEnum};
use evogrid_core::family::{Family, OptionDeclaration, Options, RequestOptions};

/// The family of the instances, and the options that the family needs to read instances.
#[derive(Debug, Args)]
pub struct InstanceArgs {
    /// Family of the instances. By default, the file's columns, extension or content identify the family. If the argument for the instance
    /// is not a file, the family is the first family of `runner list problems`
    #[arg(long, value_name = "FAMILY")]
    pub problem: Option<String>,
    /// The options that the family declares.
    #[arg(skip)]
    pub options: Options,
}

/// The arguments of `generate`.
#[derive(Debug, Args)]
pub struct GenerateArgs {
    /// Problem family; by default the first family of `runner list problems`. The options of the family are listed below
    #[arg(value_name = "FAMILY")]
    pub family: Option<String>,
    /// The options that the family declares.
    #[arg(skip)]
    pub options: RequestOptions,
    /// Number of instances of each bucket
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub count: u32,
    /// Seed of the generator. The same options and seed generate the same instances
    #[arg(long, value_name = "S")]
    pub seed: u64,
    /// Number of instances to generate at the same time; by default the number of cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub jobs: Option<u16>,
}

/// The arguments of `solve`.
#[derive(Debug, Args)]
pub struct SolveArgs {
    /// The instance as text, a file, or `-` for standard input. A file contains a single instance, a list with one instance per line, or a
    /// CSV data set
    #[arg(value_name = "INSTANCE|FILE")]
    pub instance: String,
    /// The family of the instance, and the options that the family needs to read the instance.
    #[command(flatten)]
    pub instances: InstanceArgs,
    /// Selects an instance of the file. If the file is a data set, give the id of the instance. If the file is not a data set, give the
    /// number of the line that contains the instance
    #[arg(long, value_name = "ID")]
    pub id: Option<String>,
    /// A preset, or an algorithm with default settings; by default the family's first preset
    #[arg(long, value_name = "NAME")]
    pub algorithm: Option<String>,
    /// Replace a value of the preset. Give the dotted path of the value and the new value: `accept=better-or-equal`, `budget.restarts=0`.
    /// May be given several times
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub sets: Vec<String>,
    /// Seed of the run. The same settings, instance and seed give the same run. To repeat a run of an experiment, give the seed from the row
    /// of this run in `runs.csv`
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 53))]
    pub seed: u64,
    /// Show the best solution while the search runs. If standard error is not a terminal, print a line for each improvement
    #[arg(long)]
    pub watch: bool,
    /// Slow the search down to at most N generations per second. If a run was slowed down, its measured times have no meaning
    #[arg(long, value_name = "N", requires = "watch", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub pace: Option<u32>,
    /// Write every step of a backtracking search to this CSV file, with the columns `counter,options,cell,value`. `value` is 9999 at a dead
    /// end, and 0 if a cell is emptied again
    #[arg(long, value_name = "FILE.csv")]
    pub history: Option<PathBuf>,
    /// Print every step of a backtracking search
    #[arg(long, conflicts_with_all = ["watch", "quiet"])]
    pub steps: bool,
    /// Print only the solution
    #[arg(long, short, conflicts_with = "watch")]
    pub quiet: bool,
}

/// The arguments of `rate`.
#[derive(Debug, Args)]
pub struct RateArgs {
    /// A CSV data set, a file with one instance, or a file with one instance per line; `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: String,
    /// The family of the instances, and the options that the family needs to read instances.
    #[command(flatten)]
    pub instances: InstanceArgs,
    /// Number of instances to rate at the same time; by default the number of cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub jobs: Option<u16>,
    /// Number of runs of the reference search on each instance
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub runs: u16,
    /// Format of the ratings
    #[arg(long, value_enum, default_value_t = RateFormat::Text)]
    pub format: RateFormat,
}

/// Formats of ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RateFormat {
    /// For the terminal
    Text,
    /// The data set as CSV, with a bucket for each instance
    Csv,
}

/// The explanation of the ratings and of their columns.
const RATING: &str = include_str!("rating.txt");

/// Adds the options of a family to the commands of this file.
pub(super) fn add_family(command: clap::Command, family: &dyn Family) -> clap::Command {
    let reading = |command: clap::Command| command.args(family.options().iter().map(argument));
    let command = command.mut_subcommand("solve", reading).mut_subcommand("rate", |command| {
        let help = family.measures().map(|measures| RATING.replace("{measures}", measures.help)).unwrap_or_default();
        reading(command).after_long_help(help)
    });
    match family.generator() {
        Some(generator) => command.mut_subcommand("generate", |command| {
            command.args(generator.options.iter().map(argument)).after_long_help(generator.help)
        }),
        None => command,
    }
}

/// Declares an option of a family as an argument of the command line.
fn argument(option: &OptionDeclaration) -> clap::Arg {
    let action = match (option.placeholder, option.is_repeated) {
        (None, _) => ArgAction::SetTrue,
        (Some(_), false) => ArgAction::Set,
        (Some(_), true) => ArgAction::Append,
    };
    let argument = clap::Arg::new(option.name).long(option.name).help(option.doc).action(action);
    let argument =
        argument.conflicts_with_all(option.conflicts).requires(Resettable::from(option.requires.map(Id::from)));
    argument.value_name(Resettable::from(option.placeholder.map(Str::from))).default_value(option.default)
}

/// The options of the family that were given or have a default.
pub(super) fn given(options: &'static [OptionDeclaration], matches: &ArgMatches) -> RequestOptions {
    let values = |option: &OptionDeclaration| match option.placeholder {
        None => matches.get_flag(option.name).then(Vec::new),
        Some(_) => Some(matches.get_many::<String>(option.name)?.cloned().collect()),
    };
    options.iter().filter_map(|option| Some((option.name, values(option)?))).collect()
}
