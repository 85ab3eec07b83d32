//! The options of all cells of a search tree. The data of one cell are stored in several words, at the same bit of each word.

/// The next action of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NextAction {
    /// End the search: every cell has a value.
    Solved,
    /// Go back: this cell has no option.
    DeadEnd(usize),
    /// Assign the only option to this cell.
    Single(usize),
    /// Assign one of several options to this cell.
    Choice(usize),
}

/// The options of the open cells. The data of other cells have no meaning.
#[derive(Clone, Copy)]
pub(super) struct Options<const W: usize, const P: usize> {
    /// The cells without a value.
    open: [u64; W],
    /// The number of options of each cell, in binary.
    counts: [[u64; W]; P],
    /// For each cell, the XOR of its options. Options are counted from 0. If a cell has a single option, the XOR is this option.
    sums: [[u64; W]; P],
}

impl<const W: usize, const P: usize> Options<W, P> {
    /// The options of the open cells. `places` contains the cells that can have each value.
    pub(super) fn new(open: [u64; W], places: &[[u64; W]]) -> Self {
        let mut options = Self { open, counts: [[0; W]; P], sums: [[0; W]; P] };
        places.iter().enumerate().for_each(|(value, cells)| options.count(value, cells, |count, carry| carry & count));
        options
    }

    /// The next action. If a cell has no options, the action concerns this cell. If all cells have options, the action concerns a cell with
    /// the fewest options. If there are several such cells, the lowest cell is taken.
    #[inline(always)]
    pub(super) fn next(&self) -> NextAction {
        let (mut none, mut one) = ([0; W], [0; W]);
        for word in 0..W {
            let several = (1..P).fold(0, |several, bit| several | self.counts[bit][word]);
            let open = self.open[word] & !several;
            none[word] = open & !self.counts[0][word];
            one[word] = open & self.counts[0][word];
        }
        if let Some(cell) = lowest(&none) {
            NextAction::DeadEnd(cell)
        } else if let Some(cell) = lowest(&one) {
            NextAction::Single(cell)
        } else {
            lowest(&self.fewest()).map_or(NextAction::Solved, NextAction::Choice)
        }
    }

    /// The cells with the fewest options.
    #[inline]
    fn fewest(&self) -> [u64; W] {
        let mut fewest = self.open;
        for count in self.counts.iter().rev() {
            let mut without = fewest;
            without.iter_mut().zip(count).for_each(|(cells, count)| *cells &= !count);
            if without != [0; W] {
                fewest = without;
            }
        }
        fewest
    }

    /// Records that a cell has a value.
    #[inline(always)]
    pub(super) fn close(&mut self, cell: usize) {
        self.open[cell / 64] &= !(1 << (cell % 64));
    }

    /// The only option of a cell, counted from 0.
    #[inline]
    pub(super) fn single(&self, cell: usize) -> usize {
        let bit = |bit: usize| (self.sums[bit][cell / 64] >> (cell % 64) & 1) << bit;
        (0..P).fold(0, |value, at| value | bit(at)) as usize
    }

    /// Removes a value, counted from 0, from the options of these cells. The cells must have the option.
    #[inline(always)]
    pub(super) fn remove(&mut self, value: usize, cells: &[u64; W]) {
        self.count(value, cells, |count, borrow| borrow & !count);
    }

    /// Increases or decreases the number of options of these cells by 1. `carries` returns the cells with a carry to the next bit.
    #[inline(always)]
    fn count(&mut self, value: usize, cells: &[u64; W], carries: impl Fn(u64, u64) -> u64) {
        for (word, &cells) in cells.iter().enumerate() {
            let mut carry = cells;
            for bit in 0..P {
                let count = &mut self.counts[bit][word];
                (*count, carry) = (*count ^ carry, carries(*count, carry));
                self.sums[bit][word] ^= cells & (value as u64 >> bit & 1).wrapping_neg();
            }
        }
    }
}

/// The lowest cell of a set.
#[inline]
fn lowest<const W: usize>(cells: &[u64; W]) -> Option<usize> {
    let word = cells.iter().position(|&cells| cells != 0)?;
    Some(word * 64 + cells[word].trailing_zeros() as usize)
}
