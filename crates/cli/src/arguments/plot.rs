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
    /// The results, and how they are shown.
    #[command(flatten)]
    pub analysis: AnalysisOptions,
    /// A chart. May be given several times; by default all charts that can be made
    #[arg(long = "chart", value_name = "NAME", value_enum)]
    pub charts: Vec<ChartName>,
    /// Draw the best solution of this run instead, by its number in runs.csv, if its family can: a tour, a Gantt chart, a board. May be given
    /// several times
    #[arg(long = "run", value_name = "NUMBER", conflicts_with_all = ["charts", "width", "no_notes", "metric", "conditions", "by", "against", "targets", "until_evaluations"])]
    pub runs: Vec<u64>,
    /// File format of the charts
    #[arg(long, value_enum, default_value_t = ChartFormat::Svg)]
    pub format: ChartFormat,
    /// Folder for the files, with a caption beside each chart; by default `charts` in the results folder, or beside the CSV
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Width of a chart in millimetres; its text keeps a size of 7 to 8 points. From 130 on, two panels are placed side by side
    #[arg(long, value_name = "MM", default_value_t = 85.0, value_parser = width)]
    pub width: f64,
    /// Leave the notes out of the drawings; the captions have them
    #[arg(long)]
    pub no_notes: bool,
}

/// A chart by its name.
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
    /// A picture with 300 pixels an inch
    Png,
    /// For LaTeX
    Pdf,
    /// The Vega-Lite specification, for an editor or a notebook
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

/// A width that fits on a page.
fn width(text: &str) -> Result<f64, String> {
    let range = 40.0..=400.0;
    text.parse()
        .ok()
        .filter(|width| range.contains(width))
        .ok_or_else(|| "expected millimetres, from 40 to 400".to_owned())
}
