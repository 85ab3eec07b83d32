//! Tallies: how often each digit stands in a line, kept in as few bits as the geometry allows.

use crate::layout::Allele;

/// Counts the digits of lines and the pairs of equal ones.
///
/// `c` equal digits in a line are `c * (c - 1) / 2` pairs; each pair is two collisions, one for either cell.
pub(super) trait Tally {
    /// What a line needs to know of an allele, worked out for all positions at once.
    type Mark: Copy + Default;
    /// The counts of one line.
    type Line: Copy;
    /// A line without digits.
    const EMPTY: Self::Line;

    /// The mark of an allele.
    fn mark(allele: Allele) -> Self::Mark;

    /// Adds a digit to a line, and to `pairs` those that it closes, unless [`closed`](Self::closed) tells them later.
    fn add(line: &mut Self::Line, mark: Self::Mark, pairs: &mut u32);

    /// The pairs of all lines, as far as `add` did not tell them.
    fn closed(lines: &[Self::Line]) -> u32;
}

/// Two bits a digit in one word: for lines that meet no digit more than three times, as those of 9x9 boards do whose genes
/// are boxes. At most 20 lines of 10 digits.
pub(super) struct Thrice;

impl Tally for Thrice {
    type Mark = u32;
    type Line = u32;
    const EMPTY: u32 = 0;

    #[inline(always)]
    fn mark(allele: Allele) -> u32 {
        // A random bit pattern would do no harm, so the shift may wrap: no branch.
        1u32.wrapping_shl(2 * u32::from(allele))
    }

    #[inline(always)]
    fn add(line: &mut u32, mark: u32, _: &mut u32) {
        *line = line.wrapping_add(mark);
    }

    #[inline(always)]
    fn closed(lines: &[u32]) -> u32 {
        debug_assert!(lines.len() <= 20, "a byte holds the pairs of four digits in 20 lines");
        // Each step adds up neighbouring fields: of 2 bits (0, 0, 1 or 3 pairs), 4 bits, 8 bits.
        let bytes: u32 = lines
            .iter()
            .map(|&line| {
                let twice = line >> 1 & 0x5555_5555;
                let pairs = twice | (twice & line) << 1;
                let pairs = (pairs & 0x3333_3333) + (pairs >> 2 & 0x3333_3333);
                (pairs & 0x0f0f_0f0f) + (pairs >> 4 & 0x0f0f_0f0f)
            })
            .sum();
        let halves = (bytes & 0x00ff_00ff) + (bytes >> 8 & 0x00ff_00ff);
        (halves & 0xffff) + (halves >> 16)
    }
}

/// A byte a digit: for any line.
pub(super) struct Bytes;

impl Tally for Bytes {
    type Mark = Allele;
    /// Digits below 32, so that an index masked to 5 bits needs no check.
    type Line = [u8; 32];
    const EMPTY: [u8; 32] = [0; 32];

    #[inline(always)]
    fn mark(allele: Allele) -> Allele {
        allele
    }

    #[inline(always)]
    fn add(line: &mut [u8; 32], mark: Allele, pairs: &mut u32) {
        let count = &mut line[usize::from(mark % 32)];
        *pairs += u32::from(*count);
        *count = count.wrapping_add(1);
    }

    #[inline(always)]
    fn closed(_: &[[u8; 32]]) -> u32 {
        0
    }
}
