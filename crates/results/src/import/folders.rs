//! The descriptions in folders of IOHprofiler.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::ImportError;
use crate::files::FileError;

/// How deep below a named folder descriptions are looked for: an export has a folder for each configuration.
const DEPTH: usize = 3;

/// The descriptions in these folders, or these descriptions themselves: folder by folder, each in the order of its numbers.
pub(super) fn descriptions(folders: &[PathBuf]) -> Result<Vec<PathBuf>, ImportError> {
    let (mut found, mut known) = (Vec::new(), BTreeSet::new());
    for folder in folders {
        let before = found.len();
        let has_old = collect(folder, 0, &mut found)?;
        if found.len() == before {
            let help = if has_old {
                "; it has `.info` files, of a version before 0.3: convert it with IOHanalyzer"
            } else {
                ""
            };
            return Err(ImportError::NoDescription { path: folder.clone(), help });
        }
        for path in &found[before..] {
            let real = fs::canonicalize(path).map_err(FileError::from_io("read", path))?;
            if !known.insert(real) {
                return Err(ImportError::Repeated { path: path.clone() });
            }
        }
    }
    Ok(found)
}

/// Adds the descriptions at a path; returns whether there are some of the older format.
fn collect(path: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<bool, ImportError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // A link below the named folder is not followed.
    let metadata = if depth == 0 { fs::metadata(path) } else { fs::symlink_metadata(path) };
    let metadata = metadata.map_err(FileError::from_io("read", path))?;
    if !metadata.is_dir() {
        let is_ours = name.starts_with("IOHprofiler_f") && name.ends_with(".json");
        found.extend((is_ours || depth == 0).then(|| path.to_owned()));
        return Ok(name.starts_with("IOHprofiler_f") && name.ends_with(".info"));
    }
    if depth > DEPTH || depth > 0 && name.starts_with("data_f") {
        return Ok(false);
    }
    let entries = fs::read_dir(path).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut entries: Vec<PathBuf> = entries.map_err(FileError::from_io("read", path))?;
    entries.sort_by_cached_key(|path| numbered(&path.to_string_lossy()));
    let mut has_old = false;
    for entry in entries {
        has_old |= collect(&entry, depth + 1, found)?;
    }
    Ok(has_old)
}

/// A name by which 2 comes before 10: its parts, of which a number begins with its length.
fn numbered(name: &str) -> Vec<(usize, String)> {
    let parts = name.as_bytes().chunk_by(|one, other| one.is_ascii_digit() == other.is_ascii_digit());
    let part = |part: &[u8]| {
        (if part[0].is_ascii_digit() { part.len() } else { 0 }, String::from_utf8_lossy(part).into_owned())
    };
    parts.map(part).collect()
}
