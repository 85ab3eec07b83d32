//! Evidence that one configuration is worse than others. The evidence may be used after any block of runs.

/// A configuration is compared with at most these numbers of leaders.
const LEADERS: [usize; 2] = [2, 5];

/// The exponents that give a worse rank more weight.
const STEEPNESS: [f64; 2] = [2.0, 5.0];

/// The evidence that a configuration in a race is worse than the best. The evidence is a test martingale: it is updated after each block.
/// Each block has one run of every configuration in the race.
///
/// In a block, the configuration and `g` leaders are ranked together. The best rank is 0 and the worst rank is `g`. The leaders must be
/// chosen before the block is seen. Each block gives a factor: `exp(s rank / g)`, divided by its mean over all ranks. If a configuration is
/// as good as the best configuration, it gets a poor rank no more often than a good rank. So the expected value of a block's factor is at
/// most 1. The expected value of the product over all blocks is also at most 1. Here `g` is 2 or 5 (the first two or the first five
/// leaders), and `s` is 2 or 5. So there are four combinations of `g` and `s`, and each combination has a product of factors. The evidence
/// is the mean of the four products of factors. If some leaders have the same cost as the configuration, their ranks are tied. Then the
/// factor of the block is the mean of the factors for the tied ranks.
///
/// Suppose that a configuration is as good as the best. By Ville's inequality, the probability that the evidence reaches `1 / a` at *any*
/// time is at most `a`. This bound holds no matter how often you look at the evidence, and no matter when the race ends. Compare the ranks
/// of a configuration with random ranks. Here, the configuration is "as good as the best" if it gets poor ranks at most as often as it
/// would get them by chance. If a configuration is as good as the leaders on average, but varies more, the evidence may reach `1 / a` with
/// a probability above `a`.
///
/// Sources: J. Ville, "Étude critique de la notion de collectif", 1939; for ranks B. Duan, A. Ramdas and L. Wasserman, "Interactive rank
/// testing by betting", CLeaR 2022.
///
/// ```
/// use evogrid_statistics::RankEvidence;
///
/// let mut evidence = RankEvidence::default();
/// for _ in 0..4 {
///     evidence.add(9.0, &[1.0, 2.0, 3.0, 4.0, 5.0]);
/// }
/// assert!(evidence.value() > 20.0, "last of six in four blocks");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RankEvidence {
    products: [[f64; STEEPNESS.len()]; LEADERS.len()],
}

impl Default for RankEvidence {
    /// No evidence: 1.
    fn default() -> Self {
        Self { products: [[1.0; STEEPNESS.len()]; LEADERS.len()] }
    }
}

impl RankEvidence {
    /// Adds a block. `leaders` lists the costs of the leaders, and begins with the first leader. If there are no leaders, the evidence does
    /// not change.
    pub fn add(&mut self, own: f64, leaders: &[f64]) {
        for (products, size) in self.products.iter_mut().zip(LEADERS) {
            let leaders = &leaders[..size.min(leaders.len())];
            if leaders.is_empty() {
                continue;
            }
            let better = leaders.iter().filter(|&&other| other < own).count();
            let equal = leaders.iter().filter(|&&other| other == own).count();
            for (product, steepness) in products.iter_mut().zip(STEEPNESS) {
                let factor = |rank: usize| libm::exp(steepness * rank as f64 / leaders.len() as f64);
                let mean = (0..=leaders.len()).map(factor).sum::<f64>() / (leaders.len() + 1) as f64;
                let shared = (better..=better + equal).map(factor).sum::<f64>() / (equal + 1) as f64;
                *product *= shared / mean;
            }
        }
    }

    /// Returns the evidence. The evidence is 1 before the first block. Poor ranks of the configuration increase the evidence.
    pub fn value(&self) -> f64 {
        self.products.iter().flatten().sum::<f64>() / (LEADERS.len() * STEEPNESS.len()) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn over_all_ranks_the_factors_have_the_mean_1() {
        for n_leaders in 1..8 {
            let leaders: Vec<f64> = (0..n_leaders).map(f64::from).collect();
            // Against the first leaders alone it may stand anywhere, so each rank among five is one of six equally likely ones.
            let places = leaders.len().min(5);
            let sum: f64 = (0..=places)
                .map(|rank| {
                    let mut evidence = RankEvidence::default();
                    evidence.add(rank as f64 - 0.5, &leaders[..places]);
                    evidence.products[1].iter().sum::<f64>() / 2.0
                })
                .sum();
            assert!((sum / (places + 1) as f64 - 1.0).abs() < 1e-12, "{n_leaders}: {sum}");
        }
    }

    #[test]
    fn equal_costs_are_no_evidence_and_no_order_of_equals_matters() {
        let mut evidence = RankEvidence::default();
        evidence.add(1.0, &[1.0, 1.0, 1.0]);
        assert!((evidence.value() - 1.0).abs() < 1e-12);
        evidence.add(1.0, &[]);
        assert!((evidence.value() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_worked_example() {
        // One leader, which is better: 2 e^s / (1 + e^s), whichever number of leaders is allowed.
        let mut evidence = RankEvidence::default();
        evidence.add(2.0, &[1.0]);
        let factor = |s: f64| 2.0 * libm::exp(s) / (1.0 + libm::exp(s));
        assert!((evidence.value() - (factor(2.0) + factor(5.0)) / 2.0).abs() < 1e-12);
        // A failure costs infinitely much, and so is worse than all that did not fail.
        evidence.add(f64::INFINITY, &[1.0]);
        assert!((evidence.value() - (factor(2.0).powi(2) + factor(5.0).powi(2)) / 2.0).abs() < 1e-12);
    }
}
