#![doc = include_str!("../README.md")]
//!
//! A researcher's own operator, search or family needs a `main.rs` of a few lines:
//!
//! ```no_run
//! # use evogrid::operators::mutation::rotation::MEMBER as MY_MUTATION;
//! fn main() -> std::process::ExitCode {
//!     let mut catalogue = evogrid::catalogue();
//!     catalogue.operators.mutations.add(MY_MUTATION);
//!     evogrid::main(catalogue)
//! }
//! ```

pub mod laws;

pub use evogrid_analysis as analysis;
pub use evogrid_claims as claims;
pub use evogrid_cli as cli;
pub use evogrid_core as core;
pub use evogrid_operators as operators;
pub use evogrid_problems as problems;
#[cfg(feature = "charts")]
pub use evogrid_render as render;
pub use evogrid_results as results;
pub use evogrid_runner as runner;
pub use evogrid_statistics as statistics;

pub use evogrid_cli::{catalogue, main};

/// What most programs on top of Evogrid use.
pub mod prelude {
    pub use evogrid_core::algorithm::{Algorithm, Solve};
    pub use evogrid_core::budget::{Budget, Stop};
    pub use evogrid_core::capability::Capability;
    pub use evogrid_core::catalogue::Catalogue;
    pub use evogrid_core::construction::{BestPosition, PartialSolution, Ties};
    pub use evogrid_core::evaluator::{Evaluator, Outcome};
    pub use evogrid_core::family::{
        BestKnown, BestKnownStatus, Family, FileForm, FileInstance, Generator, Instance, InstanceError, Objective,
        OptionDeclaration, Options, PublishedInstance, PublishedSet, Size,
    };
    pub use evogrid_core::fault::Fault;
    pub use evogrid_core::fitness::Fitness;
    pub use evogrid_core::layout::{Allele, Layout};
    pub use evogrid_core::neighbourhood::{
        Attribute, Attributes, DynNeighbourhood, Move, Neighbourhood, NeighbourhoodKind, NeighbourhoodVisitor, Pick,
        Rearrangement, Scan, Scratch,
    };
    pub use evogrid_core::operator::{Crossover, Initialisation, Mutation, Parents, Perturbation, Selection, Survival};
    pub use evogrid_core::parameter::{Declaration, Parameter, names};
    pub use evogrid_core::population::Population;
    pub use evogrid_core::problem::{DynProblem, Problem};
    pub use evogrid_core::random::RandomStream;
    pub use evogrid_core::registry::{Member, Operators};
    pub use evogrid_core::search::Search;
    pub use evogrid_core::settings::{Settings, Value};
}

/// The Rust code of docs/extending.md is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/extending.md")]
struct Extending;
