//! The files of a set of instances: data sets, or files of the family's own form.

use std::path::{Path, PathBuf};

use evogrid_core::family::{Family, FileInstance, InstanceError, InstancePart, Options};
use evogrid_results::names::NameTable;

use sha2::{Digest, Sha256};

use super::{FoundInstance, InstanceSet, file_names};
use crate::experiment::data_set::{self, DataSetError, Faults, NamedInstance, SIZE_LIMIT};
use crate::experiment::diagnostic::{Diagnostic, Diagnostics, is_printable};
use crate::experiment::document::{Span, Table, excerpt, nearby, read_text};
use crate::experiment::spec::fields::Reader;

/// Reads all instances of the files that `path` selects.
pub(super) fn read<'d>(
    reader: &mut Reader<'d>,
    table: &'d Table,
    folder: &Path,
    family: Option<&dyn Family>,
    options: &Options,
) -> Option<InstanceSet> {
    const HELP: &str = "expected a path in quotes; use `*` in the file name to read several files";
    let path = folder.join(reader.text_or(table, "path", HELP)?);
    let span = &table.get("path")?.node.span;
    let is_pattern = file_names::is_pattern(&path);
    let paths = if is_pattern { matching(reader, span, &path)? } else { vec![path] };
    let are_files = paths.iter().all(|path| reader.file(span, path));
    let family = family.filter(|_| are_files)?;
    check_sum(reader, table, &paths)?;
    let mut set = InstanceSet::default();
    let mut ids = NameTable::default();
    for path in &paths {
        let first = set.list.len();
        let name = path.display().to_string();
        let read = read_file(path, &name, family, options, &mut set);
        match read {
            Ok(()) => {}
            Err(DataSetError::Option(error)) => {
                report_option(reader, table, &error);
                return None;
            }
            Err(DataSetError::Content(diagnostics)) => reader.add(diagnostics),
        }
        // A data set by itself has been looked at.
        if is_pattern || !is_data_set(path, family) {
            for number in first..set.list.len() {
                let id = set.list.get(number).id;
                if ids.find(id).is_some() {
                    let message = format!("the id `{id}` occurs twice, the second time in {name}");
                    reader.fault(span, message, "every instance of an experiment needs its own id");
                    break;
                }
                ids.number(id);
            }
        }
    }
    Some(set)
}

/// Compares the file with the checksum of the set, if there is one.
fn check_sum<'d>(reader: &mut Reader<'d>, table: &'d Table, paths: &[PathBuf]) -> Option<()> {
    let Some(entry) = table.get("sha256") else { return Some(()) };
    let expected = reader.text(table, "sha256")?;
    let span = &entry.node.span;
    let is_digest = expected.len() == 64 && expected.bytes().all(|byte| byte.is_ascii_hexdigit());
    let [path] = paths else {
        reader.fault(span, "one checksum is given for several files", "remove `sha256`, or name a single file");
        return None;
    };
    if !is_digest {
        reader.fault(span, "no SHA-256 checksum", "expected 64 hexadecimal digits, as `sha256sum` prints them");
        return None;
    }
    // What cannot be read is said where its content is.
    let Ok(text) = read_text(path, SIZE_LIMIT) else { return Some(()) };
    let found: String = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
    if !found.eq_ignore_ascii_case(expected) {
        let message = format!("checksum mismatch of {}: its SHA-256 is {found}", path.display());
        reader.fault(span, message, "restore the original file, or update `sha256` if the change is intended");
        return None;
    }
    Some(())
}

/// Reports a fault in an option of the data set.
pub(super) fn report_option(reader: &mut Reader<'_>, table: &Table, error: &InstanceError) {
    let InstancePart::Option(option) = error.part else { unreachable!("an option is wrong") };
    let help = data_set::help(error, "", |name, value| format!("`{name} = \"{value}\"`"));
    let span = table.get(option).map_or_else(Span::start, |entry| entry.node.span);
    reader.fault(&span, error.to_string(), &help);
}

fn matching(reader: &mut Reader<'_>, span: &Span, path: &Path) -> Option<Vec<PathBuf>> {
    let message = format!("no file matches {}", path.display());
    let folder = path.parent().unwrap_or(Path::new(""));
    match file_names::matching(path) {
        Ok(paths) if !paths.is_empty() => return Some(paths),
        Ok(_) => {
            let names = file_names::matching(&folder.join("*")).unwrap_or_default();
            let first = names.first().and_then(|path| path.file_name()).unwrap_or_default().to_string_lossy();
            let there = match names.len() {
                0 => "it has no files".to_owned(),
                1 => format!("its only file is `{first}`"),
                n => format!("it has {n} files; the first is `{first}`"),
            };
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            reader.fault(span, message, format!("searched in the folder `{}`: {there}", folder.display()));
        }
        Err(_) => {
            let is_pattern = folder.to_string_lossy().contains(['*', '?']);
            let help = if is_pattern {
                "use `*` and `?` only in the name of the file, not of a folder".to_owned()
            } else {
                nearby(folder)
            };
            reader.fault(span, message, help);
        }
    }
    None
}

/// Reads a data set, or a file of the family's own form, whose instance gets the file's name.
fn read_file(
    path: &Path,
    name: &str,
    family: &dyn Family,
    options: &Options,
    set: &mut InstanceSet,
) -> Result<(), DataSetError> {
    let text = read_text(path, SIZE_LIMIT)?;
    let problem = family.declaration().name;
    set.files.push(name.to_owned());
    if is_data_set(path, family) {
        let mut add = |named: NamedInstance| {
            let NamedInstance { id, line, bucket, best_known, instance } = named;
            set.add(problem, &FoundInstance { id, line, bucket, best_known, content: instance.content() });
        };
        set.has_buckets |= data_set::read_each(name, &text, family, options, true, &mut add)?;
        return Ok(());
    }
    Ok(read_own_form(path, name, &text, (family, options), set)?)
}

/// Whether a file is a CSV file with the family's columns: by its name, or because the family has no form of its own.
fn is_data_set(path: &Path, family: &dyn Family) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv")) || family.file_forms().is_empty()
}

fn read_own_form(
    path: &Path,
    name: &str,
    text: &str,
    (family, options): (&dyn Family, &Options),
    set: &mut InstanceSet,
) -> Result<(), Diagnostics> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let problem = family.declaration().name;
    let (first, mut faults, mut only) = (set.list.len(), Faults::new(name), None);
    let mut wrong_option = None;
    family.read_file(text, options, &mut |read| {
        let FileInstance { id, line, best_known, instance } = match read {
            Ok(read) => read,
            Err(error) if matches!(error.part, InstancePart::Option(_)) => {
                wrong_option.get_or_insert(error);
                return;
            }
            Err(error) => {
                let shown = error.bytes.clone().unwrap_or(0..0);
                let help = data_set::help(&error, "correct the file, or remove it", |name, value| {
                    format!("`{name} = \"{value}\"`")
                });
                let place = Some(excerpt(name, text, &shown));
                faults.push(|| Diagnostic { place, message: error.to_string(), help });
                return;
            }
        };
        let number = set.list.len() - first + 1 + usize::from(only.is_some());
        let line = line as u64;
        let bucket = String::new();
        let content = instance.content();
        match id {
            Some(id) if !is_printable(&id) || id.is_empty() => {
                let help = "ids appear in the results and in commands".to_owned();
                faults.push(|| {
                    Diagnostic::general(format!("{name}: an id contains characters that cannot be printed"), help)
                });
            }
            Some(id) => set.add(problem, &FoundInstance { id, line, bucket, best_known, content }),
            // The only instance of a file is called as the file is.
            None if number == 1 => only = Some(FoundInstance { id: stem.clone(), line, bucket, best_known, content }),
            None => {
                if let Some(before) = only.take() {
                    set.add(problem, &FoundInstance { id: format!("{stem}-1"), ..before });
                }
                set.add(problem, &FoundInstance { id: format!("{stem}-{number}"), line, bucket, best_known, content });
            }
        }
    });
    only.iter().for_each(|only| set.add(problem, only));
    if let Some(error) = wrong_option {
        let help = data_set::help(&error, "", |name, value| format!("`{name} = \"{value}\"`"));
        faults.push(|| Diagnostic::general(format!("{name}: {error}"), help));
    }
    let mut diagnostics = faults.finish();
    if set.list.len() == first && diagnostics.is_empty() {
        let forms: Vec<String> =
            family.file_forms().iter().map(|form| format!(".{} ({})", form.extension, form.doc)).collect();
        let help = format!("expected a CSV file, or {}", forms.join(", or "));
        diagnostics.push(Diagnostic::general(format!("{name} does not contain any {}", family.noun()), help));
    }
    diagnostics.or(Some(()))
}
