//! The colony of a Sudoku whose fitness is the digits missing: a swap is judged by four words, a random board by a look-up
//! for each gene.

use std::collections::TryReserveError;

use super::explorers::Explorers;
use super::geometry::Lines;
use evogrid_core::colony::{Colony, Pairs};
use evogrid_core::layout::{Allele, Layout};
use evogrid_core::memory::filled;
use evogrid_core::random::RandomStream;

/// What a line holds: in its lower half a bit for every digit present, in its upper half one for every digit that is there at
/// least twice.
pub(super) trait Word: Copy + Default + std::ops::BitOr<Output = Self> {
    /// No digit is missed and none is missing: where both cells of a swap lie on one line, nothing changes.
    const FULL: Self;

    /// 1 if the digit is present, else 0.
    fn present(self, digit: u32) -> i32;

    /// 1 if the digit is there at least twice, else 0.
    fn twice(self, digit: u32) -> i32;

    /// The word with one more of the digit.
    fn with(self, digit: u32) -> Self;

    /// How many digits are present.
    fn count(self) -> u32;
}

macro_rules! impl_word {
    ($word:ty, $half:literal) => {
        impl Word for $word {
            const FULL: Self = !0;

            #[inline]
            fn present(self, digit: u32) -> i32 {
                ((self >> digit) & 1) as i32
            }

            #[inline]
            fn twice(self, digit: u32) -> i32 {
                ((self >> (digit + $half)) & 1) as i32
            }

            #[inline]
            fn with(self, digit: u32) -> Self {
                let bit = 1 << digit;
                self | bit | ((self & bit) << $half)
            }

            #[inline]
            fn count(self) -> u32 {
                (self & ((1 << $half) - 1)).count_ones()
            }
        }
    };
}

impl_word!(u32, 16);
impl_word!(u64, 32);

/// A pair of cells, with the lines that they lie on. Where both lie on the same line of a family, it is the full one.
#[derive(Clone, Copy)]
struct Crossed {
    cells: [u16; 2],
    first: [u16; 2],
    second: [u16; 2],
}

/// Full boards, each with what its lines hold.
pub(super) struct BoardColony<'p, W> {
    layout: &'p Layout,
    lines: &'p Lines,
    pairs: Vec<Crossed>,
    /// For each line its positions.
    cells_of: Vec<u16>,
    cells: Vec<u8>,
    words: Vec<W>,
    explorers: Explorers<'p>,
    scratch: Vec<Allele>,
}

impl<'p, W: Word> BoardColony<'p, W> {
    /// Room for `capacity` boards. The lines are those of the first family, then those of the second. Fails if the system refuses the
    /// memory.
    pub(super) fn new(
        layout: &'p Layout,
        lines: &'p Lines,
        explorers: Explorers<'p>,
        pairs: &Pairs,
        capacity: usize,
    ) -> Result<Self, TryReserveError> {
        let side = lines.side;
        let line_of = |position: usize| [lines.first[position], side as u16 + lines.second[position]];
        let crossed = |&(one, other): &(usize, usize)| {
            let ([first, second], [other_first, other_second]) = (line_of(one), line_of(other));
            let full = 2 * side as u16;
            Crossed {
                cells: [one as u16, other as u16],
                first: if first == other_first { [full; 2] } else { [first, other_first] },
                second: if second == other_second { [full; 2] } else { [second, other_second] },
            }
        };
        let mut cells_of = vec![Vec::with_capacity(side); 2 * side];
        for position in 0..layout.genome_len() {
            line_of(position).iter().for_each(|&line| cells_of[usize::from(line)].push(position as u16));
        }
        let mut words = filled(W::default(), capacity.saturating_mul(2 * side + 1))?;
        words.chunks_exact_mut(2 * side + 1).for_each(|words| words[2 * side] = W::FULL);
        Ok(Self {
            layout,
            lines,
            pairs: pairs.positions().iter().map(crossed).collect(),
            cells_of: cells_of.concat(),
            cells: filled(0, capacity.saturating_mul(layout.genome_len()))?,
            words,
            explorers,
            scratch: vec![0; layout.genome_len()],
        })
    }

    fn words(&self, place: usize) -> &[W] {
        let n_words = 2 * self.lines.side + 1;
        &self.words[place * n_words..][..n_words]
    }

    fn cells(&self, place: usize) -> &[u8] {
        let n_cells = self.scratch.len();
        &self.cells[place * n_cells..][..n_cells]
    }

    /// Counts a line of a board anew.
    fn recount(&mut self, place: usize, line: usize) {
        let side = self.lines.side;
        if line == 2 * side {
            return;
        }
        let cells = &self.cells[place * self.scratch.len()..][..self.scratch.len()];
        let positions = &self.cells_of[line * side..][..side];
        let count = |word: W, &position: &u16| word.with(u32::from(cells[usize::from(position)]));
        self.words[place * (2 * side + 1) + line] = positions.iter().fold(W::default(), count);
    }

    /// Takes a new genome from the scratch.
    fn settle(&mut self, place: usize) -> i32 {
        let n_cells = self.scratch.len();
        for (cell, &allele) in self.cells[place * n_cells..][..n_cells].iter_mut().zip(&self.scratch) {
            *cell = allele as u8;
        }
        (0..2 * self.lines.side).for_each(|line| self.recount(place, line));
        let side = self.lines.side;
        let present: u32 = self.words(place)[..2 * side].iter().map(|word| word.count()).sum();
        (2 * side * side) as i32 - present as i32
    }
}

/// An error is the number of digits missing.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(super) struct Missing(i32);

impl From<Missing> for evogrid_core::fitness::Fitness {
    #[inline]
    fn from(missing: Missing) -> Self {
        Self::from(missing.0 as u32)
    }
}

impl<W: Word> Colony for BoardColony<'_, W> {
    type Error = Missing;

    fn randomise(&mut self, place: usize, random: &mut RandomStream) -> Missing {
        self.layout.randomise(&mut self.scratch, random);
        Missing(self.settle(place))
    }

    /// The digit that leaves a line is missing there unless it is there twice; the one that comes was missing unless it is
    /// present. So each line changes the error by `present(coming) - twice(leaving)`, and all four are added.
    #[inline]
    fn swapped(&mut self, place: usize, pair: usize, Missing(error): Missing) -> Missing {
        let (words, cells, pair) = (self.words(place), self.cells(place), self.pairs[pair]);
        let one = u32::from(cells[usize::from(pair.cells[0])]);
        let other = u32::from(cells[usize::from(pair.cells[1])]);
        let change = |[mine, its]: [u16; 2]| {
            let (mine, its) = (words[usize::from(mine)], words[usize::from(its)]);
            mine.present(other) - mine.twice(one) + its.present(one) - its.twice(other)
        };
        Missing(error + change(pair.first) + change(pair.second))
    }

    fn swap(&mut self, place: usize, pair: usize) {
        let (n_cells, pair) = (self.scratch.len(), self.pairs[pair]);
        let [one, other] = pair.cells.map(|cell| place * n_cells + usize::from(cell));
        self.cells.swap(one, other);
        pair.first.iter().chain(&pair.second).for_each(|&line| self.recount(place, usize::from(line)));
    }

    #[inline]
    fn explore(&mut self, random: &mut RandomStream) -> Missing {
        Missing(self.explorers.explore(random))
    }

    fn keep(&mut self) {
        self.explorers.keep();
    }

    fn merge_kept(&mut self, child: usize, parent: usize, random: &mut RandomStream) -> Missing {
        for (allele, &cell) in self.scratch.iter_mut().zip(&self.cells[parent * self.layout.genome_len()..]) {
            *allele = Allele::from(cell);
        }
        let genes = random.bits();
        for gene in 0..self.layout.n_genes() {
            if (genes >> gene) & 1 == 1 {
                self.explorers.write_kept_gene(gene, &mut self.scratch);
            }
        }
        Missing(self.settle(child))
    }

    fn write_genome(&self, place: usize, genome: &mut [Allele]) {
        genome.iter_mut().zip(self.cells(place)).for_each(|(allele, &cell)| *allele = Allele::from(cell));
    }

    fn write_explored(&self, genome: &mut [Allele]) {
        self.explorers.write_explored(genome);
    }
}
