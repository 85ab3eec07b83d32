//! What is wrong with the text of an instance: the piece of it, from which its place follows.

use std::str::FromStr;

use evogrid_core::family::InstanceError;

/// A faulty piece of a text, and what is wrong with it.
#[derive(Debug)]
pub(crate) struct Fault<'t> {
    pub(crate) piece: &'t str,
    pub(crate) error: Box<InstanceError>,
}

/// A fault of a piece, with what was expected; empty if the message contains it.
pub(crate) fn fault(piece: &str, message: impl Into<String>, expected: impl Into<String>) -> Fault<'_> {
    let (error, expected) = (InstanceError::new(message), expected.into());
    wrong(piece, if expected.is_empty() { error } else { error.expecting(expected) })
}

/// The error for a faulty piece.
pub(crate) fn wrong(piece: &str, error: InstanceError) -> Fault<'_> {
    Fault { piece, error: Box::new(error) }
}

impl Fault<'_> {
    /// The error with its place in the text that contains the piece. An empty piece has no place.
    pub(crate) fn in_text(self, text: &str) -> InstanceError {
        if self.piece.is_empty() { *self.error } else { self.error.at(text, self.piece) }
    }
}

/// Parses a word as a number, if the number is valid.
pub(crate) fn number<'t, N: FromStr>(
    word: &'t str,
    what: &str,
    expected: impl FnOnce() -> String,
    is_right: impl Fn(&N) -> bool,
) -> Result<N, Fault<'t>> {
    let number = word.parse().ok().filter(is_right);
    number.ok_or_else(|| fault(word, format!("`{word}` is not a {what}"), expected()))
}

/// Replaces a piece by its first word, if it has one.
pub(crate) fn first_word(piece: &str) -> &str {
    piece.split_whitespace().next().unwrap_or(piece)
}
