//! Solutions that are too long for a journal line. These solutions are in another file. For such a solution, the journal line contains only
//! its hash and its position. The hash shows whether the solution was changed.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The size of the longest solution in a journal line, in bytes. Solutions that exceed this size are in the file of solutions, next to the
/// journal file.
pub const SOLUTION_IN_LINE_LIMIT: usize = 4096;

/// The position of a solution in the file of solutions, with a hash for verification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SolutionPlace {
    /// The offset in bytes from the start of the file.
    pub(crate) offset: u64,
    /// The length in bytes.
    pub(crate) bytes: u64,
    /// The BLAKE3 hash of the text, 64 hexadecimal digits.
    pub(crate) blake3: String,
}

impl SolutionPlace {
    /// The position of a solution that is appended to a file of this size; `None` if the solution is short enough for its line.
    pub(crate) fn behind(length: u64, solution: &str) -> Option<Self> {
        let place = || Self { offset: length, bytes: solution.len() as u64, blake3: hash_of(solution.as_bytes()) };
        (solution.len() > SOLUTION_IN_LINE_LIMIT).then(place)
    }
}

/// The BLAKE3 hash of a solution's text.
pub(crate) fn hash_of(solution: &[u8]) -> String {
    blake3::hash(solution).to_hex().to_string()
}

/// The text of a solution in a message. A message shows only the length and the hash of a solution that is too long for a journal line.
///
/// ```
/// use evogrid_results::solution::brief;
///
/// assert_eq!(brief("3 1 2"), "3 1 2");
/// assert!(brief(&"1 ".repeat(50_000)).starts_with("100000 bytes with the BLAKE3 hash "));
/// ```
pub fn brief(solution: &str) -> Cow<'_, str> {
    match SolutionPlace::behind(0, solution) {
        Some(place) => place.to_string().into(),
        None => solution.into(),
    }
}

impl fmt::Display for SolutionPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} bytes with the BLAKE3 hash {}", self.bytes, self.blake3)
    }
}
