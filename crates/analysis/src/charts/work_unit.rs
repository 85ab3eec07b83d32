//! The units in which the cost of a run is measured.

use crate::metric::Metric;
use crate::samples::{Sample, Samples, SelectionError};

impl Samples {
    /// Returns a unit in which all these runs can be compared. Returns `Evaluations` if all runs count their work in one unit. Returns
    /// `CpuMs` if the units differ and every run has a processor time. In all other cases it returns `WallMs`.
    pub fn work_unit(&self) -> Metric {
        let has_cpu = || self.runs.iter().all(|run| run.outcome.has_failed() || run.outcome.cpu_ms.is_some());
        match Metric::Evaluations.check_work(self) {
            Ok(()) => Metric::Evaluations,
            Err(_) if has_cpu() => Metric::CpuMs,
            Err(_) => Metric::WallMs,
        }
    }
}

/// The metrics that are units of a run's cost. The other functions are for these metrics only.
impl Metric {
    /// Whether the metric is a unit of a run's cost: evaluations, generations, wall time or processor time.
    pub fn is_work_unit(self) -> bool {
        matches!(self, Self::Evaluations | Self::Generations | Self::WallMs | Self::CpuMs)
    }

    /// Returns an error if the runs count their work in different units.
    pub(super) fn check_work(self, samples: &Samples) -> Result<(), SelectionError> {
        samples.check_comparable(self, samples.runs.iter().filter(|run| !run.outcome.has_failed()))
    }

    /// The title of an axis, with the unit.
    pub(super) fn work_title(self) -> &'static str {
        match self {
            Self::WallMs => "wall time (ms)",
            Self::CpuMs => "CPU time (ms)",
            _ => self.declaration().column,
        }
    }

    /// Whether the unit is milliseconds.
    pub(super) fn is_time(self) -> bool {
        matches!(self, Self::WallMs | Self::CpuMs)
    }

    /// The number format of ticks. Counts may be shortened, for example `10k`. Times are not shortened, because `10m` would be unclear.
    pub(super) fn work_format(self) -> &'static str {
        if self.is_time() { ",.6~g" } else { "~s" }
    }

    /// The cost of a run as a whole number. Times are counted in microseconds, because milliseconds have three decimals.
    pub(super) fn spent(self, run: &Sample) -> u64 {
        match self {
            Self::Generations => run.outcome.generations,
            Self::WallMs => (run.outcome.wall_ms * self.scale()).round() as u64,
            Self::CpuMs => (run.outcome.cpu_ms.unwrap_or_default() * self.scale()).round() as u64,
            _ => run.outcome.evaluations,
        }
    }

    /// Converts a result of [`spent`](Self::spent) to this unit. The result is at least the minimum of a logarithmic axis.
    pub(super) fn work_cost(self, spent: f64) -> f64 {
        (spent / self.scale()).max(self.least())
    }

    /// A sentence if a cost of 0 is drawn on a logarithmic axis.
    pub(super) fn work_note<'a>(self, runs: impl IntoIterator<Item = &'a Sample>) -> Option<String> {
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
