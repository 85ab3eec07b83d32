//! `constructed`: a construction heuristic of the problem builds a share of the population. The other individuals are random.

use evogrid_core::prelude::*;
use evogrid_core::search::Start;

evogrid_core::parameters! {
    /// With the probability `share`, a construction heuristic of the problem builds the genome. With the probability `1 - share`, the
    /// genome is random. A construction without random choices makes the same genome each time.
    #[derive(Clone, Debug)]
    pub struct ConstructedInitialisation {
        /// the construction that builds individuals
        pub start: Start =
            Parameter::construction("start", "family", DOC).only_where(&[Condition::IsNot("share", "0")]),
        /// probability that the construction builds an individual; the other individuals are random
        pub share: f64 = Parameter::share("share", 0.05, DOC),
    }
}

/// The catalogue entry of `constructed`.
pub const MEMBER: Member<dyn Initialisation> = crate::member!(
    ConstructedInitialisation,
    "constructed",
    "a construction heuristic of the problem builds a share of the population. All other individuals are random",
    "Reeves, A Genetic Algorithm for Flowshop Sequencing, Computers and Operations Research 22(1), 1995 (one \
     individual by NEH)",
);

impl Initialisation for ConstructedInitialisation {
    fn initialise(&self, problem: &dyn Problem, genome: &mut [Allele], random: &mut RandomStream) {
        if random.chance(self.share) {
            self.start.write(problem, genome, random);
        } else {
            problem.randomise(genome, random);
        }
    }
}
