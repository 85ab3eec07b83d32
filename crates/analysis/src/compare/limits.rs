//! Limits: runs of both sides that were tried for unequal work are compared within what both were tried for.

use evogrid_core::budget::Stop;
use evogrid_statistics::ObservedTime;

use super::effect::InstanceOutcomes;
use super::group::{GroupRun, InstanceRuns};
use crate::metric::{Metric, Subject};
use crate::samples::{Sample, Samples};

/// Limits that differ by more than this factor differ: the last generation may overshoot.
const EQUAL: f64 = 1.1;

/// The outcomes of both sides on an instance, and whether the limits of their unsolved runs differed. If so, a run counts as unsolved from the
/// lower limit on: what the other side was never tried for says nothing of it.
pub(super) fn outcomes_of(samples: &Samples, metric: Metric, sides: [InstanceRuns<'_>; 2]) -> (InstanceOutcomes, bool) {
    let run = |run: &GroupRun| &samples.runs[run.run as usize];
    let costs = sides.map(InstanceRuns::costs);
    if metric.declaration().subject != Subject::Work {
        return (InstanceOutcomes { costs, ..InstanceOutcomes::default() }, false);
    }
    let times = |runs: InstanceRuns<'_>| -> Vec<ObservedTime> {
        runs.0.iter().filter_map(|at| metric.observed_time(samples, run(at))).collect()
    };
    let mut outcomes = InstanceOutcomes { costs, times: sides.map(times) };
    let limits = sides.map(|runs| {
        let unsolved = runs.0.iter().map(run).filter(|run| ended_by_limit(samples, run));
        unsolved.filter_map(|run| metric.observed_time(samples, run)).map(|(time, _)| time).reduce(f64::max)
    });
    let limit = limits.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    // A side without unsolved runs was tried for as long as it took.
    let differ = limits.iter().any(|other| other.is_none_or(|other| other > EQUAL * limit)) && limit.is_finite();
    let mut is_cut = false;
    if differ {
        for (costs, times) in outcomes.costs.iter_mut().zip(&mut outcomes.times) {
            for (cost, (time, is_solved)) in costs.iter_mut().zip(times) {
                if *time > limit {
                    is_cut |= *is_solved;
                    (*cost, *time, *is_solved) = (f64::INFINITY, limit, false);
                }
            }
        }
    }
    (outcomes, is_cut)
}

/// Whether a run was unsolved when a limit ended it; a search that gave up by itself was under no limit.
fn ended_by_limit(samples: &Samples, run: &Sample) -> bool {
    let is_limit = matches!(run.outcome.stop, Stop::Evaluations | Stop::Generations | Stop::Restarts | Stop::Time);
    !run.outcome.is_solved() && !run.outcome.has_failed() && (is_limit || samples.missing.contains(&"stop"))
}
