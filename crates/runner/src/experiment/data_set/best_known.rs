//! Best known values in the rows of a CSV file.

use evogrid_core::family::{BestKnown, BestKnownStatus, Direction};
use evogrid_core::suggestion::one_of;

/// The column of best known values.
pub(crate) const BEST_KNOWN: &str = "best_known";

/// The column that says whether a best known value is proven optimal; without it, values are not proven.
pub(crate) const STATUS: &str = "status";

/// The positions of the columns of best known values.
#[derive(Clone, Copy)]
pub(crate) struct BestKnownColumns {
    pub(crate) value: usize,
    pub(crate) status: Option<usize>,
}

/// The error for a wrong field.
pub(crate) struct WrongField {
    pub(crate) column: usize,
    pub(crate) message: String,
    pub(crate) help: String,
}

impl BestKnownColumns {
    /// The best known value of a row, as one that is minimised; `None` if the field is empty.
    pub(crate) fn read(self, record: &csv::StringRecord) -> Result<Option<BestKnown>, WrongField> {
        let text = &record[self.value];
        if text.is_empty() {
            return Ok(None);
        }
        let value = text.parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(|| WrongField {
            column: self.value,
            message: format!("`{text}` is not a best known value"),
            help: "expected a number".to_owned(),
        })?;
        let status = match self.status.map(|column| (column, &record[column])).filter(|(_, name)| !name.is_empty()) {
            None => BestKnownStatus::Best,
            Some((column, name)) => BestKnownStatus::named(name).ok_or_else(|| WrongField {
                column,
                message: format!("unknown status `{name}`"),
                help: one_of(name, BestKnownStatus::NAMES),
            })?,
        };
        Ok(Some(BestKnown { value, status, direction: Direction::Minimise }))
    }
}
