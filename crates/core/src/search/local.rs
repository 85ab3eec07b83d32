//! Searches of one solution by moves: what they have in common.

use std::convert::Infallible;

use super::Start;
use crate::budget::{Budget, Stop};
use crate::evaluator::{Evaluator, Outcome};
use crate::memory;
use crate::neighbourhood::{Neighbourhood, NeighbourhoodKind, NeighbourhoodVisitor, Pick};
use crate::observer::Observer;
use crate::problem::Problem;
use crate::random::RandomStream;
use crate::settings::parameter::Parameter;

/// A search that is compiled for every neighbourhood of every problem.
pub(crate) trait LocalSearch {
    /// What it holds beside the solution; `C` is the cost of a neighbourhood.
    type State<'p, C>;

    /// Where a trial starts.
    fn start(&self) -> &Start;

    /// The neighbourhood; `None` for the one that suits the problem best.
    fn neighbourhood(&self) -> Option<NeighbourhoodKind>;

    /// What it holds in a run, made once.
    ///
    /// # Errors
    /// Why the problem cannot be searched so, as a message.
    fn state<'p, P: Problem, N: Neighbourhood>(
        &self,
        problem: &'p P,
        moves: &N,
    ) -> Result<Self::State<'p, N::Cost>, String>;

    /// The bytes of that, about, beside the queue of a descent.
    fn memory<P: Problem>(&self, problem: &P) -> u64 {
        let _ = problem;
        0
    }

    /// Does one trial, from the solution at place 0, which was evaluated and costs `now`, until there is a reason to stop. Every solution
    /// that it tells the evaluator is [settled](Evaluator::settle) when it returns.
    ///
    /// # Errors
    /// The reason: always.
    fn improve<P: Problem, N: Neighbourhood>(
        &self,
        evaluator: &mut Evaluator<'_, P>,
        moves: &mut N,
        now: N::Cost,
        state: &mut Self::State<'_, N::Cost>,
        random: &mut RandomStream,
    ) -> Result<Infallible, Stop>;
}

/// Does one run of a search on the fastest neighbourhood that the problem has.
pub(super) fn search<S: LocalSearch, P: Problem>(
    search: &S,
    problem: &P,
    budget: &Budget,
    random: &mut RandomStream,
    observer: &mut dyn Observer,
) -> Outcome {
    let evaluator = Evaluator::new(problem, budget, observer);
    let visited = problem.visit_neighbourhood(kind(search, problem), 1, RunVisitor { search, evaluator, random });
    visited.unwrap_or_else(|refused| {
        let refusal = memory::refusal("a solution", bytes(search, problem));
        refused.evaluator.fail(refusal)
    })
}

/// The bytes that a run needs, about.
pub(super) fn bytes<S: LocalSearch, P: Problem>(search: &S, problem: &P) -> u64 {
    let groups = problem.layout().all_free().len() * (3 * size_of::<u32>() + 1);
    let own = search.memory(problem).saturating_add(groups as u64);
    problem.neighbourhood_memory(kind(search, problem), 1).saturating_add(own)
}

pub(super) fn kind<S: LocalSearch, P: Problem>(search: &S, problem: &P) -> NeighbourhoodKind {
    search.neighbourhood().unwrap_or_else(|| problem.own_neighbourhood())
}

struct RunVisitor<'a, 'e, S, P: Problem> {
    search: &'a S,
    evaluator: Evaluator<'e, P>,
    random: &'a mut RandomStream,
}

impl<'p, S: LocalSearch, P: Problem> NeighbourhoodVisitor<'p> for RunVisitor<'_, '_, S, P> {
    type Output = Outcome;

    fn visit<N: Neighbourhood + 'p>(self, mut moves: N) -> Outcome {
        let Self { search, evaluator, random } = self;
        let problem = evaluator.problem();
        let mut state = match search.state(problem, &moves) {
            Ok(state) => state,
            Err(reason) => return evaluator.fail(reason),
        };
        let mut genome = problem.layout().template().to_vec();
        let mut trial = |evaluator: &mut Evaluator<'_, P>| -> Result<Infallible, Stop> {
            evaluator.begin()?;
            search.start().write(problem, &mut genome, random);
            let now = moves.load(0, &genome);
            evaluator.end(now, |best| best.copy_from_slice(&genome))?;
            search.improve(evaluator, &mut moves, now, &mut state, random)
        };
        evaluator.run_trials(|evaluator| {
            let Err(stop) = trial(evaluator);
            stop
        })
    }
}

/// The setting `neighbourhood` of a search of one solution.
pub(super) const NEIGHBOURHOOD: Parameter = Parameter::choice(
    "neighbourhood",
    &crate::settings::parameter::names(&NeighbourhoodKind::CHOICES),
    "family",
    "the moves; `family` for those that suit the problem best",
);

/// The setting `pick` of a search that looks at groups of moves.
pub(super) const PICK: Parameter = Parameter::choice(
    "pick",
    &crate::settings::parameter::names(&PICKS),
    "best",
    "which better move of a group is made: its best, or the first found",
);

/// The values of the setting `pick`.
pub(super) const PICKS: [(&str, Pick); 2] = [("best", Pick::Best), ("first", Pick::First)];
