//! Efforts: what a run costs.

use crate::samples::Sample;

/// What a run costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// Its evaluations.
    #[default]
    Evaluations,
    /// Its generations.
    Generations,
    /// Its wall time in milliseconds.
    WallMs,
}

impl Effort {
    /// The column of `runs.csv` that says it.
    #[must_use]
    pub fn column(self) -> &'static str {
        match self {
            Self::Evaluations => "evaluations",
            Self::Generations => "generations",
            Self::WallMs => "wall_ms",
        }
    }

    /// What an axis calls it, with its unit.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Evaluations => "evaluations",
            Self::Generations => "generations",
            Self::WallMs => "wall time (ms)",
        }
    }

    /// How the ticks of an axis are written: `10k`, but never `10m` for hundredths of a millisecond.
    pub(super) fn format(self) -> &'static str {
        match self {
            Self::Evaluations | Self::Generations => "~s",
            Self::WallMs => ",.6~g",
        }
    }

    /// What a run cost, counted in the units of [`scale`](Self::scale).
    pub(super) fn of(self, run: &Sample) -> u64 {
        match self {
            Self::Evaluations => run.outcome.evaluations,
            Self::Generations => run.outcome.generations,
            Self::WallMs => (run.outcome.wall_ms * self.scale()).round() as u64,
        }
    }

    /// How many of the units it is counted in are one: times have three decimals.
    pub(super) fn scale(self) -> f64 {
        match self {
            Self::Evaluations | Self::Generations => 1.0,
            Self::WallMs => 1000.0,
        }
    }

    /// What to say where a cost of 0 is drawn on a logarithmic axis.
    pub(super) fn note<'a>(self, runs: impl IntoIterator<Item = &'a Sample>) -> Option<String> {
        let is_zero = runs.into_iter().any(|run| run.outcome.solved && self.of(run) == 0);
        is_zero.then(|| format!("A cost of 0 is taken for {}.", self.least()))
    }

    /// The least that a logarithmic axis shows: a count of 0 stands at 1, a time of 0 at a microsecond.
    pub(super) fn least(self) -> f64 {
        1.0 / self.scale()
    }
}
