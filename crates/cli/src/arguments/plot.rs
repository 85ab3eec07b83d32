//! The command line of `runner plot`.

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use evogrid_analysis::charts::ChartKind;

use super::AnalysisOptions;

/// The arguments of `plot`.
#[derive(Debug, Args)]
pub struct PlotArgs {
    /// The results and the options of their analysis.
    #[command(flatten)]
    pub analysis: AnalysisOptions,
    /// Name of a chart. May be given several times; by default all charts that can be made
    #[arg(long = "chart", value_name = "NAME", value_enum)]
    pub charts: Vec<ChartName>,
    /// Draw the best solution of a run instead, such as a tour, a Gantt chart or a board. The run is given by its number in runs.csv, and its
    /// problem family must support drawings. May be given several times
    #[arg(long = "run", value_name = "NUMBER", conflicts_with_all = ["charts", "width", "no_notes", "metric", "conditions", "by", "against", "targets", "until_evaluations"])]
    pub runs: Vec<u64>,
    /// File format of the charts
    #[arg(long, value_enum, default_value_t = ChartFormat::Svg)]
    pub format: ChartFormat,
    /// Folder for the charts and their captions; by default `charts` in the results folder, or beside the CSV
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Width of a chart in millimetres. Its text has 7 to 8 points at any width. From 130 mm on, two panels are placed side by side
    #[arg(long, value_name = "MM", default_value_t = 85.0, value_parser = width)]
    pub width: f64,
    /// Draw charts without notes. The captions contain the notes
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

impl ChartFormat {
    /// The extension of a file of this format.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Pdf => "pdf",
            Self::Vega => "vl.json",
        }
    }
}

/// Reads a width that fits on a page.
fn width(text: &str) -> Result<f64, String> {
    let range = 40.0..=400.0;
    text.parse()
        .ok()
        .filter(|width| range.contains(width))
        .ok_or_else(|| "expected millimetres, from 40 to 400".to_owned())
}
