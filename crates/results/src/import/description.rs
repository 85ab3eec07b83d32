//! The files that describe the runs of an algorithm on a function, such as `IOHprofiler_f1_OneMax.json`.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::export::ConversionError;
use crate::files::{FileError, open_regular};
use crate::format::{printable, quoted};

/// The maximum number of bytes of a description. The positions in the file are skipped.
const SIZE_LIMIT: u64 = 1 << 30;

#[derive(Debug, Deserialize)]
pub(super) struct Description {
    #[serde(default)]
    suite: String,
    function_id: u64,
    function_name: String,
    #[serde(default)]
    pub(super) maximization: bool,
    pub(super) algorithm: Algorithm,
    #[serde(default)]
    experiment_attributes: Vec<Map<String, Value>>,
    pub(super) scenarios: Vec<Scenario>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Algorithm {
    pub(super) name: String,
    #[serde(default)]
    info: String,
}

/// The runs in one dimension.
#[derive(Debug, Deserialize)]
pub(super) struct Scenario {
    pub(super) dimension: u64,
    /// The file that describes the course of each run. The file lies below the folder of the description.
    pub(super) path: String,
    pub(super) runs: Vec<Run>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Run {
    pub(super) instance: u64,
    #[serde(rename = "evals")]
    pub(super) evaluations: u64,
    pub(super) best: Best,
    pub(super) repetition: Option<f64>,
    pub(super) solved: Option<f64>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Best {
    #[serde(rename = "evals")]
    pub(super) evaluations: u64,
    pub(super) y: f64,
}

impl Description {
    pub(super) fn read(path: &Path) -> Result<Self, ConversionError> {
        let file = open_regular(path).map_err(FileError::from_io("read", path))?;
        serde_json::from_reader(BufReader::new(file.take(SIZE_LIMIT))).map_err(|error| {
            let text = error.to_string();
            let message = quoted(text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message));
            let is_torn = "; perhaps the program that wrote this file was killed: add the missing text at the end of the \
                file, or run the program again";
            ConversionError::Refused(format!(
                "{}:{}:{}: {message}; expected a description of runs, as written by IOHprofiler's logger{}",
                quoted(&path.to_string_lossy()),
                error.line(),
                error.column(),
                if error.is_eof() { is_torn } else { "" }
            ))
        })
    }

    /// Whether our own export wrote the description.
    pub(super) fn is_own(&self) -> bool {
        self.algorithm.info.starts_with("Evogrid ")
    }

    /// The family of problems; empty if the logger did not know it.
    pub(super) fn problem(&self) -> &str {
        if matches!(self.suite.as_str(), "unknown" | "unknown_suite" | "No suite") { "" } else { &self.suite }
    }

    /// The id of an instance. In our own export the id is the name of the function; in other files the id is made from the function, the
    /// instance and the dimension: `f1-OneMax-i1-d16`.
    pub(super) fn instance(&self, scenario: &Scenario, run: &Run) -> String {
        let Self { function_id, function_name, .. } = self;
        if self.is_own() {
            return function_name.clone();
        }
        format!("f{function_id}-{function_name}-i{}-d{}", run.instance, scenario.dimension)
    }

    /// The name of the fitness. The name says whether the fitness is maximised.
    pub(super) fn fitness(&self) -> String {
        if self.is_own() {
            return self.own("fitness");
        }
        if self.maximization { format!("{} (maximised)", self.function_name) } else { self.function_name.clone() }
    }

    /// The bucket. In our own export the bucket is an attribute; in other files it is made from the function and the dimension.
    pub(super) fn bucket(&self, scenario: &Scenario) -> String {
        if !self.is_own() {
            return format!("f{}-{}-d{}", self.function_id, self.function_name, scenario.dimension);
        }
        self.own("bucket")
    }

    /// An attribute of our own export. Its text is JSON, since the readers of the export evaluate the text.
    fn own(&self, name: &str) -> String {
        let text = self.experiment_attributes.iter().find_map(|attributes| attributes.get(name)?.as_str());
        let text = text.unwrap_or_default();
        serde_json::from_str(text).unwrap_or_else(|_| text.to_owned())
    }
}

/// The maximum depth at which descriptions are searched below a named folder. An export has a folder for each configuration.
const DEPTH: usize = 3;

/// The paths of the descriptions in these folders. A path may also be a description itself. Within a folder, the paths are sorted by their
/// numbers.
pub(super) fn descriptions(folders: &[PathBuf]) -> Result<Vec<PathBuf>, ConversionError> {
    let refused = |path: &Path, what: String| {
        Err(ConversionError::Refused(format!("{} {what}", printable(&path.to_string_lossy()))))
    };
    let (mut found, mut known) = (Vec::new(), BTreeSet::new());
    for folder in folders {
        let before = found.len();
        let has_old = collect(folder, 0, &mut found)?;
        if found.len() == before {
            let help = "; the folder has `.info` files of IOHprofiler before version 0.3: convert the files with \
                        IOHanalyzer";
            return refused(
                folder,
                format!(
                    "contains no file `IOHprofiler_f*.json`: expected a folder that IOHprofiler's logger wrote{}",
                    if has_old { help } else { "" }
                ),
            );
        }
        for path in &found[before..] {
            let real = fs::canonicalize(path).map_err(FileError::from_io("read", path))?;
            if !known.insert(real) {
                return refused(
                    path,
                    "is given twice: name each folder only once, because the runs would count twice".to_owned(),
                );
            }
        }
    }
    Ok(found)
}

/// Adds the paths of the descriptions at a path. Returns whether descriptions of the older format exist there.
fn collect(path: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<bool, ConversionError> {
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

/// The sort key of a name, so that 2 comes before 10: the parts of the name, each with its length if the part is a number.
fn numbered(name: &str) -> Vec<(usize, String)> {
    let parts = name.as_bytes().chunk_by(|one, other| one.is_ascii_digit() == other.is_ascii_digit());
    let part = |part: &[u8]| {
        (if part[0].is_ascii_digit() { part.len() } else { 0 }, String::from_utf8_lossy(part).into_owned())
    };
    parts.map(part).collect()
}
