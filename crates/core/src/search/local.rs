//! The common parts of all searches that change one solution by moves.

use super::*;
use crate::memory;
use crate::neighbourhood::NeighbourhoodVisitor;

/// A search that is compiled for every neighbourhood of every problem.
pub(crate) trait LocalSearch {
    /// The state of a run. `C` is the cost of a neighbourhood.
    type State<'p, C>;

    /// The start of a trial, and the neighbourhood.
    fn frame<P: Problem>(&self, problem: &P) -> (&Start, NeighbourhoodKind);

    /// The state of a run on a problem.
    ///
    /// # Errors
    /// The reason why the search cannot be run on the problem, as a message.
    fn state<'p, P: Problem, N: Neighbourhood>(
        &self,
        problem: &'p P,
        moves: &N,
    ) -> Result<Self::State<'p, N::Cost>, String>;

    /// The approximate number of bytes of the state, without the queue of a descent.
    fn memory<P: Problem>(&self, problem: &P) -> u64 {
        let _ = problem;
        0
    }

    /// Does one trial until there is a reason to stop. The trial begins at the solution at place 0, which is already evaluated. The search
    /// must [settle](Evaluator::settle) every solution that it reports to the evaluator. The final solution at place 0 is an exception:
    /// [`Trial::run`] settles it.
    ///
    /// # Errors
    /// The result is always an error: the reason why the trial stopped.
    fn improve<P: Problem, N: Neighbourhood>(
        &self,
        trial: &mut Trial<'_, '_, P, N>,
        state: &mut Self::State<'_, N::Cost>,
    ) -> Result<Infallible, Stop>;
}

/// A trial of a search by moves. Its solution is at place 0 of the neighbourhood.
pub(crate) struct Trial<'t, 'e, P: Problem, N: Neighbourhood> {
    pub(super) evaluator: &'t mut Evaluator<'e, P>,
    pub(super) moves: &'t mut N,
    /// The present cost of the solution.
    pub(super) now: N::Cost,
    pub(super) random: &'t mut RandomStream,
}

impl<P: Problem, N: Neighbourhood> Trial<'_, '_, P, N> {
    /// Runs a search until there is a reason to stop, and [settles](Evaluator::settle) its best solution.
    pub(super) fn run<S: LocalSearch>(&mut self, search: &S, state: &mut S::State<'_, N::Cost>) -> Stop {
        let Err(stop) = search.improve(self, state);
        self.settle();
        stop
    }

    /// If the evaluator has the fitness of the best solution but not its genome, writes this genome.
    #[inline]
    pub(super) fn settle(&mut self) {
        self.evaluator.settle(|genome| self.moves.write(0, genome));
    }

    /// Makes the changes of a perturbation and appends the groups that may now have a better move. If there are changes, they count as one
    /// evaluation together.
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

/// A task that needs a search and its neighbourhood. The task is compiled for every type of search and every type of neighbourhood.
pub(crate) trait LocalTask<P: Problem> {
    /// Runs the search once.
    fn run<S: LocalSearch, N: Neighbourhood>(
        self,
        evaluator: Evaluator<'_, P>,
        search: &S,
        state: S::State<'_, N::Cost>,
        moves: N,
    ) -> Outcome;
}

/// Does a task with a search on the fastest neighbourhood of the problem.
pub(super) fn run<S: LocalSearch, P: Problem>(
    search: &S,
    evaluator: Evaluator<'_, P>,
    task: impl LocalTask<P>,
) -> Outcome {
    let problem = evaluator.problem();
    let visited = problem.visit_neighbourhood(search.frame(problem).1, 1, Visitor { search, evaluator, task });
    visited.unwrap_or_else(|refused| {
        let refusal = memory::refusal("a solution", bytes(search, problem));
        refused.evaluator.fail(refusal)
    })
}

/// The approximate number of bytes that a run needs.
pub(super) fn bytes<S: LocalSearch, P: Problem>(search: &S, problem: &P) -> u64 {
    let groups = problem.layout().all_free().len() * (3 * size_of::<u32>() + 1);
    let own = search.memory(problem).saturating_add(groups as u64);
    problem.neighbourhood_memory(search.frame(problem).1, 1).saturating_add(own)
}

/// The kind of neighbourhood with this name.
///
/// # Panics
/// Panics if the problem has no neighbourhood with this name.
pub(super) fn kind<P: Problem>(problem: &P, name: &NeighbourhoodName) -> NeighbourhoodKind {
    let found = problem.find_neighbourhood(name);
    found.unwrap_or_else(|| panic!("the problem has no neighbourhood `{}`", name.as_str()))
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

/// The run of a search that is not part of another search. The trials follow one after the other.
pub(crate) struct Trials<'a> {
    /// The random stream of the run.
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
        let (start, _) = search.frame(problem);
        let mut genome = problem.layout().template().to_vec();
        let mut trial = |evaluator: &mut Evaluator<'_, P>| -> Result<Stop, Stop> {
            evaluator.begin()?;
            start.write(problem, &mut genome, random);
            let now = moves.load(0, &genome);
            evaluator.end(now, |best| best.copy_from_slice(&genome))?;
            Ok(Trial { evaluator, moves: &mut moves, now, random }.run(search, &mut state))
        };
        evaluator.run_trials(|evaluator| trial(evaluator).unwrap_or_else(|stop| stop))
    }
}

/// The setting `neighbourhood` of a search that changes solutions by moves.
pub(super) const fn neighbourhood(default: &'static str, doc: &'static str) -> Parameter {
    Parameter::choice("neighbourhood", &NeighbourhoodKind::NAMES, default, doc).or_added(AddedNames::Neighbourhoods)
}

/// The setting `pick` of a search that examines groups of moves.
pub(super) const fn pick(doc: &'static str) -> Parameter {
    Parameter::choice("pick", Pick::NAMES, "best", doc)
}

/// The solution at which a trial starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// A random solution.
    Random,
    /// The solution that the best construction rule of the problem makes. If the problem has no construction rules, the start is a random
    /// solution.
    Family,
    /// The solution that a construction rule of the problem makes. The text is the name of this construction rule.
    Construction(String),
}

impl Start {
    /// Returns the start with this name. The name is `random`, `family` or the name of a construction.
    pub fn from_name(name: &str) -> Self {
        match name {
            "random" => Self::Random,
            "family" => Self::Family,
            name => Self::Construction(name.to_owned()),
        }
    }

    /// Writes the genome of the solution at which a trial starts.
    ///
    /// # Panics
    /// Panics if the problem has no construction with this name.
    pub fn write<P: Problem + ?Sized>(&self, problem: &P, genome: &mut [Allele], random: &mut RandomStream) {
        let mut constructions = match self {
            Self::Random => Vec::new(),
            Self::Family | Self::Construction(_) => problem.constructions(),
        };
        if let Self::Construction(name) = self {
            constructions.retain(|construction| construction.name == name);
            assert!(!constructions.is_empty(), "the problem has no construction `{name}`");
        }
        match constructions.first() {
            Some(construction) => (construction.build)(genome, random),
            None => problem.randomise(genome, random),
        }
    }
}

impl Setting for Start {
    fn read(settings: &Settings, parameter: &Parameter, _: &Operators) -> Result<Self, Fault> {
        Ok(Self::from_name(settings.name(parameter.name)))
    }
}

impl Setting for NeighbourhoodName {
    fn read(settings: &Settings, parameter: &Parameter, _: &Operators) -> Result<Self, Fault> {
        Ok(settings.name(parameter.name).to_owned().into())
    }
}
