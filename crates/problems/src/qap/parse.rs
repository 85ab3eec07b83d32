//! QAPLIB's forms: instances (`.dat`), solutions (`.sln`) and permutations.

use std::ops::Range;

use evogrid_core::family::InstanceError;
use evogrid_core::layout::Allele;

use super::instance::{MAX_SIZE, Matrices, MatricesError};

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct TextError {
    /// The bytes of the text: a word, the last one where the text ends too early.
    pub bytes: Range<usize>,
    /// What is wrong there.
    pub fault: TextFault,
}

/// What can be wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextFault {
    /// It ends too early.
    #[error("the text ends after {found} numbers: expected {expected}")]
    End {
        /// Numbers that it has.
        found: usize,
        /// What it would need, in words.
        expected: String,
    },
    /// A word is not a whole number of 64 bits.
    #[error("`{word}` is not a whole number")]
    Number {
        /// The word, shortened.
        word: String,
    },
    /// Something stands behind the last number.
    #[error("`{word}` follows the last number of {what}")]
    Rest {
        /// The word, shortened.
        word: String,
        /// What was complete before it.
        what: &'static str,
    },
    /// The numbers are not instance.
    #[error(transparent)]
    Matrices(#[from] MatricesError),
    /// A permutation has a number that is out of range.
    #[error("{number} is not in {least} to {greatest}")]
    Range {
        /// The number.
        number: i64,
        /// The least that there can be.
        least: i64,
        /// The greatest.
        greatest: i64,
    },
    /// A permutation has a number twice.
    #[error("{number} is given twice")]
    Twice {
        /// The number.
        number: i64,
    },
}

/// A solution as QAPLIB keeps it: what it says that a permutation costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The cost that the file states.
    pub stated_cost: i64,
    /// The permutation as the file has it, counted from 0 here: the row of B for each row of A, or in some files the other way round.
    pub permutation: Vec<Allele>,
}

/// Reads an instance: `n`, then A, then B, all whole numbers between any white space.
///
/// # Errors
/// The first thing that is wrong, with its place.
///
/// ```
/// use evogrid_problems::qap::read_dat;
///
/// let matrices = read_dat("2\n\n0 1\n1 0\n\n0 5\n5 0\n").unwrap();
/// assert_eq!(matrices.b(), [0, 5, 5, 0]);
/// let error = read_dat("2\n0 1\n1 x\n0 5 5 0").unwrap_err();
/// assert_eq!((error.bytes.clone(), error.to_string().as_str()), (8..9, "`x` is not a whole number"));
/// ```
pub fn read_dat(text: &str) -> Result<Matrices, TextError> {
    let mut words = Words::new(text, char::is_whitespace);
    let n = words.size("the size and two matrices")?;
    let at_size = words.bytes.clone();
    let mut matrix = || {
        let expected = || format!("the size {n} and two matrices of {}", n * n);
        (0..n * n).map(|_| words.number(expected)).collect::<Result<Vec<i64>, _>>()
    };
    let (a, b) = (matrix()?, matrix()?);
    words.end("matrix B")?;
    Matrices::new(n, a, b).map_err(|error| TextError { bytes: at_size, fault: TextFault::Matrices(error) })
}

/// Reads a solution: `n`, its cost, and a permutation of 1 to `n`, between white space or commas. Where there is a 0 in it, it is one of 0
/// to `n - 1`, as in QAPLIB's `tai40a.sln`.
///
/// # Errors
/// The first thing that is wrong, with its place.
pub fn read_sln(text: &str) -> Result<Solution, TextError> {
    const EXPECTED: &str = "the size, the cost and a permutation";
    let mut words = Words::new(text, is_blank_or_comma);
    let n = words.size(EXPECTED)?;
    let stated_cost = words.number(|| EXPECTED.to_owned())?;
    let least = i64::from(!text[words.bytes.end..].split(is_blank_or_comma).any(|word| word == "0"));
    Ok(Solution { stated_cost, permutation: permutation(&mut words, n, least)? })
}

/// Reads a permutation of 1 to `n`, between white space or commas; its numbers are counted from 0 in what is returned.
///
/// # Errors
/// The first thing that is wrong, with its place.
pub fn read_permutation(text: &str, n: usize) -> Result<Vec<Allele>, TextError> {
    permutation(&mut Words::new(text, is_blank_or_comma), n, 1)
}

fn is_blank_or_comma(c: char) -> bool {
    c.is_whitespace() || c == ','
}

/// A permutation of so many numbers from the least on.
fn permutation(words: &mut Words<'_>, n: usize, least: i64) -> Result<Vec<Allele>, TextError> {
    let greatest = least + n as i64 - 1;
    let mut is_there = vec![false; n];
    let mut permutation = Vec::with_capacity(n);
    for _ in 0..n {
        let number = words.number(|| format!("a permutation of {least} to {greatest}"))?;
        if !(least..=greatest).contains(&number) {
            return Err(words.error(TextFault::Range { number, least, greatest }));
        }
        let row = (number - least) as usize;
        if std::mem::replace(&mut is_there[row], true) {
            return Err(words.error(TextFault::Twice { number }));
        }
        permutation.push(row as Allele);
    }
    words.end("the permutation")?;
    Ok(permutation)
}

/// The words of a text between separators.
struct Words<'t> {
    text: &'t str,
    is_separator: fn(char) -> bool,
    /// The bytes of the last word.
    bytes: Range<usize>,
    n_read: usize,
}

impl<'t> Words<'t> {
    fn new(text: &'t str, is_separator: fn(char) -> bool) -> Self {
        let start = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        Self { text, is_separator, bytes: start..start, n_read: 0 }
    }

    fn error(&self, fault: TextFault) -> TextError {
        TextError { bytes: self.bytes.clone(), fault }
    }

    fn word(&mut self) -> Option<&'t str> {
        let rest = &self.text[self.bytes.end..];
        let start = self.bytes.end + rest.find(|c| !(self.is_separator)(c))?;
        let rest = &self.text[start..];
        self.bytes = start..start + rest.find(self.is_separator).unwrap_or(rest.len());
        Some(&self.text[self.bytes.clone()])
    }

    fn number(&mut self, expected: impl FnOnce() -> String) -> Result<i64, TextError> {
        let Some(word) = self.word() else {
            return Err(self.error(TextFault::End { found: self.n_read, expected: expected() }));
        };
        self.n_read += 1;
        word.parse().map_err(|_| self.error(TextFault::Number { word: shortened(word) }))
    }

    fn size(&mut self, expected: &str) -> Result<usize, TextError> {
        let n = self.number(|| expected.to_owned())?;
        let size = usize::try_from(n).ok().filter(|size| (2..=MAX_SIZE).contains(size));
        size.ok_or_else(|| self.error(TextFault::Matrices(MatricesError::Size { n })))
    }

    fn end(&mut self, what: &'static str) -> Result<(), TextError> {
        match self.word() {
            Some(word) => Err(self.error(TextFault::Rest { word: shortened(word), what })),
            None => Ok(()),
        }
    }
}

/// What some editors put before a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

impl From<TextError> for InstanceError {
    fn from(error: TextError) -> Self {
        Self { bytes: Some(error.bytes.clone()), ..Self::new(error.to_string()) }
    }
}

/// A word for a message.
fn shortened(word: &str) -> String {
    const MAX_CHARACTERS: usize = 30;
    match word.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}...", &word[..end]),
        None => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_has_its_place() {
        let cases = [
            ("", 0..0, "the text ends after 0 numbers: expected the size and two matrices"),
            (" x", 1..2, "`x` is not a whole number"),
            ("1 0 0", 0..1, "a size of 1 is out of range: expected 2 to 8000"),
            ("-3", 0..2, "a size of -3 is out of range: expected 2 to 8000"),
            ("99999", 0..5, "a size of 99999 is out of range: expected 2 to 8000"),
            ("2\n0 1 1 0\n0 5 5", 14..15, "the text ends after 8 numbers: expected the size 2 and two matrices of 4"),
            ("2\n0 1 1 0\n0 5 5 0\n 7", 19..20, "`7` follows the last number of matrix B"),
            ("2\n0 1.5 1 0\n0 5 5 0", 4..7, "`1.5` is not a whole number"),
            ("2\n0 1 1 99999999999999999999\n0 5 5 0", 8..28, "`99999999999999999999` is not a whole number"),
            ("2\n0 1 9999999999999999 0\n0 5 5 0", 0..1, "the numbers are too large: a cost could be beyond 2^48"),
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
        assert_eq!(matrices.to_dat(), "2\n\n0 -1\n1 0\n\n0 5\n5 0\n");
        assert_eq!(read_dat(&matrices.to_dat()), Ok(matrices));
    }

    #[test]
    fn solutions_may_have_commas() {
        let solution = Solution { stated_cost: 578, permutation: vec![2, 0, 1] };
        assert_eq!(read_sln("  3 578\n 3,1,2\n").as_ref(), Ok(&solution));
        assert_eq!(read_sln("3  578\n3 1\n2").as_ref(), Ok(&solution));
        assert_eq!(read_sln("3 578\n2 0 1").as_ref(), Ok(&solution));
        let cases = [
            ("3 578 3 1", 8..9, "the text ends after 4 numbers: expected a permutation of 1 to 3"),
            ("3 578 3 1 4", 10..11, "4 is not in 1 to 3"),
            ("3 578 3 1 0", 6..7, "3 is not in 0 to 2"),
            ("3 578 3 1 3", 10..11, "3 is given twice"),
            ("3 578 3 1 2 1", 12..13, "`1` follows the last number of the permutation"),
            ("70000 1 1", 0..5, "a size of 70000 is out of range: expected 2 to 8000"),
        ];
        for (text, bytes, message) in cases {
            let error = read_sln(text).expect_err(text);
            assert_eq!((error.bytes.clone(), error.to_string().as_str()), (bytes, message), "{text:?}");
        }
    }
}
