//! Rates of runs on several instances. Runs on one instance are more alike than runs on different instances.

use crate::distributions::student::student_quantile_975;
use crate::interval::Interval;
use crate::intervals::wilson::{wilson, wilson_score};

/// The success rate of runs on several instances. The interval of the rate holds for all instances of the same kind, not only for the
/// instances of these runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusteredRate {
    /// The 95 % interval of the success rate. The interval holds for all instances of the same kind as the instances of these runs. Both
    /// ends of the interval lie in `[0, 1]`. If there are no runs, the interval is `[0, 1]`.
    pub interval: Interval,
    /// The intra-class correlation of runs on one instance, from 0 to 1. If the correlation is 0, the success rate does not depend on the
    /// instance. If the correlation is 1, all runs on one instance have the same result. `None` if the correlation cannot be estimated,
    /// because there is only one instance, or only one run on each instance.
    pub correlation: Option<f64>,
    /// The number of independent runs that would contain as much information as these runs. This number lies between the number of
    /// instances and the number of runs.
    pub effective_runs: f64,
}

/// Computes the interval of a success rate from runs on several instances. Each instance is given by two numbers: its solved runs and all
/// its runs. Instances without runs are omitted.
///
/// Runs on one instance are similar. So `n` runs on `k` instances contain less information than `n` independent runs. The intra-class
/// correlation `ρ` is estimated by analysis of variance. If the estimate of `ρ` is negative, it is replaced by 0. `m = Σ nᵢ² / n` is the
/// weighted mean number of runs on an instance. The runs contain as much information as `n / (1 + (m - 1) ρ)` independent runs. If this
/// formula gives less than `k`, the function uses `k` as the number of independent runs. The interval of the success rate is Wilson's
/// interval, with the number of independent runs as the sample size. In the formula of Wilson's interval, Student's t with `k - 1` degrees
/// of freedom replaces 1.96. If there is only one instance, the interval equals the interval of [`wilson`], and holds only for this
/// instance.
///
/// Sources: M. S. Ridout, C. G. B. Demetrio and D. Firth, "Estimating intraclass correlation for binary data", Biometrics 55,
/// 1999, doi:10.1111/j.0006-341X.1999.00137.x (section 3, ANOVA estimator); N. Dean and M. Pagano, "Evaluating confidence interval
/// methods for binomial proportions in clustered surveys", Journal of Survey Statistics and Methodology 3(4), 2015,
/// doi:10.1093/jssam/smv024.
///
/// # Panics
/// If the number of solved runs on an instance exceeds the number of all runs on this instance.
///
/// # Example
/// ```
/// use evogrid_statistics::{clustered_rate, wilson};
///
/// // Ten instances of ten runs, half of them always solved, half of them never: they tell as much as ten runs.
/// let instances: Vec<(u64, u64)> = (0..10).map(|at| (10 * (at % 2), 10)).collect();
/// let rate = clustered_rate(&instances);
/// assert_eq!((rate.correlation, rate.effective_runs), (Some(1.0), 10.0));
/// assert!(rate.interval.low < 0.22 && wilson(50, 100).low > 0.40);
/// ```
pub fn clustered_rate(instances: &[(u64, u64)]) -> ClusteredRate {
    let instances = || instances.iter().copied().filter(|&(_, runs)| runs > 0);
    let (solved, runs) = instances().fold((0, 0), |(solved, runs), one| (solved + one.0, runs + one.1));
    let k = instances().count();
    if k < 2 {
        return ClusteredRate { interval: wilson(solved, runs), correlation: None, effective_runs: runs as f64 };
    }
    let n = runs as f64;
    let mean_size = instances().map(|(_, runs)| (runs as f64).powi(2)).sum::<f64>() / n;
    let correlation = correlation(instances(), solved as f64 / n, n, mean_size, k as f64);
    let design_effect = 1.0 + (mean_size - 1.0) * correlation.unwrap_or(0.0);
    let effective_runs = (n / design_effect).max(k as f64);
    let interval = wilson_score(solved as f64 / n, effective_runs, student_quantile_975(k - 1));
    ClusteredRate { interval, correlation, effective_runs }
}

/// Computes the mean success rate of several instances, and the interval of this mean. All instances have equal weight. If all instances
/// have equally many runs, the result equals the result of [`clustered_rate`].
///
/// If instances have different numbers of runs, the function computes an effective number `n` of runs. The function chooses `n` so that the
/// success rate of `n` independent runs has the same variance as the mean rate. For `k` instances, the effective number of runs is at least
/// `k` and at most `k² / Σ 1/nᵢ`.
///
/// # Panics
/// If the number of solved runs on an instance exceeds the number of all runs on this instance.
///
/// # Example
/// ```
/// use evogrid_statistics::{clustered_rate, mean_instance_rate};
///
/// // 80 % of 400 runs on an easy instance, 10 % of 100 on a hard one: pooled they would be 66 %.
/// let (rate, _) = mean_instance_rate(&[(320, 400), (10, 100)]);
/// assert!((rate - 0.45).abs() < 1e-12);
/// assert_eq!(mean_instance_rate(&[(3, 4), (1, 4)]), (0.5, clustered_rate(&[(3, 4), (1, 4)])));
/// ```
pub fn mean_instance_rate(instances: &[(u64, u64)]) -> (f64, ClusteredRate) {
    let pooled = clustered_rate(instances);
    let run = || instances.iter().copied().filter(|&(_, runs)| runs > 0);
    let (solved, runs) = run().fold((0, 0), |(solved, runs), one| (solved + one.0, runs + one.1));
    let n = run().count();
    if n < 2 || run().all(|(_, runs)| Some(runs) == run().next().map(|(_, first)| first)) {
        return (if runs == 0 { 0.0 } else { solved as f64 / runs as f64 }, pooled);
    }
    let k = n as f64;
    let rates = || run().map(|(solved, runs)| solved as f64 / runs as f64);
    let rate = rates().sum::<f64>() / k;
    let variance = rates().map(|own| (own - rate).powi(2)).sum::<f64>() / (k - 1.0) / k;
    let most = k * k / run().map(|(_, runs)| 1.0 / runs as f64).sum::<f64>();
    let effective_runs = if variance > 0.0 { (rate * (1.0 - rate) / variance).min(most).max(k) } else { most };
    let interval = wilson_score(rate, effective_runs, student_quantile_975(n - 1));
    (rate, ClusteredRate { interval, effective_runs, ..pooled })
}

/// The intra-class correlation by analysis of variance: the share of the variance that lies between instances.
fn correlation(instances: impl Iterator<Item = (u64, u64)>, rate: f64, n: f64, mean_size: f64, k: f64) -> Option<f64> {
    let (mut between, mut within) = (0.0, 0.0);
    for (solved, runs) in instances {
        let own = solved as f64 / runs as f64;
        between += runs as f64 * (own - rate).powi(2);
        within += runs as f64 * own * (1.0 - own);
    }
    if n <= k {
        return None;
    }
    let (between, within) = (between / (k - 1.0), within / (n - k));
    let size = (n - mean_size) / (k - 1.0);
    let all = between + (size - 1.0) * within;
    // Where all runs end alike there is no variance to divide.
    Some(if all > 0.0 { ((between - within) / all).clamp(0.0, 1.0) } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_interval_agrees_with_its_formula_and_scipys_quantiles() {
        let golden = [
            (vec![(9, 10), (3, 10), (10, 10), (0, 5)], 0.6623311655827916, 5.394668722806629, 0.1454743, 0.9438920),
            (vec![(5, 10), (6, 10), (4, 10)], 0.0, 30.0, 0.1911284, 0.8088716),
            (vec![(10, 10), (10, 10), (10, 10), (10, 10), (10, 10), (10, 10), (0, 0)], 0.0, 60.0, 0.9007942, 1.0),
            (vec![(1, 1), (0, 1), (1, 1), (1, 3)], 0.0, 6.0, 0.1037755, 0.8962245),
        ];
        for (instances, correlation, effective_runs, low, high) in golden {
            let rate = clustered_rate(&instances);
            assert!((rate.correlation.expect("estimated") - correlation).abs() < 1e-12, "{rate:?}");
            assert!((rate.effective_runs - effective_runs).abs() < 1e-9, "{rate:?}");
            assert!((rate.interval.low - low).abs() < 1e-6 && (rate.interval.high - high).abs() < 1e-6, "{rate:?}");
        }
    }

    #[test]
    fn one_instance_or_none_has_the_plain_interval() {
        assert_eq!(clustered_rate(&[(85, 100), (0, 0)]).interval, wilson(85, 100));
        assert_eq!(clustered_rate(&[]).interval, Interval { low: 0.0, high: 1.0 });
        assert_eq!(clustered_rate(&[(1, 1), (0, 1), (1, 1)]).correlation, None, "one run on each");
    }

    proptest! {
        #[test]
        fn it_is_never_narrower_than_that_of_as_many_independent_runs(
            instances in prop::collection::vec((0u64..=20, 0u64..=20), 2..30)
        ) {
            let instances: Vec<(u64, u64)> = instances.into_iter().map(|(a, b)| (a.min(b), a.max(b))).collect();
            let rate = clustered_rate(&instances);
            let (solved, runs) = instances.iter().fold((0, 0), |(solved, runs), one| (solved + one.0, runs + one.1));
            let plain = wilson(solved, runs);
            prop_assert!(rate.interval.low <= plain.low + 1e-12 && plain.high <= rate.interval.high + 1e-12);
            prop_assert!(rate.effective_runs <= runs as f64 + 1e-9);
            let mirrored: Vec<(u64, u64)> = instances.iter().map(|&(solved, runs)| (runs - solved, runs)).collect();
            let mirror = clustered_rate(&mirrored);
            prop_assert!((rate.interval.low - (1.0 - mirror.interval.high)).abs() < 1e-9);
        }
    }
}
