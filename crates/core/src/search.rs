//! Searches: the core's algorithms, and the trait for a researcher's own search.

pub mod ant_colony;
pub mod combinatorial;
mod descent;
pub mod exact;
pub mod genetic;
pub mod hill_climbing;
pub mod iterated_greedy;
pub mod iterated_local_search;
pub(crate) mod local;
pub mod local_algorithm;
pub mod memetic;
pub mod min_conflicts;
pub mod portfolio;
pub mod propagation;
pub mod random_search;
pub mod restarting_search;
pub mod steady_state;
pub mod tabu;
pub mod variable_neighbourhood;
pub mod variation;
pub mod walk;

use std::convert::Infallible;

// The items that most searches use. Their files import them from here.
use crate::budget::{Budget, Stop};
use crate::evaluator::{Evaluator, Outcome};
use crate::fitness::Fitness;
use crate::layout::{Allele, Layout};
use crate::neighbourhood::{Neighbourhood, NeighbourhoodKind, NeighbourhoodName, Pick, Rearrangement, Scope};
use crate::population::Population;
use crate::problem::{DynProblem, Problem};
use crate::random::RandomStream;
use crate::settings::{
    AddedNames, Capability, Condition, Declaration, Fault, Operators, Parameter, Setting, Settings, names,
};

pub(crate) use descent::Descent;
pub use local::Start;
pub(crate) use local::{LocalSearch, Trial};
pub use walk::{annealing, late_acceptance, threshold_accepting};

/// The trait that a researcher implements to add a search.
///
/// ```
/// use evogrid_core::algorithm::{Algorithm, Solve};
/// use evogrid_core::budget::{Budget, Stop};
/// use evogrid_core::evaluator::{Evaluator, Outcome};
/// use evogrid_core::problem::{DynProblem, Problem};
/// use evogrid_core::random::RandomStream;
/// use evogrid_core::search::Search;
/// # use evogrid_core::layout::Layout;
#[doc = include_str!("family/ascending.txt")]
///
/// /// Draws random genomes, one after the other. A hundred genomes are a generation.
/// struct Sampling;
///
/// impl Search for Sampling {
///     fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, random: &mut RandomStream) -> Outcome {
///         let problem = evaluator.problem();
///         let mut genome = problem.layout().template().to_vec();
///         let mut hundred = |evaluator: &mut Evaluator<'_, dyn DynProblem>| -> Result<(), Stop> {
///             for _ in 0..100 {
///                 problem.randomise(&mut genome, random);
///                 evaluator.evaluate(&genome)?;
///             }
///             evaluator.end_iteration()
///         };
///         evaluator.run_trials(|evaluator| loop {
///             if let Err(stop) = hundred(evaluator) {
///                 return stop;
///             }
///         })
///     }
/// }
///
/// // `Ascending` is a problem whose fitness counts the descents of a permutation.
/// let problem = Ascending(Layout::new(5, &[None; 5])?);
/// let budget = Budget { evaluations: Some(10_000), ..Budget::default() };
/// let algorithm = Algorithm::Custom(Box::new(Sampling));
/// let outcome = problem.solve(&algorithm, &budget, &mut RandomStream::from_seed(1), &mut ());
/// assert_eq!((outcome.stop, &outcome.best_genome[..]), (Stop::Target, &[0, 1, 2, 3, 4][..]));
/// # Ok::<(), evogrid_core::layout::LayoutError>(())
/// ```
pub trait Search: Send + Sync {
    /// Searches until the evaluator returns a reason to stop.
    ///
    /// The clock is read only at an evaluation or at a generation's end. Therefore a search cannot be stopped if it never evaluates a
    /// solution and never ends a generation. If a search cannot do its work, it must call [`fail`](Evaluator::fail). If a search panics,
    /// the run also counts as failed.
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, random: &mut RandomStream) -> Outcome;

    /// The approximate number of bytes that a run on this problem needs. Returns `None` if the number of bytes is not known. Only warnings
    /// use this estimate.
    fn memory(&self, problem: &dyn Problem) -> Option<u64> {
        let _ = problem;
        None
    }

    /// The unit in which the search counts its work, in the plural. The program never compares work that is counted in different units. For
    /// example, an exact method that counts nodes does not return `evaluations`.
    fn unit(&self) -> &'static str {
        "evaluations"
    }
}
