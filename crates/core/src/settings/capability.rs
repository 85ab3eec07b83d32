//! Capabilities: what a problem may offer besides its fitness, and what an operator or a search needs of it. Combinations that do not fit
//! are refused before anything runs.

crate::choices! {
    /// Something that a problem offers under its settings, or does not offer.
    #[derive(PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum Capability {
        /// [Conflicts](crate::problem::Problem::conflicts) are counted at each position: they guide mutations.
        Conflicts = "conflicts",
        /// The problem knows the sets of positions that must differ, and a genome that obeys them is a solution
        /// ([`Problem::all_different_sets`](crate::problem::Problem::all_different_sets)). Exact methods need this.
        AllDifferent = "units",
        /// Solutions can be taken apart and rebuilt by inserting single elements at their best positions.
        Construction = "construction",
        /// Solutions can be built step by step, choosing between candidates at each step, as ant colonies do
        /// ([`Problem::stepwise`](crate::problem::Problem::stepwise)).
        Steps = "steps",
        /// A genome has several genes, so that whole genes can be exchanged.
        SeveralGenes = "several genes",
    }
}

impl Capability {
    /// The phrase for the capability in a message: `... needs PHRASE, which the problem does not offer`.
    pub fn doc(self) -> &'static str {
        match self {
            Self::Conflicts => "conflicts at each position",
            Self::AllDifferent => {
                "all-different sets (sets of positions whose values must differ, such as a row of a Latin square)"
            }
            Self::Construction => "construction of solutions element by element",
            Self::Steps => "construction of solutions in steps, each of which chooses between candidates",
            Self::SeveralGenes => "several genes",
        }
    }
}
