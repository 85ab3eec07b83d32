//! The numbers in files of cities: how many there may be, and what a coordinate and a weight can be.

use super::weights::{MAX_COORDINATE, MAX_WEIGHT};
use crate::text::{Fault, number};

/// The fewest cities of a tour.
pub(crate) const MIN_CITIES: usize = 3;

/// The most cities: a gene has no more positions.
pub(crate) const MAX_CITIES: usize = 65_535;

/// A coordinate: any way to write a number that is not too large.
pub(super) fn coordinate(word: &str) -> Result<f64, Fault<'_>> {
    let expected = || format!("a number from -{MAX_COORDINATE} to {MAX_COORDINATE}");
    let coordinate = number(word, "coordinate", expected, |number: &f64| number.abs() <= MAX_COORDINATE)?;
    // Adding zero turns -0 into 0.
    Ok(coordinate + 0.0)
}

/// A weight in a matrix.
pub(super) fn weight(word: &str) -> Result<i32, Fault<'_>> {
    let expected = || format!("a whole number from -{MAX_WEIGHT} to {MAX_WEIGHT}");
    number(word, "weight", expected, |weight| (-MAX_WEIGHT..=MAX_WEIGHT).contains(weight))
}
