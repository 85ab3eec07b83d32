//! Making boards that have exactly one solution, with a wanted number of givens.

use std::ops::RangeInclusive;

use super::{Board, Shape, exact};
use crate::published::derived_seed;
use evogrid_core::prelude::*;
use evogrid_core::search::exact::SolutionSearch;

/// A difficulty bucket: a range of numbers of givens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// Its name.
    pub name: &'static str,
    /// The smallest number of givens of a 9x9 board in the bucket.
    pub fewest: usize,
    /// The largest number of givens of a 9x9 board in the bucket.
    pub most: usize,
}

/// Huke's four difficulties ("Leicht, Mittel, Schwer, Experte"), easiest first.
///
/// He prints no boards but one, so the ranges were calibrated on his success rates: boards with so many givens behave, under
/// his algorithm, as his boards of that difficulty did. Numbers that lie between two ranges fall between two of his rates.
pub(crate) const BUCKETS: [Bucket; 4] = [
    Bucket { name: "easy", fewest: 38, most: 45 },
    Bucket { name: "medium", fewest: 33, most: 36 },
    Bucket { name: "hard", fewest: 28, most: 30 },
    Bucket { name: "expert", fewest: 25, most: 27 },
];

impl Bucket {
    /// The numbers of givens for boards of a shape: the same share of cells as at 9x9, rounded.
    ///
    /// Only the 9x9 ranges were calibrated. The larger the board, the larger the share of givens that is left when they are
    /// dug away at random for as long as the solution stays unique: about 30 % at 9x9, 37 % (93) at 16x16, 44 % (275) at
    /// 25x25. So expert at 16x16, and hard and expert at 25x25, are out of reach here.
    pub fn givens(&self, shape: Shape) -> RangeInclusive<usize> {
        let scale = |givens: usize| (2 * givens * shape.n_cells() + 81) / (2 * 81);
        scale(self.fewest)..=scale(self.most)
    }
}

/// A board made for a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// `<bucket>-<number>`, counted from 1 with at least two digits: `easy-01`.
    pub id: String,
    /// The bucket's name.
    pub bucket: String,
    /// The board.
    pub board: Board,
    /// Whether a walk made the board, because digging could not reach its number of givens.
    pub is_walked: bool,
}

/// The board with this number (from 1) in a bucket. It depends only on these arguments.
///
/// The number of givens is drawn uniformly from the range; if an attempt gets stuck above it, the next one has a fresh random stream and
/// the same number. If no attempt of [`board`] reaches it, a walk continues from the board at which digging is stuck, on sides up to 9. At
/// 9x9 digging gets to 22 givens and sometimes to 21, the walk to 19; a wish that both fail is given up after some 20 s.
///
/// # Errors
/// If the range is empty or impossible, or no attempt reached the number of givens.
pub(crate) fn numbered_board(
    shape: Shape,
    bucket: &str,
    givens: &RangeInclusive<usize>,
    number: usize,
    seed: u64,
) -> Result<Generated, OptionError> {
    check_range(shape, givens)?;
    let stream = |attempt: usize| RandomStream::from_seed(stream_seed(shape, bucket, givens, number, seed, attempt));
    let n_givens = givens.start() + stream(0).below(givens.end() - givens.start() + 1);
    // Attempts on large boards take seconds, and differ less.
    let n_dug = if shape.side() <= 9 { 500 } else { 20 };
    let n_attempts = n_dug + walk::attempts(shape);
    let mut closest = usize::MAX;
    for attempt in 1..=n_attempts {
        let is_walked = attempt > n_dug;
        let make = if is_walked { walk::board } else { dug_board };
        match make(shape, n_givens, &mut stream(attempt)) {
            Ok(board) => {
                let id = format!("{bucket}-{number:02}");
                return Ok(Generated { id, bucket: bucket.to_owned(), board, is_walked });
            }
            Err(reached) => closest = closest.min(reached),
        }
    }
    Err(stuck(n_givens, closest, n_attempts))
}

/// Makes one attempt at a board with `n_givens` givens and a unique solution: givens are removed from a random full board in random
/// order, each only if the solution stays unique.
///
/// # Errors
/// If no such board exists, or if nothing more can be taken away and there are still more givens: then try again.
pub fn board(shape: Shape, n_givens: usize, random: &mut RandomStream) -> Result<Board, OptionError> {
    check_givens(shape, n_givens)?;
    dug_board(shape, n_givens, random).map_err(|reached| stuck(n_givens, reached, 1))
}

/// The same, with the fewest givens reached where there are still more.
fn dug_board(shape: Shape, n_givens: usize, random: &mut RandomStream) -> Result<Board, usize> {
    let mut board = full_board(shape, random);
    let cells = (0..shape.n_cells()).collect();
    let left = dig(&mut digging(shape), &mut board, cells, n_givens, random);
    if left > n_givens { Err(left) } else { Ok(board) }
}

/// No more givens could be taken away, and there are still more than asked for.
fn stuck(n_givens: usize, reached: usize, attempts: usize) -> OptionError {
    let asked = format!("{n_givens} were requested ({attempts} attempts)");
    OptionError::new(format!("cannot remove more givens: {reached} remain, but {asked}"))
}

/// The search that shows whether a given can be taken away.
fn digging(shape: Shape) -> SolutionSearch {
    exact::search(shape).with_node_limit(DIGGING_NODES)
}

/// Takes givens of a board that has one solution away, the given `cells` in random order, each only if the solution stays
/// unique, until `n_givens` are left. Returns how many are left.
fn dig(
    search: &mut SolutionSearch,
    board: &mut Board,
    mut cells: Vec<usize>,
    n_givens: usize,
    random: &mut RandomStream,
) -> usize {
    random.shuffle(&mut cells);
    let mut left = board.n_givens();
    for cell in cells {
        if left <= n_givens {
            break;
        }
        let digit = board.cells()[cell];
        board.set(cell, 0);
        // What cannot be shown within the limit of guesses counts as a second solution: the given stays.
        if search.has_other(board.cells(), cell, digit).unwrap_or(true) {
            board.set(cell, digit);
        } else {
            left -= 1;
        }
    }
    left
}

/// A random full board: from the exact search with random guesses, or, if that takes too long (large sides), from a shuffled pattern. The
/// search can produce every board, but not with equal probabilities.
pub fn full_board(shape: Shape, random: &mut RandomStream) -> Board {
    let empty = Board::empty(shape);
    let mut search = exact::search(shape).with_node_limit(FILLING_NODES);
    for _ in 0..FILLING_ATTEMPTS {
        let guess = |candidates: u64| {
            let skipped = random.below(candidates.count_ones() as usize);
            let left = (0..skipped).fold(candidates, |left, _| left & (left - 1));
            left & left.wrapping_neg()
        };
        if let Ok(Some(cells)) = search.solve_by(empty.cells(), guess) {
            return Board::new(shape, cells).expect("a solution has no digit twice");
        }
    }
    shuffled_pattern(shape, random)
}

/// Guesses for one attempt at a full board.
const FILLING_NODES: u64 = 2_000;
/// Attempts at a full board before a pattern is taken.
const FILLING_ATTEMPTS: usize = 20;
/// Guesses to show that a given can be taken away.
const DIGGING_NODES: u64 = 1_000;

/// The full board whose rows are shifts of one another, its digits, bands, stacks, and the rows and columns in them
/// shuffled.
fn shuffled_pattern(shape: Shape, random: &mut RandomStream) -> Board {
    let side = shape.side();
    let mut digits: Vec<u8> = (1..=side as u8).collect();
    random.shuffle(&mut digits);
    let rows = shuffled_lines(side / shape.box_rows(), shape.box_rows(), random);
    let cols = shuffled_lines(side / shape.box_cols(), shape.box_cols(), random);
    let digit = |row: usize, col: usize| {
        digits[(row % shape.box_rows() * shape.box_cols() + row / shape.box_rows() + col) % side]
    };
    let cells = rows.iter().flat_map(|&row| cols.iter().map(move |&col| digit(row, col))).collect();
    Board::new(shape, cells).expect("the pattern has no digit twice")
}

/// Lines in groups, the groups and the lines in each shuffled.
fn shuffled_lines(n_groups: usize, group_len: usize, random: &mut RandomStream) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..n_groups).collect();
    random.shuffle(&mut groups);
    let mut lines = Vec::with_capacity(n_groups * group_len);
    for group in groups {
        let start = lines.len();
        lines.extend(group * group_len..(group + 1) * group_len);
        random.shuffle(&mut lines[start..]);
    }
    lines
}

/// Checks that boards with these numbers of givens can be requested.
///
/// # Errors
/// If the range is empty, or one of its ends impossible.
pub(crate) fn check_range(shape: Shape, givens: &RangeInclusive<usize>) -> Result<(), OptionError> {
    let (fewest, most) = (*givens.start(), *givens.end());
    if givens.is_empty() {
        return Err(OptionError::new(format!("the range from {fewest} to {most} givens is empty")));
    }
    [fewest, most].into_iter().try_for_each(|n_givens| check_givens(shape, n_givens))
}

fn check_givens(shape: Shape, n_givens: usize) -> Result<(), OptionError> {
    let side = shape.side();
    // Two digits that are not given can change places. At 9x9 there is no unique board below 17 (McGuire, Tugemann and
    // Civario, Experimental Mathematics 2014).
    let fewest = if Shape::square_for(9) == Some(shape) { 17 } else { side - 1 };
    let most = shape.n_cells();
    if (fewest..=most).contains(&n_givens) {
        Ok(())
    } else {
        let none = format!("a board with boxes of {shape} and {n_givens} givens cannot have a unique solution");
        Err(OptionError::new(format!("{none}: expected {fewest} to {most} givens")))
    }
}

/// The seed of an attempt's random stream. Attempt 0 draws the number of givens.
fn stream_seed(
    shape: Shape,
    bucket: &str,
    givens: &RangeInclusive<usize>,
    number: usize,
    seed: u64,
    attempt: usize,
) -> u64 {
    let (rows, cols) = (shape.box_rows(), shape.box_cols());
    let [rows, cols, fewest, most, number, attempt] =
        [rows, cols, *givens.start(), *givens.end(), number, attempt].map(|number| number as u64);
    let numbers = [seed, rows, cols, fewest, most, number, attempt];
    derived_seed("evogrid 1 stream of a generated sudoku", &numbers, bucket)
}

mod walk;

#[cfg(test)]
mod tests;
