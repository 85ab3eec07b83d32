//! The share of runs that are solved within a number of evaluations.

/// One step of an empirical cumulative distribution function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EcdfStep {
    /// The number of evaluations at the step. At least one run was solved after exactly this number of evaluations.
    pub evaluations: u64,
    /// The share of all runs solved within this number of evaluations, in `(0, 1]`.
    pub share: f64,
    /// The lower end of the 95 % band at this step, in `[0, 1]`.
    pub low: f64,
    /// The upper end of the 95 % band at this step, in `[0, 1]`.
    pub high: f64,
}

/// Computes the empirical cumulative distribution function of running times. The running time is the number of evaluations until the
/// target. Returns the steps of this distribution function, in ascending order.
///
/// Each run is given by its number of evaluations, whether it was solved, and its weight (usually 1). To weight all instances equally, give
/// each run the weight 1 / (number of runs on its instance). The function treats an unsolved run as a run that never reaches the target. So
/// all runs should have the same budget. The share of solved runs is 0 before the first step, and does not change between two steps. If no
/// run was solved, there are no steps.
///
/// The 95 % band around the share of solved runs is `share ± √(ln 40 / 2n)`, cut off at `[0, 1]`. The band contains the whole true curve
/// with a probability of at least 95 %. Here `n` is `(Σ w)² / Σ w²`. If all weights are 1, `n` is the number of runs (L. Kish, "Survey
/// Sampling", Wiley 1965). For one fixed number of evaluations, the interval of [`wilson`](crate::wilson) is narrower than the 95 % band.
/// The runs must be independent.
///
/// Source of the band: A. Dvoretzky, J. Kiefer and J. Wolfowitz with the constant of P. Massart, "The tight constant in the
/// Dvoretzky-Kiefer-Wolfowitz inequality", Annals of Probability 18(3), 1990, doi:10.1214/aop/1176990746.
///
/// # Example
/// ```
/// let steps = evogrid_statistics::ecdf(&[(30, true, 1.0), (10, true, 1.0), (50, false, 1.0), (10, true, 1.0)]);
/// let points: Vec<(u64, f64)> = steps.iter().map(|step| (step.evaluations, step.share)).collect();
/// assert_eq!(points, [(10, 0.5), (30, 0.75)]);
/// let steps = evogrid_statistics::ecdf(&[(10, true, 0.5), (20, false, 0.5), (30, true, 1.0)]);
/// assert_eq!((steps[0].share, steps[1].share), (0.25, 0.75));
/// ```
pub fn ecdf(runs: &[(u64, bool, f64)]) -> Vec<EcdfStep> {
    let total: f64 = runs.iter().map(|(.., weight)| weight).sum();
    let squares: f64 = runs.iter().map(|(.., weight)| weight * weight).sum();
    let half = (40.0f64.ln() / (2.0 * total * total / squares)).sqrt();
    let mut solved: Vec<(u64, f64)> =
        runs.iter().filter(|(_, is_solved, _)| *is_solved).map(|run| (run.0, run.2)).collect();
    solved.sort_by_key(|&(evaluations, _)| evaluations);
    let mut within = 0.0;
    let step = |equal: &[(u64, f64)]| {
        within += equal.iter().map(|(_, weight)| weight).sum::<f64>();
        let share = (within / total).min(1.0);
        EcdfStep { evaluations: equal[0].0, share, low: (share - half).max(0.0), high: (share + half).min(1.0) }
    };
    solved.chunk_by(|a, b| a.0 == b.0).map(step).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{EcdfStep, ecdf as weighted};

    fn ecdf(runs: &[(u64, bool)]) -> Vec<EcdfStep> {
        weighted(&runs.iter().map(|run| (run.0, run.1, 1.0)).collect::<Vec<_>>())
    }

    #[test]
    fn each_number_of_evaluations_is_one_step() {
        let runs = [(30, true), (10, true), (50, false), (10, true), (50, true)];
        let shares: Vec<(u64, f64)> = ecdf(&runs).iter().map(|step| (step.evaluations, step.share)).collect();
        assert_eq!(shares, [(10, 0.4), (30, 0.6), (50, 0.8)]);
        assert_eq!((ecdf(&[]), ecdf(&[(5, false)])), (vec![], vec![]));
    }

    #[test]
    fn the_band_is_that_of_massart() {
        // √(ln 40 / 200) for 100 runs.
        let runs: Vec<(u64, bool)> = (0..100).map(|run| (run, run < 50)).collect();
        let last = ecdf(&runs)[49];
        assert!((last.share - 0.5).abs() < 1e-15 && (last.high - 0.5 - 0.13581015157406195).abs() < 1e-15, "{last:?}");
    }

    proptest! {
        #[test]
        fn the_shares_rise_to_the_success_rate(runs in prop::collection::vec((0u64..50, any::<bool>()), 0..80)) {
            let steps = ecdf(&runs);
            prop_assert!(steps.windows(2).all(|two| two[0].evaluations < two[1].evaluations && two[0].share < two[1].share));
            prop_assert!(steps.iter().all(|step| 0.0 <= step.low && step.low <= step.share && step.share <= step.high));
            let solved = runs.iter().filter(|run| run.1).count();
            prop_assert_eq!(steps.last().map(|step| step.share), (solved > 0).then(|| solved as f64 / runs.len() as f64));
        }
    }
}
