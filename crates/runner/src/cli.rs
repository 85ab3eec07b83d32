//! The command line.

mod plot;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use evogrid_results::table;

pub use plot::{ChartFormat, ChartName, Effort, PlotArgs};

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
    /// Compare every two settings: effect sizes, intervals, tests, and a sentence for each
    Compare(CompareArgs),
    /// Draw the charts of an experiment's results
    Plot(PlotArgs),
    /// Write results for other programs: IOHprofiler's readers, data frames
    Export(ExportArgs),
    /// List algorithms, operators, problems and presets with their parameters
    List(ListArgs),
    /// Make boards that have exactly one solution, as CSV
    Generate(GenerateArgs),
    /// Solve one board, watched if you like; or repeat one run of an experiment by its seed
    Solve(SolveArgs),
    /// Say how hard boards are: givens, logic, guesses of an exact search, evaluations of a reference search
    Rate(RateArgs),
    /// Write one HTML page with everything: tables, tests, charts, every instance
    Report(ReportArgs),
    /// Do one run of a results folder again, and say whether it comes out the same
    Replay(ReplayArgs),
    /// Try what papers claim, and write a page that says of each claim whether it holds
    Reproduce(ReproduceArgs),
    /// Print the JSON schema of experiment files, for editors that complete and check
    Schema,
    /// Print what a shell needs to complete this command line
    Completions(CompletionsArgs),
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

/// What is compared.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// A results folder, or a CSV with the columns of runs.csv; `algorithm`, `instance` and `solved` are enough
    pub results: PathBuf,
    /// The figure: solved, best_fitness, evaluations, generations, restarts, wall_ms, or `diversity@N` of a trace
    #[arg(long, value_name = "NAME", default_value = "solved")]
    pub metric: String,
    /// What tells the settings apart: `algorithm` or a varied setting. May be given several times; all of them unless given
    #[arg(long, value_name = "KEY")]
    pub by: Vec<String>,
    /// How it is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// What is exported.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// A results folder, or a CSV with the columns of runs.csv; for ioh `algorithm`, `instance`, `solved` and `evaluations` are
    /// enough
    pub results: PathBuf,
    /// How it is written
    #[arg(long, value_enum)]
    pub format: ExportFormat,
    /// A folder that is not there yet; `RESULTS/ioh` or `RESULTS/parquet` unless given
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Formats of exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// For IOHanalyzer and iohinspector: a folder for each setting, a function for each instance
    Ioh,
    /// runs.parquet and trace.parquet, with typed columns
    Parquet,
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
#[command(after_long_help = GENERATED)]
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
    /// Make each number of the range a bucket of its own: `--givens 20-45 --each` has the buckets 20, 21, ..., 45
    #[arg(long, requires = "givens", conflicts_with = "buckets")]
    pub each: bool,
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

const GENERATED: &str = "\
Givens are taken away from random full boards for as long as the solution stays
unique. At 9x9 that gets to 22 givens, sometimes to 21. Where it is stuck, on
sides up to 9, a walk goes on: one given is exchanged for another cell of the
solution, and others are tried for being taken away. It gets to 20 in half a
second, to 19 in seconds; what it does not reach is given up after some 20
seconds a board. Boards of the walk are not drawn as the others are. Where there
are any, the column `made` says which they are: `dug` or `walked`.

Columns of the CSV:
  id      the bucket and the number in it; with a `g` before it with --each
  bucket  the bucket; `givens-28-30` for --givens 28-30, `28` with --each
  puzzle  the board in one line
  box     shape of a box; where the board's side is no square
  made    how it was made; where some were walked";

/// Which board is solved, and how.
#[derive(Debug, Args)]
pub struct SolveArgs {
    /// The board in one line or as a grid; or a file with a board, a board a line, or a CSV data set; `-` for standard input
    #[arg(value_name = "BOARD|FILE")]
    pub board: String,
    /// Which board of a data set (its id), or of a file with a board a line (its line)
    #[arg(long, value_name = "ID")]
    pub id: Option<String>,
    /// A preset, or an algorithm with its default settings
    #[arg(long, value_name = "NAME", default_value = "mccaffrey")]
    pub algorithm: String,
    /// Set a value over the preset's, by dotted path: `accept=better-or-equal`, `budget.restarts=0`. May be given several
    /// times
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub sets: Vec<String>,
    /// The run's seed: the same settings, board and seed give the same run. A seed of `runs.csv` repeats that run
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 53))]
    pub seed: u64,
    /// Show the best board as the search goes on; a line for each improvement where standard error is no terminal
    #[arg(long)]
    pub watch: bool,
    /// At most so many generations a second, so that one can follow; the times are then no measure of anything
    #[arg(long, value_name = "N", requires = "watch", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub pace: Option<u32>,
    /// Shape of a box, rows x columns, where the side is no square: `2x3`
    #[arg(long = "box", value_name = "RxC")]
    pub shape: Option<String>,
    /// Write every step of a backtracking search to this CSV: `counter,options,cell,value`, value 9999 at a dead end, 0 where
    /// a cell is set back
    #[arg(long, value_name = "FILE.csv")]
    pub history: Option<PathBuf>,
    /// Tell every step of a backtracking search
    #[arg(long, conflicts_with_all = ["watch", "quiet"])]
    pub steps: bool,
    /// Print the board only
    #[arg(long, short, conflicts_with = "watch")]
    pub quiet: bool,
}

/// Which boards are rated.
#[derive(Debug, Args)]
#[command(after_long_help = RATED)]
pub struct RateArgs {
    /// A CSV data set, a file with a board a line, or with one board; `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Shape of a box, rows x columns, where the side is no square: `2x3`
    #[arg(long = "box", value_name = "RxC")]
    pub shape: Option<String>,
    /// Boards rated at a time; as many as there are cores unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub jobs: Option<u16>,
    /// Runs of the reference search on each board
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
    /// Comma-separated: a data set again, with a bucket for each board
    Csv,
}

/// What is reported.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// A results folder, or a CSV with the columns of runs.csv; `algorithm`, `instance` and `solved` are enough
    pub results: PathBuf,
    /// The page; `report.html` in the folder unless given
    #[arg(long, value_name = "FILE.html")]
    pub out: Option<PathBuf>,
    /// Published figures to show beside ours
    #[arg(long, value_name = "PUBLISHED.csv")]
    pub against: Option<PathBuf>,
}

/// Which run is done again.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// A results folder
    pub results: PathBuf,
    /// The run: its `run_id`, or its number in `runs.csv`
    pub run: String,
}

/// Which claims are tried.
#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// Files of claims, one a paper
    #[arg(value_name = "CLAIMS.toml", required = true)]
    pub claims: Vec<PathBuf>,
    /// The quick form: fewer runs, as the files of claims say; its results stand apart, in the folder `quick`
    #[arg(long)]
    pub quick: bool,
    /// Write the page to this file; to standard output unless given
    #[arg(long, value_name = "FILE.md")]
    pub page: Option<PathBuf>,
    /// Folder for the results of the experiments, a folder for each
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub results: PathBuf,
    /// Runs at a time; as many as there are cores unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub jobs: Option<u16>,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

const RATED: &str = "\
The reference search is combinatorial evolution (McCaffrey 2016) with his 200
organisms, 5000 generations and 20 restarts, but accepting equal moves. Its
seeds hang on the board and the number of the run, so a rating is always the
same.

Columns of the CSV, which is a data set again:
  id                  the id in the file, or the number of the line
  bucket              by the number of givens: easy, medium, hard or expert, as
                      `generate` makes them; `medium-hard` between two of them,
                      `beyond-expert` below the last
  puzzle              the board in one line
  box                 shape of a box; where a board's side is no square
  labelled            the bucket that the file gives; where it has any
  givens              cells with a digit
  solutions           1; 0 or 2 (two or more) for a board that is no proper one;
                      empty where the exact search gave up
  logic               what solves it: `naked` singles, `hidden` singles with
                      them, or `search`
  forced              free cells that singles fill; empty where they find the
                      board impossible
  guesses             of the exact search, until it knows how many solutions
                      there are; 0 where logic is enough
  runs, solved        of the reference search: how many, and how many solved it
  median_evaluations  over those runs, an unsolved one counted as longer than
                      any; empty where it is the median";

/// For which shell.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}
