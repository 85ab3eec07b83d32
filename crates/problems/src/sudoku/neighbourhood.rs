//! The swap neighbourhood of a Sudoku whose fitness is the number of missing digits. A swap changes up to four lines. Each line has a word
//! of bits, and the four words determine the change in fitness.

use std::collections::TryReserveError;

use super::geometry::Lines;
use crate::solutions::{Cost, Places};
use evogrid_core::memory::filled;
use evogrid_core::prelude::*;

/// The digits in a line: the lower half has a bit for every digit that occurs; the upper half has a bit for every digit that occurs twice
/// or more.
pub(super) trait Word: Copy + Default + std::ops::BitOr<Output = Self> {
    /// The words of a board: the words of its lines, and [`FULL`](Self::FULL) as the last word. The number of words is a power of two, so a
    /// masked index needs no bounds check.
    type Board: Copy + AsRef<[Self]> + AsMut<[Self]>;

    /// The words of an empty board.
    const EMPTY: Self::Board;

    /// The number of words of a board.
    const N_WORDS: usize;

    /// The word of a line that no swap changes. This word is used if both cells of a swap lie on the same line.
    const FULL: Self;

    /// 1 if the digit occurs, otherwise 0.
    fn present(self, digit: u32) -> i32;

    /// 1 if the digit occurs at least twice, otherwise 0.
    fn twice(self, digit: u32) -> i32;

    /// The word after adding the digit once.
    fn with(self, digit: u32) -> Self;

    /// The number of digits that occur.
    fn count(self) -> u32;
}

macro_rules! impl_word {
    ($word:ty, $half:literal, $n_words:literal) => {
        impl Word for $word {
            type Board = [Self; $n_words];

            const EMPTY: Self::Board = {
                let mut words = [0; $n_words];
                words[$n_words - 1] = Self::FULL;
                words
            };

            const N_WORDS: usize = $n_words;

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

impl_word!(u32, 16, 32);
impl_word!(u64, 32, 64);

/// A pair of cells with their lines in both families. If both cells lie on the same line of a family, the full word replaces these lines.
#[derive(Clone, Copy)]
struct Crossed {
    cells: [u16; 2],
    first: [u16; 2],
    second: [u16; 2],
}

/// Full boards, each with the digits in its lines.
pub(super) struct BoardNeighbourhood<'p, W: Word> {
    pub(super) layout: &'p Layout,
    pub(super) lines: &'p Lines,
    /// The rule for drawing pairs.
    drawn: Pairs,
    pairs: Vec<Crossed>,
    /// The free positions of the genes that can change. A group contains all swaps of such a position.
    groups: Vec<Group>,
    /// The positions of each line.
    cells_of: Vec<u16>,
    cells: Places<u8>,
    words: Vec<W::Board>,
    pub(super) scratch: Vec<Allele>,
}

/// A free position of a gene.
#[derive(Clone, Copy)]
struct Group {
    /// The rank of the position among the free positions of the gene.
    rank: usize,
    /// The number of free positions of the gene.
    n_free: usize,
    /// The number of the gene's first pair.
    first_pair: usize,
}

impl Group {
    /// The number of the pair that consists of this position and the free position with this rank.
    fn pair(&self, other: usize) -> usize {
        let (low, high) = (self.rank.min(other), self.rank.max(other));
        self.first_pair + low * (2 * self.n_free - low - 1) / 2 + (high - low - 1)
    }
}

impl<'p, W: Word> BoardNeighbourhood<'p, W> {
    /// Creates space for `capacity` boards. The lines of the first family precede the lines of the second family. Fails if there is not
    /// enough memory.
    pub(super) fn new(layout: &'p Layout, lines: &'p Lines, capacity: usize) -> Result<Self, TryReserveError> {
        let (side, drawn) = (lines.side, Pairs::new(layout));
        let line_of = |position: usize| [lines.first[position], side as u16 + lines.second[position]];
        let crossed = |&(one, other): &(u32, u32)| {
            let ([first, second], [other_first, other_second]) = (line_of(one as usize), line_of(other as usize));
            let full = (W::N_WORDS - 1) as u16;
            Crossed {
                cells: [one as u16, other as u16],
                first: if first == other_first { [full; 2] } else { [first, other_first] },
                second: if second == other_second { [full; 2] } else { [second, other_second] },
            }
        };
        let mut cells_of: Vec<Vec<_>> = (0..2 * side).map(|_| Vec::with_capacity(side)).collect();
        for position in 0..layout.genome_len() {
            line_of(position).iter().for_each(|&line| cells_of[usize::from(line)].push(position as u16));
        }
        let (mut groups, mut first_pair) = (Vec::new(), 0);
        for &gene in layout.movable_genes() {
            let n_free = layout.free(gene).len();
            groups.extend((0..n_free).map(|rank| Group { rank, n_free, first_pair }));
            first_pair += n_free * (n_free - 1) / 2;
        }
        Ok(Self {
            layout,
            lines,
            pairs: drawn.table().iter().map(crossed).collect(),
            drawn,
            groups,
            cells_of: cells_of.concat(),
            cells: Places::new(&vec![0; layout.genome_len()], capacity)?,
            words: filled(W::EMPTY, capacity)?,
            scratch: vec![0; layout.genome_len()],
        })
    }

    /// Computes the word of a line of a board.
    fn recount(&mut self, place: usize, line: usize) {
        let side = self.lines.side;
        if line == W::N_WORDS - 1 {
            return;
        }
        let cells = self.cells.at(place);
        let positions = &self.cells_of[line * side..][..side];
        let count = |word: W, &position: &u16| word.with(u32::from(cells[usize::from(position)]));
        self.words[place].as_mut()[line] = positions.iter().fold(W::default(), count);
    }

    /// Copies the genome at a place to the scratch.
    pub(super) fn read(&mut self, place: usize) {
        self.scratch.iter_mut().zip(self.cells.at(place)).for_each(|(allele, &cell)| *allele = Allele::from(cell));
    }

    /// Copies the scratch to a place, and computes the words and the cost.
    pub(super) fn settle(&mut self, place: usize) -> Cost {
        self.cells.at_mut(place).iter_mut().zip(&self.scratch).for_each(|(cell, &allele)| *cell = allele as u8);
        self.recount_all(place)
    }

    fn recount_all(&mut self, place: usize) -> Cost {
        let side = self.lines.side;
        (0..2 * side).for_each(|line| self.recount(place, line));
        let present: u32 = self.words[place].as_ref()[..2 * side].iter().map(|word| word.count()).sum();
        Cost((2 * side * side) as i64 - i64::from(present))
    }
}

impl<W: Word> Neighbourhood for BoardNeighbourhood<'_, W> {
    type Cost = Cost;

    fn load(&mut self, place: usize, genome: &[Allele]) -> Cost {
        self.scratch.copy_from_slice(genome);
        self.settle(place)
    }

    fn write(&self, place: usize, genome: &mut [Allele]) {
        genome.iter_mut().zip(self.cells.at(place)).for_each(|(allele, &cell)| *allele = Allele::from(cell));
    }

    fn n_groups(&self) -> usize {
        self.groups.len()
    }

    #[inline]
    fn draw(&self, _: usize, bits: u32, _: &mut RandomStream) -> Move {
        Move(self.drawn.choose(bits) as u32, 0)
    }

    /// A digit that leaves a line is then missing, unless the line has it twice. A digit that enters a line was missing before, unless the
    /// line already had it. So each of the four lines changes the cost by `present(entering) - twice(leaving)`.
    // Without `always`, the layout of the compilation units decides whether the loops of searches contain this function.
    #[inline(always)]
    fn after(&mut self, place: usize, step: Move, Cost(now): Cost) -> Cost {
        let (words, cells, pair) = (self.words[place].as_ref(), self.cells.at(place), self.pairs[step.0 as usize]);
        let one = u32::from(cells[usize::from(pair.cells[0])]);
        let other = u32::from(cells[usize::from(pair.cells[1])]);
        let change = |[mine, its]: [u16; 2]| {
            let [mine, its] = [mine, its].map(|line| words[usize::from(line) & (W::N_WORDS - 1)]);
            mine.present(other) - mine.twice(one) + its.present(one) - its.twice(other)
        };
        Cost(now + i64::from(change(pair.first) + change(pair.second)))
    }

    fn best_in(
        &mut self,
        Scope { place, group, now, limit }: Scope<Cost>,
        pick: Pick,
        mut allowed: impl FnMut(Move, Cost) -> bool,
    ) -> Scan<Cost> {
        let (group, mut scan) = (self.groups[group], Scan::EMPTY);
        for other in (0..group.n_free).filter(|&other| other != group.rank) {
            if scan.examined == limit {
                break;
            }
            let step = Move(group.pair(other) as u32, 0);
            let after = self.after(place, step, now);
            if scan.judge(step, after, pick, &mut allowed) {
                break;
            }
        }
        scan
    }

    fn attributes(&self, place: usize, step: Move) -> Attributes {
        let [one, other] = self.pairs[step.0 as usize].cells.map(usize::from);
        let [first, second] = [one, other].map(|cell| Allele::from(self.cells.at(place)[cell]));
        Attributes::of_positions([(one, first, second), (other, second, first)])
    }

    fn apply(&mut self, place: usize, step: Move) {
        let pair = self.pairs[step.0 as usize];
        let [one, other] = pair.cells.map(usize::from);
        self.cells.at_mut(place).swap(one, other);
        pair.first.iter().chain(&pair.second).for_each(|&line| self.recount(place, usize::from(line)));
    }

    fn mark(&mut self, place: usize) {
        self.cells.mark(place);
    }

    fn rollback(&mut self, place: usize) {
        self.cells.rollback(place);
        self.recount_all(place);
    }

    /// Appends all groups, because the lines of a cell cross every gene in its row or column.
    fn rearrange(&mut self, place: usize, changes: &[Rearrangement], _: Cost, groups: &mut Vec<u32>) -> Cost {
        self.read(place);
        changes.iter().for_each(|change| change.make(self.layout, &mut self.scratch));
        groups.extend(0..self.groups.len() as u32);
        self.settle(place)
    }
}
