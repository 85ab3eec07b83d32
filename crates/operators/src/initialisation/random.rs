//! `random`: random genomes, as the problem makes them.

use evogrid_core::prelude::*;

/// A random genome as [the problem draws it](Problem::randomise): by default uniformly from all valid genomes.
///
/// Huke calls this the standard initialisation, and found it more efficient than the [smart](super::smart) one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RandomInitialisation;

/// `random` in the catalogue.
pub const MEMBER: Member<dyn Initialisation> = Member {
    declaration: Declaration::new(
        "random",
        "random genomes as the problem draws them, by default uniformly from all valid genomes",
        "Huke, Evolutionäre Verfahren: Sudoku, TU Ilmenau, slides \"Initialisierung\" (simple method)",
    ),
    build: |_, _| Ok(Box::new(RandomInitialisation)),
};

impl Initialisation for RandomInitialisation {
    fn initialise(&self, problem: &dyn Problem, genome: &mut [Allele], random: &mut RandomStream) {
        problem.randomise(genome, random);
    }
}
