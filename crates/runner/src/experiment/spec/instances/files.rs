//! The files of a set of instances: data sets, or files of the family's own form.

use std::path::{Path, PathBuf};

use evogrid_core::family::{Family, FileInstance, InstanceError};
use evogrid_results::names::NameTable;
use sha2::{Digest, Sha256};

use super::{SetReader, option_fault};
use crate::experiment::data_set::{self, NamedInstance, SIZE_LIMIT};
use crate::experiment::diagnostic::{Diagnostic, Diagnostics, is_printable};
use crate::experiment::document::{Span, nearby, read_text};
use crate::experiment::instance_list::{InstanceList, ListedInstance, OwnedInstance};
use crate::experiment::spec::fields::Reader;

impl SetReader<'_, '_> {
    /// Reads all instances of the files that `path` selects.
    pub(super) fn read_files(&mut self) -> Option<InstanceList> {
        const HELP: &str = "expected a path in quotes; a `*` in the file name stands for several files";
        let path = self.folder.join(self.reader.text_or(self.table, "path", HELP)?);
        let span = &self.table.get("path")?.node.span;
        // A path with `*` or `?` is a pattern for several files, unless a file has exactly this name.
        let is_pattern = path.to_string_lossy().contains(['*', '?']) && path.symlink_metadata().is_err();
        let paths = if is_pattern { matching(self.reader, span, &path)? } else { vec![path] };
        let are_files = paths.iter().all(|path| self.reader.file(span, path));
        let family = self.family.filter(|_| are_files)?;
        self.check_sum(&paths)?;
        let (mut list, mut ids) = (InstanceList::default(), NameTable::default());
        for path in &paths {
            let first = list.len();
            self.read_file(path, family, &mut list).unwrap_or_else(|faults| self.reader.add(faults));
            // The ids of a single data set were already compared.
            let numbers = if is_pattern || !is_data_set(path, family) { first..list.len() } else { 0..0 };
            for id in numbers.map(|number| list.get(number).id) {
                if ids.find(id).is_some() {
                    let message = format!("the id `{id}` occurs twice, the second time in {}", path.display());
                    self.reader.fault(span, message, "every instance of an experiment needs its own id");
                    break;
                }
                ids.number(id);
            }
        }
        Some(list)
    }

    /// Compares the file with the checksum of the set, if there is one.
    fn check_sum(&mut self, paths: &[PathBuf]) -> Option<()> {
        let Some(entry) = self.table.get("sha256") else { return Some(()) };
        let expected = self.reader.text(self.table, "sha256")?;
        let span = &entry.node.span;
        let [path] = paths else {
            let message = "`sha256` is the checksum of one file, but `path` matches several files";
            return self.reader.refuse(span, message, "remove `sha256`, or write the `path` of a single file");
        };
        if expected.len() != 64 || !expected.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            let help = "expected 64 hexadecimal digits, as `sha256sum` prints them";
            return self.reader.refuse(span, "this is not a SHA-256 checksum", help);
        }
        // An unreadable file is reported when its instances are read.
        let Ok(text) = read_text(path, SIZE_LIMIT) else { return Some(()) };
        let found: String = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
        if !found.eq_ignore_ascii_case(expected) {
            let message = format!("checksum mismatch of {}: the SHA-256 of the file is {found}", path.display());
            let help = "restore the original file, or update `sha256` if the change is intended";
            return self.reader.refuse(span, message, help);
        }
        Some(())
    }

    /// Reads a data set, or a file of the family's own form. An instance without an id gets the name of its file.
    fn read_file(&self, path: &Path, family: &dyn Family, list: &mut InstanceList) -> Result<(), Diagnostics> {
        let (name, options) = (&path.display().to_string(), &self.options);
        let of_option = |error: &InstanceError| option_fault(self.reader.document(), self.table, error);
        let text = read_text(path, SIZE_LIMIT)?;
        let problem = family.declaration().name;
        if is_data_set(path, family) {
            let mut add = |NamedInstance { id, bucket, best_known, instance, .. }: NamedInstance| {
                let content = &instance.content();
                list.push(ListedInstance { best_known, bucket: &bucket, content, id: &id, problem });
            };
            return data_set::read_each(name, &text, family, options, true, &of_option, &mut add);
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let first = list.len();
        let mut only: Option<OwnedInstance> = None;
        let help = |error: &InstanceError| data_set::help(error, "correct the file, or remove it");
        let read = data_set::read_own_form((name, &text), family, options, &help, &of_option, &mut |read| {
            let FileInstance { id, best_known, instance, .. } = read;
            let number = list.len() - first + 1 + usize::from(only.is_some());
            let (is_named, id) = (id.is_some(), id.unwrap_or_else(|| format!("{stem}-{number}")));
            if !is_printable(&id) || id.is_empty() {
                let message = format!("{name}: an id contains characters that cannot be printed");
                return Err(Diagnostic::general(message, "ids appear in the results and in commands"));
            }
            let (problem, content) = (problem.to_owned(), instance.content());
            let mut owned = OwnedInstance { id, bucket: String::new(), problem, content, best_known };
            if number == 1 && !is_named {
                // The only instance of a file has the name of the file.
                owned.id = stem.to_string();
                only = Some(owned);
                return Ok(());
            }
            if let Some(mut before) = only.take_if(|_| !is_named) {
                before.id = format!("{stem}-1");
                list.push(before.listed());
            }
            list.push(owned.listed());
            Ok(())
        });
        only.iter().for_each(|only| list.push(only.listed()));
        read
    }
}

/// The files whose names match the last part of a path, sorted by name; reports a pattern without files.
fn matching(reader: &mut Reader<'_>, span: &Span, path: &Path) -> Option<Vec<PathBuf>> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let help = match matching_files(path, folder) {
        Ok(paths) if !paths.is_empty() => return Some(paths),
        Ok(_) => format!("in the folder `{}`, no file name matches this pattern", folder.display()),
        Err(_) if folder.to_string_lossy().contains(['*', '?']) => {
            "use `*` and `?` only in the name of the file, not of a folder".to_owned()
        }
        Err(_) => nearby(folder),
    };
    reader.refuse(span, format!("no file matches {}", path.display()), help)
}

/// Whether a file is a CSV file with the family's columns: it has the extension `csv`, or the family has no form of its own.
fn is_data_set(path: &Path, family: &dyn Family) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv")) || family.file_forms().is_empty()
}

fn matching_files(path: &Path, folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let pattern = path.file_name().unwrap_or_default().to_string_lossy();
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        // Like in a shell, a hidden file matches only a pattern that begins with a dot.
        let is_meant = !name.starts_with('.') || pattern.starts_with('.');
        if is_meant && matches(&pattern, &name) && folder.join(&name).is_file() {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names.into_iter().map(|name| path.with_file_name(name)).collect())
}

/// Whether a name matches a pattern: `*` stands for any characters, `?` for one.
fn matches(pattern: &str, name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    // For each prefix of the name, by its length: whether the part of the pattern that was read so far matches the prefix.
    let mut is_matched = vec![false; name.len() + 1];
    is_matched[0] = true;
    for part in pattern.chars() {
        if part == '*' {
            (0..name.len()).for_each(|at| is_matched[at + 1] |= is_matched[at]);
        } else {
            (0..name.len())
                .rev()
                .for_each(|at| is_matched[at + 1] = is_matched[at] && (part == '?' || part == name[at]));
            is_matched[0] = false;
        }
    }
    is_matched[name.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_any_characters_and_a_question_mark_is_one() {
        for (pattern, name) in
            [("*.dat", "a.dat"), ("*", ""), ("a*b*c", "axxbybc"), ("t?.dat", "t1.dat"), ("*a", "aaa")]
        {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("*.dat", "a.dat.gz"), ("t?.dat", "t.dat"), ("a*b", "abc"), ("", "a"), ("?", "")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
