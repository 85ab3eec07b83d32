//! Faults in the text of an instance. The faulty piece of the text determines the place of the error.

use std::str::FromStr;

use evogrid_core::family::InstanceError;

/// A faulty piece of a text, with its error.
#[derive(Debug)]
pub(crate) struct Fault<'t> {
    pub(crate) piece: &'t str,
    pub(crate) error: Box<InstanceError>,
}

/// Creates a fault of a piece. The text `expected` is empty if the message already contains it.
pub(crate) fn fault(piece: &str, message: impl Into<String>, expected: impl Into<String>) -> Fault<'_> {
    let (error, expected) = (InstanceError::new(message), expected.into());
    wrong(piece, if expected.is_empty() { error } else { error.expecting(expected) })
}

/// Creates a fault of a piece from an error.
pub(crate) fn wrong(piece: &str, error: InstanceError) -> Fault<'_> {
    Fault { piece, error: Box::new(error) }
}

impl Fault<'_> {
    /// The error with the place of the piece in the text. An empty piece has no place.
    pub(crate) fn in_text(self, text: &str) -> InstanceError {
        if self.piece.is_empty() { *self.error } else { self.error.at(text, self.piece) }
    }
}

/// Parses a word as a number and checks the number. Messages call such a number `what`.
pub(crate) fn number<'t, N: FromStr>(
    word: &'t str,
    what: &str,
    expected: impl FnOnce() -> String,
    is_valid: impl Fn(&N) -> bool,
) -> Result<N, Fault<'t>> {
    let number = word.parse().ok().filter(is_valid);
    // A word may be long, because any file can be read.
    let shown: String = word.chars().take(30).collect();
    number.ok_or_else(|| fault(word, format!("`{shown}` is not a {what}"), expected()))
}

/// The first word of a piece, or the piece itself if it is blank.
pub(crate) fn first_word(piece: &str) -> &str {
    piece.split_whitespace().next().unwrap_or(piece)
}
