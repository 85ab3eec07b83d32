//! A capability is something that a problem may offer in addition to its fitness. Some operators and searches need certain capabilities. If
//! the problem lacks a needed capability, the combination is refused before any run.

crate::choices! {
    /// A capability that a problem may offer. Whether the problem offers the capability can depend on the settings of the problem.
    #[derive(PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum Capability {
        /// The problem counts the [conflicts](crate::problem::Problem::conflicts) at each position. They guide mutations.
        Conflicts = "conflicts",
        /// The problem defines sets of positions. A genome is a solution if and only if the alleles differ in every set
        /// ([`Problem::all_different_sets`](crate::problem::Problem::all_different_sets)). Exact methods need this capability.
        AllDifferent = "units",
        /// A search can remove single elements of a solution, and insert each removed element at its best position.
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
            Self::Steps => "construction of solutions in steps, with a choice of candidates in each step",
            Self::SeveralGenes => "several genes",
        }
    }
}
