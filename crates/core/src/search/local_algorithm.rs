//! One type for all neighbourhood searches. The catalogue builds a neighbourhood search by its name. The search runs on problems of any
//! type.

use super::hill_climbing::{self, HillClimbing};
use super::iterated_greedy::{self, IteratedGreedy};
use super::iterated_local_search::{self, IteratedLocalSearch};
use super::local::LocalTask;
use super::min_conflicts::{self, MinConflicts};
use super::tabu::{self, TabuSearch};
use super::variable_neighbourhood::{self, VariableNeighbourhood};
use super::walk::annealing::{self, Annealing};
use super::walk::late_acceptance::{self, LateAcceptance};
use super::walk::threshold_accepting::{self, ThresholdAccepting};
use super::*;
use crate::settings::Value;

type Build = fn(&Settings, &Operators) -> Result<LocalAlgorithm, Fault>;

/// Declares the searches. Each search has a variant, a type and a declaration in the catalogue.
macro_rules! local_algorithms {
    ($($(#[$doc:meta])* $name:ident($search:ty) = $declaration:expr,)*) => {
        /// A search that changes one solution by moves. The value also contains the settings of the search.
        pub enum LocalAlgorithm {
            $($(#[$doc])* $name($search),)*
        }

        /// The declaration of each search, and the function that builds the search from resolved settings.
        pub(crate) const MEMBERS: &[(Declaration, Build)] = &[$(($declaration, |settings, operators| {
            Ok(LocalAlgorithm::$name(<$search>::from_settings(settings, operators)?))
        })),*];

        impl LocalAlgorithm {
            /// Does a task with the search on the fastest neighbourhood of the problem.
            pub(crate) fn run<P: Problem>(&self, evaluator: Evaluator<'_, P>, task: impl LocalTask<P>) -> Outcome {
                match self {
                    $(Self::$name(search) => local::run(search, evaluator, task),)*
                }
            }

            /// The approximate number of bytes that a run needs.
            pub(crate) fn memory<P: Problem>(&self, problem: &P) -> u64 {
                match self {
                    $(Self::$name(search) => local::bytes(search, problem),)*
                }
            }
        }
    };
}

local_algorithms! {
    /// Hill climbing.
    HillClimbing(HillClimbing) = hill_climbing::DECLARATION,
    /// Iterated local search.
    IteratedLocalSearch(IteratedLocalSearch) = iterated_local_search::DECLARATION,
    /// Iterated greedy.
    IteratedGreedy(IteratedGreedy) = iterated_greedy::DECLARATION,
    /// Tabu search.
    Tabu(TabuSearch) = tabu::DECLARATION,
    /// Variable neighbourhood search.
    VariableNeighbourhood(VariableNeighbourhood) = variable_neighbourhood::DECLARATION,
    /// Min-conflicts with tabu.
    MinConflicts(MinConflicts) = min_conflicts::DECLARATION,
    /// Simulated annealing.
    Annealing(Annealing) = annealing::DECLARATION,
    /// Threshold accepting.
    ThresholdAccepting(ThresholdAccepting) = threshold_accepting::DECLARATION,
    /// Late acceptance hill climbing.
    LateAcceptance(LateAcceptance) = late_acceptance::DECLARATION,
}

/// The names of the searches that end by themselves.
pub(crate) const SELF_TERMINATING: &[&str] = &[hill_climbing::DECLARATION.name];

/// The category of the neighbourhood searches that can be part of another search.
pub(crate) const CATEGORY: &str = "local search";

/// The declarations of the searches that can be part of an outer search. The outer search chooses the solution at which a trial starts.
/// The first parameter of every search is `start`, which sets this solution. Therefore the declarations of inner searches leave out the
/// first parameter.
pub(crate) fn nested() -> impl Iterator<Item = Declaration> {
    MEMBERS.iter().map(|(declaration, _)| Declaration { parameters: &declaration.parameters[1..], ..*declaration })
}

/// Reads the settings of a search that is part of another search. The outer search chooses the solution at which a trial starts.
impl Setting for LocalAlgorithm {
    fn read(settings: &Settings, parameter: &Parameter, operators: &Operators) -> Result<Self, Fault> {
        let mut nested = settings.table(parameter.name).clone();
        nested.set("start", Value::Text("random".to_owned()));
        Self::from_settings(&nested, operators).map_err(|fault| fault.below(parameter.name))
    }
}

impl LocalAlgorithm {
    /// Builds the search that the resolved settings describe.
    ///
    /// # Errors
    /// Returns an error if the search or one of its operators refuses its settings.
    ///
    /// # Panics
    /// Panics if the settings do not name a neighbourhood search.
    pub fn from_settings(settings: &Settings, operators: &Operators) -> Result<Self, Fault> {
        let kind = settings.name("kind");
        let member = MEMBERS.iter().find(|(declaration, _)| declaration.name == kind);
        let (_, build) = member.unwrap_or_else(|| panic!("`{kind}` is not a neighbourhood search"));
        build(settings, operators)
    }
}
