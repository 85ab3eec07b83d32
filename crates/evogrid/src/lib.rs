#![doc = include_str!("../README.md")]
//!
//! # A search in your own program or test
//!
//! A program can run a search without an experiment file or command line. The dependency `evogrid = { version = "...", default-features =
//! false }` omits the command line.
//!
//! ```
//! use evogrid::prelude::*;
//!
//! let catalogue = evogrid::searches();
//! let mut given = Settings::new();
//! given.set("kind", Value::Text("iterated-greedy".to_owned()));
//! given.set_at("budget.evaluations", Value::Integer(1000));
//! let settings = catalogue.resolve(&given, &["flowshop"]).expect("the settings are valid");
//! let family = catalogue.family("flowshop").expect("it ships");
//! // Three jobs on two machines: the processing times on the first machine, then on the second.
//! let problem = family.read("3x2 3 1 4 / 1 5 9", &Options::new())?.prepare(&settings);
//! let budget = Budget::from_settings(settings.table("budget"));
//! let outcome = problem.solve(&catalogue.algorithm(&settings), &budget, &mut RandomStream::from_seed(1), &mut ());
//! assert_eq!(outcome.best_fitness, Fitness::from(16));
//! # Ok::<(), InstanceError>(())
//! ```
//!
//! # Your own operators, searches and families
//!
//! Your own operator, search or family needs a short `main.rs`:
//!
//! ```no_run
//! # #[cfg(feature = "command-line")] {
//! # use evogrid::operators::mutation::rotation::MEMBER as MY_MUTATION;
//! fn main() -> std::process::ExitCode {
//!     let mut catalogue = evogrid::catalogue();
//!     catalogue.operators.mutations.add(MY_MUTATION);
//!     evogrid::main(catalogue)
//! }
//! # }
//! ```

pub mod laws;

pub use evogrid_analysis as analysis;
#[cfg(feature = "command-line")]
pub use evogrid_claims as claims;
#[cfg(feature = "command-line")]
pub use evogrid_cli as cli;
pub use evogrid_core as core;
pub use evogrid_operators as operators;
pub use evogrid_problems as problems;
#[cfg(feature = "charts")]
pub use evogrid_render as render;
pub use evogrid_results as results;
#[cfg(feature = "command-line")]
pub use evogrid_runner as runner;
pub use evogrid_statistics as statistics;

#[cfg(feature = "command-line")]
pub use evogrid_cli::{catalogue, main};

/// Returns the catalogue for a program that runs a search itself. This catalogue contains all searches of the core, all operators and all
/// families. External programs and exact solvers are only in the catalogue that the function `catalogue` returns.
pub fn searches() -> evogrid_core::catalogue::Catalogue {
    let mut catalogue = evogrid_core::catalogue::Catalogue::new();
    evogrid_operators::register(&mut catalogue.operators);
    evogrid_problems::families().into_iter().for_each(|family| catalogue.add_family(family));
    catalogue
}

/// The types, traits and functions for most programs that use Evogrid as a library.
pub use evogrid_core::prelude;

/// The Rust code of docs/extending.md is compiled and run with the tests.
#[cfg(all(doctest, feature = "command-line"))]
#[doc = include_str!("../../../docs/extending.md")]
struct Extending;
