//! Random boards by look-up: all ways to fill each gene are tabulated with the digits that they bring to each line, so that a
//! random board is judged by one look-up a gene.

use super::{FitnessKernel, FitnessKind, Lines, Representation, Shape, fitness_kernel};
use evogrid_core::prelude::*;

/// The most free positions of a gene whose fillings are tabulated: 7! = 5040 of them.
const TABULATED: usize = 7;

/// Draws random boards and counts their missing digits.
pub(super) struct Explorers<'p> {
    layout: &'p Layout,
    lines: &'p Lines,
    missing: FitnessKernel,
    /// The tables, if genes are boxes, few enough of their positions are free, and the masks fit in a word.
    tables: Option<Tables>,
    explored: Drawn,
    kept: Drawn,
}

/// A random board: the number of each gene's filling where there are tables, else the genome.
struct Drawn {
    fillings: Vec<u32>,
    genome: Vec<Allele>,
}

/// All fillings of all boxes.
struct Tables {
    boxes: Vec<Fillings>,
    /// For each filling of each box the digits that it brings to the rows that the box crosses, `side` bits a row in the lower
    /// bits, and to its columns, above them.
    masks: Vec<u64>,
    /// For each filling of each box the alleles of its free positions.
    alleles: Vec<u8>,
    /// Boxes in a row of boxes.
    across: usize,
    /// The bits of the rows.
    row_bits: u64,
}

/// Where the fillings of a box stand in the tables.
struct Fillings {
    masks: usize,
    alleles: usize,
    count: u64,
}

/// Boards that are drawn from one draw of 64 bits: their fillings take at most 13 bits each.
const BOXES_A_DRAW: usize = 3;

impl Tables {
    /// The tables of a board whose genes are boxes; `None` if a box has too many free positions, or the masks do not fit.
    fn new(shape: Shape, layout: &Layout) -> Option<Self> {
        let side = shape.side();
        let (rows, cols) = (shape.box_rows(), shape.box_cols());
        if (rows + cols) * side > 64 || (0..side).any(|index| layout.free(index).len() > TABULATED) {
            return None;
        }
        let row_bits = (1 << (rows * side)) - 1;
        let mut tables =
            Self { boxes: Vec::new(), masks: Vec::new(), alleles: Vec::new(), across: shape.boxes_across(), row_bits };
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
    /// A draw of 64 bits is a fraction; multiplied by the number of fillings, its whole part is the choice and what remains of
    /// the fraction makes the next. The bias is below 2^-24.
    #[inline]
    fn draw(&self, fillings: &mut [u32], random: &mut RandomStream) -> i32 {
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
        // A band and a stack share no bits, so each count takes one of either.
        let side = self.boxes.len();
        let both = |(band, stack): (&u64, &u64)| (band & self.row_bits) | (stack & !self.row_bits);
        let most = band.max(self.across);
        let present: u32 = bands.iter().zip(&stacks).take(most).map(both).map(u64::count_ones).sum();
        (2 * side * side) as i32 - present as i32
    }
}

/// Calls `visit` with every arrangement of the alleles at these positions (Heap's algorithm, `n` of them still to arrange).
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

impl<'p> Explorers<'p> {
    /// The explorers of a board; `lines` are the lines of its positions.
    pub(super) fn new(shape: Shape, representation: Representation, layout: &'p Layout, lines: &'p Lines) -> Self {
        let tables = match representation {
            Representation::Boxes => Tables::new(shape, layout),
            Representation::Rows => None,
        };
        let drawn = || Drawn { fillings: vec![0; layout.n_genes()], genome: layout.template().to_vec() };
        let missing = fitness_kernel(FitnessKind::Missing, shape, representation);
        Self { layout, lines, missing, tables, explored: drawn(), kept: drawn() }
    }

    /// Draws a uniformly random board, and counts the digits that are missing in its lines.
    #[inline]
    pub(super) fn explore(&mut self, random: &mut RandomStream) -> i32 {
        if let Some(tables) = &self.tables {
            return tables.draw(&mut self.explored.fillings, random);
        }
        self.layout.randomise(&mut self.explored.genome, random);
        (self.missing)(self.lines, &self.explored.genome).value() as i32
    }

    pub(super) fn keep(&mut self) {
        match self.tables {
            Some(_) => self.kept.fillings.copy_from_slice(&self.explored.fillings),
            None => self.kept.genome.copy_from_slice(&self.explored.genome),
        }
    }

    pub(super) fn write_kept_gene(&self, gene: usize, genome: &mut [Allele]) {
        self.write_gene(&self.kept, gene, genome);
    }

    pub(super) fn write_explored(&self, genome: &mut [Allele]) {
        genome.copy_from_slice(self.layout.template());
        (0..self.layout.n_genes()).for_each(|gene| self.write_gene(&self.explored, gene, genome));
    }

    fn write_gene(&self, drawn: &Drawn, gene: usize, genome: &mut [Allele]) {
        let free = self.layout.free(gene);
        match &self.tables {
            Some(tables) => {
                let start = tables.boxes[gene].alleles + drawn.fillings[gene] as usize * free.len();
                for (&position, &allele) in free.iter().zip(&tables.alleles[start..]) {
                    genome[position] = Allele::from(allele);
                }
            }
            None => free.iter().for_each(|&position| genome[position] = drawn.genome[position]),
        }
    }
}
