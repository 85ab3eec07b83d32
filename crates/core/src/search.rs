//! Search: the loops that look for a good genome, and how one is run on a problem whose type only the run knows.

pub mod combinatorial;
pub mod exact;
pub mod genetic;

use crate::budget::Budget;
use crate::evaluator::{Evaluator, Outcome};
use crate::layout::Allele;
use crate::observer::Observer;
use crate::problem::Problem;
use crate::random::RandomStream;

/// A search algorithm with its settings: one of the core's loops, which are compiled anew for every type of problem, or a
/// researcher's own.
pub enum Algorithm {
    /// The generational genetic algorithm.
    Genetic(genetic::Genetic),
    /// Combinatorial evolution.
    CombinatorialEvolution(combinatorial::CombinatorialEvolution),
    /// An exact method: it ends by itself, so the limits of a trial do not touch it.
    Exact(Box<dyn Search>),
    /// Any other search.
    Custom(Box<dyn Search>),
}

/// A search of a researcher's own.
pub trait Search: Send + Sync {
    /// Searches until the evaluator says stop.
    ///
    /// The budget's time is looked at when it evaluates or ends a generation: a search that does neither cannot be stopped. One
    /// that cannot do its work [fails](Evaluator::fail); a panic is a failed run, too.
    fn search(&self, evaluator: Evaluator<'_, dyn Problem>, random: &mut RandomStream) -> Outcome;
}

/// A problem that any algorithm can be run on. Every [`Problem`] is one.
pub trait Solve: Send + Sync {
    /// Runs an algorithm on this problem, from the start to the end of one run.
    fn solve(
        &self,
        algorithm: &Algorithm,
        budget: &Budget,
        random: &mut RandomStream,
        observer: &mut dyn Observer,
    ) -> Outcome;

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
            Algorithm::CombinatorialEvolution(evolution) => evolution.search(self, budget, random, observer),
            Algorithm::Exact(exact) => {
                let budget = Budget { generations: None, stagnation: None, restarts: 0, ..*budget };
                exact.search(Evaluator::new(self as &dyn Problem, &budget, observer), random)
            }
            Algorithm::Custom(search) => search.search(Evaluator::new(self as &dyn Problem, budget, observer), random),
        }
    }

    fn describe(&self, genome: &[Allele]) -> String {
        Problem::describe(self, genome)
    }
}
