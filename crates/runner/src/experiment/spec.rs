//! The spec: what an experiment file asks for, checked, with its instances loaded.

mod algorithm;
mod algorithm_table;
mod analysis;
mod axis;
mod check;
mod configurations;
mod equal;
mod exclusion;
mod fault_report;
pub mod fields;
mod fit;
mod instances;
mod overlap;
pub mod paths;
mod preset;
mod read;
mod record;
mod resolved;
mod space_check;
mod space_table;
mod tune;

use std::ops::Range;
use std::path::PathBuf;

use evogrid_results::trace::Trigger;
use serde::{Deserialize, Serialize};

use crate::experiment::instance_list::PlannedInstances;
use crate::experiment::schedule::Schedule;

pub use algorithm::AlgorithmSpec;
pub(crate) use algorithm::{label, lay};
pub use analysis::AnalysisPlan;
pub use axis::Axis;
pub(crate) use overlap::overlapping;
pub use preset::{Preset, preset, preset_names, presets};
pub use read::{NAME_HELP, check_name};
pub use resolved::{ResolvedAlgorithm, SettingsError};
pub use tune::TunePlan;

/// The keys that an experiment file may have at its root.
pub const TABLE_NAMES: [&str; 7] = ["experiment", "instances", "algorithms", "budget", "record", "analysis", "tune"];

/// The maximum number of repetitions of an experiment.
pub(crate) const REPETITION_LIMIT: u64 = 1_000_000_000;

/// A checked experiment.
pub struct Spec {
    /// The name of the experiment and of its results folder: letters, digits, `-` and `_`.
    pub name: String,
    /// A title for people; may be empty.
    pub title: String,
    /// The seed from which all other seeds are derived.
    pub seed: u64,
    /// The number of runs of each configuration on each instance.
    pub repetitions: u64,
    /// Whether configurations share their random streams.
    pub seeding: Seeding,
    /// The file of published values to show next to the results.
    pub published: Option<PathBuf>,
    /// The points that the trace of each run contains; `None` without traces.
    pub trace: Option<Trigger>,
    /// Whether the experiment file does not say which points traces contain.
    pub has_default_trace: bool,
    /// How results are evaluated; `None` if nothing is decided.
    pub analysis: Option<AnalysisPlan>,
    /// The instances, in the order of the file.
    pub instances: PlannedInstances,
    /// Number of instances of the chosen buckets and ids that a `limit` leaves out.
    pub n_left_out: usize,
    /// Remarks about valid settings that may be unintended.
    pub notes: Vec<String>,
    /// The algorithms, in the order of the file.
    pub algorithms: Vec<ResolvedAlgorithm>,
    /// Which runs each configuration has; `None` if each has all.
    pub schedule: Option<Schedule>,
    /// The instances on which a tuned configuration is tested, by number; the others are for training.
    pub test_instances: Vec<Range<usize>>,
    /// How an algorithm is tuned.
    pub tune: Option<TunePlan>,
}

/// Which runs use the same random stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seeding {
    /// All configurations get the same stream on the same instance and repetition.
    Paired,
    /// Every configuration has its own streams.
    Independent,
}

impl Spec {
    /// An experiment with the same seed and repetitions, and the traces that its file asks for, without instances and algorithms.
    pub(crate) fn like(&self) -> Self {
        Self {
            name: self.name.clone(),
            title: self.title.clone(),
            seed: self.seed,
            repetitions: self.repetitions,
            seeding: self.seeding,
            published: None,
            trace: self.trace.filter(|_| !self.has_default_trace),
            has_default_trace: self.has_default_trace,
            analysis: None,
            instances: PlannedInstances::default(),
            n_left_out: 0,
            notes: Vec::new(),
            algorithms: Vec::new(),
            schedule: None,
            test_instances: Vec::new(),
            tune: None,
        }
    }

    /// Whether the trace of a run with this number of generations contains the state of the population at the end of this generation.
    pub fn records_generation(&self, generation: u64) -> bool {
        matches!(self.trace, Some(Trigger::Every(every)) if generation.is_multiple_of(every))
    }

    /// The settings that any algorithm varies, by dotted path, in the order of the file. They are columns of the results.
    pub fn varied(&self) -> Vec<String> {
        let mut varied: Vec<String> = Vec::new();
        for path in self.algorithms.iter().flat_map(|algorithm| algorithm.spec().paths()) {
            if !varied.contains(path) {
                varied.push(path.clone());
            }
        }
        varied
    }
}
