//! Standard output: functions that print text, tables and their notes.

use std::borrow::Cow;
use std::io::{self, Write};

use anyhow::{Result, ensure};
use evogrid_analysis::table;

use crate::arguments::{Format, TableOutput};
use crate::usage_error::UsageError;
use evogrid_runner::engine::progress::line;
use evogrid_runner::experiment::diagnostic::printable;
use evogrid_runner::system::terminal::{fitted, output_width};

/// Writes text for people to standard output. The text is made [printable] and fitted to the width of a terminal.
pub(crate) fn print(text: &str) -> io::Result<()> {
    print_as_it_is(&fitted(&printable(text), output_width()))
}

/// Writes a table, which `render` makes from the requested format and the notes below the table. On request a CSV has no
/// [formulas](without_formulas).
pub(crate) fn print_table(
    output: TableOutput,
    warnings: Vec<String>,
    render: impl FnOnce(table::Format, &[String]) -> Result<String>,
) -> Result<()> {
    let TableOutput { format, safe_csv } = output;
    let text = render(format.into(), &notes(warnings, format))?;
    let message = "`--safe-csv` requires `--format csv`\n  other formats cannot contain formulas";
    ensure!(!safe_csv || format == Format::Csv, UsageError(message.to_owned()));
    Ok(print_as_it_is(&if safe_csv { without_formulas(&text) } else { text })?)
}

/// Returns the notes that belong below a table. A CSV has no notes below it; its notes are written to standard error.
pub(crate) fn notes(warnings: Vec<String>, format: Format) -> Vec<String> {
    if format != Format::Csv {
        return warnings;
    }
    warnings.iter().for_each(|warning| line(&format!("note: {warning}")));
    Vec::new()
}

/// Returns a CSV that a spreadsheet reads without formulas: each field that looks like a formula gets an apostrophe (OWASP, "CSV
/// Injection"). Such a field begins with `=`, `+`, `-`, `@`, a tab or a line break, and is not a number.
fn without_formulas(text: &str) -> String {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    for record in reader.records() {
        let record = record.expect("the text is a valid CSV table");
        let fields = record.iter().map(|field| {
            let is_number = field.parse().is_ok_and(f64::is_finite);
            let is_formula =
                field.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) && !is_number;
            if is_formula { Cow::Owned(format!("'{field}")) } else { Cow::Borrowed(field) }
        });
        writer.write_record(fields.map(Cow::into_owned)).expect("writing to memory cannot fail");
    }
    String::from_utf8(writer.into_inner().expect("writing to memory cannot fail")).expect("only text was written")
}

/// Writes text to standard output without changes. The text must be safe for a terminal, or control the terminal on purpose (tables,
/// colours, files for other programs). A closed output is not an error.
pub(crate) fn print_as_it_is(text: &str) -> io::Result<()> {
    print_to_reader(text).map(|_| ())
}

/// Writes text as [`print_as_it_is`] does. Returns false if the reader has closed the output.
pub(crate) fn print_to_reader(text: &str) -> io::Result<bool> {
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
