//! QAPLIB's forms: instances (`.dat`), solutions (`.sln`) and permutations.

use evogrid_core::layout::Allele;

use super::instance::{MAX_SIZE, Matrices, MatricesError};

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct TextError {
    /// Its line, counted from 1.
    pub line: usize,
    /// Its column in characters, counted from 1.
    pub column: usize,
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
    /// A word is no whole number of 64 bits.
    #[error("`{word}` is no whole number")]
    Number {
        /// The word, shortened.
        word: String,
    },
    /// Something stands behind the last number.
    #[error("`{word}` stands behind the last number of {what}")]
    Rest {
        /// The word, shortened.
        word: String,
        /// What was complete before it.
        what: &'static str,
    },
    /// The numbers are no instance.
    #[error(transparent)]
    Matrices(#[from] MatricesError),
    /// A permutation has a number that is not in 1 to `n`.
    #[error("{number} is not in 1 to {n}")]
    Range {
        /// The number.
        number: i64,
        /// The size.
        n: usize,
    },
    /// A permutation has a number twice.
    #[error("{number} stands there twice")]
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
/// The first thing that is wrong, with its line and column.
///
/// ```
/// use evogrid_problems::qap::read_dat;
///
/// let matrices = read_dat("2\n\n0 1\n1 0\n\n0 5\n5 0\n").unwrap();
/// assert_eq!(matrices.b(), [0, 5, 5, 0]);
/// let error = read_dat("2\n0 1\n1 x\n0 5 5 0").unwrap_err();
/// assert_eq!((error.line, error.column, error.to_string().as_str()), (3, 3, "`x` is no whole number"));
/// ```
pub fn read_dat(text: &str) -> Result<Matrices, TextError> {
    let mut words = Words::new(text, char::is_whitespace);
    let n = words.number(|| "the size and two matrices".to_owned())?;
    let at_size = words.place;
    let size = usize::try_from(n).unwrap_or(0);
    let refused = |error| at_size.error(TextFault::Matrices(error));
    if !(2..=MAX_SIZE).contains(&size) {
        return Err(refused(MatricesError::Size { n: size }));
    }
    let mut matrix = || {
        let expected = || format!("the size {size} and two matrices of {}", size * size);
        (0..size * size).map(|_| words.number(expected)).collect::<Result<Vec<i64>, _>>()
    };
    let (a, b) = (matrix()?, matrix()?);
    words.end("matrix B")?;
    Matrices::new(size, a, b).map_err(refused)
}

/// Reads a solution: `n`, its cost, and a permutation of 1 to `n`, between white space or commas.
///
/// # Errors
/// The first thing that is wrong, with its line and column.
pub fn read_sln(text: &str) -> Result<Solution, TextError> {
    let mut words = Words::new(text, |c| c.is_whitespace() || c == ',');
    let expected = || "the size, the cost and a permutation".to_owned();
    let n = words.number(expected)?;
    let size = usize::try_from(n).unwrap_or(0);
    if !(2..=MAX_SIZE).contains(&size) {
        return Err(words.place.error(TextFault::Matrices(MatricesError::Size { n: size })));
    }
    let stated_cost = words.number(expected)?;
    Ok(Solution { stated_cost, permutation: permutation(&mut words, size)? })
}

/// Reads a permutation of 1 to `n`, between white space or commas; its numbers are counted from 0 in what is returned.
///
/// # Errors
/// The first thing that is wrong, with its line and column.
pub fn read_permutation(text: &str, n: usize) -> Result<Vec<Allele>, TextError> {
    permutation(&mut Words::new(text, |c| c.is_whitespace() || c == ','), n)
}

fn permutation<F: Fn(char) -> bool>(words: &mut Words<'_, F>, n: usize) -> Result<Vec<Allele>, TextError> {
    let mut is_there = vec![false; n];
    let mut permutation = Vec::with_capacity(n);
    for _ in 0..n {
        let number = words.number(|| format!("a permutation of 1 to {n}"))?;
        let fault = match usize::try_from(number) {
            Ok(rank) if (1..=n).contains(&rank) => {
                permutation.push((rank - 1) as Allele);
                std::mem::replace(&mut is_there[rank - 1], true).then_some(TextFault::Twice { number })
            }
            _ => Some(TextFault::Range { number, n }),
        };
        if let Some(fault) = fault {
            return Err(words.place.error(fault));
        }
    }
    words.end("the permutation")?;
    Ok(permutation)
}

/// A place in a text: line and column, counted from 1.
#[derive(Clone, Copy)]
struct Place {
    line: usize,
    column: usize,
}

impl Place {
    fn error(self, fault: TextFault) -> TextError {
        TextError { line: self.line, column: self.column, fault }
    }
}

/// The words of a text between separators.
struct Words<'t, F> {
    rest: std::str::Chars<'t>,
    is_separator: F,
    /// Where the last word began; the end of the text once there are no more.
    place: Place,
    next: Place,
    read: usize,
}

impl<'t, F: Fn(char) -> bool> Words<'t, F> {
    fn new(text: &'t str, is_separator: F) -> Self {
        let start = Place { line: 1, column: 1 };
        Self {
            rest: text.strip_prefix('\u{feff}').unwrap_or(text).chars(),
            is_separator,
            place: start,
            next: start,
            read: 0,
        }
    }

    fn word(&mut self) -> Option<&'t str> {
        let mut start = self.rest.as_str();
        self.place = self.next;
        let mut len = 0;
        for c in self.rest.by_ref() {
            let is_separator = (self.is_separator)(c);
            if c == '\n' {
                self.next = Place { line: self.next.line + 1, column: 1 };
            } else {
                self.next.column += 1;
            }
            if !is_separator {
                len += c.len_utf8();
            } else if len > 0 {
                break;
            } else {
                start = &start[c.len_utf8()..];
                self.place = self.next;
            }
        }
        (len > 0).then(|| &start[..len])
    }

    fn number(&mut self, expected: impl FnOnce() -> String) -> Result<i64, TextError> {
        let Some(word) = self.word() else {
            return Err(self.place.error(TextFault::End { found: self.read, expected: expected() }));
        };
        self.read += 1;
        word.parse().map_err(|_| self.place.error(TextFault::Number { word: shortened(word) }))
    }

    fn end(&mut self, what: &'static str) -> Result<(), TextError> {
        match self.word() {
            Some(word) => Err(self.place.error(TextFault::Rest { word: shortened(word), what })),
            None => Ok(()),
        }
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
            ("", 1, 1, "the text ends after 0 numbers: expected the size and two matrices"),
            (" x", 1, 2, "`x` is no whole number"),
            ("1 0 0", 1, 1, "a size of 1 cannot be: expected 2 to 8000"),
            ("-3", 1, 1, "a size of 0 cannot be: expected 2 to 8000"),
            ("99999", 1, 1, "a size of 99999 cannot be: expected 2 to 8000"),
            ("2\n0 1 1 0\n0 5 5", 3, 6, "the text ends after 8 numbers: expected the size 2 and two matrices of 4"),
            ("2\n0 1 1 0\n0 5 5 0\n 7", 4, 2, "`7` stands behind the last number of matrix B"),
            ("2\n0 1.5 1 0\n0 5 5 0", 2, 3, "`1.5` is no whole number"),
            ("2\n0 1 1 99999999999999999999\n0 5 5 0", 2, 7, "`99999999999999999999` is no whole number"),
            ("2\n0 1 9999999999999999 0\n0 5 5 0", 1, 1, "the numbers are too large: a cost could be beyond 2^48"),
        ];
        for (text, line, column, message) in cases {
            let error = read_dat(text).expect_err(text);
            assert_eq!((error.line, error.column, error.to_string().as_str()), (line, column, message), "{text:?}");
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
        let cases = [
            ("3 578 3 1", 10, "the text ends after 4 numbers: expected a permutation of 1 to 3"),
            ("3 578 3 1 4", 11, "4 is not in 1 to 3"),
            ("3 578 3 1 0", 11, "0 is not in 1 to 3"),
            ("3 578 3 1 3", 11, "3 stands there twice"),
            ("3 578 3 1 2 1", 13, "`1` stands behind the last number of the permutation"),
            ("70000 1 1", 1, "a size of 70000 cannot be: expected 2 to 8000"),
        ];
        for (text, column, message) in cases {
            let error = read_sln(text).expect_err(text);
            assert_eq!((error.column, error.to_string().as_str()), (column, message), "{text:?}");
        }
    }
}
