//! The numbers in files of cities: how many there may be, and what a coordinate and a weight can be.

use super::forms::document::{TextError, Word};
use super::weights::{MAX_COORDINATE, MAX_WEIGHT};

/// The fewest cities of a tour.
pub const MIN_CITIES: usize = 3;

/// The most cities: a gene has no more positions.
pub const MAX_CITIES: usize = 65_535;

/// A coordinate: any way to write a number that is not too large.
pub(super) fn coordinate(word: Word<'_>) -> Result<f64, TextError> {
    let number = word.text.parse::<f64>().ok().filter(|number| number.abs() <= MAX_COORDINATE);
    // Adding zero turns -0 into 0.
    number.map(|number| number + 0.0).ok_or_else(|| {
        word.error(
            format!("`{}` is not a coordinate", word.text),
            format!("a number from -{MAX_COORDINATE} to {MAX_COORDINATE}"),
        )
    })
}

/// A weight in a matrix.
pub(super) fn weight(word: Word<'_>) -> Result<i32, TextError> {
    let weight = word.text.parse().ok().filter(|weight| (-MAX_WEIGHT..=MAX_WEIGHT).contains(weight));
    weight.ok_or_else(|| {
        let expected = format!("a whole number from -{MAX_WEIGHT} to {MAX_WEIGHT}");
        word.error(format!("`{}` is not a weight", word.text), expected)
    })
}
