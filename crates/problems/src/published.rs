//! Tables of published instances: a line each, after one that names the columns.

use std::fmt::Debug;
use std::str::FromStr;

/// The fields of the rows of a table.
///
/// # Panics
/// If a row has another number of fields.
pub(crate) fn rows<const N: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    table.lines().skip(1).map(|line| Vec::from_iter(line.split(',')).try_into().expect("a row has all fields"))
}

/// A number in a field.
///
/// # Panics
/// If it is none.
pub(crate) fn number<N: FromStr<Err: Debug>>(field: &str) -> N {
    field.parse().expect("the field is a number")
}
