//! How a temperature or a threshold starts, and how it is lowered from chain to chain.

use std::marker::PhantomData;

use super::sample::sample;
use super::{Chain, Rule};
use crate::search::*;
use crate::settings::GrowingNumber;

/// The highest level that can be given.
pub(crate) const MAX_LEVEL: f64 = 1e9;

/// The setting `sample` of a walk that has a level.
pub(crate) const SAMPLE: Parameter = Parameter::integer(
    "sample",
    2,
    1_000_000,
    100,
    "moves of the sample, an evaluation each, all of which are made, and taken back when they are counted",
);

/// The setting `accepted`.
pub(crate) const ACCEPTED: Parameter = Parameter::optional_real(
    "accepted",
    0.0,
    1.0,
    "share of the sample's moves that the start temperature accepts; without it, that is the standard deviation of \
     the sample's fitness",
)
.only_where(&[Condition::Without("temperature")]);

/// The setting `beta`.
pub(crate) const BETA: Parameter = Parameter::real(
    "beta",
    0.0,
    MAX_LEVEL,
    0.001,
    "factor by which `lundy-mees` changes T to T / (1 + beta T), T in units of the problem's scale",
)
.only_where(&[Condition::Is("cooling", "lundy-mees")]);

/// The setting `reheat`.
pub(crate) const REHEAT: Parameter = Parameter::optional_integer(
    "reheat",
    1,
    i64::MAX,
    "the temperature is reset to the start after this many chains in a row without a solution better than any since the last heating",
)
.only_where(&[Condition::IsNot("cooling", "constant"), Condition::IsNot("cooling", "budget")]);

/// The setting `frozen`.
pub(crate) const FROZEN: Parameter = Parameter::optional_integer(
    "frozen",
    1,
    i64::MAX,
    "the trial ends after this many chains in a row that end no better than they began; `restarts` allow more trials",
);

/// The setting `factor`.
pub(crate) const FACTOR: Parameter =
    Parameter::share("factor", 0.99, "factor by which `geometric` multiplies the level after every chain");

/// The setting `chains`.
pub(crate) const CHAINS: Parameter =
    Parameter::integer("chains", 1, i64::MAX, 1000, "number of chains after which `linear` reaches 0");

/// The chains in which a level falls that follows a budget without a limit.
const CYCLE: u64 = 1000;

/// Chains after which a level that follows the budget is lowered every [`STRIDE`] chains only: to ask for the time may take as long as a
/// short chain.
const FIRST_CHAINS: u64 = 1000;
const STRIDE: u64 = 16;

/// Which moves are made at a level.
pub(crate) trait LevelCriterion {
    /// The setting of the level at the start.
    const LEVEL: &'static str;
    /// The setting of how the level is lowered.
    const LOWERING: &'static str;

    /// The criterion at a level, in units of the fitness.
    fn at(level: f64) -> Self;

    /// Sets the level.
    fn set_level(&mut self, level: f64);

    /// Whether a solution of the fitness `after` is accepted in the place of one of the fitness `now`; `bits` are 32 uniform bits.
    fn accepts(&self, now: f64, after: f64, bits: u32) -> bool;
}

/// A rule whose criterion depends on a level that falls.
#[derive(Clone, Debug)]
pub struct LevelRule<C> {
    /// The temperature or the threshold.
    pub level: Level,
    /// Chains in a row that end no better than they began, after which the trial ends.
    pub frozen: Option<u64>,
    criterion: PhantomData<C>,
}

/// What such a rule holds in a run.
pub(crate) struct LevelRuleState<C> {
    level: LevelState,
    criterion: C,
    /// Chains in a row that ended no better than they began.
    n_without_gain: u64,
}

impl<C: LevelCriterion> Rule for LevelRule<C> {
    type State = LevelRuleState<C>;

    fn from_settings(settings: &Settings, operators: &Operators) -> Result<Self, Fault> {
        let level = Level::from_settings(settings, C::LEVEL, C::LOWERING, operators)?;
        Ok(Self { level, frozen: Setting::read(settings, &FROZEN, operators)?, criterion: PhantomData })
    }

    fn state<P: Problem>(&self, problem: &P) -> Result<LevelRuleState<C>, String> {
        Ok(LevelRuleState { level: self.level.state(problem)?, criterion: C::at(0.0), n_without_gain: 0 })
    }

    fn begin<P: Problem, N: Neighbourhood>(
        &self,
        state: &mut LevelRuleState<C>,
        trial: &mut Trial<'_, '_, P, N>,
    ) -> Result<(), Stop> {
        self.level.begin(&mut state.level, trial)?;
        state.criterion.set_level(state.level.now);
        state.n_without_gain = 0;
        Ok(())
    }

    #[inline]
    fn accepts(state: &mut LevelRuleState<C>, now: f64, after: f64, bits: u32) -> bool {
        state.criterion.accepts(now, after, bits)
    }

    fn end_chain<P: Problem>(
        &self,
        state: &mut LevelRuleState<C>,
        evaluator: &Evaluator<'_, P>,
        chain: &Chain,
    ) -> Result<(), Stop> {
        state.n_without_gain = if chain.last < chain.first { 0 } else { state.n_without_gain + 1 };
        if self.frozen.is_some_and(|limit| state.n_without_gain >= limit) {
            return Err(Stop::Stagnation);
        }
        self.level.end_chain(&mut state.level, chain.best, || evaluator.spent());
        state.criterion.set_level(state.level.now);
        Ok(())
    }
}

/// A temperature or a threshold: where it starts, in what way it is lowered after every chain, and when it is set back.
#[derive(Clone, Debug)]
pub struct Level {
    /// What it is at the start.
    pub start: StartLevel,
    /// How it is lowered.
    pub lowering: Lowering,
    /// Chains in a row without a solution better than all since the start or the last reset, after which the level is reset.
    pub reset: Option<u64>,
}

/// What a level is at the start.
#[derive(Clone, Debug, PartialEq)]
pub enum StartLevel {
    /// This number, times the [scale](Problem::scale) of the problem.
    Given(GrowingNumber),
    /// The standard deviation of the fitness in a sample of so many moves.
    Deviation(u64),
    /// The temperature at which a share of the moves of a sample is accepted.
    Accepted {
        /// The moves of the sample.
        n_moves: u64,
        /// The share.
        share: f64,
    },
}

/// How a level is lowered after every chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lowering {
    /// From the start times the fourth power of the share of the budget that is left, so that it passes through all orders of magnitude,
    /// whatever the units of the fitness. Where no limit tells the share (but a target, or stagnation, which may never come), it falls in
    /// 1,000 chains, again and again.
    Budget,
    /// Multiplied by a factor (Kirkpatrick et al., 1983).
    Geometric(f64),
    /// From `T` to `T / (1 + beta T)`, where `T` is in units of the problem's [scale](Problem::scale) (Lundy and Mees, 1986).
    LundyMees(f64),
    /// By equal steps, to 0 after so many chains.
    Linear(u64),
    /// Not at all.
    Constant,
}

/// A level in a run.
#[derive(Debug)]
pub(crate) struct LevelState {
    /// The number at the start, in units of the fitness; `None` where a sample tells it.
    given: Option<f64>,
    /// The unit of what is given: the scale of the problem.
    unit: f64,
    start: f64,
    now: f64,
    /// Chains since the start, or since it was set back.
    n_chains: u64,
    /// The share of the budget that was spent at the start.
    spent: f64,
    best: f64,
    /// Chains in a row without a better solution.
    n_idle: u64,
}

impl Level {
    /// The level that resolved settings describe, by the names of the settings of its start and of how it is lowered.
    fn from_settings(settings: &Settings, given: &str, lowering: &str, operators: &Operators) -> Result<Self, Fault> {
        let n_moves = Setting::read(settings, &SAMPLE, operators)?;
        let share: Option<f64> = Setting::read(settings, &ACCEPTED, operators)?;
        let sampled = share.map_or(StartLevel::Deviation(n_moves), |share| StartLevel::Accepted { n_moves, share });
        Ok(Self {
            start: GrowingNumber::from_settings(settings, given).map_or(sampled, StartLevel::Given),
            lowering: match settings.name(lowering) {
                "budget" => Lowering::Budget,
                "geometric" => Lowering::Geometric(Setting::read(settings, &FACTOR, operators)?),
                "lundy-mees" => Lowering::LundyMees(Setting::read(settings, &BETA, operators)?),
                "linear" => Lowering::Linear(Setting::read(settings, &CHAINS, operators)?),
                _ => Lowering::Constant,
            },
            reset: Setting::read(settings, &REHEAT, operators)?,
        })
    }

    /// What it is in a run.
    ///
    /// # Errors
    /// If what it grows with is not a size of the problem, or it comes to less than 0.
    fn state<P: Problem>(&self, problem: &P) -> Result<LevelState, String> {
        let unit = Some(problem.scale()).filter(|&scale| scale > 0.0).unwrap_or(1.0);
        let given = match &self.start {
            StartLevel::Given(number) => Some(number.on(problem)? * unit),
            StartLevel::Deviation(_) | StartLevel::Accepted { .. } => None,
        };
        if let Some(low) = given.filter(|&level| level < 0.0) {
            return Err(format!("the start temperature or threshold is {low}"));
        }
        Ok(LevelState { given, unit, start: 0.0, now: 0.0, n_chains: 0, spent: 0.0, best: f64::INFINITY, n_idle: 0 })
    }

    /// Sets it to what it is at the start of a trial.
    ///
    /// # Errors
    /// The reason to stop.
    fn begin<P: Problem, N: Neighbourhood>(
        &self,
        state: &mut LevelState,
        trial: &mut Trial<'_, '_, P, N>,
    ) -> Result<(), Stop> {
        let start = match (state.given, &self.start) {
            (Some(given), _) => given,
            (None, &StartLevel::Accepted { n_moves, share }) => sample(trial, n_moves)?.temperature(share),
            (None, &StartLevel::Deviation(n_moves)) => sample(trial, n_moves)?.deviation(),
            (None, StartLevel::Given(_)) => unreachable!("what is given is given"),
        };
        let spent = trial.evaluator.spent().unwrap_or(0.0);
        *state = LevelState { start, now: start, n_chains: 0, spent, best: f64::INFINITY, n_idle: 0, ..*state };
        Ok(())
    }

    /// Lowers it after a chain in which the best fitness was this, or sets it back. `spent` is the share of the budget that is spent, if a
    /// limit tells it.
    fn end_chain(&self, state: &mut LevelState, best: f64, spent: impl FnOnce() -> Option<f64>) {
        state.n_idle = if best < state.best { 0 } else { state.n_idle + 1 };
        state.best = state.best.min(best);
        if self.reset.is_some_and(|limit| state.n_idle >= limit) {
            (state.now, state.n_chains, state.n_idle, state.best) = (state.start, 0, 0, f64::INFINITY);
            return;
        }
        state.n_chains += 1;
        state.now = match self.lowering {
            Lowering::Budget if state.n_chains > FIRST_CHAINS && !state.n_chains.is_multiple_of(STRIDE) => state.now,
            Lowering::Budget => {
                let cycle = || 1.0 - (state.n_chains % CYCLE) as f64 / CYCLE as f64;
                // At the end of the budget both may be 0, whose ratio is no number: then the level is 0.
                let left = spent().map_or_else(cycle, |spent| ((1.0 - spent) / (1.0 - state.spent)).max(0.0));
                state.start * (left * left) * (left * left)
            }
            Lowering::Geometric(factor) => state.now * factor,
            Lowering::LundyMees(beta) => state.now / (1.0 + beta * (state.now / state.unit)),
            Lowering::Linear(chains) => state.start * (1.0 - state.n_chains.min(chains) as f64 / chains as f64),
            Lowering::Constant => state.now,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first levels from a start, where the unit is 10 and each chain has this best fitness.
    fn levels(lowering: Lowering, reset: Option<u64>, bests: &[f64]) -> Vec<f64> {
        let level = Level { start: StartLevel::Deviation(2), lowering, reset };
        let mut spent = [0.2, 0.4, 0.6, 0.8, 1.0].into_iter();
        let mut state = LevelState {
            given: None,
            unit: 10.0,
            start: 20.0,
            now: 20.0,
            n_chains: 0,
            spent: 0.2,
            best: f64::INFINITY,
            n_idle: 0,
        };
        let after = |&best: &f64| {
            level.end_chain(&mut state, best, || spent.next());
            state.now
        };
        bests.iter().map(after).collect()
    }

    #[test]
    fn each_schedule_has_the_levels_of_its_formula() {
        let chains = [5.0; 5];
        assert_eq!(levels(Lowering::Geometric(0.5), None, &chains), [10.0, 5.0, 2.5, 1.25, 0.625]);
        assert_eq!(levels(Lowering::Constant, None, &chains), [20.0; 5]);
        // Of what was left at the start 1, 3/4, 1/2, 1/4 and nothing are left.
        let by_budget = levels(Lowering::Budget, None, &chains);
        let expected = [20.0, 6.328_125, 1.25, 0.078_125, 0.0];
        assert!(by_budget.iter().zip(expected).all(|(level, expected)| (level - expected).abs() < 1e-12));
        assert_eq!(levels(Lowering::Linear(4), None, &chains), [15.0, 10.0, 5.0, 0.0, 0.0]);
        // 1 / T grows by beta in every chain: from 1/2 in units of 10, by 1/2.
        let lundy_mees = levels(Lowering::LundyMees(0.5), None, &chains);
        let expected = [10.0, 20.0 / 3.0, 5.0, 4.0, 10.0 / 3.0];
        assert!(lundy_mees.iter().zip(expected).all(|(level, expected)| (level - expected).abs() < 1e-12));
    }

    #[test]
    fn a_level_is_set_back_after_chains_without_a_better_solution_since_it_was_last() {
        let bests = [9.0, 8.0, 8.0, 8.5, 30.0, 31.0, 30.0, 29.0];
        let halves = levels(Lowering::Geometric(0.5), Some(2), &bests);
        assert_eq!(halves, [10.0, 5.0, 2.5, 20.0, 10.0, 5.0, 20.0, 10.0]);
    }
}
