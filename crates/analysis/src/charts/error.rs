//! Errors of charts: why one cannot be made of some runs.

use crate::effects::EffectsError;
use crate::samples::SelectionError;
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
    #[error("no setting is varied over numbers; expected a column with at least two numbers")]
    NoNumbers,
    #[error("fewer than two settings are varied; expected two columns of settings, one for each axis")]
    FewSettings,
    #[error("`{setting}` has {values} values; a heatmap shows at most {most}")]
    ManyValues { setting: String, values: usize, most: usize },
    #[error("the chart needs at least two buckets that are numbers")]
    NoNumberedBuckets,
    #[error("it compares two or more configurations, but these runs have only one")]
    OneSetting,
    /// None of the chosen keys distinguishes the settings that are compared.
    #[error(
        "it compares two or more configurations, but {by} cannot distinguish {settings}; use another key in `--by`, or \
         omit it"
    )]
    NotToldApart { settings: usize, by: String },
    /// Too few instances with runs of everything that is compared; `instances` is their number, in words.
    #[error("all compared configurations have runs on only {instances}; expected at least {least}")]
    FewInstances { instances: String, least: usize },
    #[error("{0}; {help}", help = .0.help)]
    Mixed(#[from] SelectionError),
    #[error("no run had a target, so `solved` is not defined; use the chart `gap`")]
    NoTarget,
    #[error("no run has a gap; expected best known values of the instances, or `--metric objective`")]
    NoGaps,
    #[error("no run has an objective")]
    NoObjectives,
    #[error("every configuration has runs without a solution, so its mean is undefined")]
    NoMean,
    #[error("no run is solved")]
    NothingSolved,
    #[error("no configuration has {least} solved runs on an instance, so that their distribution can be fitted")]
    FewSolved { least: usize },
    #[error("the sizes of the instances are unknown; expected a results folder, whose manifest has the instances")]
    NoSizes,
    #[error("no configuration solves instances of {least} different sizes")]
    FewSizes { least: usize },
    #[error("the configurations do not form a grid of two settings and more values that can be drawn")]
    NoGrid,
    #[error(transparent)]
    Effects(#[from] EffectsError),
    #[error("trace.csv.gz is missing; set `[record] trace` in the experiment, then do the runs again")]
    NoTrace,
    #[error("the trace does not contain the diversity; set `[record] trace = {{ every = N }}` in the experiment")]
    NoDiversity,
    #[error("the trace does not contain these runs")]
    OtherTrace,
    #[error("the trace has too few points for a curve")]
    ShortTrace,
    #[error(transparent)]
    Trace(#[from] ReadError),
    #[error("its data are too large")]
    TooLarge,
    #[error("race.csv is missing; only `runner tune` leaves a race")]
    NoRace,
    #[error("published values are missing")]
    NoPublished,
    #[error("the published rates do not match any of these runs")]
    NoPublishedRate,
}

impl ChartError {
    pub(super) fn few_instances(found: usize, least: usize) -> Self {
        let instances = if found == 1 { "1 instance".to_owned() } else { format!("{found} instances") };
        Self::FewInstances { instances, least }
    }
}
