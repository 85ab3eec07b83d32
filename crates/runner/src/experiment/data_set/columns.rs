//! The columns of a data set that have a meaning.

use evogrid_core::family::Family;
use evogrid_core::suggestion::{list, nearest_spelling};

use super::best_known::{BEST_KNOWN, BestKnownColumns, STATUS};
use super::source::Source;
use crate::experiment::diagnostic::{Diagnostic, Diagnostics};

/// The positions of the columns that this program uses.
pub(super) struct Columns {
    pub(super) id: Option<usize>,
    /// May be missing if every column belongs to the instance.
    pub(super) text: Option<usize>,
    pub(super) bucket: Option<usize>,
    /// The columns of options, and those that belong to the instance.
    pub(super) options: Vec<(String, usize)>,
    pub(super) best_known: Option<BestKnownColumns>,
}

/// Finds the columns. The column `id` may be required or optional.
pub(super) fn columns(
    source: &Source<'_>,
    headers: &csv::StringRecord,
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
    // Only beside a best known value is a status one of it.
    let with_best_known: &[&str] =
        if headers.iter().any(|name| name == BEST_KNOWN) { &[BEST_KNOWN, STATUS] } else { &[BEST_KNOWN] };
    let known: Vec<&str> = ["id", family.text_column(), "bucket"]
        .into_iter()
        .chain(with_best_known.iter().copied())
        .chain(family.options().iter().map(|option| option.name))
        .collect();
    let mut diagnostics = Diagnostics::new();
    let mut column = |name: &str, is_needed: bool| {
        let mut places = (0..headers.len()).filter(|&at| &headers[at] == name);
        let place = places.next();
        if let Some(second) = places.next() {
            diagnostics.push(source.header(
                Some(second),
                &format!("the column `{name}` appears twice"),
                "leave one out",
            ));
        }
        // A column may have any other name, but not one that is nearly this one: it would be passed over unnoticed.
        let meant = (0..headers.len()).find(|&at| {
            nearest_spelling(&headers[at], known.iter().copied()) == Some(name) && !known.contains(&&headers[at])
        });
        match (place, meant) {
            (None, Some(meant)) => {
                let message = format!("unknown column `{}`", &headers[meant]);
                diagnostics.push(source.header(Some(meant), &message, &format!("did you mean `{name}`?")));
            }
            (None, None) if is_needed => {
                let found: Vec<&str> = headers.iter().collect();
                let help = format!(
                    "expected {} in the first line; found {}",
                    expected,
                    list(&found).replace("` or `", "` and `")
                );
                diagnostics.push(source.header(None, &format!("the column `{name}` is missing"), &help));
            }
            _ => {}
        }
        place
    };
    let (id, text) = (column("id", is_id_needed), column(text, !family.takes_columns()));
    let bucket = column("bucket", false);
    let mut options: Vec<(String, usize)> = family
        .options()
        .iter()
        .filter_map(|option| Some((option.name.to_owned(), column(option.name, false)?)))
        .collect();
    let best_known = column(BEST_KNOWN, false);
    let status = best_known.and_then(|_| column(STATUS, false));
    let best_known = best_known.map(|value| BestKnownColumns { value, status });
    if family.takes_columns() {
        let own = headers.iter().enumerate().filter(|(_, name)| !known.contains(name));
        options.extend(own.map(|(at, name)| (name.to_owned(), at)));
    }
    let is_complete = (id.is_some() || !is_id_needed) && (text.is_some() || family.takes_columns());
    diagnostics.or(is_complete.then_some(Columns { id, text, bucket, options, best_known }))
}
