//! The command line of `runner table`.

use clap::{Args, ValueEnum};
use evogrid_analysis::{cross, table};
use evogrid_runner::system::terminal::output_width;

use super::{AnalysisOptions, TableOutput};

/// The arguments of `table`.
#[derive(Debug, Args)]
pub struct TableArgs {
    /// The results, and how they are shown.
    #[command(flatten)]
    pub analysis: AnalysisOptions,
    /// The layout of the table
    #[arg(long, value_enum, default_value_t = Layout::Buckets)]
    pub layout: Layout,
    /// A key whose values stand down the table, as papers print it: `bucket`, `instance`, `algorithm` or a varied setting; with `--columns`
    /// `bucket` unless given. May be given several times
    #[arg(long = "rows", value_name = "KEY", conflicts_with = "layout")]
    pub down: Vec<String>,
    /// A key whose values stand across the table; with `--rows` all that tells configurations apart unless given. May be given several
    /// times. Or `all`: every column of the layout of buckets, not at most eight
    #[arg(long = "columns", value_name = "KEY", conflicts_with = "layout")]
    pub across: Vec<String>,
    /// What stands beside each figure of a table with `--rows` or `--columns`
    #[arg(long, value_enum, default_value_t = Show::Interval)]
    pub show: Show,
    /// Sort configurations: `best` by the metric, or by a column of summary.csv, `-` before its name for the largest first; with `--top`
    /// `best` unless given
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    pub sort: Option<String>,
    /// How it is written.
    #[command(flatten)]
    pub output: TableOutput,
}

impl TableArgs {
    /// Whether keys stand down and across.
    pub fn is_cross(&self) -> bool {
        !self.down.is_empty() || !self.across.is_empty() && !self.has_all_columns()
    }

    /// Whether the layout of buckets has all its columns.
    pub fn has_all_columns(&self) -> bool {
        self.across == ["all"]
    }
}

/// Layouts of a table.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Layout {
    /// A block for each configuration, a row for each bucket
    Buckets,
    /// A row for each configuration and bucket, with every column
    Long,
}

impl From<Layout> for table::Layout {
    fn from(layout: Layout) -> Self {
        match layout {
            Layout::Buckets => table::Layout::Buckets,
            Layout::Long => table::Layout::Long,
        }
    }
}

/// What stands beside a figure.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Show {
    /// Its 95 % interval
    Interval,
    /// The standard deviation of the runs, beside their mean
    Sd,
    /// The quartiles of the runs, beside their median
    Quartiles,
    /// Of `--metric evaluations`: the expected running time (ERT) with its interval, and solved of all runs
    Ert,
    /// Nothing
    None,
}

impl From<Show> for cross::Spread {
    fn from(show: Show) -> Self {
        match show {
            Show::Interval => Self::Interval,
            Show::Sd => Self::Deviation,
            Show::Quartiles => Self::Quartiles,
            Show::Ert => Self::Expected,
            Show::None => Self::None,
        }
    }
}

/// Formats of a table.
#[derive(Clone, Copy, Debug, ValueEnum, PartialEq, Eq)]
pub enum Format {
    /// For a terminal, as wide as the terminal is; 80 columns elsewhere
    Text,
    /// Comma-separated
    Csv,
    /// For a page
    Markdown,
    /// For a paper; needs the LaTeX packages array and booktabs
    Latex,
}

impl From<Format> for table::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Text => table::Format::Text { width: output_width() },
            Format::Csv => table::Format::Csv,
            Format::Markdown => table::Format::Markdown,
            Format::Latex => table::Format::Latex,
        }
    }
}
