//! A capability is something that problems may offer in addition to the fitness. Some operators and searches need certain capabilities. A
//! problem without a needed capability is refused before any run.

crate::choices! {
    /// A capability that a problem may offer. The settings of a problem can decide whether it offers the capability.
    #[derive(PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum Capability {
        /// The problem counts the [conflicts](crate::problem::Problem::conflicts) at each position. They guide mutations.
        Conflicts = "conflicts",
        /// The problem defines sets of positions. A genome is a solution if and only if the alleles differ in every set. The sets come from
        /// [`Problem::all_different_sets`](crate::problem::Problem::all_different_sets). Exact methods need this capability.
        AllDifferent = "units",
        /// A search can remove single elements of a solution. Each removed element is inserted at its best position.
        Construction = "construction",
        /// Solutions can be built step by step. In each step a candidate is chosen, as in ant colonies
        /// ([`Problem::stepwise`](crate::problem::Problem::stepwise)).
        Steps = "steps",
        /// A genome has several genes, so whole genes can be exchanged.
        SeveralGenes = "several genes",
    }
}

impl Capability {
    /// The capability's phrase in a message: `... needs PHRASE, which the problem does not offer`.
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
