//! Refusals: why a chart cannot be made of some runs.

use evogrid_results::sheet::ReadError;

/// Why a chart cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// There is nothing to show.
    #[error("there are no runs")]
    NoRuns,
    /// The runs do not say what it shows.
    #[error("the runs have no column `{column}`")]
    Column {
        /// What is missing.
        column: &'static str,
    },
    /// Nothing to put on the horizontal axis.
    #[error("no setting is varied by numbers")]
    NoNumbers,
    /// Less than two settings to put on the axes.
    #[error("fewer than two settings are varied")]
    FewSettings,
    /// More values of a setting than a row of cells can show.
    #[error("`{setting}` has {values} values; a heatmap shows at most {most}")]
    ManyValues {
        /// Which setting.
        setting: String,
        /// How many it has.
        values: usize,
        /// How many can be shown.
        most: usize,
    },
    /// The buckets are names, or there is only one.
    #[error("the buckets are not two or more numbers")]
    NoNumberedBuckets,
    /// Nothing to compare.
    #[error("there is only one algorithm with one setting")]
    OneSeries,
    /// Too few instances on which all that is compared was run.
    #[error("{instances} with runs of all that is compared; expected at least {least}")]
    FewInstances {
        /// How many there are, in words.
        instances: String,
        /// How many it takes.
        least: usize,
    },
    /// No cost can be told.
    #[error("no run is solved")]
    NothingSolved,
    /// There is no trace.
    #[error("there is no trace.csv.gz; expected `[record] trace` in the experiment, and its runs done with it")]
    NoTrace,
    /// The trace does not have what it shows.
    #[error("the trace has no diversity; expected `[record] trace = {{ every = N }}` in the experiment")]
    NoDiversity,
    /// The trace is of other runs.
    #[error("the trace has none of these runs")]
    OtherTrace,
    /// The trace cannot be read.
    #[error(transparent)]
    Trace(#[from] ReadError),
    /// Nothing to compare with.
    #[error("no published figures are given")]
    NoPublished,
    /// None of the published figures is for these runs.
    #[error("no published rate belongs to these runs")]
    NoPublishedRate,
}
