#![doc = include_str!("../README.md")]
//!
//! Every operator has its own file, and the file has the name of the operator. The file contains the operator and its catalogue entry
//! (`MEMBER`). The catalogue entry lists all settings of the operator. Often the file also contains a pure function. The pure function does
//! the work after the random draws.
//!
//! **Operators never evaluate a genome, never change a locked position, and allocate nothing in a call.** Exceptions to the last rule are
//! documented.
//!
//! ```
//! use evogrid_core::algorithm::Solve;
//! use evogrid_core::budget::Budget;
//! use evogrid_core::catalogue::Catalogue;
//! use evogrid_core::problem::Problem;
//! use evogrid_core::random::RandomStream;
//! use evogrid_core::settings::{Settings, Value};
//! # use evogrid_core::fitness::Fitness;
//! # use evogrid_core::layout::{Allele, Layout};
//! # struct Sorted(Layout);
//! # impl Problem for Sorted {
//! #     fn layout(&self) -> &Layout { &self.0 }
//! #     fn fitness(&self, genome: &[Allele]) -> Fitness { (0..).zip(genome).map(|(at, allele)| u32::from(allele.abs_diff(at))).sum::<u32>().into() }
//! #     fn target(&self) -> Option<Fitness> { Some(0.into()) }
//! # }
//!
//! let mut catalogue = Catalogue::new();
//! evogrid_operators::register(&mut catalogue.operators);
//!
//! // Settings that are not given have their defaults.
//! let mut given = Settings::new();
//! for (name, value) in [
//!     ("kind", "genetic"),
//!     ("selection", "truncation"),
//!     ("crossover", "order"),
//!     ("mutation", "insertion"),
//!     ("survival", "parents-stay"),
//! ] {
//!     given.set(name, Value::Text(value.to_owned()));
//! }
//! given.set_at("selection.fraction", Value::Real(0.3));
//! given.set_at("budget.generations", Value::Integer(200));
//! let settings = catalogue.resolve(&given, &[]).expect("every setting is right");
//!
//! // `Sorted` is a problem whose fitness is the sum of the distances of all alleles from their own positions.
//! let problem = Sorted(Layout::new(10, &[None; 10])?);
//! let (algorithm, budget) = (catalogue.algorithm(&settings), Budget::from_settings(settings.table("budget")));
//! let outcome = problem.solve(&algorithm, &budget, &mut RandomStream::from_seed(1), &mut ());
//! assert_eq!(outcome.best_fitness, Fitness::from(0));
//! # Ok::<(), evogrid_core::layout::LayoutError>(())
//! ```

/// Makes the catalogue entry of an operator with settings. A frame such as [`WholeGenes`](crossover::WholeGenes) may surround the operator.
macro_rules! member {
    ($operator:ident $(in $frame:ident)?, $name:expr, $doc:expr, $source:expr $(, needing $needs:expr)? $(,)?) => {
        Member {
            declaration: Declaration::new($name, $doc, $source)$(.needing($needs))?.with($operator::PARAMETERS),
            build: |settings, operators| {
                let operator = $operator::from_settings(settings, operators)?;
                $(let operator = $frame(operator);)?
                Ok(Box::new(operator))
            },
        }
    };
}
pub(crate) use member;

pub mod crossover;
pub mod initialisation;
pub mod mutation;
pub mod perturbation;
pub mod selection;
mod share;
pub mod survival;

use evogrid_core::registry::Operators;

/// Adds every operator of this crate to the operators of a catalogue.
pub fn register(operators: &mut Operators) {
    operators.initialisations.add(initialisation::random::MEMBER);
    operators.initialisations.add(initialisation::smart::MEMBER);
    operators.initialisations.add(initialisation::constructed::MEMBER);

    operators.selections.add(selection::truncation::MEMBER);
    operators.selections.add(selection::stochastic_universal::MEMBER);
    operators.selections.add(selection::tournament::MEMBER);
    operators.selections.add(selection::ranking::MEMBER);
    operators.selections.add(selection::roulette::MEMBER);
    operators.selections.add(selection::random::MEMBER);

    operators.crossovers.add(crossover::two_point::MEMBER);
    operators.crossovers.add(crossover::diagonal::MEMBER);
    operators.crossovers.add(crossover::one_point::MEMBER);
    operators.crossovers.add(crossover::three_segment::MEMBER);
    operators.crossovers.add(crossover::alternating::MEMBER);
    operators.crossovers.add(crossover::uniform::MEMBER);
    operators.crossovers.add(crossover::pmx::MEMBER);
    operators.crossovers.add(crossover::order::MEMBER);
    operators.crossovers.add(crossover::cycle::MEMBER);
    operators.crossovers.add(crossover::product_geometric::MEMBER);
    operators.crossovers.add(crossover::combined_alternating::MEMBER);
    operators.crossovers.add(crossover::combined_positional::MEMBER);
    operators.crossovers.add(crossover::edge_recombination::MEMBER);
    operators.crossovers.add(crossover::row_column_blocks::MEMBER);

    operators.mutations.add(mutation::collision_swap::MEMBER);
    operators.mutations.add(mutation::swap_random::MEMBER);
    operators.mutations.add(mutation::swap_next::MEMBER);
    operators.mutations.add(mutation::swap_diagonal::MEMBER);
    operators.mutations.add(mutation::rotation::MEMBER);
    operators.mutations.add(mutation::regeneration::MEMBER);
    operators.mutations.add(mutation::inversion::MEMBER);
    operators.mutations.add(mutation::insertion::MEMBER);
    operators.mutations.add(mutation::scramble::MEMBER);

    operators.survivals.add(survival::parents_stay::MEMBER);
    operators.survivals.add(survival::generational::MEMBER);

    operators.perturbations.add(perturbation::double_bridge::MEMBER);
    operators.perturbations.add(perturbation::segment_double_bridge::MEMBER);
    operators.perturbations.add(perturbation::random_swaps::MEMBER);
}
