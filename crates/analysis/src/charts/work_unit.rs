//! Units of work: in what the cost of a run is counted.

use crate::samples::{Metric, Sample};

/// What a run costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WorkUnit {
    /// Its evaluations.
    #[default]
    Evaluations,
    /// Its generations.
    Generations,
    /// Its wall time in milliseconds.
    WallMs,
}

impl WorkUnit {
    /// The column of `runs.csv` that says it.
    pub(super) fn column(self) -> &'static str {
        self.metric().column().expect("these metrics have a column")
    }

    /// The metric of what it costs to solve.
    pub(super) fn metric(self) -> Metric {
        match self {
            Self::Evaluations => Metric::Evaluations,
            Self::Generations => Metric::Generations,
            Self::WallMs => Metric::WallMs,
        }
    }

    /// What an axis calls it, with its unit.
    pub(super) fn title(self) -> &'static str {
        if self == Self::WallMs { "wall time (ms)" } else { self.column() }
    }

    /// How the ticks of an axis are written: `10k`, but never `10m` for hundredths of a millisecond.
    pub(super) fn format(self) -> &'static str {
        if self == Self::WallMs { ",.6~g" } else { "~s" }
    }

    /// What a run cost in whole numbers: milliseconds have three decimals, so times are counted in microseconds.
    pub(super) fn spent(self, run: &Sample) -> u64 {
        match self {
            Self::Evaluations => run.outcome.evaluations,
            Self::Generations => run.outcome.generations,
            Self::WallMs => (run.outcome.wall_ms * self.scale()).round() as u64,
        }
    }

    /// A number of what [`spent`](Self::spent) counts, in this unit, and at least what a logarithmic axis shows.
    pub(super) fn cost(self, spent: f64) -> f64 {
        (spent / self.scale()).max(self.least())
    }

    /// What to say where a cost of 0 is drawn on a logarithmic axis.
    pub(super) fn note<'a>(self, runs: impl IntoIterator<Item = &'a Sample>) -> Option<String> {
        let is_zero = runs.into_iter().any(|run| run.outcome.solved && self.spent(run) == 0);
        is_zero.then(|| format!("A cost of 0 is taken for {}.", self.least()))
    }

    fn scale(self) -> f64 {
        if self == Self::WallMs { 1000.0 } else { 1.0 }
    }

    /// The least that a logarithmic axis shows: a count of 0 stands at 1, a time of 0 at a microsecond.
    fn least(self) -> f64 {
        1.0 / self.scale()
    }
}
