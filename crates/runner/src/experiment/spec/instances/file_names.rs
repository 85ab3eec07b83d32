//! The files that a path with `*` and `?` stands for.

use std::path::{Path, PathBuf};

/// Whether a path is meant to stand for several files: it has a `*` or `?`, and no file has just that name.
pub(super) fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?']) && path.symlink_metadata().is_err()
}

/// The files whose names match the last part of a path, sorted by name.
pub(super) fn matching(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let pattern: Vec<char> = path.file_name().unwrap_or_default().to_string_lossy().chars().collect();
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        // As a shell does, a hidden file is left out unless it is meant.
        let is_meant = !name.starts_with('.') || pattern.first() == Some(&'.');
        if is_meant && matches(&pattern, &name.chars().collect::<Vec<_>>()) && folder.join(&name).is_file() {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names.into_iter().map(|name| path.with_file_name(name)).collect())
}

/// Whether a name matches a pattern: `*` stands for any characters, `?` for one.
fn matches(pattern: &[char], name: &[char]) -> bool {
    let (mut at, mut place) = (0, 0);
    // The last star, and where what it stands for ends.
    let mut star: Option<(usize, usize)> = None;
    while place < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, place));
                at += 1;
            }
            Some(&character) if character == '?' || character == name[place] => {
                at += 1;
                place += 1;
            }
            _ => match &mut star {
                Some((before, end)) => {
                    *end += 1;
                    (at, place) = (*before + 1, *end);
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|character| *character == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_any_characters_and_a_question_mark_is_one() {
        let is_match = |pattern: &str, name: &str| {
            matches(&pattern.chars().collect::<Vec<_>>(), &name.chars().collect::<Vec<_>>())
        };
        for (pattern, name) in
            [("*.dat", "a.dat"), ("*", ""), ("a*b*c", "axxbybc"), ("t?.dat", "t1.dat"), ("*a", "aaa")]
        {
            assert!(is_match(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("*.dat", "a.dat.gz"), ("t?.dat", "t.dat"), ("a*b", "abc"), ("", "a"), ("?", "")] {
            assert!(!is_match(pattern, name), "{pattern} {name}");
        }
    }
}
