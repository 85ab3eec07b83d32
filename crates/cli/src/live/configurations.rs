//! The configurations of a watched experiment: their names, and which of them a record belongs to.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use evogrid_core::budget::TARGET_GAP;
use evogrid_core::settings::Value;
use evogrid_results::Record;

use evogrid_runner::experiment::instance_list::InstancesById;
use evogrid_runner::experiment::plan::{Plan, recorded};
use evogrid_runner::experiment::settings_json::SettingsByPath;
use evogrid_runner::external;

/// What a record holds of a target that follows from a gap: it differs from instance to instance.
const TARGET: &str = "budget.target";

/// The configurations of a plan. Its memory grows with the number of configurations, but not with the number of runs.
pub(crate) struct ConfigurationTable {
    names: Vec<ConfigurationName>,
    /// The hash of what is recorded of a configuration's settings, and its number; sorted.
    by_settings: Vec<(u64, u32)>,
    /// For each configuration the gap that its target stands for, in per cent.
    gaps: Vec<Option<f64>>,
    /// For each configuration whether its runs start an external program.
    programs: Vec<bool>,
}

/// The name of a configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ConfigurationName {
    /// The algorithm.
    pub algorithm: String,
    /// The varied settings: `population, mutation`; empty if nothing is varied.
    pub paths: String,
    /// The values of the varied settings: `100, swap`.
    pub values: String,
    /// Settings and values: `population = 100, mutation = swap`.
    pub varied: String,
}

impl ConfigurationTable {
    /// The configurations of a plan.
    pub(crate) fn new(plan: &Plan) -> Self {
        let (mut names, mut by_settings, mut gaps, mut programs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (number, configuration) in plan.configurations().enumerate() {
            for projection in &configuration.projections {
                let settings = recorded(&projection.on(None), plan.catalogue());
                by_settings.push((hash(&settings), number as u32));
            }
            gaps.push(configuration.settings.table("budget").get(TARGET_GAP).and_then(Value::as_real));
            programs.push(external::command(&configuration.settings).is_some());
            let varied = plan.varied().iter().zip(&configuration.varied).filter(|(_, value)| !value.is_empty());
            let varied: Vec<(&String, &String)> = varied.collect();
            let joined =
                |text: fn(&(&String, &String)) -> String| varied.iter().map(text).collect::<Vec<_>>().join(", ");
            names.push(ConfigurationName {
                paths: joined(|(path, _)| (*path).clone()),
                values: joined(|(_, value)| (*value).clone()),
                varied: joined(|(path, value)| format!("{path} = {value}")),
                algorithm: configuration.algorithm,
            });
        }
        by_settings.sort_unstable();
        by_settings.dedup();
        Self { names, by_settings, gaps, programs }
    }

    /// The names of the configurations, by their numbers.
    pub(crate) fn names(&self) -> &[ConfigurationName] {
        &self.names
    }

    /// Whether the runs of a configuration start an external program.
    pub(crate) fn starts_program(&self, configuration: usize) -> bool {
        self.programs[configuration]
    }

    /// The configurations to which a record belongs: several if algorithms share one, none if no configuration has its settings.
    ///
    /// Where a configuration has a gap for its target, the best known value of the instance tells which one; if that is not known, all that the target may
    /// stand for are meant.
    pub(crate) fn of_record(&self, record: &Record, instances: Option<&InstancesById>) -> Vec<u32> {
        let mut configurations: Vec<u32> = self.with_settings(&record.settings).collect();
        if let Some(target) = record.settings.get(TARGET) {
            let others = record.settings.iter().filter(|(path, _)| *path != TARGET);
            let others = others.map(|(path, value)| (path.clone(), value.clone())).collect();
            let best_known = instances.and_then(|instances| instances.get(&record.key.instance)?.best_known);
            let is_meant = |gap: f64| best_known.is_none_or(|known| Some(known.within(gap)) == target.as_f64());
            configurations.extend(
                self.with_settings(&others)
                    .filter(|&configuration| self.gaps[configuration as usize].is_some_and(is_meant)),
            );
        }
        configurations
    }

    fn with_settings(&self, settings: &SettingsByPath) -> impl Iterator<Item = u32> {
        let hash = hash(settings);
        let first = self.by_settings.partition_point(|&(other, _)| other < hash);
        self.by_settings[first..]
            .iter()
            .take_while(move |(other, _)| *other == hash)
            .map(|&(_, configuration)| configuration)
    }
}

/// The hash of recorded settings. It is compared only within one process.
fn hash(settings: &SettingsByPath) -> u64 {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(settings).expect("settings are values of JSON").hash(&mut hasher);
    hasher.finish()
}

impl ConfigurationName {
    /// The name as a single text.
    pub(crate) fn text(&self) -> String {
        let separator = if self.varied.is_empty() { "" } else { ", " };
        format!("{}{separator}{}", self.algorithm, self.varied)
    }
}
