//! The swap neighbourhood of a Sudoku whose fitness is the digits missing: a swap is judged by four words.

use std::collections::TryReserveError;

use crate::sudoku::geometry::Lines;
use evogrid_core::memory::filled;
use evogrid_core::prelude::*;

/// The digits in a line: the lower half has a bit for every digit that occurs, the upper half for every digit that occurs at least twice.
pub(crate) trait Word: Copy + Default + std::ops::BitOr<Output = Self> {
    /// The words of a board: those of its lines, and as the last one [`FULL`](Self::FULL). There are as many as a power of two, so that a
    /// masked number needs no check.
    type Board: Copy + AsRef<[Self]> + AsMut<[Self]>;

    /// No line has a digit.
    const EMPTY: Self::Board;

    /// Words of a board.
    const N_WORDS: usize;

    /// No digit is missed and none is missing: where both cells of a swap lie on one line, nothing changes.
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

/// A pair of cells, with the lines that they lie on. Where both lie on the same line of a family, it is the full one.
#[derive(Clone, Copy)]
struct Crossed {
    cells: [u16; 2],
    first: [u16; 2],
    second: [u16; 2],
}

/// Full boards, each with the digits in its lines.
pub(crate) struct BoardNeighbourhood<'p, W: Word> {
    pub(crate) layout: &'p Layout,
    lines: &'p Lines,
    /// How pairs are drawn.
    drawn: Pairs,
    pairs: Vec<Crossed>,
    /// The free positions of the genes that can change, each with its gene's free positions and its rank among them, and the number
    /// of the gene's first pair: a group is a position and all that it can change places with.
    groups: Vec<Group>,
    /// For each line its positions.
    cells_of: Vec<u16>,
    cells: Vec<u8>,
    words: Vec<W::Board>,
    /// The cells of each place when it was marked.
    marks: Vec<u8>,
    pub(crate) scratch: Vec<Allele>,
}

/// A free position among those of its gene.
#[derive(Clone, Copy)]
struct Group {
    rank: usize,
    n_free: usize,
    first_pair: usize,
}

impl Group {
    /// The number of the pair with another free position of the gene, given by its rank.
    fn pair(&self, other: usize) -> usize {
        let (low, high) = (self.rank.min(other), self.rank.max(other));
        self.first_pair + low * (2 * self.n_free - low - 1) / 2 + (high - low - 1)
    }
}

/// The groups of a layout.
fn groups(layout: &Layout) -> Vec<Group> {
    let (mut groups, mut first_pair) = (Vec::new(), 0);
    for &gene in layout.movable_genes() {
        let n_free = layout.free(gene).len();
        groups.extend((0..n_free).map(|rank| Group { rank, n_free, first_pair }));
        first_pair += n_free * (n_free - 1) / 2;
    }
    groups
}

impl<'p, W: Word> BoardNeighbourhood<'p, W> {
    /// Space for `capacity` boards. The lines of the first family come before those of the second. Fails if there is not enough memory.
    pub(crate) fn new(layout: &'p Layout, lines: &'p Lines, capacity: usize) -> Result<Self, TryReserveError> {
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
        let mut cells_of = vec![Vec::with_capacity(side); 2 * side];
        for position in 0..layout.genome_len() {
            line_of(position).iter().for_each(|&line| cells_of[usize::from(line)].push(position as u16));
        }
        Ok(Self {
            layout,
            lines,
            pairs: drawn.table().iter().map(crossed).collect(),
            drawn,
            groups: groups(layout),
            cells_of: cells_of.concat(),
            cells: filled(0, capacity.saturating_mul(layout.genome_len()))?,
            words: filled(W::EMPTY, capacity)?,
            marks: Vec::new(),
            scratch: vec![0; layout.genome_len()],
        })
    }

    fn cells(&self, place: usize) -> &[u8] {
        let n_cells = self.scratch.len();
        &self.cells[place * n_cells..][..n_cells]
    }

    /// Counts a line of a board again.
    fn recount(&mut self, place: usize, line: usize) {
        let side = self.lines.side;
        if line == W::N_WORDS - 1 {
            return;
        }
        let cells = &self.cells[place * self.scratch.len()..][..self.scratch.len()];
        let positions = &self.cells_of[line * side..][..side];
        let count = |word: W, &position: &u16| word.with(u32::from(cells[usize::from(position)]));
        self.words[place].as_mut()[line] = positions.iter().fold(W::default(), count);
    }

    /// Copies a solution to the scratch.
    pub(crate) fn read(&mut self, place: usize) {
        for (allele, &cell) in self.scratch.iter_mut().zip(&self.cells[place * self.layout.genome_len()..]) {
            *allele = Allele::from(cell);
        }
    }

    /// Takes a new genome from the scratch.
    pub(crate) fn settle(&mut self, place: usize) -> Missing {
        let n_cells = self.scratch.len();
        for (cell, &allele) in self.cells[place * n_cells..][..n_cells].iter_mut().zip(&self.scratch) {
            *cell = allele as u8;
        }
        (0..2 * self.lines.side).for_each(|line| self.recount(place, line));
        let side = self.lines.side;
        let present: u32 = self.words[place].as_ref()[..2 * side].iter().map(|word| word.count()).sum();
        Missing((2 * side * side) as i32 - present as i32)
    }
}

/// An error is the number of digits missing.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(crate) struct Missing(pub(crate) i32);

impl From<Missing> for evogrid_core::fitness::Fitness {
    #[inline]
    fn from(missing: Missing) -> Self {
        Self::from(missing.0 as u32)
    }
}

impl<W: Word> Neighbourhood for BoardNeighbourhood<'_, W> {
    type Cost = Missing;

    fn load(&mut self, place: usize, genome: &[Allele]) -> Missing {
        self.scratch.copy_from_slice(genome);
        self.settle(place)
    }

    fn write(&self, place: usize, genome: &mut [Allele]) {
        genome.iter_mut().zip(self.cells(place)).for_each(|(allele, &cell)| *allele = Allele::from(cell));
    }

    fn n_groups(&self) -> usize {
        self.groups.len()
    }

    #[inline]
    fn draw(&self, _: usize, bits: u32, _: &mut RandomStream) -> Move {
        Move(self.drawn.choose(bits) as u32, 0)
    }

    /// The digit that leaves a line is missing there unless it is there twice; the one that comes was missing unless it is
    /// present. So each line changes the error by `present(coming) - twice(leaving)`, and all four are added.
    #[inline]
    fn after(&mut self, place: usize, step: Move, Missing(error): Missing) -> Missing {
        let (words, cells, pair) = (self.words[place].as_ref(), self.cells(place), self.pairs[step.0 as usize]);
        let one = u32::from(cells[usize::from(pair.cells[0])]);
        let other = u32::from(cells[usize::from(pair.cells[1])]);
        let change = |[mine, its]: [u16; 2]| {
            let [mine, its] = [mine, its].map(|line| words[usize::from(line) & (W::N_WORDS - 1)]);
            mine.present(other) - mine.twice(one) + its.present(one) - its.twice(other)
        };
        Missing(error + change(pair.first) + change(pair.second))
    }

    fn best_in(
        &mut self,
        Scope { place, group, now, limit }: Scope<Missing>,
        pick: Pick,
        mut allowed: impl FnMut(Move, Missing) -> bool,
    ) -> Scan<Missing> {
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
        let [first, second] = [one, other].map(|cell| Allele::from(self.cells(place)[cell]));
        Attributes::of_positions([(one, first, second), (other, second, first)])
    }

    fn apply(&mut self, place: usize, step: Move) {
        let (n_cells, pair) = (self.scratch.len(), self.pairs[step.0 as usize]);
        let [one, other] = pair.cells.map(|cell| place * n_cells + usize::from(cell));
        self.cells.swap(one, other);
        pair.first.iter().chain(&pair.second).for_each(|&line| self.recount(place, usize::from(line)));
    }

    /// All groups, because the lines of a cell cross every gene in its row or column.
    fn mark(&mut self, place: usize) {
        let n_cells = self.scratch.len();
        if self.marks.is_empty() {
            self.marks.clone_from(&self.cells);
        }
        self.marks[place * n_cells..][..n_cells].copy_from_slice(&self.cells[place * n_cells..][..n_cells]);
    }

    fn rollback(&mut self, place: usize) {
        let n_cells = self.scratch.len();
        for (allele, &cell) in self.scratch.iter_mut().zip(&self.marks[place * n_cells..]) {
            *allele = Allele::from(cell);
        }
        self.settle(place);
    }

    fn rearrange(&mut self, place: usize, changes: &[Rearrangement], _: Missing, groups: &mut Vec<u32>) -> Missing {
        self.read(place);
        changes.iter().for_each(|change| change.make(self.layout, &mut self.scratch));
        groups.extend(0..self.groups.len() as u32);
        self.settle(place)
    }
}
