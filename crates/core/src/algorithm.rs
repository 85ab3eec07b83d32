//! Algorithms: one type for the searches of the core and for any other, and the trait that runs them on a problem of any type.

use crate::budget::Budget;
use crate::capability::Capability;
use crate::evaluator::{Evaluator, Outcome};
use crate::layout::Allele;
use crate::observer::Observer;
use crate::problem::{DynProblem, Problem};
use crate::random::RandomStream;
use crate::registry::{Member, Registry};
use crate::search::Search;
use crate::search::ant_colony::{self, AntColony};
use crate::search::combinatorial::{self, CombinatorialEvolution};
use crate::search::exact::backtracking::{self, Backtracking};
use crate::search::genetic::{self, Genetic};
use crate::search::local_algorithm::{self, LocalAlgorithm};
use crate::search::memetic::{self, Memetic};
use crate::search::random_search::{self, RandomSearch};
use crate::search::restarting_search::{self, RestartingSearch};
use crate::search::steady_state::{self, SteadyState};

/// A search algorithm with its settings. The loops of the core are compiled for every type of problem; any other search gets the problem
/// as a trait object.
///
/// [`Search`] shows how one is run.
pub enum Algorithm {
    /// The generational genetic algorithm.
    Genetic(Genetic),
    /// The steady-state genetic algorithm.
    SteadyState(SteadyState),
    /// The genetic algorithm with a local search.
    Memetic(Memetic),
    /// Combinatorial evolution.
    CombinatorialEvolution(CombinatorialEvolution),
    /// A search of one solution by moves.
    Local(LocalAlgorithm),
    /// An exact method. It ends by itself, so the limits of a trial do not apply to it.
    Exact(Box<dyn Search>),
    /// Any other search.
    Custom(Box<dyn Search>),
}

impl Algorithm {
    /// The unit in which it counts its work: see [`Search::unit`].
    #[must_use]
    pub fn unit(&self) -> &'static str {
        match self {
            Self::Exact(search) | Self::Custom(search) => search.unit(),
            _ => "evaluations",
        }
    }
}

/// Registers the algorithms of the core, and the names of those that end by themselves.
pub(crate) fn register(algorithms: &mut Registry<Algorithm>, self_terminating: &mut Vec<&'static str>) {
    algorithms.add(Member {
        declaration: genetic::DECLARATION,
        build: |settings, operators| Ok(Box::new(Algorithm::Genetic(Genetic::from_settings(settings, operators)?))),
    });
    algorithms.add(Member {
        declaration: steady_state::DECLARATION,
        build: |settings, operators| {
            Ok(Box::new(Algorithm::SteadyState(SteadyState::from_settings(settings, operators)?)))
        },
    });
    algorithms.add(Member {
        declaration: memetic::DECLARATION,
        build: |settings, operators| Ok(Box::new(Algorithm::Memetic(Memetic::from_settings(settings, operators)?))),
    });
    algorithms.add(Member {
        declaration: combinatorial::DECLARATION,
        build: |settings, operators| {
            let evolution = CombinatorialEvolution::from_settings(settings, operators)?;
            Ok(Box::new(Algorithm::CombinatorialEvolution(evolution)))
        },
    });
    algorithms.add(Member {
        declaration: random_search::DECLARATION,
        build: |_, _| Ok(Box::new(Algorithm::Custom(Box::new(RandomSearch)))),
    });
    for (declaration, _) in local_algorithm::MEMBERS {
        algorithms.add(Member {
            declaration: *declaration,
            build: |settings, operators| {
                Ok(Box::new(Algorithm::Local(LocalAlgorithm::from_settings(settings, operators)?)))
            },
        });
    }
    algorithms.add(Member {
        declaration: backtracking::DECLARATION,
        build: |settings, _| Ok(Box::new(Algorithm::Exact(Box::new(Backtracking::from_settings(settings))))),
    });
    algorithms.add(Member {
        declaration: ant_colony::DECLARATION,
        build: |settings, _| Ok(Box::new(Algorithm::Custom(Box::new(AntColony::from_settings(settings))))),
    });
    algorithms.add(Member {
        declaration: restarting_search::DECLARATION,
        build: |settings, _| Ok(Box::new(Algorithm::Custom(Box::new(RestartingSearch::from_settings(settings))))),
    });
    self_terminating.extend(local_algorithm::SELF_TERMINATING);
    self_terminating.push(backtracking::DECLARATION.name);
}

/// A problem that any algorithm can be run on. Every [`Problem`] is one.
pub trait Solve: Send + Sync {
    /// Does one run of an algorithm on this problem.
    fn solve(
        &self,
        algorithm: &Algorithm,
        budget: &Budget,
        random: &mut RandomStream,
        observer: &mut dyn Observer,
    ) -> Outcome;

    /// The bytes that a run of an algorithm on this problem needs, about, beside the problem itself; `None` where that is not known.
    fn memory(&self, algorithm: &Algorithm) -> Option<u64> {
        let _ = algorithm;
        None
    }

    /// What the problem offers; its family [declares](crate::family::Family::offers) the same of its settings.
    fn offers(&self) -> Vec<Capability> {
        Vec::new()
    }

    /// A genome as one line of text.
    fn describe(&self, genome: &[Allele]) -> String;
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
            Algorithm::Local(local) => local.search(self, budget, random, observer),
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
            Algorithm::Local(local) => Some(local.memory(self)),
            Algorithm::Exact(search) | Algorithm::Custom(search) => search.memory(self),
        }
    }

    fn offers(&self) -> Vec<Capability> {
        let offered = [
            (Capability::Conflicts, self.has_conflicts()),
            (Capability::Units, self.units().is_some()),
            (Capability::Construction, self.partial().is_some()),
            (Capability::Steps, self.has_steps()),
            (Capability::SeveralGenes, self.layout().n_genes() > 1),
        ];
        offered.into_iter().filter(|(_, is_offered)| *is_offered).map(|(capability, _)| capability).collect()
    }

    fn describe(&self, genome: &[Allele]) -> String {
        Problem::describe(self, genome)
    }
}
