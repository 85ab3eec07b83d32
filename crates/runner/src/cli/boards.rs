//! Options of the commands that make, solve and rate boards.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

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
