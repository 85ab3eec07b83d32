//! A capability is something that problems may offer in addition to the fitness. Some operators and searches need certain capabilities. If
//! a problem lacks a needed capability, the program refuses the problem before any run.

crate::choices! {
    /// A capability that a problem may offer. The settings of a problem can decide whether the problem offers the capability.
    #[derive(PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum Capability {
        /// The problem counts the [conflicts](crate::problem::Problem::conflicts) at each position. The conflicts guide mutations.
        Conflicts = "conflicts",
        /// The problem has all-different sets. A genome is a solution if and only if all alleles in each all-different set differ. The
        /// method [`Problem::all_different_sets`](crate::problem::Problem::all_different_sets) returns these all-different sets. Exact
        /// methods need this capability.
        AllDifferent = "units",
        /// A search can remove single elements of a solution, and insert each removed element at its best position.
        Construction = "construction",
        /// Solutions can be built step by step. In each step of the construction, the search chooses one of several candidates. Ant
        /// colonies build solutions step by step ([`Problem::stepwise`](crate::problem::Problem::stepwise)).
        Steps = "steps",
        /// A genome has several genes, so whole genes can be exchanged.
        SeveralGenes = "several genes",
    }
}

impl Capability {
    /// The capability's phrase in a message: `... needs PHRASE, which the problem does not offer`.
    pub fn doc(self) -> &'static str {
        match self {
            Self::Conflicts => "a count of the conflicts at each position",
            Self::AllDifferent => {
                "all-different sets (sets of positions whose values must differ, such as a row of a Latin square)"
            }
            Self::Construction => "removal and insertion of single elements of a solution",
            Self::Steps => "a choice of candidates in each step of a construction",
            Self::SeveralGenes => "several genes",
        }
    }
}
