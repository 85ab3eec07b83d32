//! Capabilities. A problem may offer a capability in addition to its fitness, and an operator or a search may need a capability. If a
//! problem does not offer a capability that is needed, the combination is refused before any run.

crate::choices! {
    /// A capability that a problem may offer under its settings.
    #[derive(PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum Capability {
        /// The problem counts the [conflicts](crate::problem::Problem::conflicts) at each position. They guide mutations.
        Conflicts = "conflicts",
        /// The problem has sets of positions whose alleles must differ, and every genome that fulfils these conditions is a solution
        /// ([`Problem::all_different_sets`](crate::problem::Problem::all_different_sets)). Exact methods need this capability.
        AllDifferent = "units",
        /// Single elements of a solution can be removed, and can be inserted again at their best positions.
        Construction = "construction",
        /// Solutions can be built step by step. In each step a candidate is chosen, as in ant colonies
        /// ([`Problem::stepwise`](crate::problem::Problem::stepwise)).
        Steps = "steps",
        /// A genome has several genes, so whole genes can be exchanged.
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
            Self::Steps => "construction of solutions in steps, with a choice between candidates in each step",
            Self::SeveralGenes => "several genes",
        }
    }
}
