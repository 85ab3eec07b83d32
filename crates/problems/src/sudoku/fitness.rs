//! The fitness functions of a Sudoku. Each function is written once for any [geometry](super::geometry). It is compiled for each usual
//! shape.

use super::geometry::{Boxes, Geometry, Lines, Representation, Rows, Tabulated};
use super::shape::{MAX_SIDE, Shape};
use evogrid_core::prelude::*;

evogrid_core::choices! {
    /// The distance of a full board from a solution. The distance is minimised, and it is 0 for a solved board.
    ///
    /// Each distance is a sum over all units (rows, columns, boxes) that are not genes. These units are called lines. If genes are boxes,
    /// each distance is a sum over the rows and the columns. If genes are rows, each distance is a sum over the columns and the boxes.
    #[derive(Hash)]
    pub enum FitnessKind {
        /// The number of missing digits, summed over the lines: an integer from 0 to `2 N (N - 1)`. Sources: McCaffrey 2016, `Error`;
        /// Cervigón, section 4, with rows as genes.
        Missing = "missing",
        /// The number of collisions, summed over all lines and digits. If a digit occurs `c` times on a line, there are `c (c - 1)`
        /// collisions. In other words, for each cell of a line, the other cells of this line that have the same digit are counted
        /// (Huke, "Fitnessberechnung"). Each cell belongs to two lines. If genes are boxes, these two lines are the row and the column of
        /// the cell.
        Collisions = "collisions",
        /// `10 * sum |S - sum of a line| + sum sqrt |N! - product of a line| + 50 * digits missing`, `S = N (N + 1) / 2`
        /// (Mantere and Koljonen, "Solving, rating and generating Sudoku puzzles with GA", CEC 2007, equations 1 to 5).
        SumProduct = "sum-product",
    }
}

/// Computes the fitness of a full genome.
pub(super) type FitnessKernel = fn(&Lines, &[Allele]) -> Fitness;

/// Writes for every position the number of other cells with the same digit in its two lines.
pub(super) type ConflictsKernel = fn(&Lines, &[Allele], &mut [u32]);

/// Chooses `$kernel` for a shape, with the side and the geometry as generic arguments.
macro_rules! for_shape {
    ($shape:expr, $representation:expr, $kernel:ident) => {
        match ($representation, $shape.box_rows(), $shape.box_cols()) {
            (Representation::Boxes, 2, 2) => $kernel::<4, Boxes<2, 2>>,
            (Representation::Boxes, 2, 3) => $kernel::<6, Boxes<2, 3>>,
            (Representation::Boxes, 3, 3) => $kernel::<9, Boxes<3, 3>>,
            (Representation::Boxes, 4, 4) => $kernel::<16, Boxes<4, 4>>,
            (Representation::Boxes, 5, 5) => $kernel::<25, Boxes<5, 5>>,
            (Representation::Rows, 2, 2) => $kernel::<4, Rows<2, 2>>,
            (Representation::Rows, 2, 3) => $kernel::<6, Rows<2, 3>>,
            (Representation::Rows, 3, 3) => $kernel::<9, Rows<3, 3>>,
            (Representation::Rows, 4, 4) => $kernel::<16, Rows<4, 4>>,
            (Representation::Rows, 5, 5) => $kernel::<25, Rows<5, 5>>,
            _ => $kernel::<MAX_SIDE, Tabulated>,
        }
    };
}

/// The kernel that computes this fitness. The kernel is chosen once for each problem.
pub(super) fn fitness_kernel(kind: FitnessKind, shape: Shape, representation: Representation) -> FitnessKernel {
    match kind {
        FitnessKind::Missing => match (representation, shape.box_rows(), shape.box_cols()) {
            (Representation::Rows, 3, 3) => missing_in_nine_rows,
            _ => for_shape!(shape, representation, missing),
        },
        FitnessKind::Collisions => match (representation, shape.box_rows(), shape.box_cols()) {
            (Representation::Boxes, 2, 2) => few_collisions::<4, Boxes<2, 2>>,
            (Representation::Boxes, 2, 3) => few_collisions::<6, Boxes<2, 3>>,
            (Representation::Boxes, 3, 3) => few_collisions::<9, Boxes<3, 3>>,
            _ => for_shape!(shape, representation, collisions),
        },
        FitnessKind::SumProduct => for_shape!(shape, representation, sum_product),
    }
}

/// The kernel that computes the conflicts.
pub(super) fn conflicts_kernel(shape: Shape, representation: Representation) -> ConflictsKernel {
    for_shape!(shape, representation, conflicts)
}

fn missing<const N: usize, G: Geometry<N>>(lines: &Lines, genome: &[Allele]) -> Fitness {
    let side = G::side(lines);
    let genome = &genome[..side * side];
    let lanes = lanes::<N, G>(N);
    let (mut along, mut across) = ([0u64; N], [0u64; N]);
    G::walk_runs(lines, lanes, |position, line, group| {
        let run = run_word(&genome[position..position + lanes], 1, N);
        along[line] |= run;
        across[group] |= run;
    });
    for line in &mut along {
        *line = (0..lanes).fold(0, |folded, lane| folded | *line >> (lane * N)) & low_bits(N);
    }
    let present = ones::<N>(&along, N) + ones::<N>(&across[..N / lanes], lanes * N);
    Fitness::from((2 * side * side) as u32 - present)
}

fn missing_in_nine_rows(lines: &Lines, genome: &[Allele]) -> Fitness {
    let genome: &[Allele; 81] = genome[..81].try_into().expect("81 cells");
    let present = lines.instructions.run(
        #[inline(always)]
        || present_in_nine_rows(genome),
    );
    Fitness::from(162 - present)
}

/// The number of digits present in the columns and boxes of a 9x9 board whose genes are rows, computed in lanes of 16 bits. If one
/// instruction can shift each lane by its own distance, this function takes half the time of a function with words of runs.
#[inline(always)]
fn present_in_nine_rows(genome: &[Allele; 81]) -> u32 {
    let (mut columns, mut present) = ([0u16; 9], 0);
    for band in genome.as_chunks::<27>().0 {
        let mut lanes = [0u16; 9];
        for row in band.as_chunks::<9>().0 {
            lanes.iter_mut().zip(row).for_each(|(lane, &allele)| *lane |= 1u16.wrapping_shl(allele.into()));
        }
        columns.iter_mut().zip(lanes).for_each(|(column, lane)| *column |= lane);
        present += lanes.as_chunks::<3>().0.iter().map(|[a, b, c]| (a | b | c).count_ones()).sum::<u32>();
    }
    present + columns.iter().map(|column| column.count_ones()).sum::<u32>()
}

/// Collisions if every line contains a digit at most three times, as on a 9x9 board whose genes are boxes. Two bits count each digit, and
/// all lines are counted at once.
fn few_collisions<const N: usize, G: Geometry<N>>(lines: &Lines, genome: &[Allele]) -> Fitness {
    let side = G::side(lines);
    let genome = &genome[..side * side];
    let width = 2 * N;
    let lanes = lanes::<N, G>(width);
    let (mut along, mut across) = ([0u64; N], [0u64; N]);
    G::walk_runs(lines, lanes, |position, line, group| {
        let run = run_word(&genome[position..position + lanes], 2, width);
        along[line] = along[line].wrapping_add(run);
        across[group] = across[group].wrapping_add(run);
    });
    for line in &mut along {
        *line = (0..lanes).fold(0u64, |folded, lane| folded.wrapping_add(*line >> (lane * width))) & low_bits(width);
    }
    let pairs =
        pairs_of_fields(&packed::<N>(&along, width)[..N.div_ceil(64 / width)]) + pairs_of_fields(&across[..N / lanes]);
    Fitness::from(2 * pairs)
}

/// Collisions without a limit. Each digit forms a pair with every equal digit before it in the line, and a pair counts twice.
fn collisions<const N: usize, G: Geometry<N>>(lines: &Lines, genome: &[Allele]) -> Fitness {
    let side = G::side(lines);
    let genome = &genome[..side * side];
    let mut counts = [[[0u8; DIGITS]; N]; 2];
    let mut pairs = 0;
    G::walk(lines, |position, first, second| {
        let digit = usize::from(genome[position]) % DIGITS;
        for (family, line) in [(0, first), (1, second)] {
            let count = &mut counts[family][line][digit];
            pairs += u32::from(*count);
            *count = count.wrapping_add(1);
        }
    });
    Fitness::from(2 * pairs)
}

fn sum_product<const N: usize, G: Geometry<N>>(lines: &Lines, genome: &[Allele]) -> Fitness {
    let side = G::side(lines);
    let genome = &genome[..side * side];
    let (mut sums, mut present) = ([[0u32; N]; 2], [[0u64; N]; 2]);
    // Up to side 15 a product fits in 64 bits (15^15 < 2^63), and up to side 25 in 128 bits. The compiler removes the unused array.
    let is_narrow = N <= 15;
    let (mut narrow, mut wide) = ([[1u64; N]; 2], [[1u128; N]; 2]);
    G::walk(lines, |position, first, second| {
        let (digit, mark) = (u32::from(genome[position]) + 1, run_word(&genome[position..=position], 1, N));
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
    let missing = (2 * side * side) as u32 - present.iter().map(|family| ones::<N>(family, N)).sum::<u32>();
    Fitness::new(f64::from(10 * deviation + 50 * missing) + root)
}

fn conflicts<const N: usize, G: Geometry<N>>(lines: &Lines, genome: &[Allele], conflicts: &mut [u32]) {
    let side = G::side(lines);
    let (genome, conflicts) = (&genome[..side * side], &mut conflicts[..side * side]);
    let mut counts = [[[0u8; DIGITS]; N]; 2];
    G::walk(lines, |position, first, second| {
        let digit = usize::from(genome[position]) % DIGITS;
        counts[0][first][digit] += 1;
        counts[1][second][digit] += 1;
    });
    G::walk(lines, |position, first, second| {
        let digit = usize::from(genome[position]) % DIGITS;
        // Both counts include the cell itself.
        conflicts[position] = u32::from(counts[0][first][digit] + counts[1][second][digit]) - 2;
    });
}

/// The number of digits in an array of counts. This number is a power of two above every side, so a masked index needs no bounds check.
const DIGITS: usize = 32;

/// The number of cells of a run in one word, with `width` bits each: all cells if they fit, otherwise one cell. More than three cells in a
/// word take twice the instructions of one cell (16x16), because the compiler then uses vectors, which cannot do the shift.
#[inline(always)]
fn lanes<const N: usize, G: Geometry<N>>(width: usize) -> usize {
    if G::RUN <= 3 && G::RUN * width <= 64 { G::RUN } else { 1 }
}

/// The alleles of a run in one word of lanes. A lane has `width` bits. The only set bit of a lane is the lowest bit of the allele's field.
#[inline(always)]
fn run_word(run: &[Allele], field: usize, width: usize) -> u64 {
    let mut word = 0;
    for (lane, &allele) in run.iter().enumerate() {
        // Only an invalid genome has an allele out of range, so the shift may wrap, which saves a branch.
        word |= 1u64.wrapping_shl((field * usize::from(allele) + lane * width) as u32);
    }
    word
}

/// The number of ones in words of `width` bits.
#[inline(always)]
fn ones<const N: usize>(words: &[u64], width: usize) -> u32 {
    // Without an instruction for it, counting is slow, so the words are packed first.
    packed::<N>(words, width).iter().map(|word| word.count_ones()).sum()
}

/// Packs up to `N` words of `width` bits into as few words as possible. The remaining words are 0.
#[inline(always)]
fn packed<const N: usize>(words: &[u64], width: usize) -> [u64; N] {
    let (mut groups, each) = ([0; N], 64 / width);
    for (at, word) in words.iter().enumerate() {
        groups[at / each] |= word << (at % each * width);
    }
    groups
}

/// The number of pairs of equal digits: `c (c - 1) / 2` for each count `c`. The counts have two bits each, and fill at most 20 words.
#[inline(always)]
fn pairs_of_fields(words: &[u64]) -> u32 {
    debug_assert!(words.len() <= 20);
    // Adjacent fields are added step by step. 2 bits hold 0, 0, 1 or 3 pairs, 4 bits up to 6, and 8 bits up to 12. So the bytes of 20 words
    // hold up to 240.
    let mut bytes = 0;
    for word in words {
        let twice = (word >> 1) & 0x5555_5555_5555_5555;
        let pairs = twice | (twice & word) << 1;
        let pairs = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
        bytes += (pairs & 0x0f0f_0f0f_0f0f_0f0f) + ((pairs >> 4) & 0x0f0f_0f0f_0f0f_0f0f);
    }
    let pairs = (bytes & 0x00ff_00ff_00ff_00ff) + ((bytes >> 8) & 0x00ff_00ff_00ff_00ff);
    (pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48) as u32
}

#[inline(always)]
fn low_bits(n: usize) -> u64 {
    u64::MAX >> (64 - n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use evogrid_core::random::RandomStream;
    use evogrid_core::vectorization::VectorInstructions;

    #[test]
    fn pairs_are_counted_in_every_field_and_in_full_words() {
        for (count, pairs) in [(0, 0), (1, 0), (2, 1), (3, 3)] {
            assert!((0..32).all(|field| pairs_of_fields(&[count << (2 * field)]) == pairs));
            assert_eq!(pairs_of_fields(&[count * 0x5555_5555_5555_5555; 20]), 20 * 32 * pairs);
        }
    }

    #[test]
    fn every_set_of_instructions_counts_the_same() {
        let shape = Shape::square_for(9).expect("a shape");
        let detected = Lines::new(shape, Representation::Rows);
        let baseline = Lines { instructions: VectorInstructions::baseline(), ..detected.clone() };
        let mut random = RandomStream::from_seed(1);
        for _ in 0..1000 {
            let genome: Vec<Allele> = (0..81).map(|_| random.below(9) as Allele).collect();
            assert_eq!(missing_in_nine_rows(&detected, &genome), missing::<9, Rows<3, 3>>(&detected, &genome));
            assert_eq!(missing_in_nine_rows(&baseline, &genome), missing::<9, Rows<3, 3>>(&detected, &genome));
        }
    }
}
