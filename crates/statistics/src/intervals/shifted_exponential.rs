//! Fits shifted exponential distributions to the times that runs need to reach a target.

/// An exponential distribution that begins after a shift.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShiftedExponential {
    /// The shift: no run reaches the target before this time.
    pub shift: f64,
    /// The mean time from the shift to the target. This mean time is 0 if all runs took equally long.
    pub mean: f64,
    /// The number of runs that reached the target.
    pub reached: usize,
}

impl ShiftedExponential {
    /// Returns the probability that a run reaches the target within `time`.
    pub fn share(&self, time: f64) -> f64 {
        match time - self.shift {
            after if after < 0.0 => 0.0,
            _ if self.mean == 0.0 => 1.0,
            after => 1.0 - (-after / self.mean).exp(),
        }
    }
}

/// Fits a shifted exponential distribution by maximum likelihood. The data are the times that runs need to reach a target. Each run is
/// given by a time and a flag. The flag says whether the run reached the target at this time. If the run did not reach the target, its time
/// is censored. The shift is the shortest time among runs that reached the target. The mean is the sum of the times that all runs took
/// after the shift, divided by the number of runs that reached the target. Returns `None` if no run reached the target.
///
/// With `n` runs that reached the target, the two estimates have a bias of about `1 / n`. The estimated shift is never below the true
/// shift.
///
/// Source: R. M. Aiex, M. G. C. Resende and C. C. Ribeiro, "Probability distribution of solution time in GRASP: an experimental
/// investigation", Journal of Heuristics 8, 2002, doi:10.1023/A:1015061802659, for the distribution; the authors fit the distribution to
/// quartiles, and their method does not use censored runs. The estimates are in J. F. Lawless, "Statistical models and methods for lifetime
/// data", 2nd edition, Wiley 2003, section 4.1.
///
/// # Example
/// ```
/// let law = evogrid_statistics::shifted_exponential(&[(3.0, true), (5.0, true), (10.0, false)]).unwrap();
/// assert_eq!((law.shift, law.mean, law.reached), (3.0, 4.5, 2));
/// assert_eq!((law.share(2.0), law.share(3.0)), (0.0, 0.0));
/// ```
pub fn shifted_exponential(runs: &[(f64, bool)]) -> Option<ShiftedExponential> {
    let reached = runs.iter().filter(|(_, is_reached)| *is_reached);
    let shift = reached.clone().map(|(time, _)| *time).reduce(f64::min)?;
    let n = reached.count();
    let after: f64 = runs.iter().map(|(time, _)| (time - shift).max(0.0)).sum();
    Some(ShiftedExponential { shift, mean: after / n as f64, reached: n })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_censored_runs_it_is_that_of_scipy() {
        // scipy.stats.expon.fit([12, 7, 30, 9, 55]) is (7.0, 15.6).
        let law = shifted_exponential(&[12.0, 7.0, 30.0, 9.0, 55.0].map(|time| (time, true))).expect("a law");
        assert!((law.shift, law.reached) == (7.0, 5) && (law.mean - 15.6).abs() < 1e-12, "{law:?}");
        // scipy.stats.expon.cdf(30, 7, 15.6).
        assert!((law.share(30.0) - 0.771_074_572_910).abs() < 1e-9, "{}", law.share(30.0));
    }

    #[test]
    fn censored_runs_lengthen_the_mean() {
        // scipy.stats.expon.fit(scipy.stats.CensoredData.right_censored([12, 7, 30, 100, 60], [0, 0, 0, 1, 1]), floc=7) is (7, 58).
        let law = shifted_exponential(&[(12.0, true), (7.0, true), (30.0, true), (100.0, false), (60.0, false)]);
        let law = law.expect("a law");
        assert!((law.shift, law.reached) == (7.0, 3) && (law.mean - 58.0).abs() < 1e-9, "{law:?}");
        assert_eq!(shifted_exponential(&[(5.0, false)]), None);
        assert_eq!(shifted_exponential(&[(5.0, true); 3]).map(|law| (law.mean, law.share(5.0))), Some((0.0, 1.0)));
    }
}
