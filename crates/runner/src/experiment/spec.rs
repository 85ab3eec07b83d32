//! The spec: the checked content of an experiment file, with its instances.

mod algorithm;
mod algorithm_table;
mod analysis;
mod axis;
mod check;
mod equal;
mod fault_report;
pub mod fields;
mod fit;
mod instances;
mod overlap;
mod preset;
mod read;
mod resolved;
mod space_check;
mod space_table;
mod tune;

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use evogrid_results::trace::Trigger;
use serde::{Deserialize, Serialize};

use crate::experiment::instance_list::InstanceList;
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

/// The keys of the table `experiment`.
const EXPERIMENT_KEYS: [&str; 6] = ["name", "title", "seed", "repetitions", "seeding", "published"];

/// The maximum number of repetitions of an experiment.
pub(crate) const REPETITION_LIMIT: u64 = 1_000_000_000;

/// A checked experiment.
#[derive(Default)]
pub struct Spec {
    /// The name of the experiment and of its results folder. The name consists of letters, digits, `-` and `_`.
    pub name: String,
    /// A title for people; may be empty.
    pub title: String,
    /// The seed from which all other seeds are derived.
    pub seed: u64,
    /// The number of runs of each configuration on each instance.
    pub repetitions: u64,
    /// Whether configurations share their random streams.
    pub seeding: Seeding,
    /// The file with published values, which charts show next to the results.
    pub published: Option<PathBuf>,
    /// The points in the trace of each run, or `None` if no traces are recorded.
    pub trace: Option<Trigger>,
    /// Whether the trace has the default points. The default points are used if the experiment file does not set any points.
    pub has_default_trace: bool,
    /// The settings for the analysis of the results. The value is `None` if the experiment file contains no settings for the analysis.
    pub analysis: Option<AnalysisPlan>,
    /// The instances, in the order of the file.
    pub instances: Arc<InstanceList>,
    /// The number of instances that `limit` or `skip` excludes. An instance is counted only if it passes the filters `buckets` and `ids`.
    pub n_left_out: usize,
    /// Notes about valid settings that the user may not have intended.
    pub notes: Vec<String>,
    /// The algorithms, in the order of the file.
    pub algorithms: Vec<ResolvedAlgorithm>,
    /// The schedule of a plan whose configurations have different numbers of runs. `None` if every configuration has a run on each instance
    /// in each repetition.
    pub schedule: Option<Schedule>,
    /// The numbers of the test instances, as a list of ranges. The winner of a tuning is tested on these instances. The tuning itself uses
    /// all instances that are not test instances.
    pub test_instances: Vec<Range<usize>>,
    /// The settings of a tuning.
    pub tune: Option<TunePlan>,
}

/// The rule that says which runs use the same random stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seeding {
    /// All configurations use the same random stream in the same repetition on the same instance.
    #[default]
    Paired,
    /// Every configuration uses its own random streams.
    Independent,
}

impl Spec {
    /// An experiment with the same name, title, seed and repetitions, without instances and algorithms. The runs have traces only if the
    /// experiment file asks for traces.
    pub(crate) fn like(&self) -> Self {
        Self {
            name: self.name.clone(),
            title: self.title.clone(),
            seed: self.seed,
            repetitions: self.repetitions,
            seeding: self.seeding,
            trace: self.trace.filter(|_| !self.has_default_trace),
            has_default_trace: self.has_default_trace,
            ..Self::default()
        }
    }

    /// Whether traces contain the state of the population after the generation with this number.
    pub fn records_generation(&self, generation: u64) -> bool {
        matches!(self.trace, Some(Trigger::Every(every)) if generation.is_multiple_of(every))
    }

    /// Returns the dotted paths of the varied settings, in the order of the file. A setting is varied if at least one algorithm varies it.
    /// Each varied setting is a column in the results.
    pub fn varied(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let paths = self.algorithms.iter().flat_map(|algorithm| algorithm.spec().paths());
        paths.filter(|path| seen.insert(*path)).cloned().collect()
    }
}
