//! The spec: what an experiment file asks for, checked, with its instances loaded.

mod algorithm;
mod algorithm_table;
mod analysis;
mod axis;
mod check;
mod configurations;
mod equal;
mod exclusion;
pub mod fields;
mod fit;
mod instances;
mod overlap;
pub mod paths;
mod preset;
mod read;
mod record;
mod resolved;

use std::path::PathBuf;

use evogrid_results::trace::Trigger;
use serde::{Deserialize, Serialize};

use crate::experiment::instance_list::PlannedInstances;

pub use algorithm::AlgorithmSpec;
pub(crate) use algorithm::label;
pub use analysis::AnalysisPlan;
pub use axis::Axis;
pub(crate) use overlap::overlapping;
pub use preset::{Preset, preset, preset_names, presets};
pub use read::{NAME_HELP, check_name};
pub use resolved::{ResolvedAlgorithm, SettingsError};

/// The keys that an experiment file may have at its root.
pub const TABLE_NAMES: [&str; 6] = ["experiment", "instances", "algorithms", "budget", "record", "analysis"];

/// The most repetitions of an experiment.
pub(crate) const REPETITION_LIMIT: u64 = 1_000_000_000;

/// A checked experiment.
pub struct Spec {
    /// Its name, also that of the results folder: letters, digits, `-` and `_`.
    pub name: String,
    /// A title for people; may be empty.
    pub title: String,
    /// The seed that all other seeds follow from.
    pub seed: u64,
    /// Runs of each configuration on each instance.
    pub repetitions: u64,
    /// Whether configurations share their random streams.
    pub seeding: Seeding,
    /// Published figures to show beside the results.
    pub published: Option<PathBuf>,
    /// The points that the trace of each run keeps; `None` without traces.
    pub trace: Option<Trigger>,
    /// How results are evaluated; `None` if nothing is decided.
    pub analysis: Option<AnalysisPlan>,
    /// The instances, in the order of the file.
    pub instances: PlannedInstances,
    /// Number of instances of the chosen buckets and ids that a `limit` leaves out.
    pub n_left_out: usize,
    /// Remarks on what is valid, but may not be intended.
    pub notes: Vec<String>,
    /// The algorithms, in the order of the file.
    pub algorithms: Vec<ResolvedAlgorithm>,
}

/// Which runs share a random stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seeding {
    /// All configurations get the same stream on the same instance and repetition.
    Paired,
    /// Every configuration has its own streams.
    Independent,
}

impl Spec {
    /// Whether the trace of a run of this length has the state of its population at the end of this generation.
    #[must_use]
    pub fn records_generation(&self, generation: u64) -> bool {
        matches!(self.trace, Some(Trigger::Every(every)) if generation.is_multiple_of(every))
    }

    /// The settings that any algorithm varies, by dotted path, in the order of the file. They are columns of the results.
    #[must_use]
    pub fn varied(&self) -> Vec<String> {
        let mut varied: Vec<String> = Vec::new();
        let axes = self.algorithms.iter().flat_map(|algorithm| &algorithm.spec().axes);
        for path in axes.flat_map(|axis| &axis.paths) {
            if !varied.contains(path) {
                varied.push(path.clone());
            }
        }
        varied
    }
}
