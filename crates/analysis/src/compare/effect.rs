//! Effects: how much better one setting does than another, how sure that is, and whether it can be told.

use super::group::{Group, InstanceRuns, Matching};
use crate::samples::Metric;
use evogrid_statistics::{
    Interval, PairCounts, mann_whitney, newcombe, newcombe_paired, repetitions_needed_paired, student_quantile_975,
    vargha_delaney, wilcoxon,
};

/// The difference of two settings, positive where the first does better.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// For rates the difference of both, from -1 to 1. For other figures the probability that a run of the first does better than
    /// one of the second on the same instance (ties count by half), from 0 to 1.
    pub size: f64,
    /// Its 95 % interval.
    pub interval: Interval,
    /// The two-sided p-value.
    pub p_value: f64,
    /// Instances that both have.
    pub instances: usize,
    /// Runs of both on them.
    pub runs: [u64; 2],
    /// What the p-value is of.
    pub test: &'static str,
    /// The pairs of runs that would tell a difference of rates of this size in 80 of 100 cases, where runs are paired and there
    /// is a difference.
    pub pairs_needed: Option<u64>,
    /// Whether the effect is one of rates.
    pub(super) is_of_rates: bool,
}

/// Whether a difference can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// The first does better.
    First,
    /// The second does better.
    Second,
    /// The interval lies so near to none that there is no difference worth the name.
    Alike,
    /// There are too few runs.
    Open,
}

/// The power and the level for which the pairs that would be needed are counted.
const POWER: f64 = 0.8;
const LEVEL: f64 = 0.05;

/// A difference of rates within this is none worth the name.
const RATE_MARGIN: f64 = 0.05;

/// The same for a probability around one half: "negligible" below 0.56 by Vargha and Delaney (2000).
const PROBABILITY_MARGIN: f64 = 0.06;

impl Effect {
    pub(super) fn between(metric: Metric, matching: Matching, one: &Group, two: &Group, instances: &[usize]) -> Self {
        let blocks: Vec<[&InstanceRuns; 2]> = instances.iter().map(|at| [&one.blocks[at], &two.blocks[at]]).collect();
        let count = |side: usize| blocks.iter().map(|block| block[side].runs.len() as u64).sum();
        let base = Self {
            size: 0.0,
            interval: Interval { low: 0.0, high: 0.0 },
            p_value: 1.0,
            instances: blocks.len(),
            runs: [count(0), count(1)],
            test: "",
            pairs_needed: None,
            is_of_rates: metric == Metric::Solved,
        };
        match (metric, matching) {
            (Metric::Solved, Matching::Instances) => base.with_separate_rates(&blocks),
            (Metric::Solved, _) => base.with_paired_rates(&blocks),
            _ => base.with_figures(metric, &blocks),
        }
    }

    /// Pairs of runs: who solved what the other did not.
    fn with_paired_rates(self, blocks: &[[&InstanceRuns; 2]]) -> Self {
        let [mut both, mut first, mut second, mut neither] = [0; 4];
        for [one, two] in blocks {
            for ((one, _), (two, _)) in one.runs.values().zip(two.runs.values()) {
                match (*one > 0.0, *two > 0.0) {
                    (true, true) => both += 1,
                    (true, false) => first += 1,
                    (false, true) => second += 1,
                    (false, false) => neither += 1,
                }
            }
        }
        let pairs = PairCounts { wins: first, losses: second, ties: both + neither };
        let [first_share, second_share] = [first, second].map(|count| count as f64 / pairs.n() as f64);
        Self {
            pairs_needed: repetitions_needed_paired(first_share, second_share, POWER, LEVEL),
            size: pairs.net(),
            interval: newcombe_paired(both, first, second, neither),
            p_value: pairs.p_value(),
            test: "exact McNemar test on pairs of runs",
            ..self
        }
    }

    /// Runs that cannot be paired: the instances are, by their rates.
    fn with_separate_rates(self, blocks: &[[&InstanceRuns; 2]]) -> Self {
        let solved = |side: usize| {
            blocks.iter().flat_map(|block| block[side].runs.values()).filter(|(figure, _)| *figure > 0.0).count() as u64
        };
        let [one, two] = self.runs;
        let (first, second) = (solved(0), solved(1));
        let rates: Vec<(f64, f64)> =
            blocks.iter().map(|[one, two]| (one.typical(Metric::Solved), two.typical(Metric::Solved))).collect();
        Self {
            size: first as f64 / one as f64 - second as f64 / two as f64,
            interval: newcombe(first, one, second, two),
            p_value: wilcoxon(&rates).p_value,
            test: "Wilcoxon signed-rank test on the instances' rates",
            ..self
        }
    }

    /// Other figures: blocks by instance, or the runs alone where there is one instance.
    fn with_figures(self, metric: Metric, blocks: &[[&InstanceRuns; 2]]) -> Self {
        let costs = |block: &InstanceRuns| -> Vec<f64> {
            block.figures().into_iter().map(|figure| metric.cost(figure)).collect()
        };
        let better = |[one, two]: &[&InstanceRuns; 2]| vargha_delaney(&costs(two), &costs(one));
        if let [block @ [one, two]] = blocks {
            let effect = better(block);
            let p_value = mann_whitney(&costs(one), &costs(two)).p_value;
            return Self {
                size: effect.a12,
                interval: effect.interval,
                p_value,
                test: "Mann-Whitney test on runs",
                ..self
            };
        }
        let effects: Vec<f64> = blocks.iter().map(|block| better(block).a12).collect();
        let (size, interval) = mean_with_interval(&effects);
        // Against one half, which no difference would give; in whole numbers, so that equal distances above and below tie.
        let against: Vec<(f64, f64)> = effects.iter().map(|&effect| ((effect * 1e9).round(), 5e8)).collect();
        let test = "Wilcoxon signed-rank test on the instances' effects";
        Self { size, interval, p_value: wilcoxon(&against).p_value, test, ..self }
    }

    /// Whether the difference can be told, by a p-value, which may be corrected.
    #[must_use]
    pub fn conclusion(&self, p_value: f64) -> Conclusion {
        let (none, margin) = if self.is_of_rates { (0.0, RATE_MARGIN) } else { (0.5, PROBABILITY_MARGIN) };
        if none - margin < self.interval.low && self.interval.high < none + margin {
            Conclusion::Alike
        } else if p_value >= 0.05 || self.size == none {
            Conclusion::Open
        } else if self.size > none {
            Conclusion::First
        } else {
            Conclusion::Second
        }
    }
}

/// The mean of the instances' effects, each from 0 to 1, and its 95 % interval, instances being what was drawn.
///
/// The interval has Wilson's form (1927) with the effects' own variance `v` in place of `p(1 - p)` and Student's `t` in place of
/// `z`: `(p + t²/2n ± t √(v/n + t²/4n²)) / (1 + t²/n)`. So it stays within [0, 1], and has a width where all effects are equal.
fn mean_with_interval(effects: &[f64]) -> (f64, Interval) {
    let n = effects.len() as f64;
    let mean = effects.iter().sum::<f64>() / n;
    let variance = effects.iter().map(|effect| (effect - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let t = student_quantile_975(effects.len() - 1);
    let (middle, scale) = (mean + t * t / (2.0 * n), 1.0 + t * t / n);
    let half = t * (variance / n + t * t / (4.0 * n * n)).sqrt();
    let low = ((middle - half) / scale).clamp(0.0, mean);
    let high = ((middle + half) / scale).clamp(mean, 1.0);
    (mean, Interval { low, high })
}
