//! Memetic algorithms: a genetic algorithm whose individuals are improved by a local search.

use super::genetic::Genetic;
use super::local::LocalTask;
use super::local_algorithm::LocalAlgorithm;
use super::variation::Improvement;
use super::*;
use crate::observer::Observer;

/// A memetic algorithm with its settings: the [genetic algorithm](Genetic) and a local search, whose result takes the place of the
/// individual that it began with (Lamarckian).
///
/// Offspring are crossed, mutated, evaluated and then improved. A local search does one trial, from the individual, and hands back the
/// best solution that it met; what it evaluates counts as the run's, its generations do not.
pub struct Memetic {
    /// The genetic algorithm.
    pub genetic: Genetic,
    /// How individuals are improved.
    pub learning: Learning,
}

crate::parameters! {
    /// How the individuals of a memetic algorithm are improved.
    pub struct Learning {
        /// Improves individuals.
        pub local_search: LocalAlgorithm = Parameter::operator(
            LOCAL_SEARCH,
            local_algorithm::CATEGORY,
            Some("hill-climbing"),
            "improves individuals: one trial, from the individual",
        )
        .only_where(&LOCAL_SEARCH_IS_MADE),
        /// Probability, for each individual that may be improved, that it is.
        pub rate: f64 = Parameter::share("local_search_rate", 1.0, "probability per offspring that the local search improves it",
        ),
        /// Evaluations of one local search; `None` for one that ends by itself.
        pub evaluations: Option<u64> = Parameter::optional_integer(
            EVALUATIONS,
            1,
            i64::MAX,
            "evaluations of one local search; required if it does not end by itself",
        )
        .only_where(&LOCAL_SEARCH_IS_MADE),
        /// Whether the first population may be improved, too.
        pub initial: bool = Parameter::flag(
            "initial_local_search",
            true,
            "whether the individuals of the first population are improved with the same probability",
        )
        .only_where(&LOCAL_SEARCH_IS_MADE),
    }
}

const LOCAL_SEARCH: &str = "local_search";
const EVALUATIONS: &str = "local_search_evaluations";
const LOCAL_SEARCH_IS_MADE: [Condition; 1] = [Condition::IsNot("local_search_rate", "0")];

/// `memetic` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "memetic",
    "genetic algorithm whose offspring are improved by a local search, the result taking their place (Lamarckian)",
    "Moscato, On Evolution, Search, Optimization, Genetic Algorithms and Martial Arts, Caltech C3P 826, 1989; Eiben and Smith, \
     Introduction to Evolutionary Computing, 2015, ch. 10",
)
.with(&joined::<14>(&genetic::PARAMETERS, Learning::PARAMETERS));

impl Memetic {
    /// The algorithm that resolved settings describe.
    ///
    /// # Errors
    /// If an operator or the local search refuses the combination of its settings, and if the local search does not end by itself and
    /// has no limit.
    pub fn from_settings(settings: &Settings, operators: &Operators) -> Result<Self, Fault> {
        let kind = settings.table(LOCAL_SEARCH).name("kind");
        if settings.get(EVALUATIONS).is_none() && !local_algorithm::SELF_TERMINATING.contains(&kind) {
            let message = format!("`{kind}` does not end by itself: the first local search would take the whole run");
            return Err(Fault::value(
                format!("{LOCAL_SEARCH}.kind"),
                message,
                format!("expected `{EVALUATIONS}` beside it"),
            ));
        }
        let genetic = Genetic::from_settings(settings, operators)?;
        Ok(Self { genetic, learning: Learning::from_settings(settings, operators)? })
    }

    /// The bytes that a run needs, about.
    pub fn memory<P: Problem>(&self, problem: &P) -> u64 {
        self.genetic.memory(problem.layout()).saturating_add(self.learning.local_search.memory(problem))
    }

    /// Does one run on the fastest neighbourhood that the problem has.
    pub fn search<P: Problem>(
        &self,
        problem: &P,
        budget: &Budget,
        random: &mut RandomStream,
        observer: &mut dyn Observer,
    ) -> Outcome {
        self.learning.local_search.run(Evaluator::new(problem, budget, observer), Run { memetic: self, random })
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

/// The local search of a run, with its neighbourhood and working memory. The genetic algorithm calls it through a trait object, so that
/// its loop is not compiled for every local search and every neighbourhood.
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
        let learning = &self.memetic.learning;
        if is_first && !learning.initial || !random.chance(learning.rate) {
            return Ok(fitness);
        }
        // The individual was evaluated: to load it is not an evaluation.
        let now = self.moves.load(0, genome);
        evaluator.part(genome, fitness, learning.evaluations, |evaluator| {
            Trial { evaluator, moves: &mut self.moves, now, random }.run(self.search, &mut self.state)
        })
    }
}
