//! The counts of a configuration on each instance. These counts are needed for intervals of rates and gaps that hold for instances like
//! these.

use evogrid_results::Row;
use evogrid_statistics::ert_of_sums;

/// The counts on each instance, with 32 bytes per instance. Runs must be grouped by instance, or be in the order of the instances.
#[derive(Debug, Default)]
pub(super) struct InstanceCounts {
    /// The entries. An instance may have several entries. From time to time, the entries of each instance are added up.
    entries: Vec<InstanceTally>,
    /// When there are this many entries, the entries of each instance are added up.
    limit: usize,
}

/// The counts of a configuration on one instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct InstanceTally {
    /// The number of the instance within its bucket.
    pub(super) instance: u32,
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
    pub(super) fn new(instance: u32, row: &Row, gap: Option<f64>) -> Self {
        Self {
            instance,
            judged: u32::from(row.outcome.solved.is_some()),
            solved: u32::from(row.outcome.is_solved()),
            gaps: u32::from(gap.is_some()),
            gap_sum: gap.unwrap_or(0.0),
            evaluations: row.outcome.solved.map_or(0.0, |_| row.outcome.evaluations as f64),
        }
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

    fn absorb(&mut self, later: &Self) {
        self.judged += later.judged;
        self.solved += later.solved;
        self.gaps += later.gaps;
        self.gap_sum += later.gap_sum;
        self.evaluations += later.evaluations;
    }
}

impl InstanceCounts {
    pub(super) fn add(&mut self, tally: InstanceTally) {
        match self.entries.last_mut() {
            Some(last) if last.instance == tally.instance => last.absorb(&tally),
            _ => {
                if self.entries.len() > self.limit {
                    self.add_up();
                    self.limit = (2 * self.entries.len()).max(64);
                }
                self.entries.push(tally);
            }
        }
    }

    fn add_up(&mut self) {
        // A stable sort: a sum of fractions depends on the order.
        self.entries.sort_by_key(|tally| tally.instance);
        self.entries.dedup_by(|later, tally| {
            let is_same = later.instance == tally.instance;
            if is_same {
                tally.absorb(later);
            }
            is_same
        });
    }

    /// The counts on each instance, in the order of the numbers of the instances.
    pub(super) fn finish(mut self) -> Vec<InstanceTally> {
        self.add_up();
        self.entries
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn runs_are_counted_by_instance_in_whatever_order_they_come(
            runs in proptest::collection::vec((0u32..40, proptest::option::of(any::<bool>()), 0u8..9), 0..400)
        ) {
            let (mut counts, mut expected) = (InstanceCounts::default(), BTreeMap::<u32, (u64, u64, f64, f64)>::new());
            for (instance, solved, gap) in runs {
                let mut row = Row::default();
                row.outcome.solved = solved;
                let gap = Some(f64::from(gap)).filter(|&gap| gap > 4.0);
                counts.add(InstanceTally::new(instance, &row, gap));
                let sums = expected.entry(instance).or_default();
                sums.0 += u64::from(solved == Some(true));
                sums.1 += u64::from(solved.is_some());
                sums.2 += gap.unwrap_or(0.0);
                sums.3 += f64::from(u8::from(gap.is_some()));
            }
            let found: Vec<_> = counts.finish().iter().map(|tally| (tally.counts(), tally.mean_gap())).collect();
            let mean = |sum: f64, n: f64| (n > 0.0).then(|| sum / n);
            let expected: Vec<_> =
                expected.values().map(|&(solved, judged, sum, n)| ((solved, judged), mean(sum, n))).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
