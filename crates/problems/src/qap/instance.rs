//! The two matrices of an assignment problem. The matrices are checked once. The format of their files is QAPLIB's (`.dat`).

use std::fmt::Write;

use evogrid_core::family::InstanceError;
use evogrid_core::memory::{is_available, room};

use crate::text::{Fault, fault, number, wrong};

/// The maximum number of rows. A matrix of this size has 64 million entries.
pub(super) const MAX_SIZE: usize = 8000;

/// The maximum absolute value of a cost. Up to this value, all sums are exact, both as 64-bit integers and as doubles.
pub const MAX_COST: i64 = 1 << 48;

/// An instance of the quadratic assignment problem in Koopmans and Beckmann's form. A and B are `n` by `n` matrices of whole numbers.
///
/// An assignment `p` maps row `i` of A to row `p(i)` of B. The cost of an assignment is the sum of `a[i][j] * b[p(i)][p(j)]` over all `i`
/// and `j`. The sum includes the diagonals of both matrices. Usually, one matrix contains the flows between facilities, and the other
/// matrix contains the distances between locations. The file of the instance decides which matrix contains the flows.
///
/// ```
/// use evogrid_problems::qap::Matrices;
///
/// let matrices = Matrices::new(2, vec![0, 1, 2, 0], vec![0, 3, 4, 0])?;
/// assert_eq!((matrices.n(), matrices.content().as_str()), (2, "2 0 1 2 0 0 3 4 0"));
/// # Ok::<(), evogrid_core::family::InstanceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrices {
    n: usize,
    a: Vec<i64>,
    b: Vec<i64>,
}

impl Matrices {
    /// Creates the instance from two matrices. The entries are listed row by row.
    ///
    /// # Errors
    /// Returns an error if a matrix does not have `n * n` entries. Returns an error if costs could be too large: `n * n * max|a| * max|b|`
    /// must not exceed [`MAX_COST`]. Returns an error if the memory is too small for the instance's text or for a search.
    pub fn new(n: usize, a: Vec<i64>, b: Vec<i64>) -> Result<Self, InstanceError> {
        check_size(n as i64)?;
        for (matrix, entries) in [('A', &a), ('B', &b)] {
            if entries.len() != n * n {
                let (found, needed) = (entries.len(), n * n);
                let message = format!("matrix {matrix} has {found} numbers, but a matrix of size {n} needs {needed}");
                return Err(InstanceError::new(message));
            }
        }
        let [greatest_a, greatest_b] = [&a, &b].map(|entries| greatest(entries));
        let cost = u128::from(greatest_a) * u128::from(greatest_b) * (n * n) as u128;
        if cost > MAX_COST as u128 {
            return Err(InstanceError::new("the numbers are too large: the cost of a solution could exceed 2^48"));
        }
        // The text and the rows of a search need this memory later, when a refusal would be fatal.
        let characters = |entry: u64| entry.checked_ilog10().unwrap_or(0) as usize + 3;
        let of_text = characters(greatest_a) + characters(greatest_b);
        let of_rows = 4 * if is_narrow(n, greatest_a, greatest_b) { size_of::<i16>() } else { size_of::<f64>() };
        if !is_available(n * n * (of_text + of_rows)) {
            return Err(refused(n, of_text + of_rows));
        }
        Ok(Self { n, a, b })
    }

    /// Returns true if all sums over the entries are exact in the narrow numbers of the operands.
    pub(super) fn is_narrow(&self) -> bool {
        is_narrow(self.n, greatest(&self.a), greatest(&self.b))
    }

    /// The number of rows of a matrix.
    pub fn n(&self) -> usize {
        self.n
    }

    /// The first matrix, row by row.
    pub fn a(&self) -> &[i64] {
        &self.a
    }

    /// The second matrix, row by row.
    pub fn b(&self) -> &[i64] {
        &self.b
    }

    /// The canonical text of the instance, in one line. The line contains `n`, A and B. Single blanks separate the numbers.
    pub fn content(&self) -> String {
        let mut content = self.n.to_string();
        // A text that grows step by step would need more than twice the memory.
        let length =
            |entry: &i64| 2 + usize::from(*entry < 0) + entry.unsigned_abs().checked_ilog10().unwrap_or(0) as usize;
        content.reserve_exact(self.a.iter().chain(&self.b).map(length).sum());
        for entry in self.a.iter().chain(&self.b) {
            write!(content, " {entry}").expect("writing to a string cannot fail");
        }
        content
    }
}

#[cfg(test)]
impl Matrices {
    /// Empty space for the numbers of both matrices.
    pub(super) fn room(&self) -> usize {
        self.a.capacity() + self.b.capacity()
    }
}

/// Checks that the size of a matrix is in range.
pub(super) fn check_size(n: i64) -> Result<usize, InstanceError> {
    let size = usize::try_from(n).ok().filter(|size| (2..=MAX_SIZE).contains(size));
    size.ok_or_else(|| InstanceError::new(format!("a size of {n} is out of range: expected 2 to {MAX_SIZE}")))
}

/// Returns true if 16 bits suffice for entries up to these magnitudes, and 32 bits for all sums.
fn is_narrow(n: usize, greatest_a: u64, greatest_b: u64) -> bool {
    // Merged layers have doubled entries. A delta consists of two sums of n products of differences, and of three more terms.
    const MAX_ENTRY: u64 = (1 << 13) - 1;
    let fits = |greatest: u64| 2 * greatest <= MAX_ENTRY;
    fits(greatest_a) && fits(greatest_b) && 16 * (n as u64 + 4) * greatest_a * greatest_b < 1 << 31
}

/// The error if the system cannot provide the memory for two matrices and for `more` bytes per entry.
pub(super) fn refused(n: usize, more: usize) -> InstanceError {
    let megabytes = (n * n * (2 * size_of::<i64>() + more)).div_ceil(1_000_000);
    InstanceError::new(format!("not enough memory for two matrices of {n} rows, which need about {megabytes} MB"))
        .expecting("more memory, or fewer runs at the same time")
}

/// The sum of the entries in a row of a matrix and in the column with the same number.
pub(super) fn potential(matrix: &[i64], row: usize) -> i64 {
    let n = matrix.len().isqrt();
    (0..n).map(|other| matrix[row * n + other] + matrix[other * n + row]).sum()
}

/// The maximum magnitude of the entries.
fn greatest(entries: &[i64]) -> u64 {
    entries.iter().map(|entry| entry.unsigned_abs()).max().unwrap_or(0)
}

/// Reads an instance: `n`, then A, then B. Any white space may separate the numbers.
///
/// # Errors
/// Returns the first fault in the text, with its place. If the text ends too early, the place of the fault is the last word.
///
/// ```
/// use evogrid_problems::qap::read_dat;
///
/// let matrices = read_dat("2\n\n0 1\n1 0\n\n0 5\n5 0\n").unwrap();
/// assert_eq!(matrices.b(), [0, 5, 5, 0]);
/// let error = read_dat("2\n0 1\n1 x\n0 5 5 0").unwrap_err();
/// assert_eq!((error.bytes.clone(), error.to_string().as_str()), (Some(8..9), "`x` is not a whole number"));
/// ```
pub fn read_dat(text: &str) -> Result<Matrices, InstanceError> {
    matrices(text).map_err(|fault| fault.in_text(text))
}

fn matrices(text: &str) -> Result<Matrices, Fault<'_>> {
    // Some editors write a byte order mark at the beginning of a text.
    let mut words = text.trim_start_matches('\u{feff}').split_whitespace();
    let (mut last, mut n_read) = ("", 0);
    let mut next = |expected: &dyn Fn() -> String| {
        let Some(word) = words.next() else {
            let message = format!("the text ends after {n_read} numbers: expected {}", expected());
            return Err(fault(last, message, ""));
        };
        (last, n_read) = (word, n_read + 1);
        Ok((word, number::<i64>(word, "whole number", String::new, |_| true)?))
    };
    let (size, n) = next(&|| "the size and two matrices".to_owned())?;
    let wrong = |error| wrong(size, error);
    let n = check_size(n).map_err(wrong)?;
    let expected = || format!("the size {n} and two matrices with {} numbers each", n * n);
    // A number takes at least a character and a blank, so a short text contains few numbers.
    let n_numbers = (n * n).min(text.len() / 2 + 1);
    let mut matrix = || {
        let mut entries = room(n_numbers).map_err(|_| wrong(refused(n, 0)))?;
        for _ in 0..n * n {
            entries.push(next(&expected)?.1);
        }
        Ok(entries)
    };
    let (a, b) = (matrix()?, matrix()?);
    if let Some(word) = words.next() {
        return Err(fault(word, "the text continues after the last number of matrix B", ""));
    }
    Matrices::new(n, a, b).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_has_its_place() {
        let cases = [
            ("", None, "the text ends after 0 numbers: expected the size and two matrices"),
            (" x", Some(1..2), "`x` is not a whole number"),
            ("1 0 0", Some(0..1), "a size of 1 is out of range: expected 2 to 8000"),
            ("-3", Some(0..2), "a size of -3 is out of range: expected 2 to 8000"),
            ("99999", Some(0..5), "a size of 99999 is out of range: expected 2 to 8000"),
            (
                "2\n0 1 1 0\n0 5 5",
                Some(14..15),
                "the text ends after 8 numbers: expected the size 2 and two matrices with 4 numbers each",
            ),
            ("2\n0 1 1 0\n0 5 5 0\n 7", Some(19..20), "the text continues after the last number of matrix B"),
            ("2\n0 1.5 1 0\n0 5 5 0", Some(4..7), "`1.5` is not a whole number"),
            ("2\n0 1 1 99999999999999999999\n0 5 5 0", Some(8..28), "`99999999999999999999` is not a whole number"),
            (
                "2\n0 1 9999999999999999 0\n0 5 5 0",
                Some(0..1),
                "the numbers are too large: the cost of a solution could exceed 2^48",
            ),
        ];
        for (text, bytes, message) in cases {
            let error = read_dat(text).expect_err(text);
            assert_eq!((error.bytes.clone(), error.to_string().as_str()), (bytes, message), "{text:?}");
        }
    }

    #[test]
    fn any_white_space_will_do_and_the_content_is_the_same() {
        let matrices = read_dat("\u{feff} 2\r\n0\t-1 \r\n\r\n+1 0 0\n5\n\n5 0").unwrap();
        assert_eq!(matrices.content(), "2 0 -1 1 0 0 5 5 0");
        assert_eq!(read_dat(&matrices.content()).as_ref(), Ok(&matrices));
    }

    #[test]
    fn a_large_instance_takes_no_more_than_its_numbers() {
        let matrices = read_dat("3 0 -1 20 300 0 5 6 7 0 0 1 2 3 0 4 5 6 0").expect("it is right");
        let content = matrices.content();
        assert_eq!(content, "3 0 -1 20 300 0 5 6 7 0 0 1 2 3 0 4 5 6 0");
        assert_eq!((matrices.room(), content.capacity()), (18, content.len()));
        // A short text that declares eight thousand rows does not get the memory for them.
        let error = read_dat("8000 1 2").expect_err("it ends early");
        assert_eq!(
            error.to_string(),
            "the text ends after 3 numbers: expected the size 8000 and two matrices with 64000000 numbers each"
        );
    }

    #[test]
    fn what_is_no_instance_is_refused() {
        let wrong = |n, a, b| Matrices::new(n, a, b).unwrap_err().to_string();
        assert_eq!(wrong(1, vec![0], vec![0]), "a size of 1 is out of range: expected 2 to 8000");
        assert_eq!(wrong(2, vec![0; 4], vec![0; 3]), "matrix B has 3 numbers, but a matrix of size 2 needs 4");
        let most = (MAX_COST / 4) / 2;
        let with_entry = |entry: i64| Matrices::new(2, vec![0, entry, 0, 0], vec![2, 0, 0, 0]);
        assert!(with_entry(most).is_ok());
        for entry in [most + 1, i64::MIN] {
            let error = with_entry(entry).unwrap_err().to_string();
            assert_eq!(error, "the numbers are too large: the cost of a solution could exceed 2^48");
        }
    }
}
