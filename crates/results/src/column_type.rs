//! The types of the values of a column: in the metadata of CSVs, and in Parquet files.

use crate::columns::Value;

evogrid_core::choices! {
    /// The type of the values of a column. The names are those of "CSV on the Web".
    #[non_exhaustive]
    pub enum ColumnType {
        /// Whole numbers of 64 bits, with a sign.
        Whole = "integer",
        /// Numbers.
        Real = "double",
        /// Truth values.
        Truth = "boolean",
        /// Text.
        Text = "string",
    }
}

impl ColumnType {
    /// The type of a value given as text.
    pub(crate) fn infer(text: &str) -> Self {
        if text.parse().is_ok_and(|whole: i64| whole.to_string() == text) {
            return Self::Whole;
        }
        match text {
            "true" | "false" => Self::Truth,
            _ if text.ends_with(|last: char| last.is_ascii_digit()) && text.parse().is_ok_and(f64::is_finite) => {
                Self::Real
            }
            _ => Self::Text,
        }
    }

    /// The type that holds values of both types.
    ///
    /// ```
    /// use evogrid_results::metadata::ColumnType;
    ///
    /// assert_eq!(ColumnType::Whole.with(ColumnType::Real), ColumnType::Real);
    /// assert_eq!(ColumnType::Truth.with(ColumnType::Whole), ColumnType::Text);
    /// ```
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        match (self, other) {
            (own, other) if own == other => own,
            (Self::Whole | Self::Real, Self::Whole | Self::Real) => Self::Real,
            _ => Self::Text,
        }
    }
}

impl From<Value<'_>> for ColumnType {
    fn from(value: Value<'_>) -> Self {
        match value {
            Value::Count(_) => Self::Whole,
            Value::Real(_) | Value::Time(_) => Self::Real,
            Value::Truth(_) => Self::Truth,
            Value::Text(_) | Value::Id(_) => Self::Text,
        }
    }
}
