//! A test whether the printed shares of several outcomes agree with our counts of these outcomes. All outcomes are tested together, as one
//! distribution.

use crate::distributions::draws::Draws;

/// Compares the outcomes of further runs (`theirs`) with the outcomes of our runs (`ours`). Returns the p-value of the comparison, in
/// `(0, 1]`. The hypothesis: further runs and our runs have the same distribution of outcomes. The runs are given as the number of times
/// that each outcome occurred.
///
/// `ours` and `theirs` count the same outcomes, in the same order. Under the hypothesis, the counts of further runs are
/// Dirichlet-multinomial. By Jeffreys' prior, half a run is added to each of our counts. The distance of a list of counts from the expected
/// counts is the sum of `(count - expected)² / expected` over all outcomes. The p-value is the share of simulated lists of counts that are
/// at least as far from the expected counts as `theirs`. The list `theirs` is itself counted as one more simulated list. So the p-value is
/// never below `1 / (simulations + 1)`. The same seed always gives the same p-value. If there are no further runs, the p-value is 1.
///
/// Source: A. Gelman and others, "Bayesian Data Analysis", third edition, 2013, chapters 3.4 and 6.3.
///
/// # Panics
/// If `ours` and `theirs` have different lengths.
///
/// # Example
/// ```
/// use evogrid_statistics::outcomes_p_value;
///
/// assert!(outcomes_p_value(&[500, 400, 100], &[5, 4, 1], 2000, 1) > 0.9);
/// assert!(outcomes_p_value(&[10, 215, 775], &[5, 4, 1], 2000, 1) < 0.001);
/// ```
pub fn outcomes_p_value(ours: &[u64], theirs: &[u64], simulations: usize, seed: u64) -> f64 {
    assert_eq!(ours.len(), theirs.len(), "both lists have one count for each possible outcome");
    let further: u64 = theirs.iter().sum();
    let prior: Vec<f64> = ours.iter().map(|&count| count as f64 + 0.5).collect();
    let all: f64 = prior.iter().sum();
    let expected: Vec<f64> = prior.iter().map(|weight| further as f64 * weight / all).collect();
    let distance = |counts: &[f64]| -> f64 {
        counts.iter().zip(&expected).map(|(count, expected)| (count - expected).powi(2) / expected).sum()
    };
    if further == 0 {
        return 1.0;
    }
    let observed = distance(&theirs.iter().map(|&count| count as f64).collect::<Vec<_>>()) * (1.0 - 1e-12);
    let mut random = Draws::from_seed(seed);
    let farther = (0..simulations).filter(|_| {
        // An urn: each drawn outcome is put back with a copy of itself.
        let mut counts = vec![0.0; prior.len()];
        for drawn in 0..further {
            let mut at = random.unit() * (all + drawn as f64);
            let passed = |outcome: &usize| {
                at -= prior[*outcome] + counts[*outcome];
                at < 0.0
            };
            let outcome = (0..prior.len()).find(passed).unwrap_or(prior.len() - 1);
            counts[outcome] += 1.0;
        }
        distance(&counts) >= observed
    });
    (farther.count() + 1) as f64 / (simulations + 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_outcomes_it_is_a_beta_binomial_count() {
        // scipy.stats.betabinom(10, 85.5, 15.5): 5 of 10 and fewer, 0.01495; none lies as far above.
        assert!((outcomes_p_value(&[85, 15], &[5, 5], 20_000, 1) - 0.01495).abs() < 0.005);
        assert_eq!(outcomes_p_value(&[85, 15], &[0, 0], 100, 1), 1.0);
    }

    #[test]
    fn the_last_outcome_tells_as_much_as_the_first() {
        let [first, last] = [[1, 4, 5], [5, 4, 1]].map(|theirs| outcomes_p_value(&[10, 10, 10], &theirs, 20_000, 1));
        assert!((first - last).abs() < 0.02, "{first} {last}");
    }
}
