//! Reads the instances that the user names on the command line. The user may name a file in any supported format, or standard input. An
//! instance can also be given as text.

use std::path::Path;

use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::{Family, FileInstance, Instance, InstanceError, InstancePart, Options};

use crate::experiment::data_set::{self, NamedInstance, SIZE_LIMIT};
use crate::experiment::diagnostic::{Diagnostic, Diagnostics, is_printable};
use crate::experiment::document::{excerpt, nearby, read_from, read_text};

/// The instances that the user names in an argument of the command line.
pub enum Source {
    /// An instance given as text.
    Argument(Box<dyn Instance>),
    /// The instances of a file or of standard input; at least one.
    File(Vec<NamedInstance>),
}

/// Finds the problem family of the instances in a file. A CSV file is recognised by its text column. Any other file is recognised by its
/// extension, if only one family uses this extension. If neither the text column nor the extension shows the family, the function returns
/// the first family that can read the file. If no family can read the file, the function returns `None`. For an empty file, the function
/// returns the first family of the catalogue.
pub fn family_of_file<'c>(path: &str, catalogue: &'c Catalogue) -> Option<&'c dyn Family> {
    let text = read_text(Path::new(path), SIZE_LIMIT).unwrap_or_default();
    let Some(first) = text.lines().find(|line| !line.trim().is_empty()) else { return catalogue.families().next() };
    // A family that reads any text is never guessed.
    let families = || catalogue.families().filter(|family| !family.takes_columns());
    let has_column = |family: &&dyn Family| first.split(',').any(|field| field.trim() == family.text_column());
    let mut of_columns = families().filter(has_column);
    if let (Some(family), None, true) = (of_columns.next(), of_columns.next(), first.contains(',')) {
        return Some(family);
    }
    let mut of_form = families().filter(|family| has_own_name(*family, path));
    // Files without an extension, or with the extension `txt`, may have any form.
    let is_general = Path::new(path).extension().is_none_or(|extension| extension.eq_ignore_ascii_case("txt"));
    if let (Some(family), None, false) = (of_form.next(), of_form.next(), is_general) {
        return Some(family);
    }
    families().find(|family| parse(path, &text, *family, &Options::new()).is_ok())
}

/// Whether a file has the extension of a family's own form.
fn has_own_name(family: &dyn Family, path: &str) -> bool {
    let extension = Path::new(path).extension();
    let mut forms = family.file_forms().iter();
    forms.any(|form| extension.is_some_and(|extension| extension.eq_ignore_ascii_case(form.extension)))
}

/// Whether an argument that is not an instance looks like a file name: it has an extension, or begins with a folder.
fn is_like_path(argument: &str, family: &dyn Family) -> bool {
    let path = Path::new(argument);
    let is_table = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
    let begins_with_folder = ["./", "../", "/", "~/"].iter().any(|start| argument.starts_with(start));
    !argument.contains(char::is_whitespace) && (is_table || begins_with_folder || has_own_name(family, argument))
}

/// Reads the instances that an argument of the command line gives. The argument is `-` (standard input), a file's path, or one instance as
/// text.
///
/// # Errors
/// If the argument is neither the path of a file nor an instance. If an instance is not valid.
pub fn read(argument: &str, family: &dyn Family, options: &Options) -> Result<Source, Diagnostics> {
    // The name of an existing file is never an instance.
    if argument == "-" || Path::new(argument).symlink_metadata().is_ok() {
        return read_file(argument, family, options).map(Source::File);
    }
    match data_set::read_instance(family, argument, options) {
        Ok(instance) => Ok(Source::Argument(instance)),
        Err(error) if error.part == InstancePart::Character || is_like_path(argument, family) => {
            let noun = family.noun();
            let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
            let message = format!("`{argument}` is neither the path of a file nor the text of {article} {noun}");
            let help = match nearby(Path::new(argument)) {
                near if near.starts_with("did you mean") => near,
                near if error.part != InstancePart::Character => near,
                _ => format!(
                    "`{argument}` was read as the text of {article} {noun}, but this text has an {error}; {}",
                    help(&error, family)
                ),
            };
            Err(Diagnostic::general(message, help).into())
        }
        Err(error) => {
            let place = match &error.part {
                InstancePart::Option(_) => None,
                _ => Some(excerpt(&family.noun().to_uppercase(), argument, &(0..argument.len()))),
            };
            Err(Diagnostic { place, message: error.to_string(), help: help(&error, family) }.into())
        }
    }
}

/// Reads all instances of a file. If the path is `-`, standard input is read. The text must be CSV with the family's text column. The
/// family's own format is also allowed.
///
/// # Errors
/// If the file cannot be read or has no instance. If an instance is faulty. The error lists the faults of all instances.
pub fn read_file(path: &str, family: &dyn Family, options: &Options) -> Result<Vec<NamedInstance>, Diagnostics> {
    if path != "-" {
        return parse(path, &read_text(Path::new(path), SIZE_LIMIT)?, family, options);
    }
    let name = "standard input";
    parse(name, &read_from(name, std::io::stdin().lock(), SIZE_LIMIT)?, family, options)
}

/// Reads all instances from a text. In error messages, the argument `name` is the name of the text.
///
/// # Errors
/// If the text has no instance, or has a faulty instance. All faults of the instances are reported.
pub fn parse(
    name: &str,
    text: &str,
    family: &dyn Family,
    options: &Options,
) -> Result<Vec<NamedInstance>, Diagnostics> {
    let (noun, column) = (family.noun(), family.text_column());
    let Some(first) = text.lines().find(|line| !line.trim().is_empty()) else {
        let help = format!(
            "expected the text of one {noun}, a file with one {noun} per line, or a CSV file with a column `{column}`"
        );
        return Err(Diagnostic::general(format!("{name} is empty"), help).into());
    };
    let help = |error: &InstanceError| help(error, family);
    let of_option = |error: &InstanceError| Diagnostic::general(error.to_string(), help(error));
    // Files of a family's own form may also have commas.
    let mut rows = Vec::new();
    let is_data_set =
        first.contains(',') && (!has_own_name(family, name) || first.split(',').any(|field| field.trim() == column));
    let read = if is_data_set {
        data_set::read_each(name, text, family, options, false, &of_option, &mut |row| rows.push(row))
    } else {
        data_set::read_own_form((name, text), family, options, &help, &of_option, &mut |read| {
            let FileInstance { id, line, best_known, instance } = read;
            // An id that cannot be printed counts as missing.
            let id = id.filter(|id| !id.is_empty() && is_printable(id)).unwrap_or_else(|| line.to_string());
            rows.push(NamedInstance { id, line: line as u64, bucket: String::new(), best_known, instance });
            Ok(())
        })
    };
    read.map(|()| rows)
}

fn help(error: &InstanceError, family: &dyn Family) -> String {
    let otherwise = format!("correct the {}", family.noun());
    data_set::help_with(error, &otherwise, |name, value| format!("`--{name} {value}`"))
}
