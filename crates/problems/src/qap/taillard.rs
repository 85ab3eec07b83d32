//! Taillard's uniform instances, `taiXXa`, from their seeds.
//!
//! Both matrices are symmetric with a zero diagonal, and their upper triangles are drawn row by row from 0 to 99 with the generator of
//! E. Taillard, "Benchmarks for basic scheduling problems", European Journal of Operational Research 64, 1993, 278-285. The seeds are in
//! no paper: they were recovered by a search for those that give the matrices of QAPLIB's files.

use evogrid_core::family::InstanceError;
use evogrid_core::memory::filled;

use super::instance::{Matrices, refused};
use crate::published::{number, rows};
use crate::seeds::Lehmer;

/// A published instance.
#[derive(Clone, Copy, Debug)]
pub struct Published {
    /// Its id in QAPLIB.
    pub id: &'static str,
    /// Its size.
    pub n: usize,
    /// The seeds of A and B.
    pub seeds: [u32; 2],
    /// The cost of the best assignment known.
    pub best_known: i64,
    /// Whether the cost is proven to be optimal.
    pub is_optimal: bool,
}

/// The thirteen instances. Best known values: QAPLIB's permutations, recomputed; `tai10a` by full search; the proof for `tai30a`
/// is by K. Fujii and others, "Solving challenging large scale QAPs", 2021.
const TABLE: &str = include_str!("taillard.csv");

impl Published {
    /// All instances, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        rows(TABLE).map(|[id, n, a, b, best_known, is_optimal]| Self {
            id,
            n: number(n),
            seeds: [number(a), number(b)],
            best_known: number(best_known),
            is_optimal: is_optimal == "true",
        })
    }
}

/// Two matrices, each from its own seed.
///
/// # Panics
/// If a seed is not in 1 to 2^31 - 2, the size is not one of [`Matrices`], or the system refuses the memory.
///
/// ```
/// use evogrid_problems::qap::taillard::uniform;
///
/// assert_eq!(uniform(12, [792_100_592, 123_456_789]).a()[..6], [0, 27, 85, 2, 1, 15]);
/// ```
pub fn uniform(n: usize, [a, b]: [u32; 2]) -> Matrices {
    draw(n, a, Some(b)).expect("the size is right, and the numbers are small")
}

/// Two matrices from a seed each; without a second one, B is drawn where A ended.
///
/// # Errors
/// If the system refuses the memory.
///
/// # Panics
/// As [`uniform`] if a number is out of range.
pub(crate) fn draw(n: usize, seed: u32, second: Option<u32>) -> Result<Matrices, InstanceError> {
    let mut generator = Lehmer::new(seed.into());
    let a = symmetric(n, &mut generator)?;
    if let Some(seed) = second {
        generator = Lehmer::new(seed.into());
    }
    let b = symmetric(n, &mut generator)?;
    Matrices::new(n, a, b)
}

fn symmetric(n: usize, generator: &mut Lehmer) -> Result<Vec<i64>, InstanceError> {
    let mut matrix = filled(0, n * n).map_err(|_| refused(n, 0))?;
    for row in 0..n {
        for column in row + 1..n {
            let entry = generator.below(100) as i64;
            matrix[row * n + column] = entry;
            matrix[column * n + row] = entry;
        }
    }
    Ok(matrix)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BLAKE3 of the contents, the first 16 hex digits, from the matrices of QAPLIB's own files.
    const HASHES: [&str; 13] = [
        "15ebc84665ccfd9a",
        "28ef659759ca3e19",
        "cf3e3c82ee7b129c",
        "c138b2540857b8ad",
        "fdf3b9d9ed8b3c63",
        "cfb6979f0d51e1c6",
        "bbb8155bd8aabc5b",
        "562e690bbbb905a2",
        "b3bde52d56aed7ed",
        "02555eb9f5b71a15",
        "11e4faf5b5c2e917",
        "f78d3bdc6c6043fc",
        "4cee4903ccc45a86",
    ];

    #[test]
    fn all_thirteen_published_instances_come_out() {
        assert_eq!(Published::all().count(), HASHES.len());
        for (instance, hash) in Published::all().zip(HASHES) {
            let content = uniform(instance.n, instance.seeds).content();
            assert_eq!(blake3::hash(content.as_bytes()).to_hex()[..16], *hash, "{}", instance.id);
        }
    }

    #[test]
    fn one_seed_gives_two_different_matrices() {
        let (one, two) = (draw(9, 7, None).expect("it is small"), uniform(9, [7, 7]));
        assert_eq!(one.a(), two.a());
        assert_ne!(one.a(), one.b());
    }
}
