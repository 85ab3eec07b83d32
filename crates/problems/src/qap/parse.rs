//! QAPLIB's form of instances (`.dat`).

use evogrid_core::family::InstanceError;
use evogrid_core::memory::room;

use super::instance::{Matrices, check_size, refused};
use crate::text::{Fault, fault, wrong};

/// Reads an instance: `n`, then A, then B, all whole numbers between any white space.
///
/// # Errors
/// The first thing that is wrong, with its place; where the text ends too early, that of the last word.
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
    // Some editors put a byte order mark before a text.
    let mut words = text.trim_start_matches('\u{feff}').split_whitespace();
    let (mut last, mut n_read) = ("", 0);
    let mut next = |expected: &dyn Fn() -> String| {
        let Some(word) = words.next() else {
            let message = format!("the text ends after {n_read} numbers: expected {}", expected());
            return Err(fault(last, message, ""));
        };
        (last, n_read) = (word, n_read + 1);
        let number =
            word.parse::<i64>().map_err(|_| fault(word, format!("`{}` is not a whole number", shortened(word)), ""));
        Ok((word, number?))
    };
    let (size, n) = next(&|| "the size and two matrices".to_owned())?;
    let wrong = |error| wrong(size, error);
    let n = check_size(n).map_err(wrong)?;
    let expected = || format!("the size {n} and two matrices of {}", n * n);
    // A number takes a character and a blank at least: a short text is not given the room of a long one.
    let n_numbers = (n * n).min(text.len() / 2 + 1);
    let mut matrix = || {
        let mut entries = room(n_numbers).map_err(|_| wrong(refused(n, 0)))?;
        for _ in 0..n * n {
            entries.push(next(&expected)?.1);
        }
        Ok(entries)
    };
    let (a, b) = (matrix()?, matrix()?);
    match words.next() {
        Some(word) => {
            Err(fault(word, format!("unexpected `{}` after the last number of matrix B", shortened(word)), ""))
        }
        None => Matrices::new(n, a, b).map_err(wrong),
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
            ("", None, "the text ends after 0 numbers: expected the size and two matrices"),
            (" x", Some(1..2), "`x` is not a whole number"),
            ("1 0 0", Some(0..1), "a size of 1 is out of range: expected 2 to 8000"),
            ("-3", Some(0..2), "a size of -3 is out of range: expected 2 to 8000"),
            ("99999", Some(0..5), "a size of 99999 is out of range: expected 2 to 8000"),
            (
                "2\n0 1 1 0\n0 5 5",
                Some(14..15),
                "the text ends after 8 numbers: expected the size 2 and two matrices of 4",
            ),
            ("2\n0 1 1 0\n0 5 5 0\n 7", Some(19..20), "unexpected `7` after the last number of matrix B"),
            ("2\n0 1.5 1 0\n0 5 5 0", Some(4..7), "`1.5` is not a whole number"),
            ("2\n0 1 1 99999999999999999999\n0 5 5 0", Some(8..28), "`99999999999999999999` is not a whole number"),
            ("2\n0 1 9999999999999999 0\n0 5 5 0", Some(0..1), "the numbers are too large: a cost could exceed 2^48"),
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
        // A short text that promises eight thousand rows is not given the room of them.
        let error = read_dat("8000 1 2").expect_err("it ends early");
        assert_eq!(
            error.to_string(),
            "the text ends after 3 numbers: expected the size 8000 and two matrices of 64000000"
        );
    }
}
