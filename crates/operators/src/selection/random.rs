//! `random`: chooses random individuals, independent of their fitness.

use evogrid_core::prelude::*;

use super::{draw_each, fraction};

evogrid_core::parameters! {
    /// Draws each parent from the whole population. All individuals are equally likely. Random selection has no selection pressure. Random
    /// selection is a baseline for comparisons.
    #[derive(Clone, Copy, Debug)]
    pub struct RandomSelection {
        /// number of drawn parents, as a share of the population; at least one parent
        pub fraction: f64 = fraction(DOC),
    }
}

/// The catalogue entry of `random`.
pub const MEMBER: Member<dyn Selection> = crate::member!(
    RandomSelection,
    "random",
    "draws individuals at random, all with the same probability",
    "Eiben and Smith, Introduction to Evolutionary Computing, 2015, section 5.2 (uniform parent selection)",
);

impl Selection for RandomSelection {
    fn select(&self, population: &Population, chosen: &mut Vec<usize>, random: &mut RandomStream) {
        draw_each(self.fraction, population, chosen, || random.below(population.len()));
    }

    fn is_shuffled(&self) -> bool {
        true
    }
}
