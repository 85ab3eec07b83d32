//! The sums and values of a group of runs, which are added one by one, and the figures that follow from them.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use evogrid_core::budget::Stop;
use evogrid_results::{Row, RunOutcome, is_work_unknown};
use evogrid_statistics::{Interval, MeanEstimate, ert_of_sums, mean_estimate};

use super::figures::{ESTIMATES, Estimate, Figures, N_FIGURES};
use super::instances::InstanceTally;
use crate::metric::InstanceMean;

/// Facts about a group of runs: sums that are collected during reading, and medians and means at the end.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub(super) solved: u64,
    /// The evaluations of all runs that report whether they were solved.
    pub(super) evaluations: u128,
    /// Whether the work of some run is unknown.
    pub(super) is_work_unknown: bool,
    /// The families and fitness functions of the runs that did not fail.
    pub(super) measures: Vec<(usize, usize)>,
    /// Whether a run that did not fail has no objective.
    pub(super) is_objective_missing: bool,
    /// The number of instances on which no run was solved; `None` if no run reports whether it was solved.
    pub(super) never_solved: Option<u64>,
    pub(super) median_instance_ert: Option<f64>,
    pub(super) median_evaluations: Option<f64>,
    pub(super) median_objective: Option<f64>,
    pub(super) best_objective: Option<f64>,
    pub(super) median_gap: Option<f64>,
    pub(super) best_gap: Option<f64>,
    /// The mean gap with Student's interval; `None` if a run without a solution makes it infinite.
    pub(super) gap: Option<MeanEstimate>,
    /// The interval of the mean gap that tables show.
    pub(super) gap_interval: Option<Interval>,
}

impl Group {
    /// The evaluations of all runs divided by the number of solved runs; `None` if no run is solved, or the evaluations of a run are
    /// unknown.
    pub(super) fn expected_evaluations(&self) -> Option<f64> {
        ert_of_sums(self.evaluations as f64, self.solved).filter(|_| !self.is_work_unknown)
    }

    /// Whether all runs have the same family and the same fitness function.
    pub(super) fn is_of_one_measure(&self) -> bool {
        self.measures.len() <= 1
    }

    /// Whether all runs also have an objective.
    pub(super) fn has_mean_objective(&self) -> bool {
        self.is_of_one_measure() && !self.is_objective_missing
    }
}

/// The values of runs for which medians are computed. A median needs all values.
#[derive(Debug, Default)]
pub(super) struct RunValues {
    /// The evaluations of the solved runs.
    evaluations: Vec<u64>,
    /// The gaps of the runs that have a gap; infinite for a run without a solution.
    gaps: Vec<f64>,
    /// The objectives of the runs, as long as all are on one instance.
    objectives: Vec<f64>,
    /// The first instance, and whether it is the only one.
    instance: Option<(u32, bool)>,
}

impl RunValues {
    pub(super) fn add(&mut self, row: &Row, instance: u32) {
        let outcome = &row.outcome;
        if outcome.is_solved() {
            self.evaluations.push(outcome.evaluations);
        }
        if outcome.has_failed() {
            return;
        }
        let is_unbounded = is_gap_unbounded(row);
        self.gaps.extend(row.gap.or(is_unbounded.then_some(f64::INFINITY)));
        let (first, is_only) = self.instance.get_or_insert((instance, true));
        *is_only &= *first == instance;
        if !*is_only {
            self.objectives = Vec::new();
        } else if let Some(objective) = outcome.objective {
            self.objectives.push(objective);
        }
    }

    /// Adds the values of a bucket, which may be the first one.
    pub(super) fn append(&mut self, bucket: &Self, is_first: bool) {
        self.evaluations.extend_from_slice(&bucket.evaluations);
        self.gaps.extend_from_slice(&bucket.gaps);
        self.objectives = if is_first { bucket.objectives.clone() } else { Vec::new() };
    }
}

/// Whether a run has no solution on an instance that has a best known value: its gap is infinite.
fn is_gap_unbounded(row: &Row) -> bool {
    row.best_known.is_some_and(|best| best != 0.0) && row.outcome.objective.is_none()
}

/// The contribution of a run to the sums of its groups: its values for means and sums, each after the index of the summary value.
pub(super) struct Addends {
    values: [(usize, f64); N_FIGURES],
    n: usize,
}

impl Addends {
    pub(super) fn new(outcome: &RunOutcome) -> Self {
        let mut addends = Self { values: [(0, 0.0); N_FIGURES], n: 0 };
        for (at, estimate) in ESTIMATES.iter().enumerate() {
            let (Estimate::Mean(of) | Estimate::Sum(of) | Estimate::MeanIf(of, _)) = estimate else {
                continue;
            };
            if let Some(value) = of(outcome) {
                addends.values[addends.n] = (at, value);
                addends.n += 1;
            }
        }
        addends
    }
}

/// The sum of numbers, and the number of numbers.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    sum: f64,
    n: u64,
}

/// The sums behind the figures of a group of runs.
#[derive(Debug, Default)]
pub(super) struct Tally {
    runs: u64,
    /// The number of runs that stopped for each reason.
    stops: [u64; Stop::N_REASONS],
    /// The number of these runs that report whether they were solved.
    judged_stops: [u64; Stop::N_REASONS],
    sums: [Sum; N_FIGURES],
    group: Group,
    /// Whether a run that did not fail has an infinite gap.
    is_gap_unbounded: bool,
}

impl Tally {
    /// Adds a run; `measure` contains the indices of its family and its fitness function.
    pub(super) fn add(&mut self, row: &Row, addends: &Addends, measure: (usize, usize)) {
        let (outcome, group) = (&row.outcome, &mut self.group);
        group.is_work_unknown |= is_work_unknown(outcome, &row.unit);
        self.runs += 1;
        self.stops[outcome.stop as usize] += 1;
        if outcome.solved.is_some() {
            self.judged_stops[outcome.stop as usize] += 1;
            group.evaluations += u128::from(outcome.evaluations);
        }
        group.solved += u64::from(outcome.is_solved());
        for &(at, value) in &addends.values[..addends.n] {
            self.sums[at].sum += value;
            self.sums[at].n += 1;
        }
        if outcome.has_failed() && !outcome.is_solved() {
            return;
        }
        if !group.measures.contains(&measure) {
            group.measures.push(measure);
        }
        if let Some(objective) = outcome.objective {
            let cost = |objective: f64| row.direction().cost(objective);
            group.best_objective =
                group.best_objective.filter(|&best| cost(best) <= cost(objective)).or(Some(objective));
        }
        group.is_objective_missing |= outcome.objective.is_none();
        self.is_gap_unbounded |= is_gap_unbounded(row);
    }

    /// The summary values of the group. The collected values are returned in another order.
    pub(super) fn figures(&self, values: &mut RunValues, instances: &[InstanceTally]) -> Figures {
        let counts: Vec<_> = instances.iter().map(InstanceTally::counts).collect();
        let mut figures = Figures {
            families: self.n_families() as u64,
            measures: self.group.measures.len() as u64,
            judged_stops: self.judged_stops,
            ..Figures::from_instances(&counts, self.runs, self.stops)
        };
        let group = self.group(values, instances);
        for ((value, estimate), &Sum { sum, n }) in figures.values.iter_mut().zip(&ESTIMATES).zip(&self.sums) {
            let mean = || (n > 0).then(|| sum / n as f64);
            *value = match estimate {
                Estimate::Mean(_) => mean(),
                Estimate::Sum(_) => (n > 0).then_some(sum),
                Estimate::MeanIf(_, holds) => mean().filter(|_| holds(&group)),
                Estimate::Of(of) => of(&group),
            };
        }
        figures
    }

    fn n_families(&self) -> usize {
        self.group.measures.iter().map(|(family, _)| *family).collect::<BTreeSet<_>>().len()
    }

    fn group(&self, values: &mut RunValues, instances: &[InstanceTally]) -> Group {
        let finite = |gap: &f64| gap.is_finite();
        // Gaps of different families have different scales.
        if self.n_families() > 1 {
            values.gaps.clear();
        }
        let means: Vec<f64> = instances.iter().filter_map(InstanceTally::mean_gap).collect();
        // The medians below change the order of the values.
        let best_gap = values.gaps.iter().copied().min_by(f64::total_cmp);
        let of = InstanceMean::sample(&means, &values.gaps);
        let gap = mean_estimate(of).filter(|_| !self.is_gap_unbounded && best_gap.is_some());
        let gap_interval = gap.and_then(|_| InstanceMean::estimate(of, best_gap?)?.interval);
        let mut expected: Vec<f64> = instances.iter().filter_map(InstanceTally::expected_evaluations).collect();
        let never = expected.iter().filter(|work| work.is_infinite()).count() as u64;
        let is_known = !expected.is_empty() && !self.group.is_work_unknown;
        let middle = |[low, high]: [f64; 2]| (low + high) / 2.0;
        Group {
            never_solved: (!expected.is_empty()).then_some(never),
            median_instance_ert: median(&mut expected, f64::total_cmp)
                .map(middle)
                .filter(|work| is_known && work.is_finite()),
            median_evaluations: median(&mut values.evaluations, u64::cmp).map(|two| middle(two.map(|one| one as f64))),
            median_objective: median(&mut values.objectives, f64::total_cmp).map(middle),
            median_gap: median(&mut values.gaps, f64::total_cmp).map(middle).filter(finite),
            best_gap: best_gap.filter(finite),
            gap,
            gap_interval,
            ..self.group.clone()
        }
    }
}

/// The two middle values; they are equal if the number of values is odd.
fn median<T: Copy>(values: &mut [T], compare: impl Fn(&T, &T) -> Ordering) -> Option<[T; 2]> {
    let upper = values.len() / 2;
    let odd = values.len() % 2 == 1;
    let (below, &mut upper, _) = values.get(upper).is_some().then(|| values.select_nth_unstable_by(upper, &compare))?;
    let lower = if odd { Some(upper) } else { below.iter().copied().max_by(&compare) };
    lower.map(|lower| [lower, upper])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    fn median(values: &mut [u64]) -> Option<f64> {
        super::median(values, u64::cmp).map(|[low, high]| (low as f64 + high as f64) / 2.0)
    }

    #[test]
    fn the_median_of_an_even_number_is_the_mean_of_the_middle_two() {
        assert_eq!(median(&mut []), None);
        assert_eq!(median(&mut [7]), Some(7.0));
        assert_eq!(median(&mut [9, 1]), Some(5.0));
        assert_eq!(median(&mut [5, 1, 4, 2]), Some(3.0));
        assert_eq!(median(&mut [5, 1, 9]), Some(5.0));
    }

    proptest! {
        #[test]
        fn the_median_is_what_sorting_finds(mut values in proptest::collection::vec(0u64..1000, 1..50)) {
            let median = median(&mut values);
            values.sort_unstable();
            let (lower, upper) = (values[(values.len() - 1) / 2], values[values.len() / 2]);
            prop_assert_eq!(median, Some((lower + upper) as f64 / 2.0));
        }
    }
}
