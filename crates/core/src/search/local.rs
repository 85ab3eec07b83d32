//! Searches of one solution by moves: what they have in common.

use super::*;
use crate::memory;
use crate::neighbourhood::NeighbourhoodVisitor;

/// A search that is compiled for every neighbourhood of every problem.
pub(crate) trait LocalSearch {
    /// What it holds beside the solution; `C` is the cost of a neighbourhood.
    type State<'p, C>;

    /// Where a trial starts, and the neighbourhood; `None` for the one that suits the problem best.
    fn frame(&self) -> (&Start, Option<NeighbourhoodKind>);

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

    /// Does one trial, from the solution at place 0, which was evaluated, until there is a reason to stop. A solution that it tells the
    /// evaluator it [settles](Evaluator::settle), but the one that is at place 0 when it returns: [`Trial::run`] does that.
    ///
    /// # Errors
    /// The reason: always.
    fn improve<P: Problem, N: Neighbourhood>(
        &self,
        trial: &mut Trial<'_, '_, P, N>,
        state: &mut Self::State<'_, N::Cost>,
    ) -> Result<Infallible, Stop>;
}

/// A trial of a search by moves: the solution at place 0 of a neighbourhood, and what every step needs.
pub(crate) struct Trial<'t, 'e, P: Problem, N: Neighbourhood> {
    pub(super) evaluator: &'t mut Evaluator<'e, P>,
    pub(super) moves: &'t mut N,
    /// The cost of the solution.
    pub(super) now: N::Cost,
    pub(super) random: &'t mut RandomStream,
}

impl<P: Problem, N: Neighbourhood> Trial<'_, '_, P, N> {
    /// Runs a search until there is a reason to stop. All that it tells the evaluator is [settled](Evaluator::settle).
    pub(super) fn run<S: LocalSearch>(&mut self, search: &S, state: &mut S::State<'_, N::Cost>) -> Stop {
        let Err(stop) = search.improve(self, state);
        self.settle();
        stop
    }

    /// Writes the solution, if the evaluator was told of it as the best and does not have it yet.
    #[inline]
    pub(super) fn settle(&mut self) {
        self.evaluator.settle(|genome| self.moves.write(0, genome));
    }

    /// Makes the changes of a perturbation, if there are any, which is one evaluation; appends the groups that may have a better move now.
    ///
    /// # Errors
    /// The reason to stop.
    pub(super) fn rearrange(&mut self, changes: &[Rearrangement], groups: &mut Vec<u32>) -> Result<(), Stop> {
        if changes.is_empty() {
            return Ok(());
        }
        self.evaluator.begin()?;
        self.now = self.moves.rearrange(0, changes, self.now, groups);
        self.evaluator.end(self.now, |genome| self.moves.write(0, genome))
    }
}

/// What is done with a search once its type and that of its neighbourhood are known: it is compiled for each of them.
pub(crate) trait LocalTask<P: Problem> {
    /// Does one run.
    fn run<S: LocalSearch, N: Neighbourhood>(
        self,
        evaluator: Evaluator<'_, P>,
        search: &S,
        state: S::State<'_, N::Cost>,
        moves: N,
    ) -> Outcome;
}

/// Does a task with a search on the fastest neighbourhood that the problem has.
pub(super) fn run<S: LocalSearch, P: Problem>(
    search: &S,
    evaluator: Evaluator<'_, P>,
    task: impl LocalTask<P>,
) -> Outcome {
    let problem = evaluator.problem();
    let visited = problem.visit_neighbourhood(kind(search, problem), 1, Visitor { search, evaluator, task });
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

fn kind<S: LocalSearch, P: Problem>(search: &S, problem: &P) -> NeighbourhoodKind {
    search.frame().1.unwrap_or_else(|| problem.own_neighbourhood())
}

struct Visitor<'a, 'e, S, P: Problem, T> {
    search: &'a S,
    evaluator: Evaluator<'e, P>,
    task: T,
}

impl<'p, S: LocalSearch, P: Problem, T: LocalTask<P>> NeighbourhoodVisitor<'p> for Visitor<'_, '_, S, P, T> {
    type Output = Outcome;

    fn visit<N: Neighbourhood + 'p>(self, moves: N) -> Outcome {
        let Self { search, evaluator, task } = self;
        match search.state(evaluator.problem(), &moves) {
            Ok(state) => task.run(evaluator, search, state, moves),
            Err(reason) => evaluator.fail(reason),
        }
    }
}

/// The run of a search on its own: one trial after the other.
pub(crate) struct Trials<'a> {
    /// What is drawn from.
    pub random: &'a mut RandomStream,
}

impl<P: Problem> LocalTask<P> for Trials<'_> {
    fn run<S: LocalSearch, N: Neighbourhood>(
        self,
        evaluator: Evaluator<'_, P>,
        search: &S,
        mut state: S::State<'_, N::Cost>,
        mut moves: N,
    ) -> Outcome {
        let (problem, random) = (evaluator.problem(), self.random);
        let mut genome = problem.layout().template().to_vec();
        let mut trial = |evaluator: &mut Evaluator<'_, P>| -> Result<Stop, Stop> {
            evaluator.begin()?;
            search.frame().0.write(problem, &mut genome, random);
            let now = moves.load(0, &genome);
            evaluator.end(now, |best| best.copy_from_slice(&genome))?;
            Ok(Trial { evaluator, moves: &mut moves, now, random }.run(search, &mut state))
        };
        evaluator.run_trials(|evaluator| trial(evaluator).unwrap_or_else(|stop| stop))
    }
}

/// The setting `neighbourhood` of a search of one solution.
pub(super) const fn neighbourhood(doc: &'static str) -> Parameter {
    const NAMES: &[&str] = &names(&NeighbourhoodKind::CHOICES);
    Parameter::choice("neighbourhood", NAMES, "family", doc)
}

/// The setting `pick` of a search that examines groups of moves.
pub(super) const fn pick(doc: &'static str) -> Parameter {
    Parameter::choice("pick", Pick::NAMES, "best", doc)
}

/// The names `family` and `none` are no kinds: they mean `None`.
impl Setting for Option<NeighbourhoodKind> {
    fn read(settings: &Settings, parameter: &Parameter, _: &Operators) -> Result<Self, Fault> {
        let chosen = settings.name(parameter.name);
        Ok(NeighbourhoodKind::CHOICES.iter().find(|(name, _)| *name == chosen).and_then(|(_, kind)| *kind))
    }
}
