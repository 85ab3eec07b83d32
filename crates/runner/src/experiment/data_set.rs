//! Reads data sets. A data set is a CSV file with one instance per row. A data set can also be a file in a problem family's own format. CSV
//! files are read and checked row by row.

pub(crate) mod columns;
pub(crate) mod source;

use evogrid_analysis::summary::ALL_BUCKETS;
use evogrid_core::family::{
    BestKnown, Family, FileInstance, Instance, InstanceError, InstancePart, OptionDeclaration, Options,
};
use evogrid_core::memory::is_available;
use evogrid_core::suggestion::one_of;
use evogrid_results::names::NameTable;

use crate::experiment::diagnostic::{Diagnostic, Diagnostics, is_printable};
use crate::experiment::document::excerpt;
use columns::{Columns, columns};
use source::{RowFault, Source};

/// The size limit of a file of instances, in bytes.
pub const SIZE_LIMIT: u64 = 1 << 30;

/// An instance, with the attributes that the data set gives for it.
pub struct NamedInstance {
    /// The id of the instance. If the file gives no id, this is the number of the line.
    pub id: String,
    /// The number of the line on which the instance begins. The first line of the file is 1.
    pub line: u64,
    /// The difficulty bucket of the instance. If the instance has no bucket, the text is empty.
    pub bucket: String,
    /// The best known value, if the data set contains it.
    pub best_known: Option<BestKnown>,
    /// The instance.
    pub instance: Box<dyn Instance>,
}

/// Reads a data set: the columns `id` and `bucket`, the text column of the family, and the columns of its options. Other columns are
/// ignored. Every instance is passed on when it is read, but the instances are valid only if the whole file is valid.
///
/// If ids are not needed, an instance without an id gets its line number as id. `options` hold for all rows; the options of a row override
/// `options`. If an option that applies to all instances is wrong, `of_option` describes the fault.
///
/// # Errors
/// If the file has faults. The error lists all of them.
pub(crate) fn read_each(
    name: &str,
    text: &str,
    family: &dyn Family,
    options: &Options,
    is_id_needed: bool,
    of_option: &dyn Fn(&InstanceError) -> Diagnostic,
    each: &mut dyn FnMut(NamedInstance),
) -> Result<(), Diagnostics> {
    let source = Source { name, text };
    // A long row needs memory for two copies, with room to grow.
    if !is_available(3 * text.lines().map(str::len).max().unwrap_or(0)) {
        let message = format!("cannot read {name}: not enough memory for its longest row");
        return Err(Diagnostic::general(message, "give the process more memory").into());
    }
    let (csv, headers) = source.open()?;
    let columns = columns(&source, &headers, family, is_id_needed)?;
    // The lines of the ids. A file of at most a gigabyte has fewer lines than a `u32` counts.
    let (mut ids, mut lines) = (NameTable::default(), Vec::<u32>::new());
    let (mut n_rows, mut wrong_option) = (0u64, None);
    let mut diagnostics = source.each_row(csv, |line, record| {
        if wrong_option.is_some() {
            return Ok(());
        }
        let field = |column: Option<usize>| column.map_or("", |column| &record[column]);
        let id = match field(columns.id) {
            "" if !is_id_needed => line.to_string(),
            id => id.to_owned(),
        };
        let bucket = field(columns.bucket).to_owned();
        check_names(&columns, &id, &bucket, is_id_needed)?;
        if let Some(first) = ids.find(&id).map(|number| lines[number]) {
            let message = format!("the id `{id}` already occurs on line {first}");
            return Err(RowFault::new(columns.id, message, "every instance needs its own id"));
        }
        ids.number(&id);
        lines.push(line as u32);
        let mut own = options.clone();
        for (name, column) in columns.options.iter().filter(|(_, column)| !record[*column].is_empty()) {
            own.insert(name.clone(), record[*column].to_owned());
        }
        let of_instance = |fault: RowFault| RowFault { message: format!("`{id}`: {}", fault.message), ..fault };
        let best_known = columns.best_known.map(|columns| columns.read(record).map_err(of_instance)).transpose()?;
        let error = match read_instance(family, field(columns.text), &own) {
            Ok(instance) => {
                n_rows += 1;
                let direction = |known| BestKnown { direction: family.direction(&instance.content()), ..known };
                let best_known = best_known.flatten().map(direction);
                each(NamedInstance { id, line, bucket, best_known, instance });
                return Ok(());
            }
            Err(error) => error,
        };
        let mut column = columns.text.unwrap_or(0);
        if let InstancePart::Option(option) = error.part {
            match columns.options.iter().find(|(name, at)| *name == option && !record[*at].is_empty()) {
                Some((_, at)) => column = *at,
                // A fault in an option of all rows is reported once, and not for every row.
                None => {
                    wrong_option = Some(error);
                    return Ok(());
                }
            }
        }
        let help = help(&error, "correct the row, or remove it");
        Err(RowFault::new(Some(column), format!("`{id}`: {error}"), help))
    });
    if let Some(error) = wrong_option {
        return Err(of_option(&error).into());
    }
    if n_rows == 0 && diagnostics.is_empty() {
        let message = "after the line of column names, the file contains no instances";
        diagnostics.push(source.header(None, message, "expected a row for each instance"));
    }
    diagnostics.or(Some(()))
}

/// Checks the names in a row. Names are printed, and ids are also part of commands that users copy.
fn check_names(columns: &Columns, id: &str, bucket: &str, is_id_needed: bool) -> Result<(), RowFault> {
    if id.is_empty() || !is_printable(id) {
        let message = if id.is_empty() { "the id is empty" } else { "the id cannot be printed" };
        let help = "every instance needs an id; the results name instances by their ids";
        return Err(RowFault::new(columns.id, message, help));
    }
    // Without an experiment, there are no summaries of all buckets together.
    if is_id_needed && bucket == ALL_BUCKETS {
        let message = format!("a bucket cannot have the name `{ALL_BUCKETS}`");
        let help = "rename the bucket: in tables and summaries, this name means all buckets together";
        return Err(RowFault::new(columns.bucket, message, help));
    }
    if !is_printable(bucket) {
        let message = "the name of the bucket contains characters that cannot be printed";
        return Err(RowFault::new(columns.bucket, message, "the name of the bucket appears in the results"));
    }
    Ok(())
}

/// Reads a file of the family's own form. Every instance is passed on when it is read, but the instances are valid only if the whole file
/// is valid. `help` is the advice for an error in an instance. `of_option` describes a fault of an option that applies to all instances.
///
/// # Errors
/// If the file has faults. The error lists all of them.
pub(crate) fn read_own_form(
    (name, text): (&str, &str),
    family: &dyn Family,
    options: &Options,
    help: &dyn Fn(&InstanceError) -> String,
    of_option: &dyn Fn(&InstanceError) -> Diagnostic,
    each: &mut dyn FnMut(FileInstance) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostics> {
    let (mut n_read, mut wrong_option, mut diagnostics) = (0u64, None, Diagnostics::new());
    family.read_file(text, options, &mut |read| match read {
        Ok(instance) => {
            n_read += 1;
            each(instance).unwrap_or_else(|fault| diagnostics.push(fault));
        }
        Err(error) if matches!(error.part, InstancePart::Option(_)) => {
            wrong_option.get_or_insert(error);
        }
        Err(error) => {
            // For a fault of the whole text, the beginning is shown.
            let shown = error.bytes.clone().unwrap_or(0..0);
            let place = || Some(excerpt(name, text, &shown));
            diagnostics.push_with(|| Diagnostic { place: place(), message: error.to_string(), help: help(&error) });
        }
    });
    if let Some(error) = wrong_option {
        return Err(of_option(&error).into());
    }
    if n_read == 0 && diagnostics.is_empty() {
        let noun = family.noun();
        let forms = family.file_forms().iter().map(|form| format!(", or .{} ({})", form.extension, form.doc));
        let help = match forms.collect::<String>() {
            forms if forms.is_empty() => format!("expected the text of one {noun}, or a file with one {noun} per line"),
            forms => format!("expected a CSV file{forms}"),
        };
        diagnostics.push(Diagnostic::general(format!("{name} does not contain any {noun}"), help));
    }
    diagnostics.or(Some(()))
}

/// Reads an instance from `text`. First, the function checks that the values of the options are permitted.
///
/// # Errors
/// If an option has a value that is not permitted. If [`Family::read`] returns an error.
pub fn read_instance(family: &dyn Family, text: &str, options: &Options) -> Result<Box<dyn Instance>, InstanceError> {
    check_choices(family, options)?;
    family.read(text, options)
}

/// Checks that each option with a list of permitted values has a permitted value.
///
/// # Errors
/// If an option does not have a permitted value.
pub(crate) fn check_choices(family: &dyn Family, options: &Options) -> Result<(), InstanceError> {
    let wrong = |option: &OptionDeclaration| {
        let value = options.get(option.name).filter(|value| !option.choices.contains(&value.as_str()))?;
        let expected = one_of(value, option.choices);
        let expected = expected.strip_prefix("expected ").unwrap_or(&expected);
        let error = InstanceError::option(option.name, format!("unknown {} `{value}`", option.name));
        Some(error.expecting(expected))
    };
    let mut with_choices = family.options().iter().filter(|option| !option.choices.is_empty());
    with_choices.find_map(wrong).map_or(Ok(()), Err)
}

/// The advice for an error in an instance of an experiment; `otherwise` is used if the error has no advice.
pub(crate) fn help(error: &InstanceError, otherwise: &str) -> String {
    help_with(error, otherwise, |name, value| format!("`{name} = \"{value}\"`"))
}

/// Like [`help`]; `setting` formats an option with its value.
pub(crate) fn help_with(error: &InstanceError, otherwise: &str, setting: impl Fn(&str, &str) -> String) -> String {
    match (&error.part, &error.expected) {
        (InstancePart::MissingOption { name, example }, Some(expected)) => {
            format!("expected {expected}, as in {}", setting(name, example))
        }
        (_, Some(expected)) => format!("expected {expected}"),
        (_, None) => otherwise.to_owned(),
    }
}
