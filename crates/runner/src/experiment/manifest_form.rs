//! The form in which a manifest stores an experiment. A manifest is enough to plan the experiment again, without the experiment file and
//! the data sets.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail, ensure};
use evogrid_core::catalogue::Catalogue;
use evogrid_results::trace::Trigger;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value as Json, json};

use crate::experiment::design::Design;
use crate::experiment::instance_list::InstanceList;
use crate::experiment::plan::{Plan, recorded};
use crate::experiment::schedule::Schedule;
use crate::experiment::settings_json::{SettingsByPath, value_to_json};
use crate::experiment::spec::{
    AlgorithmSpec, AnalysisPlan, Axis, REPETITION_LIMIT, ResolvedAlgorithm, Seeding, Spec, overlapping,
};

/// The maximum number of configurations that are planned from a manifest: readers of a manifest examine every configuration.
const COMBINATION_LIMIT: u64 = 10_000_000;

/// The description of an experiment in a manifest, with resolved settings. The fields are in alphabetical order, like the keys in the JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Experiment {
    algorithms: Vec<AlgorithmSpec>,
    /// The latest decisions about the evaluation of results. The decisions that were made before the first run are in the first session
    /// file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<AnalysisPlan>,
    /// The path of the experiment file.
    pub file: String,
    /// The instances with their content, in the order of the plan. An experiment may have a million instances. So the instances are written
    /// and read one by one.
    #[serde(serialize_with = "write_list", deserialize_with = "read_list")]
    pub instances: Arc<InstanceList>,
    /// The number of instances in the data sets that `limit` or `skip` excludes.
    #[serde(default, skip_serializing_if = "is_zero")]
    instances_left_out: usize,
    name: String,
    record: RecordSettings,
    repetitions: u64,
    /// The schedule of a plan whose configurations have different numbers of runs. `None` if every configuration has a run on each instance
    /// in each repetition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    schedule: Option<Schedule>,
    seed: u64,
    seeding: Seeding,
    /// The settings from the command line, which override settings of the file.
    #[serde(default)]
    pub sets: Vec<String>,
    title: String,
}

fn write_list<S: Serializer>(list: &Arc<InstanceList>, serializer: S) -> Result<S::Ok, S::Error> {
    list.serialize(serializer)
}

fn read_list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<InstanceList>, D::Error> {
    InstanceList::deserialize(deserializer).map(Arc::new)
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct RecordSettings {
    /// A trigger, or `none`.
    trace: Json,
    /// Whether the experiment file does not define the trigger.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    trace_by_default: bool,
}

/// Says that two values differ, with both values if they are short.
fn difference_in<T: PartialEq + Serialize + ?Sized>(key: &str, one: &T, other: &T) -> Option<String> {
    let [one_text, other_text] = [one, other].map(|value| serde_json::to_string(value).unwrap_or_default());
    // Long values, such as all instances, do not help on one line.
    let is_short = one_text.len() + other_text.len() < 100;
    let values = if is_short { format!(": {one_text} and {other_text}") } else { String::new() };
    (one != other).then(|| format!("the experiments differ in `{key}`{values}"))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Experiment {
    /// Creates the description of a planned experiment. `file` is the experiment file. `sets` are the settings from the command line.
    pub fn new(plan: &Plan, file: &Path, sets: &[String]) -> Self {
        let spec = plan.spec();
        let algorithm = |algorithm: &ResolvedAlgorithm| {
            let algorithm = algorithm.spec();
            let first = first_settings(plan, &algorithm.name).unwrap_or_default();
            AlgorithmSpec { first, ..algorithm.clone() }
        };
        Self {
            file: file.display().to_string(),
            sets: sets.to_vec(),
            name: spec.name.clone(),
            title: spec.title.clone(),
            seed: spec.seed,
            repetitions: spec.repetitions,
            schedule: spec.schedule.clone(),
            seeding: spec.seeding,
            record: RecordSettings {
                trace: spec.trace.map_or_else(|| json!("none"), |trigger| json!(trigger)),
                trace_by_default: spec.has_default_trace && spec.trace.is_some(),
            },
            algorithms: spec.algorithms.iter().map(algorithm).collect(),
            analysis: spec.analysis.clone(),
            instances_left_out: spec.n_left_out,
            instances: Arc::clone(&spec.instances),
        }
    }

    /// Returns the name and all settings of each algorithm. The limits of the budget are among these settings. A varied setting has a list
    /// of values. Algorithms that end by themselves, without a limit, are omitted.
    pub fn limits(&self, catalogue: &Catalogue) -> Vec<(String, SettingsByPath)> {
        limits(&self.algorithms, catalogue)
    }

    /// Returns the name of the first algorithm whose settings in the manifest differ from the plan. Returns `None` if the settings of all
    /// algorithms agree with the plan. The settings in the manifest are only for people who read it.
    pub fn misdescribed(&self, plan: &Plan) -> Option<&str> {
        let is_misdescribed = |algorithm: &&AlgorithmSpec| {
            first_settings(plan, &algorithm.name).is_none_or(|settings| settings != algorithm.first)
        };
        self.algorithms.iter().find(is_misdescribed).map(|algorithm| algorithm.name.as_str())
    }

    /// Plans the experiment again.
    ///
    /// # Errors
    /// If the catalogue lacks a component of the experiment. If the manifest was edited and is no longer valid.
    pub fn plan(&self, catalogue: impl Into<Arc<Catalogue>>) -> Result<Plan> {
        match self.plan_known(catalogue)? {
            (plan, None) => Ok(plan),
            (_, Some(unknown)) => Err(unknown),
        }
    }

    /// Plans only those runs of the experiment whose components are all in the catalogue. An instance is left out if the problem family is
    /// missing in the catalogue. An algorithm is left out if a component of the algorithm is missing. If any component is missing, also
    /// returns an error that names the first missing component.
    ///
    /// # Errors
    /// If the manifest was edited and is no longer valid. If a component is missing, and the experiment has a schedule.
    pub fn plan_known(&self, catalogue: impl Into<Arc<Catalogue>>) -> Result<(Plan, Option<anyhow::Error>)> {
        let catalogue = catalogue.into();
        ensure!(!self.instances.is_empty(), "the experiment has no instances, and therefore no runs");
        let repetitions = 1..=REPETITION_LIMIT;
        ensure!(repetitions.contains(&self.repetitions), "the `repetitions` are not between 1 and {REPETITION_LIMIT}");
        let is_unknown = |problem: &&str| catalogue.family(problem).is_none();
        let mut unknown =
            self.instances.problems().into_iter().find(is_unknown).map(|name| anyhow!("unknown problem `{name}`"));
        let mut list = Arc::clone(&self.instances);
        if unknown.is_some() {
            let known = self.instances.iter().filter(|instance| !is_unknown(&instance.problem));
            list = Arc::new(known.collect());
        }
        let instances = InstanceList::canonical(&list, &catalogue)?;
        self.algorithms.iter().try_for_each(check)?;
        let combinations = self.algorithms.iter().map(AlgorithmSpec::n_combinations).fold(0, u64::saturating_add);
        ensure!(
            combinations <= COMBINATION_LIMIT,
            "the grids have {combinations} combinations, but at most {COMBINATION_LIMIT} are allowed"
        );
        if let Some(analysis) = &self.analysis {
            let algorithms: Vec<&AlgorithmSpec> = self.algorithms.iter().collect();
            analysis.expect_no_fault(Some(&algorithms), Some(self.repetitions)).context("its `analysis`")?;
        }
        let problems = instances.problems();
        let mut algorithms = Vec::new();
        for algorithm in &self.algorithms {
            // A missing external program matters to runs, but not to their results.
            match ResolvedAlgorithm::new(algorithm.clone(), &catalogue, &problems, |_| Vec::new()) {
                Ok(algorithm) => algorithms.push(algorithm),
                Err(mut errors) => unknown = unknown.or_else(|| Some(errors.swap_remove(0).into())),
            }
        }
        if let Some(schedule) = &self.schedule {
            // Without an unknown configuration or instance, the numbers in the schedule are wrong.
            if let Some(unknown) = unknown {
                return Err(unknown);
            }
            let n_configurations = algorithms.iter().map(ResolvedAlgorithm::n_configurations).sum();
            schedule.check(n_configurations, instances.len()).map_err(|wrong| anyhow!("its `schedule`: {wrong}"))?;
        }
        let spec = Spec {
            name: self.name.clone(),
            title: self.title.clone(),
            seed: self.seed,
            repetitions: self.repetitions,
            seeding: self.seeding,
            trace: self.trace()?,
            has_default_trace: self.record.trace_by_default,
            analysis: self.analysis.clone(),
            instances,
            n_left_out: self.instances_left_out,
            algorithms,
            schedule: self.schedule.clone(),
            ..Spec::default()
        };
        Ok((Plan::new(spec, catalogue), unknown))
    }

    /// The difference in name or seed, in words. With such a difference, these are different experiments and not two states of one
    /// experiment.
    pub(crate) fn identity_difference(&self, other: &Self) -> Option<String> {
        if self.name != other.name {
            return Some(format!("`{}`, and this is `{}`", self.name, other.name));
        }
        (self.seed != other.seed)
            .then(|| format!("the seed is {}, but the seed of this experiment is {}", self.seed, other.seed))
    }

    /// Describes the first difference between the plans of two experiments. For example: ``the experiments differ in `seed`: 1 and 2``.
    pub fn difference(&self, other: &Self) -> Option<String> {
        difference_in("name", &self.name, &other.name)
            .or_else(|| difference_in("seed", &self.seed, &other.seed))
            .or_else(|| difference_in("repetitions", &self.repetitions, &other.repetitions))
            .or_else(|| difference_in("seeding", &self.seeding, &other.seeding))
            .or_else(|| difference_in("schedule", &self.schedule, &other.schedule))
            .or_else(|| difference_in("trace", &self.record.trace, &other.record.trace))
            .or_else(|| self.instance_difference(other))
            .or_else(|| difference_in("algorithms", &self.algorithms, &other.algorithms))
    }

    fn instance_difference(&self, other: &Self) -> Option<String> {
        /// With this number of instances or more, the texts are far longer than a message can be.
        const MOST_COMPARED_AS_TEXT: usize = 10;
        if self.instances.has_same_instances(&other.instances) {
            return None;
        }
        if self.instances.len().max(other.instances.len()) > MOST_COMPARED_AS_TEXT {
            return Some("the experiments differ in `instances`".to_owned());
        }
        difference_in("instances", self.instances.as_ref(), other.instances.as_ref())
    }

    fn trace(&self) -> Result<Option<Trigger>> {
        if self.record.trace == "none" {
            return Ok(None);
        }
        serde_json::from_value(self.record.trace.clone()).map(Some).context("cannot read `record.trace`")
    }
}

/// Returns the [limits](Experiment::limits) of the algorithms in the JSON text of a manifest. The list is empty if the algorithms are not
/// valid.
pub fn limits_of_algorithms(algorithms: &Json, catalogue: &Catalogue) -> Vec<(String, SettingsByPath)> {
    Vec::deserialize(algorithms).map_or_else(|_| Vec::new(), |algorithms| limits(&algorithms, catalogue))
}

fn limits(algorithms: &[AlgorithmSpec], catalogue: &Catalogue) -> Vec<(String, SettingsByPath)> {
    let limits = algorithms.iter().map(|algorithm| {
        let mut settings = algorithm.first.clone();
        for axis in &algorithm.axes {
            for (at, path) in axis.paths.iter().enumerate() {
                let mut values: Vec<Json> =
                    axis.points.iter().filter_map(|point| point.get(at)).map(value_to_json).collect();
                values.dedup();
                settings.insert(path.clone(), values.into());
            }
        }
        for dimension in algorithm.designs.iter().flat_map(|design| &design.space.dimensions) {
            let values: Vec<Json> = dimension.values.listed().iter().map(value_to_json).collect();
            let known = settings.entry(dimension.path.clone()).or_insert_with(|| json!([]));
            let others = known.as_array().into_iter().flatten().filter(|known| !values.contains(known)).cloned();
            *known = others.chain(values.iter().cloned()).collect();
        }
        (algorithm.name.clone(), settings)
    });
    let ends =
        |kind: Option<&Json>| kind.and_then(Json::as_str).is_some_and(|kind| catalogue.is_self_terminating(kind));
    limits.filter(|(_, settings)| !ends(settings.get("kind"))).collect()
}

/// All settings of the first configuration of an algorithm, as pairs of a dotted path and a value; `None` if the algorithm has no
/// configuration.
fn first_settings(plan: &Plan, algorithm: &str) -> Option<SettingsByPath> {
    Some(recorded(&plan.first_configuration(algorithm)?.settings, plan.catalogue()))
}

/// Checks an algorithm that somebody may have changed by hand.
fn check(AlgorithmSpec { name, axes, designs, space, .. }: &AlgorithmSpec) -> Result<()> {
    let is_whole =
        |axis: &Axis| !axis.points.is_empty() && axis.points.iter().all(|point| point.len() == axis.paths.len());
    ensure!(axes.iter().all(is_whole), "the varied settings of `{name}` are incomplete");
    if let Some(path) = overlapping(axes) {
        bail!("`{name}` varies `{path}` twice");
    }
    ensure!(axes.is_empty() || designs.is_empty(), "`{name}` has both a grid and designs");
    let n_points = designs.iter().map(Design::n_points).fold(0, u64::saturating_add);
    ensure!(n_points <= COMBINATION_LIMIT, "the designs of `{name}` have {n_points} points");
    designs.iter().try_for_each(Design::check).with_context(|| format!("a design of `{name}`"))?;
    space.check().with_context(|| format!("the space of `{name}`"))
}
