//! Properties of the statistics that hold for every sample.

use evogrid_statistics::*;
use proptest::collection::vec;
use proptest::prelude::*;

/// A sample of few distinct numbers, so that there are ties, with unsolved runs.
fn sample(n: std::ops::Range<usize>) -> impl Strategy<Value = Vec<f64>> {
    vec(prop_oneof![8 => (0..40i32).prop_map(f64::from), 1 => Just(f64::INFINITY)], n)
}

/// A change that keeps the order of all numbers from 0 to infinity, exactly.
fn stretched(sample: &[f64]) -> Vec<f64> {
    sample.iter().map(|number| number * number * number + 5.0).collect()
}

fn are_near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

fn mirrors(one: Interval, other: Interval, sum: f64) -> bool {
    are_near(one.low + other.high, sum) && are_near(one.high + other.low, sum)
}

proptest! {
    #[test]
    fn two_samples_exchanged_give_the_mirror(first in sample(0..70), second in sample(0..70)) {
        if !first.is_empty() && !second.is_empty() {
            let p_value = |strata: [&[f64]; 2]| stratified_test(&[strata], Confidence::PERCENT_95).p_value;
            let (found, mirror) = (p_value([&first, &second]), p_value([&second, &first]));
            prop_assert!(are_near(found, mirror) && (0.0..=1.0).contains(&found));
        }
        let (effect, mirror) = (vargha_delaney(&first, &second), vargha_delaney(&second, &first));
        prop_assert!(are_near(effect.a12 + mirror.a12, 1.0) && mirrors(effect.interval, mirror.interval, 1.0));
        prop_assert!(0.0 <= effect.interval.low && effect.interval.high <= 1.0 && effect.interval.contains(effect.a12));
    }

    #[test]
    fn rank_tests_see_nothing_but_the_order(samples in vec(sample(0..30), 2..6)) {
        let changed: Vec<Vec<f64>> = samples.iter().map(|numbers| stretched(numbers)).collect();
        let [before, after] = [&samples, &changed].map(|samples| samples.iter().map(Vec::as_slice).collect::<Vec<_>>());
        prop_assert_eq!(vargha_delaney(before[0], before[1]), vargha_delaney(after[0], after[1]));
        // An unsolved run counts only as a run that is longer than any other.
        let [one, other] = [before[0], before[1]].map(|numbers| numbers.iter().map(|x| x.min(1e9)).collect::<Vec<_>>());
        prop_assert_eq!(vargha_delaney(before[0], before[1]), vargha_delaney(&one, &other));
    }

    #[test]
    fn the_order_of_blocks_and_treatments_does_not_matter(blocks in vec(sample(5..6), 0..20)) {
        let forth: Vec<&[f64]> = blocks.iter().map(Vec::as_slice).collect();
        let turned: Vec<Vec<f64>> = blocks.iter().rev().map(|block| stretched(block).into_iter().rev().collect()).collect();
        let (found, mirror) = (friedman(&forth), friedman(&turned.iter().map(Vec::as_slice).collect::<Vec<_>>()));
        prop_assert!(found.statistic >= 0.0 && (0.0..=1.0).contains(&found.p_value));
        prop_assert!(are_near(found.statistic, mirror.statistic) && are_near(found.p_value, mirror.p_value));
        let ranks = found.mean_ranks.iter().zip(mirror.mean_ranks.iter().rev());
        prop_assert!(ranks.into_iter().all(|(one, other)| are_near(*one, *other)));
        prop_assert!(blocks.is_empty() || are_near(found.mean_ranks.iter().sum(), 15.0));
    }

    #[test]
    fn skillings_and_macks_test_of_complete_blocks_is_friedmans(blocks in vec(sample(4..5), 0..20), k in 0usize..4) {
        let forth: Vec<&[f64]> = blocks.iter().map(Vec::as_slice).collect();
        let mut whole: Vec<Vec<Option<f64>>> = blocks.iter().map(|block| block.iter().copied().map(Some).collect()).collect();
        let (friedman, found) = (friedman(&forth), skillings_mack(&whole));
        prop_assert!(are_near(found.statistic, friedman.statistic) && are_near(found.p_value, friedman.p_value));
        let mut ranks = found.mean_ranks.iter().zip(&friedman.mean_ranks);
        prop_assert!(ranks.all(|(one, other)| are_near(*one, *other)));
        // A block with one number changes nothing, nor does the order of treatments where numbers are missing.
        if let Some(first) = whole.first_mut() {
            first[k] = None;
        }
        let found = skillings_mack(&whole);
        let mut alone = vec![None; 4];
        alone[k] = Some(1.0);
        let mut turned: Vec<Vec<Option<f64>>> =
            whole.iter().map(|block| block.iter().rev().copied().collect()).collect();
        turned.push(alone);
        let mirror = skillings_mack(&turned);
        prop_assert!(are_near(found.statistic, mirror.statistic) && are_near(found.p_value, mirror.p_value));
        prop_assert!(found.statistic >= 0.0 && (0.0..=1.0).contains(&found.p_value) && found.degrees <= 3);
    }

    #[test]
    fn intervals_of_a_rate_hold_it_and_mirror(runs in 1u64..1_000_000_000, part in 0.0..=1.0f64) {
        let solved = ((runs as f64 * part) as u64).min(runs);
        let (found, mirror) = (wilson(solved, runs), wilson(runs - solved, runs));
        prop_assert!(found.contains(solved as f64 / runs as f64) && mirrors(found, mirror, 1.0));
        prop_assert!(0.0 <= found.low && found.high <= 1.0);
        prop_assert_eq!((found.low == 0.0, found.high == 1.0), (solved == 0, solved == runs));
    }

    #[test]
    fn intervals_of_a_difference_hold_it_and_mirror(table in [0u64..2_000_000, 0..200, 0..200, 0..2_000_000]) {
        let [a, b, c, d] = table;
        let pairs = |wins, losses| PairCounts { wins, losses, ties: a + d }.interval();
        let (found, mirror) = (pairs(b, c), pairs(c, b));
        prop_assert!(mirrors(found, mirror, 0.0) && -1.0 <= found.low && found.high <= 1.0);
        let net = (b as f64 - c as f64) / (a + b + c + d).max(1) as f64;
        prop_assert!(found.low <= net + 1e-12 && net <= found.high + 1e-12, "{:?} without {}", found, net);
        if a + b > 0 && c + d > 0 {
            let rates = |sides| stratified_rates(&[sides], Confidence::PERCENT_95).interval;
            let (apart, mirror) = (rates([(a, a + b), (c, c + d)]), rates([(c, c + d), (a, a + b)]));
            prop_assert!(mirrors(apart, mirror, 0.0) && -1.0 <= apart.low && apart.high <= 1.0);
            let difference = a as f64 / (a + b) as f64 - c as f64 / (c + d) as f64;
            prop_assert!(apart.low <= difference + 1e-12 && difference <= apart.high + 1e-12);
        }
    }

    #[test]
    fn running_times_are_at_least_what_the_solved_runs_took(
        runs in vec((1u64..1000, any::<bool>()), 1..60),
    ) {
        let solved: Vec<u64> = runs.iter().filter(|run| run.1).map(|run| run.0).collect();
        let mean = solved.iter().sum::<u64>() as f64 / solved.len() as f64;
        prop_assert_eq!(ert(&runs).is_some(), !solved.is_empty());
        prop_assert!(ert(&runs).is_none_or(|expected| expected >= mean));
    }
}

#[test]
fn a_million_runs_are_no_matter() {
    const MILLION: u64 = 1_000_000;
    for solved in [0, 1, MILLION / 2, MILLION] {
        assert!(wilson(solved, MILLION).contains(solved as f64 / MILLION as f64));
        let found =
            stratified_rates(&[[(solved, MILLION), (MILLION - solved, MILLION)]], Confidence::PERCENT_95).interval;
        assert!(found.low <= found.high);
        let pairs = PairCounts { wins: solved, losses: MILLION - solved, ties: MILLION };
        assert!(pairs.interval().contains((2.0 * solved as f64 - 1e6) / 2e6));
        assert!((0.0..=1.0).contains(&count_p_value(solved, MILLION, 1000, 500)));
    }
    let cell = TableCell { solved: 400_000, runs: MILLION, further_solved: 399_000, further: MILLION };
    let p_value = joint_p_value(&[cell; 3], 200, 1);
    assert!(p_value > 0.0 && p_value < 1.0);
    let runs: Vec<(u64, bool, f64)> = (0..MILLION).map(|run| (run, run % 3 == 0, 1.0)).collect();
    assert_eq!(ecdf(&runs).len(), 333_334);
    assert!(ert(&runs.iter().map(|run| (run.0, run.1)).collect::<Vec<_>>()).is_some());
    assert_eq!(holm(&vec![0.5; 1_000_000])[0], 1.0);
}
