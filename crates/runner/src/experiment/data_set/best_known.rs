//! Best known values in the rows of a CSV file.

use evogrid_core::family::{BestKnown, BestKnownStatus};
use evogrid_core::suggestion::one_of;

/// The column of best known values.
pub(crate) const BEST_KNOWN: &str = "best_known";

/// The column that says whether a best known value can be beaten; without it, it can.
pub(crate) const STATUS: &str = "status";

/// Where the columns of best known values stand.
#[derive(Clone, Copy)]
pub(crate) struct BestKnownColumns {
    pub(crate) value: usize,
    pub(crate) status: Option<usize>,
}

/// What is wrong with a field.
pub(crate) struct WrongField {
    pub(crate) column: usize,
    pub(crate) message: String,
    pub(crate) help: String,
}

impl BestKnownColumns {
    /// The best known value of a row; none where the field is empty.
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
            Some((column, name)) => BestKnownStatus::find(name).ok_or_else(|| WrongField {
                column,
                message: format!("unknown status `{name}`"),
                help: one_of(name, &BestKnownStatus::NAMES.map(|(name, _)| name)),
            })?,
        };
        Ok(Some(BestKnown { value, status }))
    }
}
