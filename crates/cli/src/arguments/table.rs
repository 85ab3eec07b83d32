//! Arguments of `runner table` and `runner plot`.

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use evogrid_analysis::charts::ChartKind;
use evogrid_analysis::{cross, table};
use evogrid_runner::system::terminal::output_width;

use super::{AnalysisOptions, TableOutput};

/// The arguments of `table`.
#[derive(Debug, Args)]
pub struct TableArgs {
    /// The results, and the options of the analysis.
    #[command(flatten)]
    pub analysis: AnalysisOptions,
    /// Layout of the table
    #[arg(long, value_enum, default_value_t = Layout::Buckets)]
    pub layout: Layout,
    /// A key whose values are the table's rows: `bucket`, `instance`, `algorithm` or a varied setting. May be given several times. If you
    /// give only `--columns`, the rows are the values of `bucket`
    #[arg(long = "rows", value_name = "KEY", conflicts_with = "layout")]
    pub down: Vec<String>,
    /// A key whose values are the columns of the table. May be given several times. If you give only `--rows`, the columns are the values
    /// of all keys that distinguish configurations. The value `all` is special: with `all`, the layout `buckets` shows all its columns, not
    /// only eight
    #[arg(long = "columns", value_name = "KEY", conflicts_with = "layout")]
    pub across: Vec<String>,
    /// The values that each cell of the table shows next to its main value, if you give `--rows` or `--columns`
    #[arg(long, value_enum, default_value_t = Show::Interval)]
    pub show: Show,
    /// Sort the configurations. If you give `best`, the configurations are sorted by the metric. If you give the name of a column of
    /// summary.csv, the configurations are sorted by this column. If a `-` precedes the name, the largest value comes first. If `--top` is
    /// given, the default is `best`
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    pub sort: Option<String>,
    /// The format of the output.
    #[command(flatten)]
    pub output: TableOutput,
}

impl TableArgs {
    /// Whether the user chose keys for the rows or the columns of the table.
    pub fn is_cross(&self) -> bool {
        !self.down.is_empty() || !self.across.is_empty() && !self.has_all_columns()
    }

    /// Whether the layout `buckets` shows all its columns.
    pub fn has_all_columns(&self) -> bool {
        self.across == ["all"]
    }
}

/// Layouts of a table.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Layout {
    /// One block per configuration, with one row per bucket
    Buckets,
    /// One row per configuration and bucket, with all columns
    Long,
}

/// The values that a cell shows next to its main value.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Show {
    /// The 95 % interval of the main value
    Interval,
    /// The standard deviation of the runs; the main value is the mean of the runs
    Sd,
    /// The quartiles of the runs; the main value is the median of the runs
    Quartiles,
    /// For `--metric evaluations`: the expected running time (ERT) with its interval, and the numbers of solved runs and of all runs
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
    /// Text, as wide as the terminal. If there is no terminal, the text is 80 columns wide
    Text,
    /// Comma-separated
    Csv,
    /// A Markdown table
    Markdown,
    /// A LaTeX table for a paper. The paper must load the LaTeX packages `array` and `booktabs`
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

/// The arguments of `plot`.
#[derive(Debug, Args)]
pub struct PlotArgs {
    /// The results, and the options of the analysis.
    #[command(flatten)]
    pub analysis: AnalysisOptions,
    /// By default, every chart that is possible for these results is drawn. To draw only some charts, give this option once for each chart,
    /// with the name of the chart
    #[arg(long = "chart", value_name = "NAME", value_enum)]
    pub charts: Vec<ChartName>,
    /// Draw the best solution of a run instead of charts. The drawing is, for example, a tour, a Gantt chart or a board. Name the run by
    /// its number in runs.csv. The problem family of the run must support drawings. May be given several times
    #[arg(long = "run", value_name = "NUMBER", conflicts_with_all = ["charts", "width", "no_notes", "metric", "conditions", "by", "against", "targets", "until_evaluations"])]
    pub runs: Vec<u64>,
    /// File format of the charts
    #[arg(long, value_enum, default_value_t = ChartFormat::Svg)]
    pub format: ChartFormat,
    /// Folder for the charts and their captions. The default is the folder `charts` in the results folder. For a CSV file, the default is
    /// the folder `charts` next to the CSV file
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Width of a chart in millimetres. For any width, the font size of the chart is 7 to 8 points. If the width is 130 mm or more, two
    /// panels stand side by side
    #[arg(long, value_name = "MM", default_value_t = 85.0, value_parser = width)]
    pub width: f64,
    /// Draw charts without notes. The captions still contain the notes
    #[arg(long)]
    pub no_notes: bool,
}

/// The name of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChartName(pub ChartKind);

impl ValueEnum for ChartName {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<ChartName>> = LazyLock::new(|| ChartKind::all().map(ChartName).collect());
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.text()).help(self.0.doc()))
    }
}

/// Formats of charts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ChartFormat {
    /// For web pages, and for papers that accept SVG
    Svg,
    /// A picture with 300 pixels per inch
    Png,
    /// For LaTeX
    Pdf,
    /// The Vega-Lite specification of the chart, for an editor or a notebook
    Vega,
}

/// Reads a width that fits on a page.
fn width(text: &str) -> Result<f64, String> {
    let range = 40.0..=400.0;
    text.parse()
        .ok()
        .filter(|width| range.contains(width))
        .ok_or_else(|| "expected millimetres, from 40 to 400".to_owned())
}
