//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use evogrid_results::table;

/// Parallel experiments on metaheuristics: one TOML file from question to figure
#[derive(Debug, Parser)]
#[command(name = "runner", version, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What the runner can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run an experiment, or what is left of it, and print its table
    Run(RunArgs),
    /// Check an experiment and all that it names, and do nothing
    Check(ExperimentArgs),
    /// Say how many runs an experiment has and how long they will take
    Plan(PlanArgs),
    /// Print the table of an experiment's results
    Table(TableArgs),
    /// List algorithms, operators, problems and presets with their parameters
    List(ListArgs),
    /// Make boards that have exactly one solution, as CSV
    Generate(GenerateArgs),
}

/// An experiment file and what is laid over it.
#[derive(Debug, Args)]
pub struct ExperimentArgs {
    /// The experiment file
    #[arg(value_name = "EXPERIMENT.toml")]
    pub experiment: PathBuf,
    /// Set a value over the file's, by dotted path: `experiment.repetitions=2`, or a setting of all algorithms:
    /// `population=50` (which is then no longer varied). May be given several times
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub sets: Vec<String>,
}

/// How an experiment is run.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// What to run.
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    /// Folder for the results; `results/NAME` unless given
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Runs at a time; as many as there are cores unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub jobs: Option<u16>,
    /// Begin anew: set the journal of earlier runs aside
    #[arg(long)]
    pub fresh: bool,
    /// Show no progress and no table
    #[arg(long, short)]
    pub quiet: bool,
}

/// What is planned.
#[derive(Debug, Args)]
pub struct PlanArgs {
    /// What would be run.
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    /// Runs at a time, for the estimate
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub jobs: Option<u16>,
}

/// How a table is printed.
#[derive(Debug, Args)]
pub struct TableArgs {
    /// A results folder, or a CSV with the columns of runs.csv or summary.csv
    pub results: PathBuf,
    /// How it is laid out
    #[arg(long, value_enum, default_value_t = Layout::Buckets)]
    pub layout: Layout,
    /// How it is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Published figures to show beside ours
    #[arg(long, value_name = "PUBLISHED.csv")]
    pub against: Option<PathBuf>,
}

/// Layouts of a table.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Layout {
    /// A block for each cell, a row for each bucket
    Buckets,
    /// A row for each cell and bucket, with every column
    Long,
}

/// Formats of a table.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Format {
    /// For the terminal, 80 columns
    Text,
    /// Comma-separated
    Csv,
    /// For a page
    Markdown,
    /// For a paper, with booktabs
    Latex,
}

impl From<Layout> for table::Layout {
    fn from(layout: Layout) -> Self {
        match layout {
            Layout::Buckets => table::Layout::Buckets,
            Layout::Long => table::Layout::Long,
        }
    }
}

impl From<Format> for table::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Text => table::Format::Text,
            Format::Csv => table::Format::Csv,
            Format::Markdown => table::Format::Markdown,
            Format::Latex => table::Format::Latex,
        }
    }
}

/// What is listed.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Everything unless given
    #[arg(value_enum)]
    pub what: Option<Listed>,
}

/// What can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Listed {
    /// Search algorithms
    Algorithms,
    /// Operators, by family
    Operators,
    /// Kinds of problem
    Problems,
    /// Published settings
    Presets,
}

/// Which boards are made.
#[derive(Debug, Args)]
pub struct GenerateArgs {
    /// Side of the board
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u8).range(2..=25))]
    pub size: u8,
    /// Shape of a box, rows x columns, where the side is no square: `2x3`
    #[arg(long = "box", value_name = "RxC")]
    pub shape: Option<String>,
    /// Bucket of difficulty: easy, medium, hard or expert. May be given several times
    #[arg(long = "bucket", value_name = "NAME", conflicts_with = "givens")]
    pub buckets: Vec<String>,
    /// Number of givens, or a range of it: `28` or `28-30`
    #[arg(long, value_name = "N")]
    pub givens: Option<String>,
    /// Boards of each bucket
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub count: u32,
    /// All boards follow from it
    #[arg(long, value_name = "S")]
    pub seed: u64,
    /// Boards made at a time; as many as there are cores unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub jobs: Option<u16>,
}
