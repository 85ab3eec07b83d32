//! Threshold accepting. The search draws random moves. A move is made if the solution improves, or if it becomes worse by less than a
//! threshold. (Dueck and Scheuer, Journal of Computational Physics 90, 1990.)

use super::schedule::{LevelCriterion, Lowering, MAX_LEVEL, Schedule};
use super::{Walk, WalkSettings};
use crate::search::*;
use crate::settings::GrowingNumber;

crate::parameters! {
    /// Threshold accepting with its settings.
    ///
    /// A move is made if the solution improves, or if it becomes worse by less than the threshold. After each chain of moves, the threshold
    /// is lowered.
    #[derive(Clone, Debug)]
    pub struct ThresholdAccepting with walk: WalkSettings {
        /// initial threshold, as a multiple of the problem's scale; default: the standard deviation of the fitness in a sample of moves
        pub threshold: Option<GrowingNumber> = Parameter::optional_real("threshold", 0.0, MAX_LEVEL, DOC).growing(),
        /// number of moves in the sample; each move counts as an evaluation and is undone
        pub sample: u64 = Parameter::integer("sample", 2, 1_000_000, 100, DOC).only_where(&[Condition::Without("threshold")]),
        /// the rule by which the threshold falls after every chain; with `budget`, it reaches 0 when the budget ends
        pub lowering: Lowering =
            Parameter::choice("lowering", &["budget", "linear", "geometric", "constant"], "budget", DOC),
        /// factor by which `geometric` multiplies the threshold after every chain
        pub factor: f64 = Parameter::share("factor", 0.99, DOC).only_where(&[Condition::Is("lowering", "geometric")]),
        /// number of chains in which the rule `linear` lowers the threshold to 0
        pub chains: u64 = Parameter::integer("chains", 1, i64::MAX, 1000, DOC).only_where(&[Condition::Is("lowering", "linear")]),
    }
}

/// The declaration of `threshold-accepting` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "threshold-accepting",
    "random moves. A move is made if it improves the solution. A move is also made if it makes the solution worse by \
     less than a threshold. The threshold falls after each chain of moves",
    "Dueck and Scheuer, Threshold accepting, Journal of Computational Physics 90, 1990",
)
.with(ThresholdAccepting::PARAMETERS);

impl Walk for ThresholdAccepting {
    type Rule = Schedule<Threshold>;

    fn settings(&self) -> &WalkSettings {
        &self.walk
    }

    fn rule<P: Problem>(&self, problem: &P) -> Result<Schedule<Threshold>, String> {
        let mut schedule = Schedule::new(problem, self.threshold.as_ref(), self.sample, self.lowering)?;
        (schedule.factor, schedule.chains) = (self.factor, self.chains);
        Ok(schedule)
    }
}

/// Accepts a solution that is better, or worse by less than this number.
#[derive(Default)]
pub(crate) struct Threshold(f64);

impl LevelCriterion for Threshold {
    fn set_level(&mut self, level: f64) {
        self.0 = level;
    }

    #[inline]
    fn accepts(&self, now: f64, after: f64, _: u32) -> bool {
        after < now + self.0
    }
}
