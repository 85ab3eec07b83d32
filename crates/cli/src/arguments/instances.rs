//! Options of the commands that make, solve and rate instances of a family. What the family itself declares is added to them.

use std::path::PathBuf;

use clap::{ArgAction, ArgMatches, Args, ValueEnum};
use evogrid_core::family::{Family, OptionDeclaration, Options, RequestOptions};

/// Which family instances are of, and how they are read.
#[derive(Debug, Args)]
pub struct InstanceArgs {
    /// Family of problems that the instances are of; unless given, the one that a file tells by its columns, extension or content,
    /// else the first of `runner list problems`
    #[arg(long, value_name = "FAMILY")]
    pub problem: Option<String>,
    /// The family's own options.
    #[arg(skip)]
    pub options: Options,
}

/// Which instances are made.
#[derive(Debug, Args)]
pub struct GenerateArgs {
    /// Family of problems; the first of `runner list problems` unless given. Its options stand below
    #[arg(value_name = "FAMILY")]
    pub family: Option<String>,
    /// The family's own options.
    #[arg(skip)]
    pub options: RequestOptions,
    /// Instances of each bucket
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub count: u32,
    /// All instances follow from it
    #[arg(long, value_name = "S")]
    pub seed: u64,
    /// Instances made at a time; as many as there are cores unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub jobs: Option<u16>,
}

/// Which instance is solved, and how.
#[derive(Debug, Args)]
pub struct SolveArgs {
    /// The instance, written out; or a file with one, one a line, or a CSV data set; `-` for standard input
    #[arg(value_name = "INSTANCE|FILE")]
    pub instance: String,
    /// How it is read.
    #[command(flatten)]
    pub instances: InstanceArgs,
    /// Which instance of a data set (its id), or of a file with one a line (its line)
    #[arg(long, value_name = "ID")]
    pub id: Option<String>,
    /// A preset, or an algorithm with its default settings; the family's first preset unless given
    #[arg(long, value_name = "NAME")]
    pub algorithm: Option<String>,
    /// Set a value over the preset's, by dotted path: `accept=better-or-equal`, `budget.restarts=0`. May be given several
    /// times
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub sets: Vec<String>,
    /// The run's seed: the same settings, instance and seed give the same run. A seed of `runs.csv` repeats that run
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 53))]
    pub seed: u64,
    /// Show the best solution as the search goes on; a line for each improvement where standard error is not a terminal
    #[arg(long)]
    pub watch: bool,
    /// At most so many generations a second, so that one can follow; the times are then no measure of anything
    #[arg(long, value_name = "N", requires = "watch", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub pace: Option<u32>,
    /// Write every step of a backtracking search to this CSV: `counter,options,cell,value`, value 9999 at a dead end, 0 where
    /// a cell is set back
    #[arg(long, value_name = "FILE.csv")]
    pub history: Option<PathBuf>,
    /// Tell every step of a backtracking search
    #[arg(long, conflicts_with_all = ["watch", "quiet"])]
    pub steps: bool,
    /// Print the solution only
    #[arg(long, short, conflicts_with = "watch")]
    pub quiet: bool,
}

/// Which instances are rated.
#[derive(Debug, Args)]
pub struct RateArgs {
    /// A CSV data set, a file with an instance a line, or with one; `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: String,
    /// How they are read.
    #[command(flatten)]
    pub instances: InstanceArgs,
    /// Instances rated at a time; as many as there are cores unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub jobs: Option<u16>,
    /// Runs of the reference search on each instance
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub runs: u16,
    /// How the ratings are written
    #[arg(long, value_enum, default_value_t = RateFormat::Text)]
    pub format: RateFormat,
}

/// Formats of ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RateFormat {
    /// For the terminal
    Text,
    /// Comma-separated: a data set again, with a bucket for each instance
    Csv,
}

/// How instances are rated, and what the columns mean.
fn rating_help(measures: &str) -> String {
    format!(
        "\
The reference search is combinatorial evolution (McCaffrey 2016) with his 200
organisms, 5000 generations and 20 restarts, but accepting equal moves. Its
seeds depend on the instance and the number of the run, so a rating is always
the same.

Columns of the CSV, which is a data set again:
  id                  the id in the file, or the number of the line
  labelled            the bucket that the file gives; where it has any
{measures}
  runs, solved        of the reference search: how many, and how many solved it
  median_evaluations  over those runs, an unsolved one counted as longer than
                      any; empty where it is the median"
    )
}

/// Adds what a family declares to the commands of this file.
pub(super) fn add_family(command: clap::Command, family: &dyn Family) -> clap::Command {
    let reading = |command: clap::Command| command.args(family.options().iter().map(argument));
    let command = command.mut_subcommand("solve", reading).mut_subcommand("rate", |command| {
        let help = family.measures().map(|measures| rating_help(measures.help)).unwrap_or_default();
        reading(command).after_long_help(help)
    });
    match family.generator() {
        Some(generator) => command.mut_subcommand("generate", |command| {
            command.args(generator.options.iter().map(argument)).after_long_help(generator.help)
        }),
        None => command,
    }
}

/// An option of a family as an argument of the command line.
fn argument(option: &OptionDeclaration) -> clap::Arg {
    let argument = clap::Arg::new(option.name).long(option.name).help(option.doc).conflicts_with_all(option.conflicts);
    let argument = match (option.placeholder, option.is_repeated) {
        (None, _) => argument.action(ArgAction::SetTrue),
        (Some(placeholder), false) => argument.action(ArgAction::Set).value_name(placeholder),
        (Some(placeholder), true) => argument.action(ArgAction::Append).value_name(placeholder),
    };
    let argument = match option.requires {
        Some(other) => argument.requires(other),
        None => argument,
    };
    match option.default {
        Some(default) => argument.default_value(default),
        None => argument,
    }
}

/// The options of a family that were given, or have a default.
pub(super) fn given(options: &'static [OptionDeclaration], matches: &ArgMatches) -> RequestOptions {
    let values = |option: &OptionDeclaration| match option.placeholder {
        None => matches.get_flag(option.name).then(Vec::new),
        Some(_) => Some(matches.get_many::<String>(option.name)?.cloned().collect()),
    };
    options.iter().filter_map(|option| Some((option.name, values(option)?))).collect()
}
