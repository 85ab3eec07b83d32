//! The experiment of the watched folders and its configurations, which are read from the manifests of the folders.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use evogrid_core::budget::TARGET_GAP;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::Direction;
use evogrid_core::settings::Value as Setting;
use evogrid_results::Record;
use serde::Deserialize;
use serde_json::Value;

use crate::manifest_outline::{Outline, OutlinedExperiment};
use evogrid_runner::engine::folder::manifest::{FileStamp, MANIFEST_SIZE_LIMIT, Versions, not_valid, place, stamp};
use evogrid_runner::experiment::document::regular_reader;
use evogrid_runner::experiment::instance_list::{InstanceSample, InstancesById};
use evogrid_runner::experiment::limits;
use evogrid_runner::experiment::manifest_form::Experiment;
use evogrid_runner::experiment::plan::{Plan, recorded};
use evogrid_runner::experiment::schedule::Schedule;
use evogrid_runner::experiment::settings_json::SettingsByPath;
use evogrid_runner::external;

/// An experiment that is being watched.
pub(crate) struct WatchedExperiment {
    /// The experiment, with a sample of its instances.
    pub experiment: Experiment,
    /// The plan, with all configurations and the runs of the sample of instances.
    pub plan: Plan,
    /// Its configurations.
    pub configurations: ConfigurationTable,
    /// The number of runs of each configuration.
    pub runs_per_configuration: u64,
    /// The schedule that says which runs each configuration has; `None` if each configuration has all runs.
    pub schedule: Option<Schedule>,
    /// The instances by their ids, if all instances are in memory and at least one has a best known value.
    pub instances: Option<InstancesById>,
    /// Whether smaller or larger objectives are better; `None` if the direction differs between the instances.
    pub direction: Option<Direction>,
    /// Notes about different limits, or about limits that allow unequal work.
    pub limit_notes: Vec<String>,
    /// Whether the tables of a folder were made from all runs.
    pub are_tables_made: bool,
    /// The times and sizes of the manifests when they were read.
    pub(super) stamps: Vec<Option<FileStamp>>,
}

impl WatchedExperiment {
    /// Reads the manifests of the folders, which must belong to one experiment.
    ///
    /// # Errors
    /// Returns an error if a manifest cannot be read or planned, or if it belongs to another experiment.
    pub(crate) fn open(folders: &[PathBuf], catalogue: &Arc<Catalogue>) -> Result<Self> {
        // The stamps are taken first. So the next look reads a manifest that is written meanwhile.
        let stamps = folders.iter().map(|folder| stamp(folder)).collect();
        let (mut first, mut schedule): (Option<(Experiment, InstanceSample)>, _) = (None, None);
        let mut are_tables_made = false;
        for folder in folders {
            let Outline { experiment, others } = read(folder)?;
            let number = |name: &str| others.get("runs").and_then(|runs| runs[name].as_u64());
            are_tables_made |= number("present").is_some() && number("present") == number("planned");
            let not_held = || not_valid(&place(folder));
            let OutlinedExperiment { instances, mut others } = experiment.with_context(not_held)?;
            let instances = instances.with_context(not_held)?;
            others.insert("instances".to_owned(), Value::Array(Vec::new()));
            // The schedule refers to all instances, not to the sample, so the experiment must not read it.
            let of_this = others.remove("schedule").map(Schedule::deserialize).transpose().with_context(not_held)?;
            let mut experiment = Experiment::deserialize(Value::Object(others)).with_context(not_held)?;
            experiment.instances = Arc::new(instances.list.clone());
            match &first {
                None => (first, schedule) = (Some((experiment, instances)), of_this),
                Some((one, sample)) => {
                    let is_longer = sample.n_instances != instances.n_instances;
                    let is_longer = is_longer.then(|| "the experiments differ in `instances`".to_owned());
                    let is_other = (schedule != of_this).then(|| "the experiments differ in `schedule`".to_owned());
                    if let Some(difference) = one.difference(&experiment).or(is_longer).or(is_other) {
                        let (one, other) = (folders[0].display(), folder.display());
                        bail!("{one} and {other} belong to different experiments: {difference}");
                    }
                }
            }
        }
        let (experiment, sample) = first.context("no folder is named")?;
        let plan = experiment.plan(Arc::clone(catalogue))?;
        let runs_per_configuration = sample.n_instances.saturating_mul(plan.spec().repetitions);
        let direction = direction(&sample, catalogue);
        let has_instances = sample.is_whole() && sample.list.has_best_known();
        Ok(Self {
            limit_notes: limits::notes(&experiment.limits(catalogue)),
            configurations: ConfigurationTable::new(&plan),
            instances: has_instances.then(|| InstancesById::new(Arc::clone(&plan.spec().instances))),
            plan,
            experiment,
            runs_per_configuration,
            schedule,
            direction,
            are_tables_made,
            stamps,
        })
    }

    /// The number of planned runs of the configuration with this number.
    pub(crate) fn planned(&self, configuration: usize) -> u64 {
        let blocks = self.schedule.as_ref().and_then(|schedule| schedule.blocks.get(configuration));
        blocks.map_or(self.runs_per_configuration, |[from, to]| to.saturating_sub(*from))
    }

    /// The number of instances.
    pub(crate) fn n_instances(&self) -> u64 {
        self.runs_per_configuration / self.plan.spec().repetitions.max(1)
    }

    /// Whether another experiment has the same runs in the same configurations.
    pub(crate) fn is_same_as(&self, other: &Self) -> bool {
        self.experiment.difference(&other.experiment).is_none()
            && self.runs_per_configuration == other.runs_per_configuration
            && self.schedule == other.schedule
    }
}

/// The direction of the objectives of these instances, if they share one.
fn direction(sample: &InstanceSample, catalogue: &Catalogue) -> Option<Direction> {
    Direction::shared(sample.list.iter().map(|instance| {
        catalogue.family(instance.problem).map_or(Direction::Minimise, |family| family.direction(instance.content))
    }))
}

fn read(folder: &Path) -> Result<Outline<InstanceSample>> {
    let path = place(folder);
    let outline: Outline<InstanceSample> =
        serde_json::from_reader(regular_reader(&path, MANIFEST_SIZE_LIMIT)?).with_context(|| not_valid(&path))?;
    let versions = outline.others.get("evogrid").map(Option::<Versions>::deserialize).transpose();
    Versions::check(versions.with_context(|| not_valid(&path))?.flatten().as_ref(), &path)?;
    Ok(outline)
}

/// The recorded setting of a target. If the target follows from a gap, it differs between instances.
const TARGET: &str = "budget.target";

/// The configurations of a plan. The memory of the table grows with the number of configurations, but not with the number of runs.
pub(crate) struct ConfigurationTable {
    /// The names of the configurations, by their numbers.
    pub(super) names: Vec<ConfigurationName>,
    /// For each configuration: the hash of its recorded settings, and its number. The list is sorted.
    by_settings: Vec<(u64, u32)>,
    /// For each configuration, the gap that defines its target, in per cent.
    gaps: Vec<Option<f64>>,
    /// For each configuration, whether its runs start an external program.
    pub(super) programs: Vec<bool>,
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
            gaps.push(configuration.settings.table("budget").get(TARGET_GAP).and_then(Setting::as_real));
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

    /// The configurations to which a record belongs: several if algorithms share a configuration, none if no configuration has the settings of
    /// the record.
    ///
    /// If a gap defines the target, the best known value of the instance decides to which of these configurations the record belongs.
    /// Without a best known value, the record belongs to all of these configurations.
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

/// The hash of recorded settings. Hashes are compared only within one process.
fn hash(settings: &SettingsByPath) -> u64 {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(settings).expect("settings are valid JSON values").hash(&mut hasher);
    hasher.finish()
}

impl ConfigurationName {
    /// The name of the configuration as a single text.
    pub(crate) fn text(&self) -> String {
        let separator = if self.varied.is_empty() { "" } else { ", " };
        format!("{}{separator}{}", self.algorithm, self.varied)
    }
}
