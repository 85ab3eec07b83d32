//! The units in which the cost of a run is measured.

use crate::metric::Metric;
use crate::samples::{Sample, Samples, SelectionError};

/// The unit of a run's cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WorkUnit {
    /// Its evaluations.
    #[default]
    Evaluations,
    /// Its generations.
    Generations,
    /// The wall time of the run in milliseconds.
    WallMs,
    /// The processor time of the run in milliseconds.
    CpuMs,
}

impl WorkUnit {
    /// The unit of a metric. `None` if the metric does not measure work.
    pub fn of(metric: Metric) -> Option<Self> {
        [Self::Evaluations, Self::Generations, Self::WallMs, Self::CpuMs]
            .into_iter()
            .find(|unit| unit.metric() == metric)
    }

    /// Returns a unit in which all these runs can be compared. The unit is `Evaluations` if all runs count their work in one unit. If the
    /// units differ and every run has a processor time, the unit is `CpuMs`. In all other cases the unit is `WallMs`.
    pub fn shared(samples: &Samples) -> Self {
        let has_cpu = || samples.runs.iter().all(|run| run.outcome.has_failed() || run.outcome.cpu_ms.is_some());
        match Self::Evaluations.check(samples) {
            Ok(()) => Self::Evaluations,
            Err(_) if has_cpu() => Self::CpuMs,
            Err(_) => Self::WallMs,
        }
    }

    /// Returns an error if the runs count their work in different units.
    pub(super) fn check(self, samples: &Samples) -> Result<(), SelectionError> {
        samples.check_comparable(self.metric(), samples.runs.iter().filter(|run| !run.outcome.has_failed()))
    }

    /// The column of `runs.csv` that contains the cost in this unit.
    pub(super) fn column(self) -> &'static str {
        self.metric().column().expect("these metrics have a column")
    }

    /// The metric that gives, in this unit, the cost of solving an instance.
    pub fn metric(self) -> Metric {
        match self {
            Self::Evaluations => Metric::Evaluations,
            Self::Generations => Metric::Generations,
            Self::WallMs => Metric::WallMs,
            Self::CpuMs => Metric::CpuMs,
        }
    }

    /// The title of an axis, with the unit.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Evaluations | Self::Generations => self.column(),
            Self::WallMs => "wall time (ms)",
            Self::CpuMs => "CPU time (ms)",
        }
    }

    /// Whether the unit is milliseconds.
    pub(super) fn is_time(self) -> bool {
        matches!(self, Self::WallMs | Self::CpuMs)
    }

    /// The number format of ticks. Counts may be shortened, for example `10k`. Times are not shortened, because `10m` would be unclear.
    pub(super) fn format(self) -> &'static str {
        if self.is_time() { ",.6~g" } else { "~s" }
    }

    /// The cost of a run as a whole number. Times are counted in microseconds, because milliseconds have three decimals.
    pub(super) fn spent(self, run: &Sample) -> u64 {
        match self {
            Self::Evaluations => run.outcome.evaluations,
            Self::Generations => run.outcome.generations,
            Self::WallMs => (run.outcome.wall_ms * self.scale()).round() as u64,
            Self::CpuMs => (run.outcome.cpu_ms.unwrap_or_default() * self.scale()).round() as u64,
        }
    }

    /// Converts a result of [`spent`](Self::spent) to this unit. The result is at least the minimum of a logarithmic axis.
    pub(super) fn cost(self, spent: f64) -> f64 {
        (spent / self.scale()).max(self.least())
    }

    /// A sentence if a cost of 0 is drawn on a logarithmic axis.
    pub(super) fn note<'a>(self, runs: impl IntoIterator<Item = &'a Sample>) -> Option<String> {
        let is_zero = runs.into_iter().any(|run| run.outcome.is_solved() && self.spent(run) == 0);
        is_zero.then(|| format!("The chart draws a cost of 0 as {}.", self.least()))
    }

    fn scale(self) -> f64 {
        if self.is_time() { 1000.0 } else { 1.0 }
    }

    /// The minimum of a logarithmic axis. A count of 0 is drawn at 1, and a time of 0 at a microsecond.
    fn least(self) -> f64 {
        1.0 / self.scale()
    }
}
