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

use evogrid_core::registry::Operators;

/// Adds every operator of this crate.
pub fn register(operators: &mut Operators) {
    operators.initialisations.add(initialisation::random::member());
    operators.initialisations.add(initialisation::smart::member());

    operators.selections.add(selection::truncation::member());
    operators.selections.add(selection::stochastic_universal::member());
    operators.selections.add(selection::tournament::member());
    operators.selections.add(selection::ranking::member());
    operators.selections.add(selection::roulette::member());
    operators.selections.add(selection::random::member());

    operators.crossovers.add(crossover::two_point::member());
    operators.crossovers.add(crossover::diagonal::member());
    operators.crossovers.add(crossover::one_point::member());
    operators.crossovers.add(crossover::three_segment::member());
    operators.crossovers.add(crossover::alternating::member());
    operators.crossovers.add(crossover::uniform::member());
    operators.crossovers.add(crossover::pmx::member());
    operators.crossovers.add(crossover::order::member());
    operators.crossovers.add(crossover::cycle::member());
    operators.crossovers.add(crossover::product_geometric::member());
    operators.crossovers.add(crossover::combined_alternating::member());
    operators.crossovers.add(crossover::combined_positional::member());

    operators.mutations.add(mutation::collision_swap::member());
    operators.mutations.add(mutation::swap_random::member());
    operators.mutations.add(mutation::swap_next::member());
    operators.mutations.add(mutation::swap_diagonal::member());
    operators.mutations.add(mutation::rotation::member());
    operators.mutations.add(mutation::regeneration::member());
    operators.mutations.add(mutation::inversion::member());
    operators.mutations.add(mutation::insertion::member());
    operators.mutations.add(mutation::scramble::member());

    operators.survivals.add(survival::parents_stay::member());
    operators.survivals.add(survival::generational::member());
}
