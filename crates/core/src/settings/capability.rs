//! Capabilities: what a problem may offer besides its fitness, and what an operator or a search needs of it. Combinations that do not fit
//! are refused before anything runs.

use std::fmt;

crate::choices! {
    /// Something that a problem offers under its settings, or does not offer.
    #[derive(PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum Capability {
        /// [Conflicts](crate::problem::Problem::conflicts) are counted at each position: they guide mutations.
        Conflicts = "conflicts",
        /// The sets of positions that must differ are known, and a genome that obeys them is a solution
        /// ([`Problem::all_different_sets`](crate::problem::Problem::all_different_sets)): exact methods need them.
        AllDifferent = "units",
        /// Solutions can be taken apart and built up again, an element at its best position.
        Construction = "construction",
        /// Solutions can be built step by step, each step a choice between candidates: ant colonies do so
        /// ([`Problem::stepwise`](crate::problem::Problem::stepwise)).
        Steps = "steps",
        /// A genome has several genes, so that whole genes can be exchanged.
        SeveralGenes = "several genes",
    }
}

impl Capability {
    /// Every capability.
    pub const ALL: [Self; 5] =
        [Self::Conflicts, Self::AllDifferent, Self::Construction, Self::Steps, Self::SeveralGenes];

    /// Its name in lists.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The words for a problem that offers it, for a message: `the problem has no ...`.
    #[must_use]
    pub fn doc(self) -> &'static str {
        match self {
            Self::Conflicts => "conflicts at each position",
            Self::AllDifferent => {
                "all-different sets (positions whose values must differ, as in a row of a Latin square)"
            }
            Self::Construction => "construction of solutions element by element",
            Self::Steps => "construction of solutions by steps, each a choice between candidates",
            Self::SeveralGenes => "several genes",
        }
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}
