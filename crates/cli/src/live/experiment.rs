//! The experiment of the folders that are watched, read from their manifests.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::Direction;
use serde::Deserialize;
use serde_json::Value;

use super::configurations::ConfigurationTable;
use crate::manifest_outline::{Outline, OutlinedExperiment};
use evogrid_runner::engine::folder::manifest::{MANIFEST_SIZE_LIMIT, Versions};
use evogrid_runner::experiment::document::regular_reader;
use evogrid_runner::experiment::instance_list::{InstanceSample, InstancesById};
use evogrid_runner::experiment::limits;
use evogrid_runner::experiment::manifest_form::Experiment;
use evogrid_runner::experiment::plan::Plan;
use evogrid_runner::experiment::schedule::Schedule;

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
    /// Which runs each configuration has, if not all.
    pub schedule: Option<Schedule>,
    /// The instances by their ids, if all of them are in memory and at least one has a best known value.
    pub instances: Option<InstancesById>,
    /// Whether smaller or larger objectives are better; `None` if that differs between the instances.
    pub direction: Option<Direction>,
    /// Notes about unequal limits, or limits that allow unequal work.
    pub limit_notes: Vec<String>,
    /// Whether the tables of a folder were made from all runs.
    pub are_tables_made: bool,
    stamps: Vec<Option<(SystemTime, u64)>>,
}

impl WatchedExperiment {
    /// Reads the manifests of the folders, which must belong to one experiment.
    ///
    /// # Errors
    /// If one cannot be read or planned, or is of another experiment.
    pub(crate) fn open(folders: &[PathBuf], catalogue: &Arc<Catalogue>) -> Result<Self> {
        // The stamps first: what is written meanwhile is read the next time.
        let stamps = stamps(folders);
        let (mut first, mut schedule): (Option<(Experiment, InstanceSample)>, _) = (None, None);
        let mut are_tables_made = false;
        for folder in folders {
            let Outline { experiment, others } = read(folder)?;
            let number = |name: &str| others.get("runs").and_then(|runs| runs[name].as_u64());
            are_tables_made |= number("present").is_some() && number("present") == number("planned");
            let not_held = || not_held(&manifest(folder));
            let OutlinedExperiment { instances, mut others } = experiment.with_context(not_held)?;
            let instances = instances.with_context(not_held)?;
            others.insert("instances".to_owned(), Value::Array(Vec::new()));
            // Its numbers are those of all instances, not of the sample.
            let of_this = others.remove("schedule").map(Schedule::deserialize).transpose().with_context(not_held)?;
            let mut experiment = Experiment::deserialize(Value::Object(others)).with_context(not_held)?;
            experiment.instances = Arc::new(instances.list.clone());
            match &first {
                None => (first, schedule) = (Some((experiment, instances)), of_this),
                Some((one, sample)) => {
                    let is_longer = sample.n_instances != instances.n_instances;
                    let is_longer = is_longer.then(|| "they differ in `instances`".to_owned());
                    let is_other = (schedule != of_this).then(|| "they differ in `schedule`".to_owned());
                    if let Some(difference) = one.difference(&experiment).or(is_longer).or(is_other) {
                        let (one, other) = (folders[0].display(), folder.display());
                        bail!("{one} and {other} are of different experiments: {difference}");
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
            instances: has_instances.then(|| InstancesById::new(Arc::clone(plan.spec().instances.list()))),
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

    /// Whether a manifest was written after it was read.
    pub(crate) fn is_outdated(&self, folders: &[PathBuf]) -> bool {
        self.stamps != stamps(folders)
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

fn manifest(folder: &Path) -> PathBuf {
    folder.join("manifest.json")
}

fn not_held(path: &Path) -> String {
    format!("{} does not contain the experiment: run the experiment again to rewrite it", path.display())
}

fn read(folder: &Path) -> Result<Outline<InstanceSample>> {
    let path = manifest(folder);
    let outline: Outline<InstanceSample> =
        serde_json::from_reader(regular_reader(&path, MANIFEST_SIZE_LIMIT)?).with_context(|| not_held(&path))?;
    let versions = outline.others.get("evogrid").map(Option::<Versions>::deserialize).transpose();
    Versions::check(versions.with_context(|| not_held(&path))?.flatten().as_ref(), &path)?;
    Ok(outline)
}

fn stamps(folders: &[PathBuf]) -> Vec<Option<(SystemTime, u64)>> {
    let stamp = |folder: &PathBuf| {
        let metadata = std::fs::metadata(manifest(folder)).ok()?;
        Some((metadata.modified().ok()?, metadata.len()))
    };
    folders.iter().map(stamp).collect()
}
