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
    operators.initialisations.add(initialisation::random::MEMBER);
    operators.initialisations.add(initialisation::smart::MEMBER);

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
}
