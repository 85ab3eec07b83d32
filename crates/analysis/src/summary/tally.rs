//! What is kept of the runs of a group, which are added one by one.

use evogrid_core::budget::Stop;
use std::collections::BTreeSet;

use evogrid_results::{Row, RunOutcome, is_work_unknown};
use evogrid_statistics::mean_estimate;

use super::figures::{Estimate, FIGURES, Figures, N_FIGURES};
use super::group::Group;
use super::instances::InstanceTally;
use super::median::{median, middle};
use crate::metric::InstanceMean;

/// The values of runs for which medians are computed: a median needs all of them.
#[derive(Debug, Default)]
pub(super) struct RunValues {
    /// The evaluations of the solved runs.
    evaluations: Vec<u64>,
    /// The gaps of the runs that have one; of a run without a solution an infinite one.
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
        for (at, declared) in FIGURES.iter().enumerate() {
            let (Estimate::Mean(of) | Estimate::Sum(of) | Estimate::MeanIf(of, _)) = declared.estimate else {
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

/// The sum of numbers, and how many there are.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    sum: f64,
    n: u64,
}

/// The sums behind the figures of a group of runs.
#[derive(Debug, Default)]
pub(super) struct Tally {
    runs: u64,
    /// How many runs stopped for each reason, by its number.
    stops: [u64; Stop::N_REASONS],
    /// The same of those that say whether they were solved.
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
        for ((value, declared), &Sum { sum, n }) in figures.values.iter_mut().zip(&FIGURES).zip(&self.sums) {
            let mean = || (n > 0).then(|| sum / n as f64);
            *value = match declared.estimate {
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
        // Before the medians put the values in another order.
        let best_gap = values.gaps.iter().copied().min_by(f64::total_cmp);
        let of = InstanceMean::sample(&means, &values.gaps);
        let gap = mean_estimate(of).filter(|_| !self.is_gap_unbounded && best_gap.is_some());
        let gap_interval = gap.and_then(|_| InstanceMean::estimate(of, best_gap?)?.interval);
        let mut expected: Vec<f64> = instances.iter().filter_map(InstanceTally::expected_evaluations).collect();
        let never = expected.iter().filter(|work| work.is_infinite()).count() as u64;
        let is_known = !expected.is_empty() && !self.group.is_work_unknown;
        let whole = |[low, high]: [u64; 2]| (low as f64 + high as f64) / 2.0;
        Group {
            never_solved: (!expected.is_empty()).then_some(never),
            median_instance_ert: median(&mut expected, f64::total_cmp)
                .map(middle)
                .filter(|work| is_known && work.is_finite()),
            median_evaluations: median(&mut values.evaluations, u64::cmp).map(whole),
            median_objective: median(&mut values.objectives, f64::total_cmp).map(middle),
            median_gap: median(&mut values.gaps, f64::total_cmp).map(middle).filter(finite),
            best_gap: best_gap.filter(finite),
            gap,
            gap_interval,
            ..self.group.clone()
        }
    }
}
