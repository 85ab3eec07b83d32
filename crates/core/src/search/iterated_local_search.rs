//! Iterated local search perturbs a local optimum, and accepts or rejects the next local optimum.

use super::*;
use crate::operator::Perturbation;

crate::parameters! {
    /// Iterated local search with its settings.
    ///
    /// A trial starts with a descent to a local optimum. In each generation the solution is perturbed, and a descent follows. The descent
    /// begins with the groups of moves that the perturbation affected. The search accepts the result of the descent, or undoes all changes
    /// of the perturbation and of the descent.
    pub struct IteratedLocalSearch {
        /// the solution at which a trial starts
        pub start: Start = Parameter::construction("start", "family", DOC),
        /// the moves; `family` chooses the moves that suit the problem best
        pub neighbourhood: NeighbourhoodName = local::neighbourhood("family", DOC),
        /// which move of each group is made: the best move, or the first move that improves the solution
        pub pick: Pick = local::pick(DOC),
        /// changes a local optimum before the next descent
        pub perturbation: Box<dyn Perturbation> =
            Parameter::operator("perturbation", "perturbation", Some("double-bridge"), DOC),
        /// which new local optima replace the present local optimum
        pub accept: Acceptance = Parameter::choice("accept", Acceptance::NAMES, "better-or-equal", DOC),
    }
}

crate::choices! {
    /// The rule that decides which new local optima replace the present local optimum.
    pub enum Acceptance {
        /// Local optima that are better than the present local optimum.
        Better = "better",
        /// Local optima that are not worse than the present local optimum.
        BetterOrEqual = "better-or-equal",
        /// All local optima. With this rule, the search is a random walk between local optima.
        Always = "always",
    }
}

impl Acceptance {
    pub(super) fn accepts<C: Copy + PartialOrd>(self, after: C, before: C) -> bool {
        match self {
            Self::Better => after < before,
            Self::BetterOrEqual => after <= before,
            Self::Always => true,
        }
    }
}

/// The declaration of `iterated-local-search` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "iterated-local-search",
    "repeats two steps: perturbs the present local optimum, and descends to a new local optimum",
    "Lourenco, Martin and Stuetzle, Iterated Local Search, Handbook of Metaheuristics, 2003",
)
.with(IteratedLocalSearch::PARAMETERS);

impl LocalSearch for IteratedLocalSearch {
    type State<'p, C> = IteratedState;

    fn frame<P: Problem>(&self, problem: &P) -> (&Start, NeighbourhoodKind) {
        (&self.start, local::kind(problem, &self.neighbourhood))
    }

    fn state<P: Problem, N: Neighbourhood>(&self, _: &P, _: &N) -> Result<IteratedState, String> {
        Ok(IteratedState::default())
    }

    fn improve<P: Problem, N: Neighbourhood>(
        &self,
        trial: &mut Trial<'_, '_, P, N>,
        IteratedState { descent, changes }: &mut IteratedState,
    ) -> Result<Infallible, Stop> {
        descent.fill(trial.moves.n_groups(), trial.random);
        descent.run(trial, self.pick)?;
        if trial.moves.is_empty() {
            return Err(Stop::Stagnation);
        }
        loop {
            let before = trial.now;
            trial.moves.mark(0);
            changes.clear();
            self.perturbation.perturb(trial.evaluator.problem().layout(), changes, trial.random);
            descent.touch(|groups| trial.rearrange(changes, groups))?;
            descent.run(trial, self.pick)?;
            if !self.accept.accepts(trial.now, before) {
                trial.moves.rollback(0);
                trial.now = before;
            }
            trial.evaluator.end_iteration()?;
        }
    }
}

/// The state of a run.
#[derive(Default)]
pub(crate) struct IteratedState {
    descent: Descent,
    /// The changes of a perturbation.
    changes: Vec<Rearrangement>,
}
