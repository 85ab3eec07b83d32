//! Algorithms. This module defines one type for all search algorithms, and one trait for the problems that the algorithms solve.

use crate::budget::Budget;
use crate::evaluator::{Evaluator, Outcome};
use crate::layout::Allele;
use crate::observer::Observer;
use crate::problem::{DynProblem, Problem};
use crate::random::RandomStream;
use crate::search::Search;
use crate::search::ant_colony::{self, AntColony};
use crate::search::combinatorial::{self, CombinatorialEvolution};
use crate::search::exact::backtracking::{self, Backtracking};
use crate::search::exact::exact_search::{self, ExactSearch};
use crate::search::genetic::{self, Genetic};
use crate::search::local::Trials;
use crate::search::local_algorithm::{self, LocalAlgorithm};
use crate::search::memetic::{self, Memetic};
use crate::search::portfolio::{self, Portfolio};
use crate::search::random_search::{self, RandomSearch};
use crate::search::restarting_search::{self, RestartingSearch};
use crate::search::steady_state::{self, SteadyState};
use crate::settings::{AddedNames, Capability, Declaration, Fault, Member, Operators, Registry, Settings};

/// A search algorithm with its settings. The searches of this crate are compiled separately for every type of problem. A search from
/// another crate receives the problem as a trait object.
///
/// The example of [`Search`] shows how to run an algorithm.
pub enum Algorithm {
    /// The generational genetic algorithm.
    Genetic(Genetic),
    /// The steady-state genetic algorithm.
    SteadyState(SteadyState),
    /// The genetic algorithm with a local search.
    Memetic(Memetic),
    /// Combinatorial evolution, a search with two kinds of solutions: workers and explorers.
    CombinatorialEvolution(CombinatorialEvolution),
    /// A portfolio: several algorithms that share one budget.
    Portfolio(Portfolio<Algorithm>),
    /// A local search, which changes one solution by moves.
    Local(LocalAlgorithm),
    /// An exact method. An exact method ends by itself. Therefore the limits of a trial do not apply to an exact method.
    Exact(Box<dyn Search>),
    /// Any other search.
    Custom(Box<dyn Search>),
}

impl Algorithm {
    /// The unit in which the algorithm counts its work: see [`Search::unit`].
    pub fn unit(&self) -> &'static str {
        match self {
            Self::Exact(search) | Self::Custom(search) => search.unit(),
            Self::Portfolio(portfolio) => portfolio.members.first().map_or("evaluations", |one| one.algorithm.unit()),
            _ => "evaluations",
        }
    }
}

type Build = fn(&Settings, &Operators) -> Result<Algorithm, Fault>;

/// The declaration of each algorithm and the function that builds it from resolved settings. This list does not contain the searches by
/// neighbourhood and the portfolio.
const MEMBERS: &[(Declaration, Build)] = &[
    (genetic::DECLARATION, |settings, operators| Genetic::from_settings(settings, operators).map(Algorithm::Genetic)),
    (steady_state::DECLARATION, |settings, operators| {
        SteadyState::from_settings(settings, operators)?.checked().map(Algorithm::SteadyState)
    }),
    (memetic::DECLARATION, |settings, operators| {
        memetic::check(settings)?;
        Memetic::from_settings(settings, operators).map(Algorithm::Memetic)
    }),
    (combinatorial::DECLARATION, |settings, operators| {
        CombinatorialEvolution::from_settings(settings, operators).map(Algorithm::CombinatorialEvolution)
    }),
    (random_search::DECLARATION, |_, _| Ok(custom(RandomSearch))),
    (backtracking::DECLARATION, |settings, operators| Backtracking::from_settings(settings, operators).map(exact)),
    (exact_search::DECLARATION, |_, _| Ok(exact(ExactSearch))),
    (ant_colony::DECLARATION, |settings, operators| AntColony::from_settings(settings, operators).map(custom)),
    (restarting_search::DECLARATION, |settings, operators| {
        RestartingSearch::from_settings(settings, operators).map(custom)
    }),
];

fn exact(search: impl Search + 'static) -> Algorithm {
    Algorithm::Exact(Box::new(search))
}

fn custom(search: impl Search + 'static) -> Algorithm {
    Algorithm::Custom(Box::new(search))
}

/// The algorithms that a portfolio may contain.
pub(crate) fn of_a_portfolio() -> impl Iterator<Item = Declaration> {
    let local = local_algorithm::MEMBERS.iter().map(|(declaration, _)| *declaration);
    MEMBERS.iter().map(|(declaration, _)| *declaration).chain(local)
}

/// Builds the algorithm of the core that the resolved settings describe. The algorithm cannot be a portfolio.
fn build(settings: &Settings, operators: &Operators) -> Result<Algorithm, Fault> {
    let kind = settings.name("kind");
    match MEMBERS.iter().find(|(declaration, _)| declaration.name == kind) {
        Some((_, build)) => build(settings, operators),
        None => Ok(Algorithm::Local(LocalAlgorithm::from_settings(settings, operators)?)),
    }
}

/// Registers the algorithms of the core, and the names of the algorithms that end by themselves.
pub(crate) fn register(algorithms: &mut Registry<Algorithm>, self_terminating: &mut Vec<&'static str>) {
    for declaration in of_a_portfolio() {
        algorithms.add(Member { declaration, build: |settings, operators| build(settings, operators).map(Box::new) });
    }
    algorithms.add(Member {
        declaration: portfolio::DECLARATION,
        build: |settings, operators| {
            let portfolio = Portfolio::from_settings(settings, operators, build, Algorithm::unit)?;
            Ok(Box::new(Algorithm::Portfolio(portfolio)))
        },
    });
    self_terminating.extend(local_algorithm::SELF_TERMINATING);
    self_terminating.extend([backtracking::DECLARATION.name, exact_search::DECLARATION.name]);
}

/// A problem on which any algorithm can be run. Every [`Problem`] implements the trait `Solve`.
pub trait Solve: Send + Sync {
    /// Runs an algorithm once on this problem.
    fn solve(
        &self,
        algorithm: &Algorithm,
        budget: &Budget,
        random: &mut RandomStream,
        observer: &mut dyn Observer,
    ) -> Outcome;

    /// The approximate number of bytes that a run of an algorithm needs, without the bytes of the problem. `None` if the number is not
    /// known.
    fn memory(&self, algorithm: &Algorithm) -> Option<u64> {
        let _ = algorithm;
        None
    }

    /// The capabilities that the problem offers. The fitness is not a capability.
    fn offers(&self) -> Vec<Capability> {
        Vec::new()
    }

    /// The names of the problem's constructions, or of the neighbourhoods that the problem adds. With each name comes one line of
    /// documentation. The best construction comes first.
    fn added_names(&self, added: AddedNames) -> Vec<(&'static str, &'static str)> {
        let _ = added;
        Vec::new()
    }

    /// Writes a genome as one line of text.
    fn describe(&self, genome: &[Allele]) -> String;

    /// The best solution of a run as text. `None` if the run has no solution.
    fn solution(&self, outcome: &Outcome) -> Option<String> {
        let described = || (!outcome.best_genome.is_empty()).then(|| self.describe(&outcome.best_genome));
        outcome.solution.clone().or_else(described)
    }
}

impl<P: Problem + 'static> Solve for P {
    fn solve(
        &self,
        algorithm: &Algorithm,
        budget: &Budget,
        random: &mut RandomStream,
        observer: &mut dyn Observer,
    ) -> Outcome {
        match algorithm {
            Algorithm::Genetic(genetic) => genetic.search(Evaluator::new(self, budget, observer), random),
            Algorithm::SteadyState(genetic) => genetic.search(Evaluator::new(self, budget, observer), random),
            Algorithm::Memetic(memetic) => memetic.search(self, budget, random, observer),
            Algorithm::CombinatorialEvolution(evolution) => evolution.search(self, budget, random, observer),
            Algorithm::Portfolio(portfolio) => {
                portfolio.search(budget, random, observer, &mut |algorithm, budget, random, observer| {
                    self.solve(algorithm, budget, random, observer)
                })
            }
            Algorithm::Local(local) => local.run(Evaluator::new(self, budget, observer), Trials { random }),
            Algorithm::Exact(exact) => {
                let budget = Budget { generations: None, stagnation: None, restarts: 0, ..*budget };
                exact.search(Evaluator::new(self as &dyn DynProblem, &budget, observer), random)
            }
            Algorithm::Custom(search) => {
                search.search(Evaluator::new(self as &dyn DynProblem, budget, observer), random)
            }
        }
    }

    fn memory(&self, algorithm: &Algorithm) -> Option<u64> {
        match algorithm {
            Algorithm::Genetic(genetic) => Some(genetic.memory(self.layout())),
            Algorithm::SteadyState(genetic) => Some(genetic.memory(self.layout())),
            Algorithm::Memetic(memetic) => Some(memetic.memory(self)),
            Algorithm::CombinatorialEvolution(evolution) => Some(evolution.memory(self)),
            Algorithm::Portfolio(portfolio) => {
                let needs = portfolio.members.iter().map(|member| Solve::memory(self, &member.algorithm));
                needs.collect::<Option<Vec<u64>>>().and_then(|needs| needs.into_iter().max())
            }
            Algorithm::Local(local) => Some(local.memory(self)),
            Algorithm::Exact(search) | Algorithm::Custom(search) => search.memory(self),
        }
    }

    fn offers(&self) -> Vec<Capability> {
        let offered = [
            (Capability::Conflicts, self.conflicts().is_some()),
            (Capability::AllDifferent, self.all_different_sets().is_some()),
            (Capability::Construction, self.partial().is_some()),
            (Capability::Steps, self.stepwise().is_some()),
            (Capability::SeveralGenes, self.layout().n_genes() > 1),
        ];
        offered.into_iter().filter(|(_, is_offered)| *is_offered).map(|(capability, _)| capability).collect()
    }

    fn added_names(&self, added: AddedNames) -> Vec<(&'static str, &'static str)> {
        match added {
            AddedNames::Constructions => self.constructions().iter().map(|rule| (rule.name, rule.doc)).collect(),
            AddedNames::Neighbourhoods => self.added_neighbourhoods().to_vec(),
        }
    }

    fn describe(&self, genome: &[Allele]) -> String {
        Problem::describe(self, genome)
    }
}
