//! Memetic algorithms: a local search improves the individuals of a genetic algorithm.

use super::genetic::Genetic;
use super::local::LocalTask;
use super::local_algorithm::LocalAlgorithm;
use super::variation::Improvement;
use super::*;
use crate::observer::Observer;

crate::parameters! {
    /// A memetic algorithm with its settings: a [genetic algorithm](Genetic) with a local search. The local search starts from an
    /// individual. The result of the local search replaces the individual from which it started (Lamarckian).
    ///
    /// The offspring are made by crossover. Then the offspring are mutated and evaluated, and the local search improves the offspring. The
    /// local search starts one trial at the individual, and returns the best solution of this trial. The run counts the local search's
    /// evaluations, but not its generations.
    pub struct Memetic with genetic: Genetic {
        /// the local search that improves an individual; it does one trial from this individual
        pub local_search: LocalAlgorithm =
            Parameter::operator(LOCAL_SEARCH, local_algorithm::CATEGORY, Some("hill-climbing"), DOC)
                .only_where(&LOCAL_SEARCH_IS_MADE),
        /// probability of a local search, for each individual of the offspring
        pub local_search_rate: f64 = Parameter::share("local_search_rate", 1.0, DOC),
        /// largest number of evaluations of one local search; required if the local search does not end by itself
        pub local_search_evaluations: Option<u64> =
            Parameter::optional_integer(EVALUATIONS, 1, i64::MAX, DOC).only_where(&LOCAL_SEARCH_IS_MADE),
        /// whether local search also improves individuals of the first population, each with probability `local_search_rate`
        pub initial_local_search: bool =
            Parameter::flag("initial_local_search", true, DOC).only_where(&LOCAL_SEARCH_IS_MADE),
    }
}

const LOCAL_SEARCH: &str = "local_search";
const EVALUATIONS: &str = "local_search_evaluations";
const LOCAL_SEARCH_IS_MADE: [Condition; 1] = [Condition::IsNot("local_search_rate", "0")];

/// The declaration of `memetic` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "memetic",
    "genetic algorithm with a local search that improves offspring. Each improved individual replaces its original \
     (Lamarckian)",
    "Moscato, On Evolution, Search, Optimization, Genetic Algorithms and Martial Arts, Caltech C3P 826, 1989; Eiben and Smith, \
     Introduction to Evolutionary Computing, 2015, ch. 10",
)
.with(Memetic::PARAMETERS);

/// Checks resolved settings.
///
/// # Errors
/// Returns an error if the local search does not end by itself and has no limit.
pub(crate) fn check(settings: &Settings) -> Result<(), Fault> {
    let kind = settings.table(LOCAL_SEARCH).name("kind");
    if settings.get(EVALUATIONS).is_some() || local_algorithm::SELF_TERMINATING.contains(&kind) {
        return Ok(());
    }
    let message = format!("`{kind}` does not end by itself: the first local search would use the whole budget");
    Err(Fault::value(format!("{LOCAL_SEARCH}.kind"), message, format!("expected `{EVALUATIONS}` beside it")))
}

impl Memetic {
    /// The approximate number of bytes that a run needs.
    pub fn memory<P: Problem>(&self, problem: &P) -> u64 {
        self.genetic.memory(problem.layout()).saturating_add(self.local_search.memory(problem))
    }

    /// Runs the algorithm once, with the fastest neighbourhood of the problem.
    pub fn search<P: Problem>(
        &self,
        problem: &P,
        budget: &Budget,
        random: &mut RandomStream,
        observer: &mut dyn Observer,
    ) -> Outcome {
        self.local_search.run(Evaluator::new(problem, budget, observer), Run { memetic: self, random })
    }
}

/// The run of the genetic algorithm with its local search.
struct Run<'a> {
    memetic: &'a Memetic,
    random: &'a mut RandomStream,
}

impl<P: Problem> LocalTask<P> for Run<'_> {
    fn run<S: LocalSearch, N: Neighbourhood>(
        self,
        evaluator: Evaluator<'_, P>,
        search: &S,
        state: S::State<'_, N::Cost>,
        moves: N,
    ) -> Outcome {
        let mut improvement = LocalImprovement { memetic: self.memetic, search, moves, state };
        self.memetic.genetic.search_improving(evaluator, Some(&mut improvement), self.random)
    }
}

/// The local search of a run, with its neighbourhood and working memory. The genetic algorithm calls the local search through a trait
/// object. Therefore the loop of the genetic algorithm is not compiled for every local search and every neighbourhood.
struct LocalImprovement<'a, 'p, S: LocalSearch, N: Neighbourhood> {
    memetic: &'a Memetic,
    search: &'a S,
    moves: N,
    state: S::State<'p, N::Cost>,
}

impl<P: Problem, S: LocalSearch, N: Neighbourhood> Improvement<P> for LocalImprovement<'_, '_, S, N> {
    fn improve(
        &mut self,
        evaluator: &mut Evaluator<'_, P>,
        genome: &mut [Allele],
        fitness: Fitness,
        is_first: bool,
        random: &mut RandomStream,
    ) -> Result<Fitness, Stop> {
        let Memetic { local_search_rate, local_search_evaluations, initial_local_search, .. } = self.memetic;
        if is_first && !initial_local_search || !random.chance(*local_search_rate) {
            return Ok(fitness);
        }
        // The individual was evaluated before, so loading it is not an evaluation.
        let now = self.moves.load(0, genome);
        evaluator.part(genome, fitness, *local_search_evaluations, |evaluator| {
            Trial { evaluator, moves: &mut self.moves, now, random }.run(self.search, &mut self.state)
        })
    }
}
