//! `ranking`: the probability that an individual is drawn is linear in its rank.

use evogrid_core::prelude::*;

use super::{draw_each, fraction};

evogrid_core::parameters! {
    /// Draws each parent independently. The probability that an individual is drawn is linear in its rank. Suppose that an individual is
    /// better than `i` of the `n` individuals. Then its probability is
    ///
    /// ```text
    /// (2 - pressure) / n + (pressure - 1) * 2 i / (n (n - 1))
    /// ```
    ///
    /// So the best individual is drawn `pressure` times as often as the average individual. The worst individual is drawn `2 - pressure`
    /// times as often as the average individual. If individuals are equal, the individual that comes first in the population has the better
    /// rank.
    ///
    /// Nothing is sorted. The first term of the formula corresponds to a uniform draw of one individual. The second term corresponds to the
    /// choice of the better of two drawn individuals. The chosen individual is better than `i` others with probability `2 i / (n (n - 1))`.
    #[derive(Clone, Copy, Debug)]
    pub struct Ranking {
        /// probability of drawing the best individual, divided by the mean probability; for the worst, this ratio is 2 - pressure
        pub pressure: f64 = Parameter::real("pressure", 1.0, 2.0, 2.0, DOC),
        /// number of drawn parents, as a share of the population; at least one parent
        pub fraction: f64 = fraction(DOC),
    }
}

/// The catalogue entry of `ranking`.
pub const MEMBER: Member<dyn Selection> = crate::member!(
    Ranking,
    "ranking",
    "linear ranking: a roulette wheel that uses ranks. The probability of an individual depends linearly on its rank",
    "Baker, Adaptive Selection Methods for Genetic Algorithms, ICGA 1985, pp. 101-111; Whitley, The GENITOR \
     Algorithm and Selection Pressure, ICGA 1989, pp. 116-121; Cervigón, UCM, section 4, \"Selección\"",
);

impl Selection for Ranking {
    fn select(&self, population: &Population, chosen: &mut Vec<usize>, random: &mut RandomStream) {
        let (fitnesses, n) = (population.fitnesses(), population.len());
        draw_each(self.fraction, population, chosen, || {
            if n < 2 || !random.chance(self.pressure - 1.0) {
                return random.below(n);
            }
            // The pair is in order, so among equals the first is taken.
            let (first, second) = random.pair(n);
            if fitnesses[second] < fitnesses[first] { second } else { first }
        });
    }

    fn is_shuffled(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::counts;
    use super::*;

    #[test]
    fn every_individual_is_drawn_as_often_as_the_formula_says() {
        let fitnesses = [30.0, 10.0, 50.0, 20.0, 20.0];
        for pressure in [1.0, 1.5, 2.0] {
            let counts = counts(&Ranking { pressure, fraction: 1.0 }, &fitnesses, 5, 10_000);
            // How many are worse; of the two equals the first ranks better.
            for (individual, worse) in [1.0, 4.0, 0.0, 3.0, 2.0].into_iter().enumerate() {
                let expected = 50_000.0 * ((2.0 - pressure) / 5.0 + (pressure - 1.0) * 2.0 * worse / 20.0);
                // Six standard deviations of a binomial(50000, 0.4) are 657; the worst at pressure 2 never comes.
                let near = if expected == 0.0 { 0.5 } else { 657.0 };
                assert!((f64::from(counts[individual]) - expected).abs() < near, "{pressure}: {counts:?}");
            }
        }
    }
}
