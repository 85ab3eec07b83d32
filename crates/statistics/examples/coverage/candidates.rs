//! Candidates for the test of instances like these: each gets the instances' differences and the variance of one that the runs imply, and says
//! whether the mean differs from 0 at a level.

use evogrid_statistics::{Confidence, instance_differences};

use crate::random::Random;

/// The p-values of the candidates, in the order of [`NAMES`].
pub(crate) const NAMES: [&str; 6] =
    ["t, minimum variance", "t", "t, full variance", "sign flips", "Wilcoxon", "mixed model"];

pub(crate) fn p_values(
    ours: f64,
    differences: &[f64],
    variance_of_runs: f64,
    (runs, is_one_of_many): (usize, bool),
    random: &mut Random,
) -> [f64; 6] {
    let n = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / n;
    let variance = differences.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / (n - 1.0);
    // Without a minimum variance: a variance of 0 with a mean that is not gives p = 0, as statistics packages do.
    let plain =
        if variance > 1e-15 { t_p_value(differences, variance) } else { f64::from(u8::from(mean.abs() < 1e-12)) };
    let whole = t_p_value(differences, variance.max(variance_of_runs));
    // A mixed model whose component of the interaction is estimated as 0 pools both variances.
    let mixed = if variance > variance_of_runs || runs < 2 {
        plain
    } else {
        let degrees = 2.0 * n * (runs as f64 - 1.0);
        let pooled = (variance * (n - 1.0) + variance_of_runs * degrees) / (n - 1.0 + degrees);
        if pooled > 1e-15 { two_sided(mean / (pooled / n).sqrt(), (n - 1.0 + degrees) as usize) } else { plain }
    };
    // Many thousand exchanges for each of many pairs: left out.
    let by_exchange =
        if is_one_of_many { [1.0; 2] } else { [flips(differences, random), flips(&signed_ranks(differences), random)] };
    [ours, plain, whole, by_exchange[0], by_exchange[1], mixed]
}

fn t_p_value(differences: &[f64], variance: f64) -> f64 {
    let n = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / n;
    if mean.abs() < 1e-12 { 1.0 } else { two_sided(mean / (variance / n).sqrt(), differences.len() - 1) }
}

/// The two-sided p-value of Student's t: that of equal differences whose minimum variance is chosen for this t.
fn two_sided(t: f64, degrees: usize) -> f64 {
    let (n, mean) = (degrees as f64 + 1.0, 0.5);
    let variance = n * (mean / t).powi(2);
    instance_differences(&vec![mean; degrees + 1], variance, 0.0, Confidence::PERCENT_95).expect("two and more").p_value
}

/// The share of all exchanges of signs, or of 500 random ones beyond 10 differences, whose sum is at least as far from 0.
fn flips(differences: &[f64], random: &mut Random) -> f64 {
    const MOST_EXACT: usize = 10;
    let observed = differences.iter().sum::<f64>().abs() - 1e-9;
    let sum = |bits: u64| -> f64 {
        differences.iter().enumerate().map(|(at, one)| if bits >> at & 1 == 1 { -one } else { *one }).sum::<f64>().abs()
    };
    if differences.len() <= MOST_EXACT {
        let all = 1u64 << differences.len();
        return (0..all).filter(|&bits| sum(bits) >= observed).count() as f64 / all as f64;
    }
    let beyond = (0..500).filter(|_| sum(random.bits()) >= observed).count();
    (beyond + 1) as f64 / 501.0
}

/// The ranks of the distances from 0 with their signs; those at 0 have none.
fn signed_ranks(differences: &[f64]) -> Vec<f64> {
    let rank = |one: f64| -> f64 {
        let below = differences.iter().filter(|other| other.abs() < one.abs() - 1e-12).count();
        let equal = differences.iter().filter(|other| (other.abs() - one.abs()).abs() <= 1e-12).count();
        below as f64 + (equal as f64 + 1.0) / 2.0
    };
    differences.iter().map(|&one| if one.abs() <= 1e-12 { 0.0 } else { one.signum() * rank(one) }).collect()
}
