//! What is wrong with the text of an instance: the piece of it, from which its place follows.

use std::str::FromStr;

use evogrid_core::family::InstanceError;

/// A piece of a text with what is wrong with it.
#[derive(Debug)]
pub(crate) struct Fault<'t> {
    pub(crate) piece: &'t str,
    pub(crate) error: Box<InstanceError>,
}

/// A fault of a piece, with what was expected; nothing, where the message says that.
pub(crate) fn fault(piece: &str, message: impl Into<String>, expected: impl Into<String>) -> Fault<'_> {
    let (error, expected) = (InstanceError::new(message), expected.into());
    wrong(piece, if expected.is_empty() { error } else { error.expecting(expected) })
}

/// The error that a piece is found to have.
pub(crate) fn wrong(piece: &str, error: InstanceError) -> Fault<'_> {
    Fault { piece, error: Box::new(error) }
}

impl Fault<'_> {
    /// The error of the text of which this is a piece. An empty piece has no place.
    pub(crate) fn in_text(self, text: &str) -> InstanceError {
        if self.piece.is_empty() { *self.error } else { self.error.at(text, self.piece) }
    }
}

/// The number that a word stands for, if it is a right one.
pub(crate) fn number<'t, N: FromStr>(
    word: &'t str,
    what: &str,
    expected: impl FnOnce() -> String,
    is_right: impl Fn(&N) -> bool,
) -> Result<N, Fault<'t>> {
    let number = word.parse().ok().filter(is_right);
    number.ok_or_else(|| fault(word, format!("`{word}` is not a {what}"), expected()))
}

/// Switches the first word of a piece in for it, where it has one.
pub(crate) fn first_word(piece: &str) -> &str {
    piece.split_whitespace().next().unwrap_or(piece)
}
