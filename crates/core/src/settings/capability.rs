//! Capabilities: what a problem may offer besides its fitness, and what an operator or a search needs of it. Combinations that do not fit
//! are refused before anything runs.

use std::fmt;

/// Something that a problem offers under its settings, or does not offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Capability {
    /// [Conflicts](crate::problem::Problem::conflicts) are counted at each position: they guide mutations.
    Conflicts,
    /// The sets of positions that must differ are known, and a genome that obeys them is a solution
    /// ([`Problem::all_different_sets`](crate::problem::Problem::all_different_sets)): exact methods need them.
    AllDifferent,
    /// Solutions can be taken apart and built up again, an element at its best position.
    Construction,
    /// Solutions can be built step by step, each step a choice between candidates: ant colonies do so
    /// ([`Problem::stepwise`](crate::problem::Problem::stepwise)).
    Steps,
    /// A genome has several genes, so that whole genes can be exchanged.
    SeveralGenes,
}

impl Capability {
    /// Every capability.
    pub const ALL: [Self; 5] =
        [Self::Conflicts, Self::AllDifferent, Self::Construction, Self::Steps, Self::SeveralGenes];

    /// Its name in lists.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Conflicts => "conflicts",
            Self::AllDifferent => "units",
            Self::Construction => "construction",
            Self::Steps => "steps",
            Self::SeveralGenes => "several genes",
        }
    }

    /// The words for a problem that offers it, for a message: `the problem has no ...`.
    #[must_use]
    pub fn doc(self) -> &'static str {
        match self {
            Self::Conflicts => "conflicts at each position",
            Self::AllDifferent => "sets of positions that must differ",
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
