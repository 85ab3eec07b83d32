//! `sus`: stochastic universal sampling. The roulette wheel has evenly spaced pointers, and is turned only once.

use evogrid_core::prelude::*;

use super::scaling::{Scaling, scaling};
use crate::share::share;

evogrid_core::parameters! {
    /// Places the individuals side by side on a wheel. Each individual has a part of the wheel, and the width of this part is the weight of
    /// the individual. Around the wheel, there are `round(fraction * population)` evenly spaced pointers. There is at least one pointer.
    /// One random draw turns the wheel.
    ///
    /// With `n` pointers, an individual of weight `w` is chosen `n w / sum` times, rounded up or down. Other sampling methods may also
    /// choose an individual `n w / sum` times on average. But no sampling method has a smaller variation around this average than `sus`.
    /// The chosen individuals are in the order of the population. If an individual is chosen twice, it occurs twice in the result. All
    /// weights are equal if the sum of the weights is zero or not finite.
    #[derive(Clone, Copy, Debug)]
    pub struct StochasticUniversalSampling {
        /// number of pointers, as a share of the population; at least one pointer
        pub fraction: f64 = Parameter::share("fraction", 0.2, DOC),
        /// weight of a fitness: `inverse` is 1/(1 + fitness); `windowing` is the worst fitness minus the fitness
        pub scaling: Scaling = scaling(DOC),
    }
}

/// The catalogue entry of `sus`.
pub const MEMBER: Member<dyn Selection> = crate::member!(
    StochasticUniversalSampling,
    "sus",
    "stochastic universal sampling: a roulette wheel with evenly spaced pointers and one spin",
    "Baker, Reducing Bias and Inefficiency in the Selection Algorithm, ICGA 1987, pp. 14-21; Huke, slides \
     \"Selektion\"",
);

impl Selection for StochasticUniversalSampling {
    fn select(&self, population: &Population, chosen: &mut Vec<usize>, random: &mut RandomStream) {
        let n_pointers = share(self.fraction, population.len()).max(1);
        let turn = random.unit();
        point(population.fitnesses().iter().map(self.scaling.weigher(population)), n_pointers, turn, chosen);
    }
}

/// Writes to `chosen` the individuals at the places of the pointers. Pointer `k` is at `(turn + k) * sum / n_pointers`, with `turn` in `[0,
/// 1)`.
///
/// The section of an individual includes its start, but not its end. Weights are added in the order of the individuals, so the sums are the
/// same on every machine.
fn point(weights: impl ExactSizeIterator<Item = f64> + Clone, n_pointers: usize, turn: f64, chosen: &mut Vec<usize>) {
    chosen.clear();
    let sum = weights.clone().fold(0.0, |sum, weight| sum + weight);
    let are_equal = !sum.is_finite() || sum <= 0.0;
    let sum = if are_equal { weights.len() as f64 } else { sum };
    let spacing = sum / n_pointers as f64;

    let (mut end, mut last) = (0.0, 0);
    let mut pointer = turn * spacing;
    for (individual, weight) in weights.enumerate() {
        let weight = if are_equal { 1.0 } else { weight };
        if weight > 0.0 {
            last = individual;
            end += weight;
        }
        while pointer < end && chosen.len() < n_pointers {
            chosen.push(individual);
            pointer = (turn + chosen.len() as f64) * spacing;
        }
    }
    // Because of rounding, the last pointer may lie at the end of the wheel.
    chosen.resize(n_pointers, last);
}

#[cfg(test)]
mod tests {
    use super::super::tests::counts;
    use super::*;

    /// Its name, weights, number of pointers, turn of the wheel, and the chosen.
    type Case = (&'static str, &'static [f64], usize, f64, &'static [usize]);

    #[test]
    fn the_pointers_choose_what_they_point_to() {
        let cases: [Case; 8] = [
            ("equal weights, as many pointers", &[1.0, 1.0, 1.0], 3, 0.5, &[0, 1, 2]),
            ("pointers half a wheel apart", &[1.0, 2.0, 1.0], 2, 0.5, &[1, 2]),
            ("from the start of the wheel", &[1.0, 2.0, 1.0], 2, 0.0, &[0, 1]),
            ("a border belongs to the next", &[1.0, 1.0], 1, 0.5, &[1]),
            ("no weight is never chosen", &[0.0, 1.0, 0.0, 1.0, 0.0], 4, 0.0, &[1, 1, 3, 3]),
            ("the end of the wheel", &[1.0, 0.0], 3, 1.0 - f64::EPSILON / 2.0, &[0, 0, 0]),
            ("all of weight zero", &[0.0, 0.0], 2, 0.3, &[0, 1]),
            ("not finite", &[f64::NAN, f64::INFINITY, 1.0], 3, 0.0, &[0, 1, 2]),
        ];
        for (name, weights, n_pointers, turn, expected) in cases {
            let mut chosen = vec![42];
            point(weights.iter().copied(), n_pointers, turn, &mut chosen);
            assert_eq!(chosen, expected, "{name}");
        }
    }

    #[test]
    fn every_individual_is_chosen_as_often_as_its_weight_says_rounded_up_or_down() {
        let mut random = RandomStream::from_seed(1987);
        for _ in 0..200 {
            let weights: Vec<f64> = (0..30).map(|_| random.unit()).collect();
            let (n_pointers, mut chosen) = (1 + random.below(60), Vec::new());
            point(weights.iter().copied(), n_pointers, random.unit(), &mut chosen);
            let sum: f64 = weights.iter().sum();
            for (individual, weight) in weights.iter().enumerate() {
                let times = chosen.iter().filter(|&&one| one == individual).count() as f64;
                let expected = n_pointers as f64 * weight / sum;
                assert!((times - expected).abs() < 1.0 + 1e-9, "{times} times instead of {expected}");
            }
        }
    }

    #[test]
    fn the_scalings_weigh_the_better_more() {
        // Weights 1, 1/2, 1/4, or 3, 2, 0.
        for (scaling, expected) in [(Scaling::Inverse, [4000, 2000, 1000]), (Scaling::Windowing, [4200, 2800, 0])] {
            let selection = StochasticUniversalSampling { fraction: 0.0, scaling };
            let counts = counts(&selection, &[0.0, 1.0, 3.0], 1, 7000);
            // Five standard deviations of a binomial(7000, 0.6) are 205; what weighs nothing never comes.
            let is_near = |(&count, expected): (&u32, u32)| count.abs_diff(expected) < 205.min(expected + 1);
            assert!(counts.iter().zip(expected).all(is_near), "{scaling:?}: {counts:?}");
        }
    }
}
