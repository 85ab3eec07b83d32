//! Errors of charts: why one cannot be made of some runs.

use crate::samples::MixedFigures;
use evogrid_results::sheet::ReadError;

/// Why a chart cannot be made.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum ChartError {
    #[error("there are no runs")]
    NoRuns,
    #[error("the runs have no column `{column}`")]
    MissingColumn { column: &'static str },
    #[error("no setting is varied by numbers; expected a column with two or more")]
    NoNumbers,
    #[error("fewer than two settings are varied; expected two columns of settings, one for each axis")]
    FewSettings,
    #[error("`{setting}` has {values} values; a heatmap shows at most {most}")]
    ManyValues { setting: String, values: usize, most: usize },
    #[error("the buckets are not two or more numbers")]
    NoNumberedBuckets,
    #[error("it compares two or more configurations, and these runs have only one")]
    OneSetting,
    /// Of several settings all are the same in what they are to be told apart by.
    #[error(
        "it compares two or more configurations, and none of {by} distinguishes {settings}; expected another key in \
         `--by`, or none"
    )]
    NotToldApart { settings: usize, by: String },
    /// Too few instances on which all that is compared was run; `instances` says how many, in words.
    #[error("{instances} with runs of all that is compared; expected at least {least}")]
    FewInstances { instances: String, least: usize },
    #[error("{0}; {help}", help = .0.help)]
    Mixed(#[from] MixedFigures),
    #[error("no run had a target, so solving is not defined; see the chart `gap`")]
    NoTarget,
    #[error("no run has a gap; expected best known values of the instances, or `--metric objective`")]
    NoGaps,
    #[error("no run has an objective")]
    NoObjectives,
    #[error("no configuration has a mean: each has runs without a solution")]
    NoMean,
    #[error("no run is solved")]
    NothingSolved,
    #[error("trace.csv.gz is missing; expected `[record] trace` in the experiment, and its runs done with it")]
    NoTrace,
    #[error("the trace has no diversity; expected `[record] trace = {{ every = N }}` in the experiment")]
    NoDiversity,
    #[error("the trace has none of these runs")]
    OtherTrace,
    #[error("too little is traced for a curve")]
    ShortTrace,
    #[error(transparent)]
    Trace(#[from] ReadError),
    #[error("its data are too large")]
    TooLarge,
    #[error("no published figures are given")]
    NoPublished,
    #[error("no published rate belongs to these runs")]
    NoPublishedRate,
}

impl ChartError {
    pub(super) fn few_instances(found: usize, least: usize) -> Self {
        let instances = if found == 1 { "1 instance".to_owned() } else { format!("{found} instances") };
        Self::FewInstances { instances, least }
    }
}
