//! `roulette`: fitness-proportional selection, with a new spin for each parent.

use evogrid_core::prelude::*;

use super::scaling::{Scaling, scaling};
use super::{draw_each, fraction};

evogrid_core::parameters! {
    /// Draws each parent independently, with a probability proportional to its weight. All weights are equal if the sum of the weights is
    /// zero or not finite.
    ///
    /// The draw uses stochastic acceptance. An individual is drawn at random. The individual's probability of acceptance is its weight
    /// divided by the greatest weight. If the individual is rejected, another individual is drawn. These probabilities are exactly equal to
    /// the probabilities on a roulette wheel. The sum of the weights is not needed.
    ///
    /// On average, [`sus`](super::stochastic_universal) and `roulette` choose an individual equally often. But with `sus`, the individual
    /// is always chosen the average number of times, rounded up or down.
    #[derive(Clone, Copy, Debug)]
    pub struct Roulette {
        /// number of drawn parents, as a share of the population; at least one parent
        pub fraction: f64 = fraction(DOC),
        /// weight of a fitness: `inverse` is 1/(1 + fitness); `windowing` is the worst fitness minus the fitness
        pub scaling: Scaling = scaling(DOC),
    }
}

/// The catalogue entry of `roulette`.
pub const MEMBER: Member<dyn Selection> = crate::member!(
    Roulette,
    "roulette",
    "fitness-proportional selection: each parent has its own spin of the roulette wheel",
    "Holland, Adaptation in Natural and Artificial Systems, 1975; Goldberg, Genetic Algorithms in Search, \
     Optimization, and Machine Learning, 1989, ch. 1; the spin: Lipowski and Lipowska, Roulette-wheel Selection \
     via Stochastic Acceptance, Physica A 391(6), 2012, pp. 2193-2196",
);

impl Selection for Roulette {
    fn select(&self, population: &Population, chosen: &mut Vec<usize>, random: &mut RandomStream) {
        let (fitnesses, weigh, n) = (population.fitnesses(), self.scaling.weigher(population), population.len());
        let weights = fitnesses.iter().map(weigh);
        let (sum, greatest) =
            weights.fold((0.0, 0.0), |(sum, greatest), weight| (sum + weight, f64::max(greatest, weight)));
        if !f64::is_finite(sum) || sum <= 0.0 {
            draw_each(self.fraction, population, chosen, || random.below(n));
            return;
        }
        draw_each(self.fraction, population, chosen, || {
            loop {
                let one = random.below(n);
                if random.unit() * greatest < weigh(&fitnesses[one]) {
                    return one;
                }
            }
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
    fn chances_are_in_proportion_to_the_weights() {
        // Weights 1, 1/2, 1/4; then 3, 2, 0; then sums that are zero or not finite.
        let cases = [
            (Scaling::Inverse, [0.0, 1.0, 3.0], [12_000, 6000, 3000]),
            (Scaling::Windowing, [0.0, 1.0, 3.0], [12_600, 8400, 0]),
            (Scaling::Windowing, [5.0, 5.0, 5.0], [7000, 7000, 7000]),
            (Scaling::Windowing, [f64::INFINITY, 1.0, 2.0], [7000, 7000, 7000]),
        ];
        for (scaling, fitnesses, expected) in cases {
            let counts = counts(&Roulette { fraction: 1.0, scaling }, &fitnesses, 3, 7000);
            // Six standard deviations of a binomial(21000, 0.6) are 426; what weighs nothing never comes.
            let is_near = |(count, expected): (&u32, u32)| count.abs_diff(expected) < 426.min(expected + 1);
            assert!(counts.iter().zip(expected).all(is_near), "{scaling:?} {fitnesses:?}: {counts:?}");
        }
    }
}
