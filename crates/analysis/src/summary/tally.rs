//! The sums and values of a group of runs, the counts on each instance, and the figures that are computed from them. Runs are added one by
//! one. The counts on each instance are needed for intervals of rates and gaps that hold for instances like these.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use evogrid_core::budget::Stop;
use evogrid_results::{Row, RunOutcome, is_work_unknown};
use evogrid_statistics::{ert_of_sums, mean_estimate};

use super::figures::{ESTIMATES, Estimate, Figure, Figures, Group, N_FIGURES};
use crate::metric::InstanceMean;

/// The values of runs for which medians are computed. A median needs all values.
#[derive(Debug, Default)]
pub(super) struct RunValues {
    /// The evaluations of the solved runs.
    evaluations: Vec<u64>,
    /// The gaps of the runs that have a gap. The gap of a run without a solution is infinite.
    gaps: Vec<f64>,
    /// The objectives of the runs, if all runs are on one instance.
    objectives: Vec<f64>,
    /// The first instance, and whether it is the only instance.
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

    /// Adds the values of a bucket. The bucket may be the first bucket.
    pub(super) fn append(&mut self, bucket: &Self, is_first: bool) {
        self.evaluations.extend_from_slice(&bucket.evaluations);
        self.gaps.extend_from_slice(&bucket.gaps);
        self.objectives = if is_first { bucket.objectives.clone() } else { Vec::new() };
    }
}

/// Whether the gap of a run is infinite: the run has no solution, and the instance has a best known value.
fn is_gap_unbounded(row: &Row) -> bool {
    row.best_known.is_some_and(|best| best != 0.0) && row.outcome.objective.is_none()
}

/// For each figure, the value that a run adds to the sums of its groups.
pub(super) type Addends = [Option<f64>; N_FIGURES];

pub(super) fn addends(outcome: &RunOutcome) -> Addends {
    ESTIMATES.each_ref().map(|estimate| match estimate {
        Estimate::Mean(of) | Estimate::Sum(of) | Estimate::MeanIf(of, _) => of(outcome),
        Estimate::OfAll => None,
    })
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
    /// The number of runs with a target that stopped for each reason.
    judged_stops: [u64; Stop::N_REASONS],
    sums: [Sum; N_FIGURES],
    group: Group,
    /// Whether at least one run that did not fail has an infinite gap.
    is_gap_unbounded: bool,
}

impl Tally {
    /// Adds a run. `measure` contains the index of the family and the index of the fitness function.
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
        for (sum, value) in self.sums.iter_mut().zip(addends).filter_map(|(sum, value)| Some((sum, (*value)?))) {
            sum.sum += value;
            sum.n += 1;
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

    /// The figures of the group. The order of the collected values in `values` is changed.
    pub(super) fn figures(&self, values: &mut RunValues, instances: &[InstanceTally]) -> Figures {
        let counts: Vec<_> = instances.iter().map(InstanceTally::counts).collect();
        let mut figures = Figures {
            families: self.n_families() as u64,
            measures: self.group.measures.len() as u64,
            judged_stops: self.judged_stops,
            ..Figures::from_instances(&counts, self.runs, self.stops)
        };
        let group = &self.group;
        for ((value, estimate), &Sum { sum, n }) in figures.values.iter_mut().zip(&ESTIMATES).zip(&self.sums) {
            let mean = || (n > 0).then(|| sum / n as f64);
            *value = match estimate {
                Estimate::Mean(_) => mean(),
                Estimate::Sum(_) => (n > 0).then_some(sum),
                Estimate::MeanIf(_, holds) => mean().filter(|_| holds(group)),
                Estimate::OfAll => None,
            };
        }
        let finite = |value: &f64| value.is_finite();
        let middle = |[low, high]: [f64; 2]| (low + high) / 2.0;
        let mut set = |figure: Figure, value: Option<f64>| figures.values[figure as usize] = value;
        // Gaps of different families have different scales.
        if self.n_families() > 1 {
            values.gaps.clear();
        }
        // The medians below change the order of the values.
        let best_gap = values.gaps.iter().copied().min_by(f64::total_cmp);
        let means: Vec<f64> = instances.iter().filter_map(InstanceTally::mean_gap).collect();
        let sample = InstanceMean::sample(&means, &values.gaps);
        let gap = mean_estimate(sample).filter(|_| !self.is_gap_unbounded && best_gap.is_some());
        let ends =
            [gap.and_then(|gap| gap.interval), gap.and_then(|_| InstanceMean::estimate(sample, best_gap?)?.interval)];
        let [[low, high], [shown_low, shown_high]] =
            ends.map(|ends| [ends.map(|ends| ends.low), ends.map(|ends| ends.high)]);
        set(Figure::MeanGap, gap.map(|gap| gap.mean));
        set(Figure::GapLow, low);
        set(Figure::GapHigh, high);
        set(Figure::MeanGapLow, shown_low);
        set(Figure::MeanGapHigh, shown_high);
        set(Figure::BestGap, best_gap.filter(finite));
        set(Figure::MedianGap, median(&mut values.gaps, f64::total_cmp).map(middle).filter(finite));
        let evaluations = median(&mut values.evaluations, u64::cmp).map(|two| middle(two.map(|one| one as f64)));
        set(Figure::MedianEvaluationsSolved, evaluations);
        let objective = median(&mut values.objectives, f64::total_cmp).map(middle);
        set(Figure::MedianObjective, objective.filter(|_| group.has_mean_objective()));
        set(Figure::BestObjective, group.best_objective.filter(|_| group.has_mean_objective()));
        let is_known = !group.is_work_unknown;
        set(Figure::ErtEvaluations, ert_of_sums(group.evaluations as f64, group.solved).filter(|_| is_known));
        let mut expected: Vec<f64> = instances.iter().filter_map(InstanceTally::expected_evaluations).collect();
        let never = expected.iter().filter(|work| work.is_infinite()).count() as f64;
        set(Figure::InstancesNeverSolved, (!expected.is_empty()).then_some(never));
        let typical = median(&mut expected, f64::total_cmp).map(middle);
        set(Figure::MedianInstanceErt, typical.filter(|work| is_known && work.is_finite()));
        figures
    }

    fn n_families(&self) -> usize {
        self.group.measures.iter().map(|(family, _)| *family).collect::<BTreeSet<_>>().len()
    }
}

/// The two middle values. They are equal if the number of values is odd.
fn median<T: Copy>(values: &mut [T], compare: impl Fn(&T, &T) -> Ordering) -> Option<[T; 2]> {
    let upper = values.len() / 2;
    let odd = values.len() % 2 == 1;
    let (below, &mut upper, _) = values.get(upper).is_some().then(|| values.select_nth_unstable_by(upper, &compare))?;
    let lower = if odd { Some(upper) } else { below.iter().copied().max_by(&compare) };
    lower.map(|lower| [lower, upper])
}

/// The counts of a configuration on one instance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct InstanceTally {
    /// The number of runs with a target.
    judged: u32,
    solved: u32,
    /// The number of runs with a gap.
    gaps: u32,
    gap_sum: f64,
    /// The evaluations of the runs with a target.
    evaluations: f64,
}

impl InstanceTally {
    /// Adds a run with its gap, if the run has a gap.
    pub(super) fn add(&mut self, outcome: &RunOutcome, gap: Option<f64>) {
        self.judged += u32::from(outcome.solved.is_some());
        self.solved += u32::from(outcome.is_solved());
        self.gaps += u32::from(gap.is_some());
        self.gap_sum += gap.unwrap_or(0.0);
        self.evaluations += outcome.solved.map_or(0.0, |_| outcome.evaluations as f64);
    }

    /// The number of solved runs, and the number of runs with a target.
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.solved.into(), self.judged.into())
    }

    /// The expected running time. It is infinite if no run is solved, and `None` if no run had a target.
    pub(super) fn expected_evaluations(&self) -> Option<f64> {
        (self.judged > 0).then(|| ert_of_sums(self.evaluations, self.solved.into()).unwrap_or(f64::INFINITY))
    }

    /// The mean gap of the runs that have a gap.
    pub(super) fn mean_gap(&self) -> Option<f64> {
        (self.gaps > 0).then(|| self.gap_sum / f64::from(self.gaps))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::{InstanceTally, RunOutcome};

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

    proptest! {
        #[test]
        fn runs_are_counted_by_instance_in_whatever_order_they_come(
            runs in proptest::collection::vec((0u32..40, proptest::option::of(any::<bool>()), 0u8..9), 0..400)
        ) {
            let mut counts = BTreeMap::<u32, InstanceTally>::new();
            let mut expected = BTreeMap::<u32, (u64, u64, f64, f64)>::new();
            for (instance, solved, gap) in runs {
                let gap = Some(f64::from(gap)).filter(|&gap| gap > 4.0);
                counts.entry(instance).or_default().add(&RunOutcome { solved, ..RunOutcome::default() }, gap);
                let sums = expected.entry(instance).or_default();
                sums.0 += u64::from(solved == Some(true));
                sums.1 += u64::from(solved.is_some());
                sums.2 += gap.unwrap_or(0.0);
                sums.3 += f64::from(u8::from(gap.is_some()));
            }
            let found: Vec<_> = counts.values().map(|tally| (tally.counts(), tally.mean_gap())).collect();
            let mean = |sum: f64, n: f64| (n > 0.0).then(|| sum / n);
            let expected: Vec<_> =
                expected.values().map(|&(solved, judged, sum, n)| ((solved, judged), mean(sum, n))).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
