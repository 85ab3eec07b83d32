//! The fitnesses of a Sudoku, each written once over the [geometry](super::geometry) and compiled for each usual shape.

use super::geometry::{Boxes, Geometry, Lines, Rows, Tabulated};
use super::representation::Representation;
use super::shape::{MAX_SIDE, Shape};
use super::tally::{Bytes, Tally, Thrice};
use crate::fitness::Fitness;
use crate::layout::Allele;

/// How far a full board is from being solved: minimised, 0 where it is solved.
///
/// All are sums over the two families of lines that the genes leave open: rows and columns where genes are boxes, columns
/// and boxes where they are rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FitnessKind {
    /// The digits missing, summed over the lines: an integer from 0 to `2 N (N - 1)` (McCaffrey 2016, `Error`; Cervigón,
    /// section 4, with rows as genes).
    Missing,
    /// For every cell the other cells with the same digit in its first line plus in its second, summed:
    /// `sum of c (c - 1)` over lines and digits, `c` being how often the digit stands in the line (Huke, "Fitnessberechnung").
    Collisions,
    /// `10 * sum |S - sum of a line| + sum sqrt |N! - product of a line| + 50 * digits missing`, `S = N (N + 1) / 2`
    /// (Mantere and Koljonen, "Solving, rating and generating Sudoku puzzles with GA", CEC 2007, equations 1 to 5).
    SumProduct,
}

impl FitnessKind {
    /// All of them, with their names.
    pub const NAMES: [(Self, &'static str); 3] =
        [(Self::Missing, "missing"), (Self::Collisions, "collisions"), (Self::SumProduct, "sum-product")];

    /// The name in an experiment.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].1
    }

    /// The fitness of this name, if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(_, known)| *known == name).map(|&(kind, _)| kind)
    }
}

/// Computes the fitness of a full genome.
pub(super) type FitnessKernel = fn(&Lines, &[Allele]) -> Fitness;

/// Writes for every position how many other cells of its two lines have its digit.
pub(super) type ConflictsKernel = fn(&Lines, &[Allele], &mut [u32]);

/// `$kernel` for a shape, with the side and the geometry as generic arguments and, where the kernel asks for one, a tally:
/// the first where no digit stands in a line more than three times, else the second.
macro_rules! for_shape {
    ($shape:expr, $representation:expr, $kernel:ident $(, $thrice:ty, $any:ty)?) => {
        match ($representation, $shape.box_rows(), $shape.box_cols()) {
            (Representation::Boxes, 2, 2) => $kernel::<4, Boxes<2, 2> $(, $thrice)?>,
            (Representation::Boxes, 2, 3) => $kernel::<6, Boxes<2, 3> $(, $thrice)?>,
            (Representation::Boxes, 3, 3) => $kernel::<9, Boxes<3, 3> $(, $thrice)?>,
            (Representation::Boxes, 4, 4) => $kernel::<16, Boxes<4, 4> $(, $any)?>,
            (Representation::Boxes, 5, 5) => $kernel::<25, Boxes<5, 5> $(, $any)?>,
            (Representation::Rows, 2, 2) => $kernel::<4, Rows<2, 2> $(, $any)?>,
            (Representation::Rows, 2, 3) => $kernel::<6, Rows<2, 3> $(, $any)?>,
            (Representation::Rows, 3, 3) => $kernel::<9, Rows<3, 3> $(, $any)?>,
            (Representation::Rows, 4, 4) => $kernel::<16, Rows<4, 4> $(, $any)?>,
            (Representation::Rows, 5, 5) => $kernel::<25, Rows<5, 5> $(, $any)?>,
            _ => $kernel::<MAX_SIDE, Tabulated $(, $any)?>,
        }
    };
}

/// The kernel that computes this fitness, chosen once for a problem.
pub(super) fn fitness_kernel(kind: FitnessKind, shape: Shape, representation: Representation) -> FitnessKernel {
    match kind {
        FitnessKind::Missing => for_shape!(shape, representation, missing),
        FitnessKind::Collisions => for_shape!(shape, representation, collisions, Thrice, Bytes),
        FitnessKind::SumProduct => for_shape!(shape, representation, sum_product),
    }
}

/// The kernel that computes the conflicts.
pub(super) fn conflicts_kernel(shape: Shape, representation: Representation) -> ConflictsKernel {
    for_shape!(shape, representation, conflicts)
}

fn missing<const N: usize, G: Geometry<N>>(lines: &Lines, genome: &[Allele]) -> Fitness {
    let side = G::side(lines);
    let marks = marks::<N, u32>(&genome[..side * side], bit);
    let mut present = [[0u32; N]; 2];
    G::walk(lines, |position, first, second| {
        let mark = marks.as_flattened()[position];
        present[0][first] |= mark;
        present[1][second] |= mark;
    });
    Fitness::from((2 * side * side) as u32 - ones::<N>(present.as_flattened()))
}

fn collisions<const N: usize, G: Geometry<N>, T: Tally>(lines: &Lines, genome: &[Allele]) -> Fitness {
    let side = G::side(lines);
    let marks = marks::<N, T::Mark>(&genome[..side * side], T::mark);
    let mut tallies = [[T::EMPTY; N]; 2];
    let mut pairs = 0;
    G::walk(lines, |position, first, second| {
        let mark = marks.as_flattened()[position];
        T::add(&mut tallies[0][first], mark, &mut pairs);
        T::add(&mut tallies[1][second], mark, &mut pairs);
    });
    Fitness::from(2 * (pairs + T::closed(tallies.as_flattened())))
}

fn sum_product<const N: usize, G: Geometry<N>>(lines: &Lines, genome: &[Allele]) -> Fitness {
    let side = G::side(lines);
    let genome = &genome[..side * side];
    let (mut sums, mut present) = ([[0u32; N]; 2], [[0u32; N]; 2]);
    // Up to side 15 a product fits 64 bits (15^15 < 2^63), up to 25 it fits 128; the array not asked for vanishes.
    let is_narrow = N <= 15;
    let (mut narrow, mut wide) = ([[1u64; N]; 2], [[1u128; N]; 2]);
    G::walk(lines, |position, first, second| {
        let (digit, mark) = (u32::from(genome[position]) + 1, bit(genome[position]));
        for (family, line) in [(0, first), (1, second)] {
            sums[family][line] += digit;
            present[family][line] |= mark;
            if is_narrow {
                narrow[family][line] *= u64::from(digit);
            } else {
                wide[family][line] *= u128::from(digit);
            }
        }
    });
    let sum = (side * (side + 1) / 2) as u32;
    let product: u128 = (1..=side as u128).product();
    let (mut deviation, mut root) = (0, 0.0);
    for family in 0..2 {
        for line in 0..side {
            deviation += sums[family][line].abs_diff(sum);
            let difference = if is_narrow {
                (narrow[family][line] as i64 - product as i64).unsigned_abs() as i64 as f64
            } else {
                wide[family][line].abs_diff(product) as f64
            };
            root += difference.sqrt();
        }
    }
    let missing = (2 * side * side) as u32 - ones::<N>(present.as_flattened());
    Fitness::new(f64::from(10 * deviation + 50 * missing) + root)
}

fn conflicts<const N: usize, G: Geometry<N>>(lines: &Lines, genome: &[Allele], conflicts: &mut [u32]) {
    let side = G::side(lines);
    let (genome, conflicts) = (&genome[..side * side], &mut conflicts[..side * side]);
    let mut counts = [[[0u8; 32]; N]; 2];
    G::walk(lines, |position, first, second| {
        let digit = usize::from(genome[position] % 32);
        counts[0][first][digit] += 1;
        counts[1][second][digit] += 1;
    });
    G::walk(lines, |position, first, second| {
        let digit = usize::from(genome[position] % 32);
        // The cell itself stands in both counts.
        conflicts[position] = u32::from(counts[0][first][digit] + counts[1][second][digit]) - 2;
    });
}

#[inline(always)]
fn bit(allele: Allele) -> u32 {
    1u32.wrapping_shl(u32::from(allele))
}

/// The marks of all positions. In a pass of its own, as the compiler turns it into vector instructions.
#[inline(always)]
fn marks<const N: usize, M: Copy + Default>(genome: &[Allele], mark: impl Fn(Allele) -> M) -> [[M; N]; N] {
    let mut marks = [[M::default(); N]; N];
    for (slot, &allele) in marks.as_flattened_mut().iter_mut().zip(genome) {
        *slot = mark(allele);
    }
    marks
}

/// The ones in words of `N` bits each. Several go into one word, as counting is dear where no instruction does it.
#[inline(always)]
fn ones<const N: usize>(words: &[u32]) -> u32 {
    words
        .chunks(64 / N)
        .map(|words| words.iter().fold(0u64, |packed, &word| packed << N | u64::from(word)).count_ones())
        .sum()
}
