//! The level of a search: a temperature or a threshold. This module sets the initial level and lowers the level after every chain.

use super::{Chain, WalkRule, steps};
use crate::search::*;
use crate::settings::GrowingNumber;

/// The largest initial level that a setting can have.
pub(super) const MAX_LEVEL: f64 = 1e9;

/// The number of chains in which the level falls to 0, if the level follows the budget but the budget has no limit.
const CYCLE: u64 = 1000;

/// After this number of chains, a level that follows the budget is lowered only once in [`STRIDE`] chains. The reason is that reading the
/// clock may take as long as a short chain.
const FIRST_CHAINS: u64 = 1000;
const STRIDE: u64 = 16;

/// A criterion that accepts moves at a level: a temperature or a threshold.
pub(crate) trait LevelCriterion: Default {
    /// Sets the level, in units of the fitness.
    fn set_level(&mut self, level: f64);

    /// Returns true if a solution of the fitness `after` replaces a solution of the fitness `now`. `bits` are 32 uniform bits.
    fn accepts(&self, now: f64, after: f64, bits: u32) -> bool;
}

crate::choices! {
    /// The rule by which a level is lowered after every chain.
    pub enum Lowering {
        /// The level is its initial value times the fourth power of the remaining share of the budget. Therefore the level passes through
        /// all orders of magnitude, for any unit of the fitness. If no limit defines the share, the level falls to 0 in 1,000 chains. Then
        /// it starts again at the initial value. A target and stagnation do not define a share, because they may never occur.
        Budget = "budget",
        /// The level is multiplied by a factor (Kirkpatrick et al., 1983).
        Geometric = "geometric",
        /// `T` is the level divided by the problem's [scale](Problem::scale). `T` becomes `T / (1 + beta T)` (Lundy and Mees, 1986).
        LundyMees = "lundy-mees",
        /// The level falls to 0 in equal steps.
        Linear = "linear",
        /// The level stays the same.
        Constant = "constant",
    }
}

/// A rule for accepting moves whose criterion has a falling level.
pub(crate) struct Schedule<C> {
    /// The initial level that the settings give, in units of the fitness. If it is `None`, a sample of moves determines the initial level.
    given: Option<f64>,
    /// The number of moves in the sample.
    n_moves: u64,
    /// The share of the sample's moves that are accepted at the initial level. If it is `None`, the initial level is the standard deviation
    /// of the fitness in the sample.
    pub(super) accepted: Option<f64>,
    /// The unit of levels in the settings: the scale of the problem.
    unit: f64,
    lowering: Lowering,
    pub(super) factor: f64,
    pub(super) beta: f64,
    pub(super) chains: u64,
    /// The number of successive chains without a better solution after which the level is reset.
    pub(super) reset: Option<u64>,
    /// The number of successive chains without an improvement after which the trial ends.
    pub(super) frozen: Option<u64>,
    criterion: C,
    initial: f64,
    now: f64,
    /// The number of chains since the start of the trial or the latest reset.
    n_chains: u64,
    /// The share of the budget that was already spent when the trial started.
    spent: f64,
    /// The best fitness since the start of the trial or the latest reset.
    best: f64,
    /// The number of chains in a row that did not find a better solution.
    n_idle: u64,
    /// The number of chains in a row that did not improve the solution.
    n_without_gain: u64,
}

impl<C: LevelCriterion> Schedule<C> {
    /// A schedule for a problem. Some settings are needed only by some rules of lowering. The function does not set these settings.
    ///
    /// # Errors
    /// Returns a message if the initial level in the settings uses a size that the problem does not have. Also returns a message if the
    /// initial level is below 0.
    pub(super) fn new<P: Problem>(
        problem: &P,
        given: Option<&GrowingNumber>,
        n_moves: u64,
        lowering: Lowering,
    ) -> Result<Self, String> {
        let unit = Some(problem.scale()).filter(|&scale| scale > 0.0).unwrap_or(1.0);
        let given = given.map(|number| number.on(problem)).transpose()?.map(|level| level * unit);
        if let Some(low) = given.filter(|&level| level < 0.0) {
            return Err(format!("the initial temperature or threshold is {low}, but must be at least 0"));
        }
        Ok(Self {
            given,
            n_moves,
            accepted: None,
            unit,
            lowering,
            factor: 1.0,
            beta: 0.0,
            chains: 1,
            reset: None,
            frozen: None,
            criterion: C::default(),
            initial: 0.0,
            now: 0.0,
            n_chains: 0,
            spent: 0.0,
            best: f64::INFINITY,
            n_idle: 0,
            n_without_gain: 0,
        })
    }

    /// Sets the level to its initial value.
    fn reset(&mut self) {
        (self.now, self.n_chains, self.n_idle, self.best) = (self.initial, 0, 0, f64::INFINITY);
    }

    /// Lowers or resets the level after a chain with this best fitness. `spent` returns the share of the budget that is used, if a limit
    /// defines this share.
    fn lower(&mut self, best: f64, spent: impl FnOnce() -> Option<f64>) {
        self.n_idle = if best < self.best { 0 } else { self.n_idle + 1 };
        self.best = self.best.min(best);
        if self.reset.is_some_and(|limit| self.n_idle >= limit) {
            return self.reset();
        }
        self.n_chains += 1;
        self.now = match self.lowering {
            Lowering::Budget if self.n_chains > FIRST_CHAINS && !self.n_chains.is_multiple_of(STRIDE) => self.now,
            Lowering::Budget => {
                let cycle = || 1.0 - (self.n_chains % CYCLE) as f64 / CYCLE as f64;
                // At the end of the budget both shares may be 0. Their ratio is then not a number, and the level is 0.
                let left = spent().map_or_else(cycle, |spent| ((1.0 - spent) / (1.0 - self.spent)).max(0.0));
                self.initial * (left * left) * (left * left)
            }
            Lowering::Geometric => self.now * self.factor,
            Lowering::LundyMees => self.now / (1.0 + self.beta * (self.now / self.unit)),
            Lowering::Linear => self.initial * (1.0 - self.n_chains.min(self.chains) as f64 / self.chains as f64),
            Lowering::Constant => self.now,
        };
    }
}

impl<C: LevelCriterion> WalkRule for Schedule<C> {
    fn begin<P: Problem, N: Neighbourhood>(&mut self, trial: &mut Trial<'_, '_, P, N>) -> Result<(), Stop> {
        self.initial = match (self.given, self.accepted) {
            (Some(given), _) => given,
            (None, Some(share)) => sample(trial, self.n_moves)?.temperature(share),
            (None, None) => sample(trial, self.n_moves)?.deviation(),
        };
        self.spent = trial.evaluator.spent().unwrap_or(0.0);
        self.reset();
        self.criterion.set_level(self.now);
        self.n_without_gain = 0;
        Ok(())
    }

    #[inline]
    fn accepts(&mut self, now: f64, after: f64, bits: u32) -> bool {
        self.criterion.accepts(now, after, bits)
    }

    fn end_chain<P: Problem>(&mut self, evaluator: &Evaluator<'_, P>, chain: &Chain) -> Result<(), Stop> {
        self.n_without_gain = if chain.last < chain.first { 0 } else { self.n_without_gain + 1 };
        if self.frozen.is_some_and(|limit| self.n_without_gain >= limit) {
            return Err(Stop::Stagnation);
        }
        self.lower(chain.best, || evaluator.spent());
        self.criterion.set_level(self.now);
        Ok(())
    }
}

/// The statistics of a short walk that makes every move it draws. The statistics determine an initial temperature.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sample {
    n: f64,
    mean: f64,
    /// The sum of the squares of the differences from the mean.
    squares: f64,
    n_worse: f64,
    n_better: f64,
    /// The sum of the increases in fitness that moves to worse solutions caused.
    worse: f64,
}

impl Sample {
    /// Counts a move from a solution of the fitness `now` to a solution of the fitness `after`.
    fn add(&mut self, now: f64, after: f64) {
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
    fn deviation(&self) -> f64 {
        (self.squares / (self.n - 1.0).max(1.0)).sqrt()
    }

    /// The temperature at which this share of the moves is accepted. Moves to equally good solutions are left out. The formula assumes that
    /// each move to a worse solution has the mean difference (van Laarhoven and Aarts, Simulated Annealing: Theory and Applications, 1987).
    /// The temperature is 0 if the moves to better solutions alone reach the share.
    fn temperature(&self, accepted: f64) -> f64 {
        let share = (accepted * self.n_worse - (1.0 - accepted) * self.n_better) / self.n_worse;
        // Without a worse move, the share is not a number, and the comparison is false.
        if share > 0.0 { self.worse / self.n_worse / -libm::log(share) } else { 0.0 }
    }
}

/// Makes a sample of moves, and undoes all these moves.
///
/// # Errors
/// If the run must stop, the function returns the reason to stop.
fn sample<P: Problem, N: Neighbourhood>(trial: &mut Trial<'_, '_, P, N>, n_moves: u64) -> Result<Sample, Stop> {
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

    /// A criterion that accepts no move.
    #[derive(Default)]
    struct Never;

    impl LevelCriterion for Never {
        fn set_level(&mut self, _: f64) {}

        fn accepts(&self, _: f64, _: f64, _: u32) -> bool {
            false
        }
    }

    /// A permutation of two, whose scale is 10.
    struct Pair(Layout);

    impl Problem for Pair {
        fn layout(&self) -> &Layout {
            &self.0
        }

        fn fitness(&self, _: &[Allele]) -> Fitness {
            0.into()
        }

        fn scale(&self) -> f64 {
            10.0
        }
    }

    /// The first levels from an initial level of 20, if each chain has this best fitness. The settings of the lowering have the value `x`.
    fn levels(lowering: Lowering, x: f64, reset: Option<u64>, bests: &[f64]) -> Vec<f64> {
        let problem = Pair(Layout::new(2, &[None; 2]).unwrap());
        let common = Schedule::<Never>::new(&problem, Some(&2.0.into()), 2, lowering).unwrap();
        let mut schedule =
            Schedule { factor: x, beta: x, chains: x as u64, reset, spent: 0.2, initial: 20.0, ..common };
        schedule.reset();
        assert_eq!(schedule.given, Some(20.0));
        let mut spent = [0.2, 0.4, 0.6, 0.8, 1.0].into_iter();
        let after = |&best: &f64| {
            schedule.lower(best, || spent.next());
            schedule.now
        };
        bests.iter().map(after).collect()
    }

    #[test]
    fn each_schedule_has_the_levels_of_its_formula() {
        let chains = [5.0; 5];
        assert_eq!(levels(Lowering::Geometric, 0.5, None, &chains), [10.0, 5.0, 2.5, 1.25, 0.625]);
        assert_eq!(levels(Lowering::Constant, 0.0, None, &chains), [20.0; 5]);
        // Of what was left at the start 1, 3/4, 1/2, 1/4 and nothing are left.
        let by_budget = levels(Lowering::Budget, 0.0, None, &chains);
        let expected = [20.0, 6.328_125, 1.25, 0.078_125, 0.0];
        assert!(by_budget.iter().zip(expected).all(|(level, expected)| (level - expected).abs() < 1e-12));
        assert_eq!(levels(Lowering::Linear, 4.0, None, &chains), [15.0, 10.0, 5.0, 0.0, 0.0]);
        // 1 / T grows by beta in every chain: from 1/2 in units of 10, by 1/2.
        let lundy_mees = levels(Lowering::LundyMees, 0.5, None, &chains);
        let expected = [10.0, 20.0 / 3.0, 5.0, 4.0, 10.0 / 3.0];
        assert!(lundy_mees.iter().zip(expected).all(|(level, expected)| (level - expected).abs() < 1e-12));
    }

    #[test]
    fn a_level_is_set_back_after_chains_without_a_better_solution_since_it_was_last() {
        let bests = [9.0, 8.0, 8.0, 8.5, 30.0, 31.0, 30.0, 29.0];
        let halves = levels(Lowering::Geometric, 0.5, Some(2), &bests);
        assert_eq!(halves, [10.0, 5.0, 2.5, 20.0, 10.0, 5.0, 20.0, 10.0]);
    }

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
