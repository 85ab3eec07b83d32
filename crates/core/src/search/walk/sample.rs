//! The initial temperature of a walk, from a sample of moves.

use super::steps;
use crate::search::*;

/// The statistics of a short walk that makes all its moves. They determine an initial temperature.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sample {
    n: f64,
    mean: f64,
    /// The sum of the squares of the differences from the mean.
    squares: f64,
    n_worse: f64,
    n_better: f64,
    /// The sum of the differences of the worse moves.
    worse: f64,
}

impl Sample {
    /// Counts a move from a solution of the fitness `now` to a solution of the fitness `after`.
    pub(super) fn add(&mut self, now: f64, after: f64) {
        self.n += 1.0;
        // Welford, Technometrics 4(3), 1962.
        let difference = after - self.mean;
        self.mean += difference / self.n;
        self.squares += difference * (after - self.mean);
        if after > now {
            self.n_worse += 1.0;
            self.worse += after - now;
        } else if after < now {
            self.n_better += 1.0;
        }
    }

    /// The sample standard deviation of the fitness.
    pub(super) fn deviation(&self) -> f64 {
        (self.squares / (self.n - 1.0).max(1.0)).sqrt()
    }

    /// The temperature at which this share of the moves is accepted, without the moves to equal solutions. The formula assumes that each
    /// worse move has the mean difference (van Laarhoven and Aarts, Simulated Annealing: Theory and Applications, 1987). The temperature is
    /// 0 if the better moves alone reach the share.
    pub(super) fn temperature(&self, accepted: f64) -> f64 {
        let share = (accepted * self.n_worse - (1.0 - accepted) * self.n_better) / self.n_worse;
        // Without a worse move, the share is not a number, and the comparison is false.
        if share > 0.0 { self.worse / self.n_worse / -libm::log(share) } else { 0.0 }
    }
}

/// Makes some moves, and undoes them.
///
/// # Errors
/// The reason to stop.
pub(super) fn sample<P: Problem, N: Neighbourhood>(
    trial: &mut Trial<'_, '_, P, N>,
    n_moves: u64,
) -> Result<Sample, Stop> {
    let (mut sample, start) = (Sample::default(), trial.now);
    trial.moves.mark(0);
    steps(trial, n_moves, |now, after, _| {
        sample.add(now, after);
        true
    })?;
    trial.moves.rollback(0);
    trial.now = start;
    Ok(sample)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_tells_the_deviation_and_the_temperature_at_which_a_share_is_accepted() {
        let mut sample = Sample::default();
        // From 10: worse by 2, worse by 1, better by 3, worse by 3, equal.
        for pair in [10.0, 12.0, 13.0, 10.0, 13.0, 13.0].windows(2) {
            sample.add(pair[0], pair[1]);
        }
        // Of 12, 13, 10, 13, 13: the mean is 12.2, the squares sum to 6.8.
        assert!((sample.deviation() - 1.7f64.sqrt()).abs() < 1e-12);
        // Three worse by 2 in the mean, one better: exp(-2 / T) = (0.8 * 3 - 0.2) / 3.
        assert!((sample.temperature(0.8) - 6.448_390_199).abs() < 1e-8, "{}", sample.temperature(0.8));
        assert_eq!(sample.temperature(0.25), 0.0, "the better one is a quarter");
        assert_eq!(Sample::default().temperature(0.5), 0.0);
        assert_eq!(Sample::default().deviation(), 0.0);
    }
}
