//! The files that match a path with `*` and `?`.

use std::path::{Path, PathBuf};

/// Whether a path is a pattern for several files: it contains `*` or `?`, and no file has exactly this name.
pub(super) fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?']) && path.symlink_metadata().is_err()
}

/// The files whose names match the last part of a path, sorted by name.
pub(super) fn matching(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let pattern = path.file_name().unwrap_or_default().to_string_lossy();
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        // As a shell does, a hidden file is left out unless it is meant.
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
    // Of each beginning of the name, by its length, whether the pattern matches it as far as it was read.
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
