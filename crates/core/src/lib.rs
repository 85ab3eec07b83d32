#![doc = include_str!("../README.md")]
//!
//! # How the parts fit
//!
//! A solution is a *genome* of one or more genes. Each gene is a permutation of `0..n`. Some positions may be locked. A
//! [`Layout`](layout::Layout) gives the number of genes, their length, and the locked positions.
//!
//! A [`Problem`](problem::Problem) has a layout and computes every genome's [`Fitness`](fitness::Fitness). The fitness is minimised. A
//! search asks an [`Evaluator`](evaluator::Evaluator) for every fitness. The evaluator counts evaluations, keeps the best genome, and
//! reports to an [`Observer`](observer::Observer). The evaluator ends the run when the [`Budget`](budget::Budget) is used up. All
//! randomness of a run comes from one [`RandomStream`](random::RandomStream). The result of a run is an [`Outcome`](evaluator::Outcome).
//!
//! | topic | module |
//! |---|---|
//! | the searches: a genetic algorithm, combinatorial evolution, backtracking and others | [`search`] |
//! | a search that you write yourself | [`search::Search`] |
//! | the building blocks of the genetic algorithm | [`operator`]; the crate `evogrid-operators` contains the operators |
//! | individuals and their fitnesses | [`population`] |
//! | parameters and the values of settings | [`parameter`], [`settings`] |
//! | algorithms, operators and families of problems by name | [`catalogue`] |
//! | how instances of a family are read, generated, checked and drawn | [`family`] |
//! | seeds of runs, and the identity of a run | [`identity`] |
//!
//! This crate reads no file and prints nothing. The code of this crate reads the clock only for the budget.
//!
//! # A problem and a run
//!
//! ```
//! use evogrid_core::budget::{Budget, Stop};
//! use evogrid_core::fitness::Fitness;
//! use evogrid_core::layout::{Allele, Layout};
//! use evogrid_core::problem::Problem;
//! use evogrid_core::random::RandomStream;
//! use evogrid_core::search::combinatorial::{CombinatorialEvolution, NeighbourAcceptance};
//!
//! /// Queens on a chessboard that must not attack each other. The queen in column `c` is in row `genome[c]`. No two queens share a row or a
//! /// column, since a gene is a permutation.
//! struct Queens(Layout);
//!
//! impl Problem for Queens {
//!     fn layout(&self) -> &Layout {
//!         &self.0
//!     }
//!
//!     /// The pairs of queens on a common diagonal.
//!     fn fitness(&self, rows: &[Allele]) -> Fitness {
//!         let pairs = (0..rows.len()).flat_map(|right| (0..right).map(move |left| (left, right)));
//!         let attacks = pairs.filter(|&(left, right)| usize::from(rows[left].abs_diff(rows[right])) == right - left);
//!         Fitness::from(attacks.count() as u32)
//!     }
//!
//!     fn target(&self) -> Option<Fitness> {
//!         Some(Fitness::from(0))
//!     }
//! }
//!
//! // One gene of eight positions, none of them locked.
//! let queens = Queens(Layout::new(8, &[None; 8])?);
//! let accept = NeighbourAcceptance::BetterOrEqual;
//! let evolution = CombinatorialEvolution { organisms: 20, accept, ..CombinatorialEvolution::PUBLISHED };
//! let budget = Budget { evaluations: Some(100_000), ..Budget::default() };
//! let outcome = evolution.search(&queens, &budget, &mut RandomStream::from_seed(1), &mut ());
//! assert_eq!(outcome.stop, Stop::Target);
//! assert_eq!(queens.fitness(&outcome.best_genome), Fitness::from(0));
//! # Ok::<(), evogrid_core::layout::LayoutError>(())
//! ```

#[cfg(target_endian = "big")]
compile_error!("Evogrid is tested only on little-endian processors: the results may differ on other processors");

pub mod algorithm;
pub mod ants;
pub mod budget;
pub mod catalogue;
pub mod construction;
pub mod direction;
pub mod evaluator;
pub mod family;
pub mod fitness;
pub mod identity;
pub mod layout;
pub mod memory;
pub mod neighbourhood;
pub mod observer;
pub mod operator;
pub mod population;
pub mod problem;
pub mod random;
pub mod search;
pub mod settings;
pub mod vectorization;

pub use budget::{cpu_time, time_limit};
pub use family::example;
pub use settings::{capability, fault, growing_number, parameter, registry, suggestion};

/// The types and traits that most operators, searches and families use.
pub mod prelude {
    pub use crate::algorithm::{Algorithm, Solve};
    pub use crate::ants::{Candidate, FinishedSolution, StepwiseConstruction, StepwiseSolutions, deposit_of_cost};
    pub use crate::budget::{Budget, Stop};
    pub use crate::catalogue::Catalogue;
    pub use crate::construction::{BestPosition, PartialSolution, Ties};
    pub use crate::evaluator::{Evaluator, Outcome};
    pub use crate::family::example::WorkedExample;
    pub use crate::family::{
        BestKnown, BestKnownStatus, Family, FileForm, FileInstance, FirstExperiment, GeneratedField, GeneratedInstance,
        Generator, GeneratorRequest, Instance, InstanceError, InstancePart, Marks, Measure, Measures, Objective,
        OptionDeclaration, OptionError, Options, PublishedInstance, PublishedSet, Rating, RequestOptions, Room, Size,
    };
    pub use crate::fitness::Fitness;
    pub use crate::layout::{Allele, Layout};
    pub use crate::neighbourhood::{
        Attribute, Attributes, DynNeighbourhood, Move, Neighbourhood, NeighbourhoodKind, NeighbourhoodName,
        NeighbourhoodVisitor, Pairs, Pick, Rearrangement, SamplingNeighbourhood, SamplingVisitor, Scan, Scope, Scratch,
    };
    pub use crate::operator::{Crossover, Initialisation, Mutation, Parents, Perturbation, Selection, Survival};
    pub use crate::population::Population;
    pub use crate::problem::{ConflictCount, Construction, DynProblem, Problem};
    pub use crate::random::RandomStream;
    pub use crate::search::Search;
    pub use crate::settings::{
        AddedNames, Capability, Condition, Declaration, Fault, Member, Operators, Parameter, Settings, Value, names,
    };
}
