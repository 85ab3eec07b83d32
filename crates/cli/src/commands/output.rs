//! Standard output: what a command prints.

use std::borrow::Cow;
use std::io::{self, Write};

use anyhow::{Result, ensure};

use crate::arguments::Format;
use crate::usage_error::UsageError;
use evogrid_runner::engine::progress::line;
use evogrid_runner::experiment::diagnostic::printable;
use evogrid_runner::system::terminal::{fitted, output_width};

/// Writes text for people to standard output; it is made [printable] and fitted to the width of a terminal.
pub(super) fn print(text: &str) -> io::Result<()> {
    print_as_it_is(&fitted(&printable(text), output_width()))
}

/// Writes a table in the given format; a CSV without [formulas](without_formulas), if requested.
pub(super) fn print_table(text: &str, format: Format, is_safe: bool) -> Result<()> {
    let message = "`--safe-csv` requires `--format csv`\n  other formats cannot contain formulas";
    ensure!(!is_safe || format == Format::Csv, UsageError(message.to_owned()));
    Ok(if is_safe { print_as_it_is(&without_formulas(text)) } else { print_as_it_is(text) }?)
}

/// Writes notes below a table. If the table is a CSV, they go to standard error.
pub(super) fn notes(warnings: Vec<String>, format: Format) -> Vec<String> {
    if format != Format::Csv {
        return warnings;
    }
    warnings.iter().for_each(|warning| line(&format!("note: {warning}")));
    Vec::new()
}

/// A CSV with an apostrophe before each field that a spreadsheet would read as a formula: one that begins with `=`, `+`, `-`, `@`, a tab or
/// a line break and is not a number (OWASP, "CSV Injection").
fn without_formulas(text: &str) -> String {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    for record in reader.records() {
        let record = record.expect("it was written as a CSV");
        let fields = record.iter().map(|field| {
            let is_number = field.parse().is_ok_and(f64::is_finite);
            let is_formula =
                field.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) && !is_number;
            if is_formula { Cow::Owned(format!("'{field}")) } else { Cow::Borrowed(field) }
        });
        writer.write_record(fields.map(Cow::into_owned)).expect("memory takes all");
    }
    String::from_utf8(writer.into_inner().expect("memory takes all")).expect("only text was written")
}

/// Writes text to standard output without changes: it must be safe for a terminal, or control it on purpose (tables, colours, files for
/// other programs). If the reader has closed the output, this is not an error.
pub(super) fn print_as_it_is(text: &str) -> io::Result<()> {
    print_to_reader(text).map(|_| ())
}

/// The same; returns false if the reader has closed the output.
pub(super) fn print_to_reader(text: &str) -> io::Result<bool> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        result => result.map(|()| true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_text_and_numbers_stay_numbers() {
        let text =
            "name,=bad\n\"=cmd|' /C calc'!A0\",-1.5\n+1+2,-1e-05\n@SUM(A1),-inf\n\"\tx\",+7\n\"\r\",－1\nplain-text,\n";
        insta::assert_snapshot!(without_formulas(text).replace('\r', "CR").replace('\t', "TAB"), @r#"
        name,'=bad
        '=cmd|' /C calc'!A0,-1.5
        '+1+2,-1e-05
        '@SUM(A1),'-inf
        'TABx,+7
        "'CR",'－1
        plain-text,
        "#);
        let numbers = "a,b\n1,-0.5\n,-2\n";
        assert_eq!(without_formulas(numbers), numbers);
    }
}
