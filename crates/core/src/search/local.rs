//! Searches of one solution by moves: what they have in common.

use crate::budget::Budget;
use crate::evaluator::{Evaluator, Outcome};
use crate::memory;
use crate::neighbourhood::{Neighbourhood, NeighbourhoodKind, NeighbourhoodVisitor, Pick};
use crate::observer::Observer;
use crate::parameter::Parameter;
use crate::problem::Problem;
use crate::random::RandomStream;

/// A search that is compiled for every neighbourhood of every problem.
pub(crate) trait LocalSearch {
    /// Its neighbourhood; `None` for the one that suits the problem best.
    fn neighbourhood(&self) -> Option<NeighbourhoodKind>;

    /// Does one run on a neighbourhood with one place.
    fn run<P: Problem, N: Neighbourhood>(
        &self,
        evaluator: Evaluator<'_, P>,
        moves: N,
        random: &mut RandomStream,
    ) -> Outcome;
}

/// Does one run of a search on the fastest neighbourhood that the problem has.
pub(crate) fn search<S: LocalSearch, P: Problem>(
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
pub(crate) fn bytes<S: LocalSearch, P: Problem>(search: &S, problem: &P) -> u64 {
    let groups = problem.layout().all_free().len() * (3 * size_of::<u32>() + 1);
    problem.neighbourhood_memory(kind(search, problem), 1).saturating_add(groups as u64)
}

fn kind<S: LocalSearch, P: Problem>(search: &S, problem: &P) -> NeighbourhoodKind {
    search.neighbourhood().unwrap_or_else(|| problem.own_neighbourhood())
}

struct RunVisitor<'a, 'e, S, P: Problem> {
    search: &'a S,
    evaluator: Evaluator<'e, P>,
    random: &'a mut RandomStream,
}

impl<'p, S: LocalSearch, P: Problem> NeighbourhoodVisitor<'p> for RunVisitor<'_, '_, S, P> {
    type Output = Outcome;

    fn visit<N: Neighbourhood + 'p>(self, moves: N) -> Outcome {
        self.search.run(self.evaluator, moves, self.random)
    }
}

/// The setting `neighbourhood` of a search of one solution.
pub(super) const NEIGHBOURHOOD: Parameter = Parameter::choice(
    "neighbourhood",
    &crate::parameter::names(&NeighbourhoodKind::CHOICES),
    "family",
    "the moves; `family` for those that suit the problem best",
);

/// The setting `pick` of a search that looks at groups of moves.
pub(super) const PICK: Parameter = Parameter::choice(
    "pick",
    &crate::parameter::names(&PICKS),
    "best",
    "which better move of a group is made: its best, or the first found",
);

/// The values of the setting `pick`.
pub(super) const PICKS: [(&str, Pick); 2] = [("best", Pick::Best), ("first", Pick::First)];
