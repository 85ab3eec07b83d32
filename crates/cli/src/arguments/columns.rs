//! The headers of the columns in a CSV of another program, from an option or from a file beside the CSV.

use std::path::Path;

use anyhow::{Result, ensure};
use clap::Args;
use evogrid_results::files::is_regular;
use evogrid_results::format::printable;
use evogrid_results::runs::{ColumnName, column_named};
use evogrid_runner::experiment::diagnostic::Diagnostics;
use evogrid_runner::experiment::document::Document;

use crate::usage_error::UsageError;

/// The headers of the columns of a file.
#[derive(Debug, Args)]
pub struct ColumnOptions {
    /// Header of a column in a CSV of another program: with `algorithm=Method`, the column `Method` is read as the column `algorithm` of
    /// runs.csv. May be given several times. A file `FILE.columns.toml` beside `FILE.csv` has the same effect; it contains a line such as
    /// `algorithm = "Method"` for each column
    #[arg(long = "column", value_name = "NAME=HEADER")]
    columns: Vec<String>,
}

impl ColumnOptions {
    /// Returns the headers of this file. An option takes precedence over a line of the file `FILE.columns.toml`. A results folder has no
    /// such file of headers.
    ///
    /// # Errors
    /// Returns an error if an option or a line of `FILE.columns.toml` is invalid.
    pub fn names(&self, results: &Path) -> Result<Vec<ColumnName>> {
        let mut names: Vec<ColumnName> = Vec::new();
        for option in &self.columns {
            let refused =
                |expected: String| UsageError(format!("`--column {option}` does not name a column\n  {expected}"));
            let example = || refused("expected `--column NAME=HEADER`, for example `--column algorithm=Method`".into());
            let (column, header) = option.split_once('=').ok_or_else(example)?;
            let column = column_named(column.trim()).map_err(refused)?;
            let is_given = names.iter().any(|name| name.column == column);
            ensure!(!is_given, UsageError(format!("`--column {column}=...` is given twice\n  expected one header")));
            names.push(ColumnName { column, header: header.trim().to_owned(), origin: "`--column`".to_owned() });
        }
        let beside = results.with_extension("columns.toml");
        if !results.is_dir() && beside != results && is_regular(&beside)? {
            let given: Vec<&str> = names.iter().map(|name| name.column).collect();
            names.extend(read(&beside)?.into_iter().filter(|listed| !given.contains(&listed.column)));
        }
        Ok(names)
    }
}

/// Reads the headers in a file `NAME.columns.toml`.
fn read(path: &Path) -> Result<Vec<ColumnName>, Diagnostics> {
    let document = Document::read(path)?;
    let origin = format!("`{}`", printable(&path.to_string_lossy()));
    let (mut names, mut faults) = (Vec::new(), Diagnostics::new());
    for entry in &document.root.entries {
        match (column_named(&entry.key), entry.node.text()) {
            (Ok(column), Some(header)) => {
                names.push(ColumnName { column, header: header.trim().to_owned(), origin: origin.clone() });
            }
            (Ok(column), None) => {
                let message = format!("`{column}` is {}, not a header", entry.node.value.type_name());
                let help = format!("expected the header in quotes: `{column} = \"Header\"`");
                faults.push(document.diagnostic(&entry.node.span, message, help));
            }
            (Err(expected), _) => {
                let message = format!("`{}` is not a column", entry.key);
                faults.push(document.diagnostic(&entry.key_span, message, expected));
            }
        }
    }
    if faults.is_empty() { Ok(names) } else { Err(faults) }
}
