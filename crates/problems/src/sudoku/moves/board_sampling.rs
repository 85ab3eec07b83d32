//! Random boards beside the swap neighbourhood of a Sudoku: each is judged by a look-up for each gene.

use crate::sudoku::explorers::Explorers;
use crate::sudoku::moves::board_neighbourhood::{BoardNeighbourhood, Missing, Word};
use evogrid_core::prelude::*;

/// Full boards, and random boards in addition.
pub(crate) struct BoardSampling<'p, W: Word> {
    pub(crate) moves: BoardNeighbourhood<'p, W>,
    pub(crate) explorers: Explorers<'p>,
}

impl<'p, W: Word> SamplingNeighbourhood for BoardSampling<'p, W> {
    type Moves = BoardNeighbourhood<'p, W>;

    #[inline]
    fn moves(&self) -> &Self::Moves {
        &self.moves
    }

    #[inline]
    fn moves_mut(&mut self) -> &mut Self::Moves {
        &mut self.moves
    }

    fn randomise(&mut self, place: usize, random: &mut RandomStream) -> Missing {
        self.moves.layout.randomise(&mut self.moves.scratch, random);
        self.moves.settle(place)
    }

    #[inline]
    fn sample(&mut self, random: &mut RandomStream) -> Missing {
        Missing(self.explorers.explore(random))
    }

    fn keep_sample(&mut self) {
        self.explorers.keep();
    }

    fn write_sample(&self, genome: &mut [Allele]) {
        self.explorers.write_explored(genome);
    }

    fn write_kept(&self, genome: &mut [Allele]) {
        genome.copy_from_slice(self.moves.layout.template());
        (0..self.moves.layout.n_genes()).for_each(|gene| self.explorers.write_kept_gene(gene, genome));
    }

    fn merge_kept(&mut self, child: usize, parent: usize, random: &mut RandomStream) -> Missing {
        self.moves.read(parent);
        let genes = random.bits();
        for gene in 0..self.moves.layout.n_genes() {
            if (genes >> gene) & 1 == 1 {
                self.explorers.write_kept_gene(gene, &mut self.moves.scratch);
            }
        }
        self.moves.settle(child)
    }
}
