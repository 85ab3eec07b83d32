//! Published instances: tables of their seeds and best known values, and Taillard's generator of random numbers.

use std::fmt::Debug;
use std::str::FromStr;

use evogrid_core::family::BestKnown;

/// A published instance: one row of a table that the program contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    /// The id of the instance: the first field of the row.
    pub id: &'static str,
    columns: &'static str,
    row: &'static str,
}

impl Published {
    /// The instances of a table. The first line of a table names its columns.
    pub(crate) fn all(table: &'static str) -> impl Iterator<Item = Self> {
        let (columns, rows) =
            table.split_once('\n').expect("the table of published instances has a line of column names");
        rows.lines().map(move |row| Self {
            id: row.split(',').next().expect("each row of the table begins with an id"),
            columns,
            row,
        })
    }

    /// The ids of all instances of a table.
    pub(crate) fn ids(table: &'static str) -> Vec<String> {
        Self::all(table).map(|instance| instance.id.to_owned()).collect()
    }

    /// The instance of a table with this id.
    ///
    /// # Panics
    /// Panics if the table does not contain the id. Callers check ids first.
    pub(crate) fn find(table: &'static str, id: &str) -> Self {
        Self::all(table)
            .find(|instance| instance.id == id)
            .unwrap_or_else(|| panic!("the table of published instances does not contain the instance `{id}`"))
    }

    /// Returns the text in a column. If the value is unknown, the text is empty.
    ///
    /// # Panics
    /// Panics if the table has no such column.
    pub fn text(&self, column: &str) -> &'static str {
        let mut fields = self.columns.split(',').zip(self.row.split(','));
        fields
            .find(|(name, _)| *name == column)
            .unwrap_or_else(|| panic!("the table of published instances does not have the column `{column}`"))
            .1
    }

    /// Returns the number in a column.
    ///
    /// # Panics
    /// Panics if the table has no such column. Panics if the text in the column is not a number of this type.
    pub fn number<N: FromStr<Err: Debug>>(&self, column: &str) -> N {
        self.text(column).parse().expect("this field of the table contains a number")
    }

    /// The best known value in a column, if the value is known. If the table has a column `is_optimal`, this column tells whether the value
    /// is proven to be optimal.
    pub(crate) fn best_known(&self, column: &str) -> Option<BestKnown> {
        let is_optimal = self.columns.ends_with("is_optimal") && self.text("is_optimal") == "true";
        (!self.text(column).is_empty()).then(|| BestKnown::new(self.number(column), is_optimal))
    }
}

/// The modulus of [Taillard's generator](Lehmer), 2^31 - 1. Seeds are numbers from 1 to 2^31 - 2.
pub(crate) const MODULUS: u64 = (1 << 31) - 1;

/// Lehmer's generator with the multiplier 16807 (Bratley, Fox and Schrage, "A guide to simulation", 1983), which Taillard uses ("Benchmarks
/// for basic scheduling problems", European Journal of Operational Research 64, 1993, 278-285).
pub(crate) struct Lehmer {
    state: u64,
}

impl Lehmer {
    /// Creates the generator with a seed.
    ///
    /// # Panics
    /// Panics if the seed is 0 or not below the modulus. If the seed were 0, all drawn numbers would be 0.
    pub(crate) fn new(seed: u64) -> Self {
        assert!((1..MODULUS).contains(&seed), "the seed is at least 1 and at most 2^31 - 2");
        Self { state: seed }
    }

    /// Draws a whole number below a limit. Taillard divides doubles instead, which gives the same numbers on the published instances.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.state = self.state * 16_807 % MODULUS;
        self.state * limit / MODULUS
    }
}

/// A seed that is derived from all parts of an instance's name: a stable hash (BLAKE3) of the numbers and of a final text. Only the text
/// has a variable length, so different lists of parts have different encodings.
pub(crate) fn derived_seed(context: &str, numbers: &[u64], text: &str) -> u64 {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    for number in numbers {
        hasher.update(&number.to_le_bytes());
    }
    let hash = hasher.update(text.as_bytes()).finalize();
    u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("eight bytes"))
}
