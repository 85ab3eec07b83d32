//! Random boards in addition to the swap neighbourhood of a Sudoku. Tables contain all ways to fill each box, with the digits that a
//! filling brings to each line. So one look-up for each box determines the cost of a random board.

use std::collections::TryReserveError;

use super::fitness::{FitnessKernel, FitnessKind, fitness_kernel};
use super::geometry::{Lines, Representation};
use super::neighbourhood::{BoardNeighbourhood, Word};
use super::shape::Shape;
use crate::solutions::Cost;
use evogrid_core::prelude::*;

/// The maximum number of free positions of a box with a table. Such a box has 7! = 5040 fillings.
const TABULATED: usize = 7;

/// Full boards with a swap neighbourhood, and random boards.
pub(super) struct BoardSampling<'p, W: Word> {
    moves: BoardNeighbourhood<'p, W>,
    missing: FitnessKernel,
    /// The tables. They exist only if genes are boxes with few free positions and the masks fit in a word.
    tables: Option<Tables>,
    sample: Drawn,
    kept: Drawn,
}

/// A random board: the number of each box's filling if there are tables, otherwise the genome.
struct Drawn {
    fillings: Vec<u32>,
    genome: Vec<Allele>,
}

/// All fillings of all boxes.
struct Tables {
    boxes: Vec<Fillings>,
    /// The masks of each filling of each box. The lower bits are the digits in the rows of the box, and the upper bits are the digits in
    /// its columns. Each line has `side` bits.
    masks: Vec<u64>,
    /// The alleles of the free positions, for each filling of each box.
    alleles: Vec<u8>,
    /// The number of boxes side by side.
    across: usize,
    /// The bits of the rows.
    row_bits: u64,
}

/// The indices of the fillings of a box in the tables, and their number.
struct Fillings {
    masks: usize,
    alleles: usize,
    count: u64,
}

/// The number of boxes that share one draw of 64 bits. Each filling takes at most 13 bits.
const BOXES_A_DRAW: usize = 3;

impl Tables {
    /// Creates the tables of a board whose genes are boxes; `None` if a box has too many free positions, or the masks do not fit.
    fn new(shape: Shape, layout: &Layout) -> Option<Self> {
        let side = shape.side();
        let (rows, cols) = (shape.box_rows(), shape.box_cols());
        if (rows + cols) * side > 64 || (0..side).any(|index| layout.free(index).len() > TABULATED) {
            return None;
        }
        let row_bits = (1 << (rows * side)) - 1;
        let mut tables =
            Self { boxes: Vec::new(), masks: Vec::new(), alleles: Vec::new(), across: shape.box_rows(), row_bits };
        let mut genome = layout.template().to_vec();
        for index in 0..side {
            let (masks, alleles) = (tables.masks.len(), tables.alleles.len());
            let free = layout.free(index);
            for_each_permutation(&mut genome, free, free.len(), &mut |genome| {
                let filled = &genome[index * side..][..side];
                let bit = |at: usize, line: usize| 1u64 << (line * side + usize::from(filled[at]));
                let mask = (0..side).fold(0, |mask, at| mask | bit(at, at / cols) | bit(at, rows + at % cols));
                tables.masks.push(mask);
                tables.alleles.extend(free.iter().map(|&position| genome[position] as u8));
            });
            tables.boxes.push(Fillings { masks, alleles, count: (tables.masks.len() - masks) as u64 });
        }
        Some(tables)
    }

    /// Draws a filling for each box, and counts the digits missing from the board.
    ///
    /// A draw of 64 bits is a fraction. The fraction is multiplied by the number of fillings, and the whole part of the product is the
    /// choice. The remaining fraction makes the next choice. The bias is below 2^-24.
    #[inline]
    fn draw(&self, fillings: &mut [u32], random: &mut RandomStream) -> i64 {
        let (mut bands, mut stacks) = ([0u64; 9], [0u64; 9]);
        let mut fraction = 0;
        let (mut band, mut stack) = (0, 0);
        for (index, (tabulated, filling)) in self.boxes.iter().zip(fillings).enumerate() {
            if index % BOXES_A_DRAW == 0 {
                fraction = random.bits();
            }
            let product = u128::from(fraction) * u128::from(tabulated.count);
            fraction = product as u64;
            let chosen = (product >> 64) as usize;
            *filling = chosen as u32;
            let mask = self.masks[tabulated.masks + chosen];
            bands[band] |= mask;
            stacks[stack] |= mask;
            stack += 1;
            if stack == self.across {
                (band, stack) = (band + 1, 0);
            }
        }
        // The bits of a band and of a stack are disjoint, so one count serves a band and a stack.
        let side = self.boxes.len();
        let both = |(band, stack): (&u64, &u64)| (band & self.row_bits) | (stack & !self.row_bits);
        let most = band.max(self.across);
        let present: u32 = bands.iter().zip(&stacks).take(most).map(both).map(u64::count_ones).sum();
        (2 * side * side) as i64 - i64::from(present)
    }
}

/// Calls `visit` with every arrangement of the alleles at the first `n` of these positions (Heap's algorithm).
fn for_each_permutation(genome: &mut [Allele], positions: &[usize], n: usize, visit: &mut impl FnMut(&[Allele])) {
    if n <= 1 {
        return visit(genome);
    }
    for at in 0..n {
        for_each_permutation(genome, positions, n - 1, visit);
        if at + 1 < n {
            let other = if n.is_multiple_of(2) { at } else { 0 };
            genome.swap(positions[other], positions[n - 1]);
        }
    }
}

impl Drawn {
    /// Writes the free positions of a gene.
    fn write_gene(&self, tables: Option<&Tables>, layout: &Layout, gene: usize, genome: &mut [Allele]) {
        let free = layout.free(gene);
        match tables {
            Some(tables) => {
                let start = tables.boxes[gene].alleles + self.fillings[gene] as usize * free.len();
                for (&position, &allele) in free.iter().zip(&tables.alleles[start..]) {
                    genome[position] = Allele::from(allele);
                }
            }
            None => free.iter().for_each(|&position| genome[position] = self.genome[position]),
        }
    }
}

impl<'p, W: Word> BoardSampling<'p, W> {
    /// Creates space for `capacity` boards and two random boards. Fails if there is not enough memory.
    pub(super) fn new(
        (shape, representation): (Shape, Representation),
        layout: &'p Layout,
        lines: &'p Lines,
        capacity: usize,
    ) -> Result<Self, TryReserveError> {
        let tables = match representation {
            Representation::Boxes => Tables::new(shape, layout),
            Representation::Rows => None,
        };
        let drawn = || Drawn { fillings: vec![0; layout.n_genes()], genome: layout.template().to_vec() };
        let missing = fitness_kernel(FitnessKind::Missing, shape, representation);
        let moves = BoardNeighbourhood::new(layout, lines, capacity)?;
        Ok(Self { moves, missing, tables, sample: drawn(), kept: drawn() })
    }

    fn write_board(&self, drawn: &Drawn, genome: &mut [Allele]) {
        let layout = self.moves.layout;
        genome.copy_from_slice(layout.template());
        (0..layout.n_genes()).for_each(|gene| drawn.write_gene(self.tables.as_ref(), layout, gene, genome));
    }
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

    fn randomise(&mut self, place: usize, random: &mut RandomStream) -> Cost {
        self.moves.layout.randomise(&mut self.moves.scratch, random);
        self.moves.settle(place)
    }

    #[inline]
    fn sample(&mut self, random: &mut RandomStream) -> Cost {
        if let Some(tables) = &self.tables {
            return Cost(tables.draw(&mut self.sample.fillings, random));
        }
        self.moves.layout.randomise(&mut self.sample.genome, random);
        Cost((self.missing)(self.moves.lines, &self.sample.genome).value() as i64)
    }

    fn keep_sample(&mut self) {
        match self.tables {
            Some(_) => self.kept.fillings.copy_from_slice(&self.sample.fillings),
            None => self.kept.genome.copy_from_slice(&self.sample.genome),
        }
    }

    fn write_sample(&self, genome: &mut [Allele]) {
        self.write_board(&self.sample, genome);
    }

    fn write_kept(&self, genome: &mut [Allele]) {
        self.write_board(&self.kept, genome);
    }

    fn merge_kept(&mut self, child: usize, parent: usize, random: &mut RandomStream) -> Cost {
        self.moves.read(parent);
        let (genes, layout) = (random.bits(), self.moves.layout);
        for gene in (0..layout.n_genes()).filter(|gene| (genes >> gene) & 1 == 1) {
            self.kept.write_gene(self.tables.as_ref(), layout, gene, &mut self.moves.scratch);
        }
        self.moves.settle(child)
    }
}
