//! The building blocks of genetic algorithms by name: initialisation, selection, crossover, mutation and survival.
//!
//! One operator a file, named after it. Each file holds the operator, what can be set about it, and, where there is one, the
//! pure function under it: what it does once chance has spoken.
//!
//! **Operators never evaluate, never touch a locked position and allocate nothing a call**; the exceptions to the last are
//! named where they are.

pub mod crossover;
pub mod initialisation;
pub mod mutation;
pub mod selection;
mod share;
pub mod survival;

use evogrid_core::catalogue::Catalogue;

/// The core's algorithms and problems with every operator of this crate: all that an experiment can name out of the box.
#[must_use]
pub fn catalogue() -> Catalogue {
    let mut catalogue = Catalogue::core();

    catalogue.initialisations.add(initialisation::random::member());
    catalogue.initialisations.add(initialisation::smart::member());

    catalogue.selections.add(selection::truncation::member());
    catalogue.selections.add(selection::stochastic_universal::member());
    catalogue.selections.add(selection::tournament::member());
    catalogue.selections.add(selection::ranking::member());
    catalogue.selections.add(selection::roulette::member());
    catalogue.selections.add(selection::random::member());

    catalogue.crossovers.add(crossover::two_point::member());
    catalogue.crossovers.add(crossover::diagonal::member());
    catalogue.crossovers.add(crossover::one_point::member());
    catalogue.crossovers.add(crossover::three_segment::member());
    catalogue.crossovers.add(crossover::alternating::member());
    catalogue.crossovers.add(crossover::uniform::member());
    catalogue.crossovers.add(crossover::pmx::member());
    catalogue.crossovers.add(crossover::order::member());
    catalogue.crossovers.add(crossover::cycle::member());
    catalogue.crossovers.add(crossover::product_geometric::member());
    catalogue.crossovers.add(crossover::combined_alternating::member());
    catalogue.crossovers.add(crossover::combined_positional::member());

    catalogue.mutations.add(mutation::collision_swap::member());
    catalogue.mutations.add(mutation::swap_random::member());
    catalogue.mutations.add(mutation::swap_next::member());
    catalogue.mutations.add(mutation::swap_diagonal::member());
    catalogue.mutations.add(mutation::rotation::member());
    catalogue.mutations.add(mutation::regeneration::member());
    catalogue.mutations.add(mutation::inversion::member());
    catalogue.mutations.add(mutation::insertion::member());
    catalogue.mutations.add(mutation::scramble::member());

    catalogue.survivals.add(survival::parents_stay::member());
    catalogue.survivals.add(survival::generational::member());

    catalogue
}
