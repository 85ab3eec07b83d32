//! Threshold accepting: random moves, of which those are made that make the solution worse by less than a threshold (Dueck and Scheuer, Journal
//! of Computational Physics 90, 1990).

use super::{self as walk, LevelCriterion, LevelRule};
use crate::settings::parameter::{Condition, Declaration, Parameter};

/// The rule of threshold accepting: those moves are made after which the solution is better, or worse by less than the threshold. After
/// each chain of moves the threshold is lowered.
pub type ThresholdAccepting = LevelRule<Threshold>;

/// `threshold-accepting` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "threshold-accepting",
    "random moves; a move is made if it is worse by less than a threshold, which falls from chain to chain of moves",
    "Dueck and Scheuer, Threshold accepting, Journal of Computational Physics 90, 1990",
)
.with(&[
    walk::START,
    walk::NEIGHBOURHOOD,
    THRESHOLD,
    walk::SAMPLE.only_where(&[Condition::Without("threshold")]),
    walk::CHAIN,
    LOWERING,
    walk::FACTOR.only_where(&[Condition::Is("lowering", "geometric")]),
    walk::CHAINS.only_where(&[Condition::Is("lowering", "linear")]),
]);

const THRESHOLD: Parameter = Parameter::optional_real(
    "threshold",
    0.0,
    walk::MAX_LEVEL,
    "at the start, times the problem's scale; without it, the standard deviation of the fitness in a sample of moves",
)
.growing();
const LOWERING: Parameter = Parameter::choice(
    "lowering",
    &["budget", "linear", "geometric", "constant"],
    "budget",
    "how the threshold falls after every chain; `budget`: to 0 at the end of the budget",
);

/// Accepts a solution that is better, or worse by less than this.
#[derive(Clone, Copy, Debug)]
pub struct Threshold(f64);

impl LevelCriterion for Threshold {
    const LEVEL: &'static str = THRESHOLD.name;
    const LOWERING: &'static str = LOWERING.name;

    fn at(level: f64) -> Self {
        Self(level)
    }

    fn set_level(&mut self, level: f64) {
        self.0 = level;
    }

    #[inline]
    fn accepts(&self, now: f64, after: f64, _: u32) -> bool {
        after < now + self.0
    }
}
