//! Simulated annealing. The search draws random moves. When the temperature falls, the search accepts moves to worse solutions less often.
//! (Kirkpatrick, Gelatt and Vecchi, Science 220, 1983.)

use super::metropolis::Metropolis;
use super::schedule::{Lowering, MAX_LEVEL, Schedule};
use super::{Walk, WalkSettings};
use crate::search::*;
use crate::settings::GrowingNumber;

crate::parameters! {
    /// Simulated annealing with its settings. The search accepts moves by the Metropolis criterion. During the search, the temperature
    /// falls.
    ///
    /// If a move makes the solution worse by `d`, the search makes this move with probability `exp(-d / T)`. If a move does not make the
    /// solution worse, the search always makes this move. After each chain of moves, the temperature `T` is lowered.
    #[derive(Clone, Debug)]
    pub struct Annealing with walk: WalkSettings {
        /// initial temperature, as a multiple of the problem's scale; by default, a sample of moves determines it
        pub temperature: Option<GrowingNumber> =
            Parameter::optional_real("temperature", 0.0, MAX_LEVEL, DOC).growing(),
        /// number of moves in the sample; each move counts as an evaluation and is undone
        pub sample: u64 = Parameter::integer("sample", 2, 1_000_000, 100, DOC).only_where(&[Condition::Without("temperature")]),
        /// share of sampled moves to accept initially; if absent, the initial temperature is the fitness's standard deviation in the sample
        pub accepted: Option<f64> =
            Parameter::optional_real("accepted", 0.0, 1.0, DOC).only_where(&[Condition::Without("temperature")]),
        /// the rule by which the temperature falls after every chain; with `budget`, it reaches 0 when the budget ends
        pub cooling: Lowering = Parameter::choice(
            "cooling",
            &["budget", "geometric", "lundy-mees", "linear", "constant"],
            "budget",
            DOC,
        ),
        /// factor by which `geometric` multiplies the temperature after every chain
        pub factor: f64 = Parameter::share("factor", 0.99, DOC).only_where(&[Condition::Is("cooling", "geometric")]),
        /// number beta of `lundy-mees`, which changes T to T / (1 + beta T); T is the temperature divided by the problem's scale
        pub beta: f64 = Parameter::real("beta", 0.0, MAX_LEVEL, 0.001, DOC)
            .only_where(&[Condition::Is("cooling", "lundy-mees")]),
        /// number of chains in which the rule `linear` lowers the temperature to 0
        pub chains: u64 = Parameter::integer("chains", 1, i64::MAX, 1000, DOC).only_where(&[Condition::Is("cooling", "linear")]),
        /// after this number of successive chains without a better solution, the temperature is set to its initial value again
        ///
        /// "Better" means better than all solutions that were found since the search last set the initial temperature.
        pub reheat: Option<u64> = Parameter::optional_integer("reheat", 1, i64::MAX, DOC)
            .only_where(&[Condition::IsNot("cooling", "constant"), Condition::IsNot("cooling", "budget")]),
        /// a trial ends after this number of successive chains without improvement; the budget's `restarts` allows more trials
        pub frozen: Option<u64> = Parameter::optional_integer("frozen", 1, i64::MAX, DOC),
    }
}

/// The declaration of `annealing` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "annealing",
    "random moves. A move that makes the solution worse by `d` is made with probability exp(-d / T). The temperature T falls after each chain of moves",
    "Kirkpatrick, Gelatt and Vecchi, Optimization by simulated annealing, Science 220, 1983; lundy-mees: Lundy and \
     Mees, Mathematical Programming 34, 1986",
)
.with(Annealing::PARAMETERS);

impl Walk for Annealing {
    type Rule = Schedule<Metropolis>;

    fn settings(&self) -> &WalkSettings {
        &self.walk
    }

    fn rule<P: Problem>(&self, problem: &P) -> Result<Schedule<Metropolis>, String> {
        let mut schedule = Schedule::new(problem, self.temperature.as_ref(), self.sample, self.cooling)?;
        (schedule.factor, schedule.beta, schedule.chains) = (self.factor, self.beta, self.chains);
        (schedule.accepted, schedule.reset, schedule.frozen) = (self.accepted, self.reheat, self.frozen);
        Ok(schedule)
    }
}
