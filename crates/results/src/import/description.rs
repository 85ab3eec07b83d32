//! The file that describes the runs of an algorithm on a function: `IOHprofiler_f1_OneMax.json`.

use std::io::{BufReader, Read};
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::ImportError;
use crate::files::{FileError, FilePlace, open_regular};
use crate::format::quoted;

/// The most bytes of such a file; the positions in it are skipped.
const SIZE_LIMIT: u64 = 1 << 30;

#[derive(Debug, Deserialize)]
pub(super) struct Description {
    #[serde(default)]
    suite: String,
    function_id: u64,
    function_name: String,
    #[serde(default)]
    pub(super) maximization: bool,
    algorithm: Algorithm,
    #[serde(default)]
    experiment_attributes: Vec<Map<String, Value>>,
    pub(super) scenarios: Vec<Scenario>,
}

#[derive(Debug, Deserialize)]
struct Algorithm {
    name: String,
    #[serde(default)]
    info: String,
}

/// The runs in one dimension.
#[derive(Debug, Deserialize)]
pub(super) struct Scenario {
    pub(super) dimension: u64,
    /// The file of their courses, below the folder of the description.
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
    pub(super) fn read(place: FilePlace<'_>) -> Result<Self, ImportError> {
        let path: &Path = place.path();
        let file = open_regular(place).map_err(FileError::from_io("read", path))?;
        serde_json::from_reader(BufReader::new(file.take(SIZE_LIMIT))).map_err(|error| {
            let is_torn = "; the program that wrote it may have been killed: add the missing end, or run it again";
            ImportError::Description {
                file: quoted(&path.to_string_lossy()),
                line: error.line(),
                column: error.column(),
                help: if error.is_eof() { is_torn } else { "" },
                message: {
                    let text = error.to_string();
                    quoted(text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message))
                },
            }
        })
    }

    /// Whether it was written by our own export.
    pub(super) fn is_own(&self) -> bool {
        self.algorithm.info.starts_with("Evogrid ")
    }

    pub(super) fn algorithm(&self) -> &str {
        &self.algorithm.name
    }

    /// The family of problems; empty where the logger was not told.
    pub(super) fn problem(&self) -> &str {
        if matches!(self.suite.as_str(), "unknown" | "unknown_suite" | "No suite") { "" } else { &self.suite }
    }

    /// The id of an instance: that of our own export, which has an instance a function, or `f1-OneMax-i1-d16`.
    pub(super) fn instance(&self, scenario: &Scenario, run: &Run) -> String {
        let Self { function_id, function_name, .. } = self;
        if self.is_own() {
            return function_name.clone();
        }
        format!("f{function_id}-{function_name}-i{}-d{}", run.instance, scenario.dimension)
    }

    /// The name of the fitness, which says whether it is maximised.
    pub(super) fn fitness(&self) -> String {
        if self.is_own() {
            return self.own("fitness");
        }
        if self.maximization { format!("{} (maximised)", self.function_name) } else { self.function_name.clone() }
    }

    /// The bucket: a function in a dimension, or what our own export says.
    pub(super) fn bucket(&self, scenario: &Scenario) -> String {
        if !self.is_own() {
            return format!("f{}-{}-d{}", self.function_id, self.function_name, scenario.dimension);
        }
        self.own("bucket")
    }

    /// What our own export says of all its runs: text in JSON, since its readers evaluate it.
    fn own(&self, name: &str) -> String {
        let text = self.experiment_attributes.iter().find_map(|attributes| attributes.get(name)?.as_str());
        let text = text.unwrap_or_default();
        serde_json::from_str(text).unwrap_or_else(|_| text.to_owned())
    }
}
