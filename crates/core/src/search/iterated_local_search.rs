//! Iterated local search: a local optimum is perturbed, and the local optimum found from there is accepted or not.

use std::convert::Infallible;

use super::Start;
use super::local::{self, LocalSearch};
use super::variable_neighbourhood::{Shaking, VariableState};
use crate::budget::Stop;
use crate::evaluator::Evaluator;
use crate::neighbourhood::{Neighbourhood, NeighbourhoodKind, Pick};
use crate::operator::Perturbation;
use crate::problem::Problem;
use crate::random::RandomStream;
use crate::settings::parameter::{Declaration, Parameter};

pub use super::variable_neighbourhood::Acceptance;

crate::parameters! {
    /// Iterated local search with its settings.
    ///
    /// A trial starts with a descent to a local optimum. In each generation the solution is perturbed and a descent follows, which begins at
    /// the groups that the perturbation touched; what it finds is accepted or taken back.
    pub struct IteratedLocalSearch {
        /// Where a trial starts.
        pub start: Start = Parameter::construction("start", "family", "the solution at which a trial starts"),
        /// The moves; `None` for those that suit the problem best.
        pub neighbourhood: Option<NeighbourhoodKind> = local::NEIGHBOURHOOD,
        /// Which better move of a group is made.
        pub pick: Pick = local::PICK,
        /// Leaves the local optimum.
        pub perturbation: Box<dyn Perturbation> =
            Parameter::operator("perturbation", "perturbation", Some("double-bridge"), "leaves a local optimum"),
        /// Which local optima are accepted.
        pub accept: Acceptance = Parameter::choice(
            "accept",
            Acceptance::NAMES,
            "better-or-equal",
            "which local optima replace the one from which they were found",
        ),
    }
}

/// `iterated-local-search` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "iterated-local-search",
    "descents to local optima, each from a perturbation of the last accepted one",
    "Lourenco, Martin and Stuetzle, Iterated Local Search, Handbook of Metaheuristics, 2003",
)
.with(IteratedLocalSearch::PARAMETERS);

impl LocalSearch for IteratedLocalSearch {
    type State<'p, C> = VariableState<'p>;

    fn frame(&self) -> (&Start, Option<NeighbourhoodKind>) {
        (&self.start, self.neighbourhood)
    }

    fn state<'p, P: Problem, N: Neighbourhood>(&self, problem: &'p P, _: &N) -> Result<VariableState<'p>, String> {
        VariableState::new(problem, None)
    }

    fn improve<P: Problem, N: Neighbourhood>(
        &self,
        evaluator: &mut Evaluator<'_, P>,
        moves: &mut N,
        now: N::Cost,
        state: &mut VariableState<'_>,
        random: &mut RandomStream,
    ) -> Result<Infallible, Stop> {
        let Self { pick, accept, .. } = *self;
        let shaking = Shaking { pick, k_max: 1, perturbation: Some(&*self.perturbation), accept };
        shaking.improve(evaluator, moves, now, state, random)
    }
}
