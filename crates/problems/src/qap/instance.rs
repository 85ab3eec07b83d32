//! The two matrices of an assignment problem, checked once.

use std::fmt::Write;

use evogrid_core::family::InstanceError;
use evogrid_core::memory::is_available;

/// The maximum size, at which a matrix has 64 million entries.
pub(crate) const MAX_SIZE: usize = 8000;

/// The maximum absolute value of a cost: sums in a search are then exact, both as 64-bit integers and as doubles.
pub const MAX_COST: i64 = 1 << 48;

/// An instance of the quadratic assignment problem in Koopmans and Beckmann's form: `n` by `n` matrices A and B of whole numbers.
///
/// An assignment `p` gives each row of A a row of B, and costs the sum of `a[i][j] * b[p(i)][p(j)]` over all `i` and `j`, the diagonals
/// included. In the words of the application: facilities with flows are put in locations with distances; which of the matrices is
/// which depends on the file.
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
    /// The instance with two matrices, given row by row.
    ///
    /// # Errors
    /// If a matrix has not `n * n` entries, costs could be too large (`n * n * max|a| * max|b|` must not exceed [`MAX_COST`]), or the system
    /// refuses the memory that the content and a search take beside the matrices.
    pub fn new(n: usize, a: Vec<i64>, b: Vec<i64>) -> Result<Self, InstanceError> {
        check_size(n as i64)?;
        for (matrix, entries) in [('A', &a), ('B', &b)] {
            if entries.len() != n * n {
                let (found, needed) = (entries.len(), n * n);
                let message = format!("matrix {matrix} has {found} numbers, but size {n} needs {needed}");
                return Err(InstanceError::new(message));
            }
        }
        let (greatest_a, greatest_b) = (greatest(&a), greatest(&b));
        let cost = u128::from(greatest_a) * u128::from(greatest_b) * (n * n) as u128;
        if cost > MAX_COST as u128 {
            return Err(InstanceError::new("the numbers are too large: a cost could exceed 2^48"));
        }
        // Neither the text nor the rows that a search reads can be refused later.
        let characters = |entry: u64| entry.checked_ilog10().unwrap_or(0) as usize + 3;
        let of_text = characters(greatest_a) + characters(greatest_b);
        let of_rows = 4 * if is_narrow(n, greatest_a, greatest_b) { size_of::<i16>() } else { size_of::<f64>() };
        if !is_available(n * n * (of_text + of_rows)) {
            return Err(refused(n, of_text + of_rows));
        }
        Ok(Self { n, a, b })
    }

    /// Whether sums over the entries are exact in the narrow numbers of the operands.
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

    /// The sum of the entries in a row and the same column of A.
    pub(super) fn potential_of_a(&self, row: usize) -> i64 {
        potential(&self.a, row, self.n)
    }

    /// The sum of the entries in a row and the same column of B.
    pub(super) fn potential_of_b(&self, row: usize) -> i64 {
        potential(&self.b, row, self.n)
    }

    /// The instance as one line, which is the same however it was written: `n`, A and B, separated by single blanks.
    pub fn content(&self) -> String {
        let mut content = self.n.to_string();
        // Grown step by step, it would take twice its bytes and more.
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

/// Whether 16 bits hold entries up to these, and 32 bits all sums.
fn is_narrow(n: usize, greatest_a: u64, greatest_b: u64) -> bool {
    // Entries are doubled where layers are merged. A delta is the sum of n products of differences twice, and three more terms.
    const MAX_ENTRY: u64 = (1 << 13) - 1;
    let fits = |greatest: u64| 2 * greatest <= MAX_ENTRY;
    fits(greatest_a) && fits(greatest_b) && 16 * (n as u64 + 4) * greatest_a * greatest_b < 1 << 31
}

/// What is said where the system refuses the memory of two matrices, and of `more` bytes for each entry.
pub(super) fn refused(n: usize, more: usize) -> InstanceError {
    let megabytes = (n * n * (2 * size_of::<i64>() + more)).div_ceil(1_000_000);
    InstanceError::new(format!("not enough memory for two matrices of {n} rows, which need about {megabytes} MB"))
        .expecting("more memory, or fewer runs at a time")
}

fn potential(matrix: &[i64], row: usize, n: usize) -> i64 {
    (0..n).map(|other| matrix[row * n + other] + matrix[other * n + row]).sum()
}

/// The maximum length of a number.
pub(super) fn greatest(entries: &[i64]) -> u64 {
    entries.iter().map(|entry| entry.unsigned_abs()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_instance_is_refused() {
        let wrong = |n, a, b| Matrices::new(n, a, b).unwrap_err().to_string();
        assert_eq!(wrong(1, vec![0], vec![0]), "a size of 1 is out of range: expected 2 to 8000");
        assert_eq!(wrong(2, vec![0; 4], vec![0; 3]), "matrix B has 3 numbers, but size 2 needs 4");
        let most = (MAX_COST / 4) / 2;
        let with_entry = |entry: i64| Matrices::new(2, vec![0, entry, 0, 0], vec![2, 0, 0, 0]);
        assert!(with_entry(most).is_ok());
        for entry in [most + 1, i64::MIN] {
            let error = with_entry(entry).unwrap_err().to_string();
            assert_eq!(error, "the numbers are too large: a cost could exceed 2^48");
        }
    }
}
