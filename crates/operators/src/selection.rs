//! Parent selections choose the parents.
//!
//! ```
//! use evogrid_core::operator::Selection;
//! use evogrid_core::population::Population;
//! use evogrid_core::random::RandomStream;
//! use evogrid_operators::selection::tournament::Tournament;
//!
//! let population = Population::from_individuals(1, [8, 3, 5, 9].map(|fitness| ([0], fitness.into())));
//! // Each of two parents is the best of a hundred draws, almost certainly the best of all.
//! let tournament = Tournament { size: 100, fraction: 0.5 };
//! let mut chosen = Vec::new();
//! tournament.select(&population, &mut chosen, &mut RandomStream::from_seed(1));
//! assert_eq!(chosen, [1, 1]);
//! ```

pub mod random;
pub mod ranking;
pub mod roulette;
pub mod scaling;
pub mod stochastic_universal;
pub mod tournament;
pub mod truncation;

use evogrid_core::prelude::*;

use crate::share::share;

/// The setting `fraction` of a selection that draws each parent independently.
const fn fraction(doc: &'static str) -> Parameter {
    Parameter::share("fraction", 1.0, doc)
}

/// Draws `round(fraction * population)` parents, but at least one parent. `draw` draws each parent.
#[inline]
fn draw_each(fraction: f64, population: &Population, chosen: &mut Vec<usize>, draw: impl FnMut() -> usize) {
    let n_parents = share(fraction, population.len()).max(1);
    chosen.clear();
    chosen.extend(std::iter::repeat_with(draw).take(n_parents));
}

#[cfg(test)]
mod tests {
    use evogrid_core::fitness::Fitness;
    use evogrid_core::operator::Selection;
    use evogrid_core::random::RandomStream;

    use super::*;

    /// Individuals of these fitnesses.
    pub(super) fn population(fitnesses: &[f64]) -> Population {
        Population::from_individuals(1, fitnesses.iter().map(|&fitness| ([0], Fitness::new(fitness))))
    }

    /// How often each individual of these fitnesses is chosen in so many selections of `n_parents`.
    pub(super) fn counts(selection: &dyn Selection, fitnesses: &[f64], n_parents: usize, n: usize) -> Vec<u32> {
        let (population, mut random) = (population(fitnesses), RandomStream::from_seed(1975));
        let (mut counts, mut chosen) = (vec![0; fitnesses.len()], Vec::new());
        for _ in 0..n {
            selection.select(&population, &mut chosen, &mut random);
            assert_eq!(chosen.len(), n_parents);
            chosen.iter().for_each(|&one| counts[one] += 1);
        }
        counts
    }
}
