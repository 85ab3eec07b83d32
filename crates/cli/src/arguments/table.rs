//! The command line of `runner table`.

use clap::{Args, ValueEnum};
use evogrid_analysis::{cross, table};
use evogrid_runner::system::terminal::output_width;

use super::{AnalysisOptions, TableOutput};

/// The arguments of `table`.
#[derive(Debug, Args)]
pub struct TableArgs {
    /// The results and the options of their analysis.
    #[command(flatten)]
    pub analysis: AnalysisOptions,
    /// Layout of the table
    #[arg(long, value_enum, default_value_t = Layout::Buckets)]
    pub layout: Layout,
    /// A key whose values are the rows of the table: `bucket`, `instance`, `algorithm` or a varied setting. May be given several times. The
    /// default with `--columns` is `bucket`
    #[arg(long = "rows", value_name = "KEY", conflicts_with = "layout")]
    pub down: Vec<String>,
    /// A key whose values are the columns of the table. May be given several times. The default with `--rows` is all keys that distinguish
    /// configurations. The value `all` shows all columns of the layout `buckets` instead of at most eight
    #[arg(long = "columns", value_name = "KEY", conflicts_with = "layout")]
    pub across: Vec<String>,
    /// Addition to each figure of a table with `--rows` or `--columns`
    #[arg(long, value_enum, default_value_t = Show::Interval)]
    pub show: Show,
    /// Sort configurations: `best` sorts by the metric, and the name of a column of summary.csv by that column. A `-` before the name puts the
    /// largest value first. The default with `--top` is `best`
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    pub sort: Option<String>,
    /// The format of the output.
    #[command(flatten)]
    pub output: TableOutput,
}

impl TableArgs {
    /// Whether the table has keys as rows or columns.
    pub fn is_cross(&self) -> bool {
        !self.down.is_empty() || !self.across.is_empty() && !self.has_all_columns()
    }

    /// Whether the layout of buckets shows all its columns.
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

/// The additions to a figure.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Show {
    /// Its 95 % interval
    Interval,
    /// The standard deviation of the runs; the figure is their mean
    Sd,
    /// The quartiles of the runs; the figure is their median
    Quartiles,
    /// For `--metric evaluations`: the expected running time (ERT) with its interval, and the numbers of solved and all runs
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
    /// Text as wide as the terminal; 80 columns wide without a terminal
    Text,
    /// Comma-separated
    Csv,
    /// A Markdown table
    Markdown,
    /// A LaTeX table for a paper; it needs the packages array and booktabs
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
