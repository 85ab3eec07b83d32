//! Headers of files of other programs: which of them stands for which column.

use std::io::Read;

use evogrid_core::suggestion::{nearest, nearest_spelling};

use crate::columns::COLUMNS;
use crate::format::quoted;
use crate::sheet::{ReadError, Sheet};

/// The header that a column has in a file.
///
/// ```
/// use evogrid_results::runs::{ColumnName, Reader, column_named};
///
/// let column = column_named("algorithm")?;
/// let name = ColumnName { column, header: "Method".into(), origin: "`--column`" };
/// let text = "Method;Instance;Objective\nga;easy-01;0,5\n";
/// let mut reader = Reader::new_named("other.csv", text.as_bytes(), &[name])?;
/// let row = reader.next().expect("a row")?;
/// assert_eq!((row.key.algorithm.as_str(), row.outcome.objective), ("ga", Some(0.5)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnName {
    /// The column of `runs.csv`.
    pub column: &'static str,
    /// Its header in the file.
    pub header: String,
    /// What says so, for messages.
    pub origin: &'static str,
}

/// The column of `runs.csv` with this name.
///
/// # Errors
/// What was expected, with the nearest name.
pub fn column_named(name: &str) -> Result<&'static str, String> {
    let names = || COLUMNS.iter().map(|column| column.name);
    names().find(|column| *column == name).ok_or_else(|| match nearest(name, names()) {
        Some(near) => format!("expected a column of runs.csv; did you mean `{near}`?"),
        None => {
            let names: Vec<String> = names().map(|name| format!("`{name}`")).collect();
            format!("expected a column of runs.csv: {}", names.join(", "))
        }
    })
}

/// Whether a header is a column, so that what separates it from the next one separates columns.
pub(super) fn is_known(header: &str, names: &[ColumnName]) -> bool {
    names.iter().any(|name| name.header == header) || COLUMNS.iter().any(|column| folded(column.name) == folded(header))
}

/// Finds the columns that have another name in the file: by `names`, or if their only header differs in case, spaces, `-` and `_`. Returns
/// a sentence on what was recognised without being named.
pub(super) fn resolve<R: Read>(sheet: &mut Sheet<R>, names: &[ColumnName]) -> Result<Option<String>, ReadError> {
    for ColumnName { column, header, origin } in names {
        let Some(at) = sheet.columns().iter().position(|name| name == header) else {
            let near = nearest_spelling(header, sheet.columns().iter().map(String::as_str));
            return Err(ReadError::MissingHeader {
                file: sheet.file().to_owned(),
                header: quoted(header),
                column,
                origin,
                found: sheet.named(),
                help: near.map(|near| format!("; did you mean `{}`?", quoted(near))).unwrap_or_default(),
            });
        };
        sheet.alias(column, at);
    }
    let mut recognised = Vec::new();
    for column in COLUMNS.iter().map(|column| column.name).filter(|name| !names.iter().any(|own| own.column == *name)) {
        let is_it = |header: &String| folded(header) == folded(column) && !names.iter().any(|own| own.header == *header);
        let mut alike = sheet.columns().iter().enumerate().filter(|(_, header)| is_it(header));
        let (first, is_only) = (alike.next(), alike.next().is_none());
        if let Some((at, header)) = first.filter(|(_, header)| is_only && *header != column) {
            recognised.push(format!("`{}` is `{column}`", quoted(header)));
            sheet.alias(column, at);
        }
    }
    match sheet.separator() {
        b';' => recognised.insert(0, "semicolons separate the columns, and numbers may have decimal commas".to_owned()),
        b'\t' => recognised.insert(0, "tabs separate the columns, and numbers may have decimal commas".to_owned()),
        _ => {}
    }
    Ok((!recognised.is_empty()).then(|| recognised.join("; ")))
}

/// The place of the first of these columns that the file has.
pub(super) fn require<R: Read>(sheet: &Sheet<R>, columns: &[&'static str]) -> Result<usize, ReadError> {
    columns.iter().find_map(|column| sheet.find(column)).ok_or_else(|| {
        let suggested = suggested(sheet, columns).map(|option| format!("; did you mean `{option}`?"));
        ReadError::MissingColumn {
            file: sheet.file().to_owned(),
            column: columns[0],
            found: sheet.named(),
            help: suggested.unwrap_or_else(|| format!("; `--column {}=HEADER` names it", columns[0])),
        }
    })
}

/// The option that names the header nearest to one of these columns.
pub(super) fn suggested<R: Read>(sheet: &Sheet<R>, columns: &[&'static str]) -> Option<String> {
    // Not a header that is another column by itself.
    let is_free = |header: &&String| !COLUMNS.iter().any(|column| column.name == *header);
    columns.iter().find_map(|column| {
        let header = sheet.columns().iter().filter(is_free).find(|header| nearest(header, [*column]).is_some())?;
        let (header, is_word) = (quoted(header), header.chars().all(|letter| letter.is_alphanumeric() || "-_.".contains(letter)));
        Some(if is_word { format!("--column {column}={header}") } else { format!("--column '{column}={header}'") })
    })
}

/// A name without what people and programs vary.
fn folded(name: &str) -> String {
    name.chars().filter(|letter| !" -_".contains(*letter)).flat_map(char::to_lowercase).collect()
}
