//! `generational`: the offspring are the next generation.

use evogrid_core::prelude::*;

use super::elitism;

evogrid_core::parameters! {
    /// The offspring form the next generation. The number of offspring is the size of the population. Then the [elite](Self::elite) is
    /// copied to the next generation.
    #[derive(Clone, Copy, Debug)]
    pub struct Generational {
        /// share of the population in the elite; elite individuals replace worse individuals of the next generation, the worst first
        pub elite: f64 = Parameter::share("elite", 0.5, DOC),
    }
}

/// The catalogue entry of `generational`.
pub const MEMBER: Member<dyn Survival> = crate::member!(
    Generational,
    "generational",
    "the offspring form the next generation. An elite of the present generation may replace the worst offspring",
    "Holland, Adaptation in Natural and Artificial Systems, 1975; the elite: De Jong, An Analysis of the Behavior \
     of a Class of Genetic Adaptive Systems, 1975, ch. 4, and Cervigón, UCM, slides on permutation operators",
);

impl Survival for Generational {
    fn n_offspring(&self, n_population: usize, _n_parents: usize) -> usize {
        n_population
    }

    fn survive(&self, population: &Population, _parents: Parents<'_>, next: &mut Population, scratch: &mut Vec<usize>) {
        elitism::bring_back(self.elite, population, next, scratch);
    }
}
