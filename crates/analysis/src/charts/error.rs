//! Errors of charts. An error says why a chart cannot be made from the runs.

use std::borrow::Cow;

use super::labels::counted;
use crate::samples::SelectionError;
use evogrid_results::sheet::ReadError;

/// The reason why a chart cannot be made.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages explain the variants")]
#[non_exhaustive]
pub enum ChartError {
    #[error("{0}")]
    Refused(Cow<'static, str>),
    #[error("{0}; {help}", help = .0.help)]
    Mixed(#[from] SelectionError),
    #[error(transparent)]
    Trace(#[from] ReadError),
    #[error("the data of the chart are too large")]
    TooLarge,
}

pub(super) const NO_RUNS: &str = "there are no runs";
pub(super) const NO_MEAN: &str = "no mean is defined: each configuration has a run without a solution";
pub(super) const NOTHING_SOLVED: &str = "no run is solved";
pub(super) const ONE_CONFIGURATION: &str =
    "the chart compares configurations, but these runs have only one configuration";
pub(super) const NO_GRID: &str =
    "the configurations do not form a grid; expected two or more settings whose values can be plotted";
pub(super) const NO_TRACE: &str =
    "trace.csv.gz is missing; set `[record] trace` in the experiment, then repeat the runs";
pub(super) const NO_DIVERSITY: &str =
    "the trace has no diversity; set `[record] trace = { every = N }` in the experiment";
pub(super) const OTHER_TRACE: &str = "the trace does not contain these runs";
pub(super) const SHORT_TRACE: &str = "the trace has too few points for a curve";

/// The error for a reason.
pub(super) fn refused(reason: impl Into<Cow<'static, str>>) -> ChartError {
    ChartError::Refused(reason.into())
}

/// The error for a setting with too many values.
pub(super) fn many_values(setting: &str, values: usize, most: usize) -> ChartError {
    refused(format!("`{setting}` has {values} values; a heatmap shows at most {most}"))
}

/// The error for too few instances with runs of every compared configuration.
pub(super) fn few_instances(found: usize, least: usize) -> ChartError {
    let instances = counted(found, "instance");
    refused(format!("the compared configurations share only {instances}; expected {least} or more shared instances"))
}
