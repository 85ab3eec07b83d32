//! `truncation`: the best individuals of the population become parents.

use evogrid_core::prelude::*;

use crate::share::share;

evogrid_core::parameters! {
    /// Chooses the best `round(fraction * population)` individuals, but at least one individual. The best individual comes first. Equally
    /// good individuals stay in the order of the population. Nothing is random.
    #[derive(Clone, Copy, Debug)]
    pub struct Truncation {
        /// share of the population that becomes parents; at least one parent
        pub fraction: f64 = Parameter::share("fraction", 0.2, DOC),
    }
}

/// The catalogue entry of `truncation`.
pub const MEMBER: Member<dyn Selection> = crate::member!(
    Truncation,
    "truncation",
    "selects only the best individuals: a given share of the population",
    "Mühlenbein and Schlierkamp-Voosen, Predictive Models for the Breeder Genetic Algorithm, Evolutionary \
     Computation 1(1), 1993, p. 25; Huke, slides \"Selektion\" (there called elitism)",
);

impl Selection for Truncation {
    fn select(&self, population: &Population, chosen: &mut Vec<usize>, _random: &mut RandomStream) {
        population.best(share(self.fraction, population.len()).max(1), chosen);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::population;
    use super::*;

    #[test]
    fn it_chooses_the_best_rounded_share_and_at_least_one() {
        let population = population(&[7.0, 3.0, 9.0, 3.0, 5.0]);
        let cases: [(&str, f64, &[usize]); 4] = [
            ("nothing asked for", 0.0, &[1]),
            ("less than half a place", 0.2, &[1]),
            ("a tie keeps its order", 0.5, &[1, 3, 4]),
            ("everybody", 1.0, &[1, 3, 4, 0, 2]),
        ];
        for (name, fraction, expected) in cases {
            let mut chosen = vec![42];
            Truncation { fraction }.select(&population, &mut chosen, &mut RandomStream::from_seed(0));
            assert_eq!(chosen, expected, "{name}");
        }
    }
}
