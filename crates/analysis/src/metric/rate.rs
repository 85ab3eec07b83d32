//! Rates: a share of runs, with its interval for instances like these.

use std::collections::BTreeMap;

use crate::samples::Sample;
use evogrid_results::format::percent;
use evogrid_statistics::{ClusteredRate, Interval, mean_instance_rate, wilson};

/// With fewer runs than this, the interval of a rate near one half is wider than half of the scale.
pub const FEW_RUNS: u64 = 10;

/// The rate of runs that are solved, or have another property.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rate {
    /// The number of runs with the property.
    pub count: u64,
    /// The number of runs.
    pub runs: u64,
    /// The mean of the instances' shares, all with equal weight; a fraction, 0 without runs.
    pub share: f64,
    /// The 95 % interval of the share for instances like these, or for the instance itself if there is only one.
    pub interval: Interval,
    /// The number of independent runs that would give the same information.
    pub effective_runs: f64,
}

impl Rate {
    /// The rate of runs, given as pairs of the instance and whether the run has the property.
    pub fn new(runs: impl IntoIterator<Item = (usize, bool)>) -> Self {
        let mut instances: BTreeMap<usize, (u64, u64)> = BTreeMap::new();
        for (instance, counts) in runs {
            let (count, all) = instances.entry(instance).or_default();
            *count += u64::from(counts);
            *all += 1;
        }
        Self::of_counts(&instances.into_values().collect::<Vec<_>>())
    }

    /// The rate of runs on several instances, given as pairs of the runs with the property and all runs.
    pub(crate) fn of_counts(instances: &[(u64, u64)]) -> Self {
        let (count, runs) = instances.iter().fold((0, 0), |(count, runs), one| (count + one.0, runs + one.1));
        let (share, ClusteredRate { interval, effective_runs, .. }) = mean_instance_rate(instances);
        Self { count, runs, share, interval, effective_runs }
    }

    /// The rate `count / runs` with Wilson's interval, which is for the instances of these runs, not for others like them.
    ///
    /// # Panics
    /// If more count than there are.
    pub fn of_these(count: u64, runs: u64) -> Self {
        let share = if runs == 0 { 0.0 } else { count as f64 / runs as f64 };
        Self { count, runs, share, interval: wilson(count, runs), effective_runs: runs as f64 }
    }

    /// The rate of solved runs among those that report whether they were solved.
    pub fn of_solved<'a>(runs: impl IntoIterator<Item = &'a Sample>) -> Self {
        Self::new(runs.into_iter().filter_map(|run| Some((run.instance(), run.outcome.solved?))))
    }

    /// The equivalent counts of independent runs, rounded up: those with the property, and all.
    pub fn effective_counts(&self) -> (u64, u64) {
        effective_counts(self.share, self.effective_runs)
    }

    /// The rate with its interval: `85 % (71 to 93)`.
    pub fn text(&self) -> String {
        if self.runs == 0 {
            return "no runs".to_owned();
        }
        let [low, high] = [(100.0 * self.interval.low).floor(), (100.0 * self.interval.high).ceil()];
        format!("{} % ({low} to {high})", percent(self.share))
    }

    /// The same, with the number of runs.
    pub fn figure(&self) -> String {
        format!("{} of {} runs", self.text(), self.runs)
    }
}

/// The numbers of solved and of all independent runs that would give the same information as the clustered runs.
pub(crate) fn effective_counts(share: f64, effective_runs: f64) -> (u64, u64) {
    ((share * effective_runs).round() as u64, effective_runs.round() as u64)
}
