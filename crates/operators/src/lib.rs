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

    catalogue.crossovers.add(crossover::two_point::member());
    catalogue.crossovers.add(crossover::diagonal::member());

    catalogue.mutations.add(mutation::collision_swap::member());

    catalogue.survivals.add(survival::parents_stay::member());
    catalogue.survivals.add(survival::generational::member());

    catalogue
}
