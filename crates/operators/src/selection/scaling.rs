//! Scaling turns a fitness into a weight on a roulette wheel. A fitness is minimised.

use evogrid_core::prelude::*;

evogrid_core::choices! {
    /// The formula that computes the weight of an individual from its fitness.
    pub enum Scaling {
        /// `1 / (1 + fitness)`. If the fitness is below 0, the formula uses 0 instead of the fitness. Late in a search, all fitnesses are
        /// good, so the weights are nearly equal.
        Inverse = "inverse",
        /// `worst - fitness`, where `worst` is the worst fitness in the population. The worst individual is never chosen, unless all
        /// individuals are equal.
        Windowing = "windowing",
    }
}

/// The setting `scaling` of a parent selection.
pub(super) const fn scaling(doc: &'static str) -> Parameter {
    Parameter::choice("scaling", Scaling::NAMES, "inverse", doc)
}

impl Scaling {
    /// The function that computes the weight of a fitness in this population.
    pub(super) fn weigher(self, population: &Population) -> impl Fn(&Fitness) -> f64 + Copy {
        let worst = match self {
            Scaling::Inverse => Fitness::from(0),
            Scaling::Windowing => population.fitnesses().iter().copied().max().unwrap_or(Fitness::WORST),
        };
        move |fitness| match self {
            Scaling::Inverse => 1.0 / (1.0 + fitness.value().max(0.0)),
            Scaling::Windowing => worst.value() - fitness.value(),
        }
    }
}
