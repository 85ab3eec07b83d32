//! `random`: the problem draws random genomes.

use evogrid_core::prelude::*;

/// Makes a random genome as [the problem draws it](Problem::randomise). By default all valid genomes are equally likely.
///
/// Huke calls this the standard initialisation. Huke found this initialisation more efficient than the [smart](super::smart)
/// initialisation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RandomInitialisation;

/// The catalogue entry of `random`.
pub const MEMBER: Member<dyn Initialisation> = Member {
    declaration: Declaration::new(
        "random",
        "random genomes, drawn by the problem; by default uniformly from all valid genomes",
        "Huke, Evolutionäre Verfahren: Sudoku, TU Ilmenau, slides \"Initialisierung\" (simple method)",
    ),
    build: |_, _| Ok(Box::new(RandomInitialisation)),
};

impl Initialisation for RandomInitialisation {
    fn initialise(&self, problem: &dyn Problem, genome: &mut [Allele], random: &mut RandomStream) {
        problem.randomise(genome, random);
    }
}
