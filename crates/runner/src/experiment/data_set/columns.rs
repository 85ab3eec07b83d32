//! The columns of CSV files that have a meaning.

use csv::StringRecord;
use evogrid_core::family::{BestKnown, BestKnownStatus, Direction, Family};
use evogrid_core::suggestion::{list, nearest_spelling, one_of};

use super::source::{RowFault, Source};
use crate::experiment::diagnostic::{Diagnostic, Diagnostics};

/// The column of best known values.
pub(crate) const BEST_KNOWN: &str = "best_known";

/// The column that says whether a best known value is proven optimal. Without this column, no value counts as proven.
pub(crate) const STATUS: &str = "status";

/// The positions of the columns that this program uses.
pub(super) struct Columns {
    pub(super) id: Option<usize>,
    /// The text column. The text column may be missing if every column belongs to the instance.
    pub(super) text: Option<usize>,
    pub(super) bucket: Option<usize>,
    /// The columns of options, and the columns that belong to the instance.
    pub(super) options: Vec<(String, usize)>,
    pub(super) best_known: Option<BestKnownColumns>,
}

/// The positions of the columns of best known values.
#[derive(Clone, Copy)]
pub(crate) struct BestKnownColumns {
    pub(crate) value: usize,
    pub(crate) status: Option<usize>,
}

impl BestKnownColumns {
    /// The best known value of a row; `None` if the field is empty. The caller sets the direction.
    pub(crate) fn read(self, record: &StringRecord) -> Result<Option<BestKnown>, RowFault> {
        let text = &record[self.value];
        if text.is_empty() {
            return Ok(None);
        }
        let value = text.parse().ok().filter(|value: &f64| value.is_finite());
        let wrong =
            || RowFault::new(Some(self.value), format!("`{text}` is not a best known value"), "expected a number");
        let status = self.status.map_or("", |column| &record[column]);
        let unknown =
            || RowFault::new(self.status, format!("unknown status `{status}`"), one_of(status, BestKnownStatus::NAMES));
        Ok(Some(BestKnown {
            value: value.ok_or_else(wrong)?,
            status: match status {
                "" => BestKnownStatus::Best,
                name => BestKnownStatus::named(name).ok_or_else(unknown)?,
            },
            direction: Direction::Minimise,
        }))
    }
}

/// Finds the columns. The column `id` may be required or optional.
pub(super) fn columns(
    source: &Source<'_>,
    headers: &StringRecord,
    family: &dyn Family,
    is_id_needed: bool,
) -> Result<Columns, Diagnostics> {
    let text = family.text_column();
    let expected = if family.takes_columns() {
        format!("`id`, and optionally `{text}`, `bucket` and columns of your own")
    } else if is_id_needed {
        format!("`id`, `{text}` and optionally `bucket`")
    } else {
        format!("`{text}` and optionally `id` and `bucket`")
    };
    if source.text.trim().is_empty() {
        let help = format!("expected the columns {expected}");
        return Err(Diagnostic::general(format!("{} is empty", source.name), help).into());
    }
    // The column `status` has a meaning only beside a column of best known values.
    let has_best_known = headers.iter().any(|name| name == BEST_KNOWN);
    let options = family.options().iter().map(|option| option.name);
    let status = has_best_known.then_some(STATUS);
    let known: Vec<&str> = ["id", text, "bucket", BEST_KNOWN].into_iter().chain(status).chain(options).collect();
    let mut diagnostics = Diagnostics::new();
    let mut column = |name: &str, is_needed: bool| {
        let mut places = (0..headers.len()).filter(|&at| &headers[at] == name);
        let place = places.next();
        if let Some(second) = places.next() {
            let message = format!("the column `{name}` appears twice");
            diagnostics.push(source.header(Some(second), &message, "remove one of the two columns"));
        }
        // A column may have any other name. But a name that is nearly this one is probably misspelt, and would be ignored without notice.
        let meant = (0..headers.len()).find(|&at| {
            nearest_spelling(&headers[at], known.iter().copied()) == Some(name) && !known.contains(&&headers[at])
        });
        match (place, meant) {
            (None, Some(meant)) => {
                let message = format!("unknown column `{}`", &headers[meant]);
                diagnostics.push(source.header(Some(meant), &message, &format!("did you mean `{name}`?")));
            }
            (None, None) if is_needed => {
                let found = list(&headers.iter().collect::<Vec<_>>()).replace("` or `", "` and `");
                let help = format!("expected {expected} in the first line; found {found}");
                diagnostics.push(source.header(None, &format!("the column `{name}` is missing"), &help));
            }
            _ => {}
        }
        place
    };
    let (id, text) = (column("id", is_id_needed), column(text, !family.takes_columns()));
    let bucket = column("bucket", false);
    let of_family = family.options().iter();
    let mut options: Vec<(String, usize)> =
        of_family.filter_map(|option| Some((option.name.to_owned(), column(option.name, false)?))).collect();
    let best_known = column(BEST_KNOWN, false).map(|value| BestKnownColumns { value, status: column(STATUS, false) });
    if family.takes_columns() {
        let own = headers.iter().enumerate().filter(|(_, name)| !known.contains(name));
        options.extend(own.map(|(at, name)| (name.to_owned(), at)));
    }
    let is_complete = (id.is_some() || !is_id_needed) && (text.is_some() || family.takes_columns());
    diagnostics.or(is_complete.then_some(Columns { id, text, bucket, options, best_known }))
}
