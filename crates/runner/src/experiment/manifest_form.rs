//! An experiment as a manifest holds it: everything needed to plan it again without its file and its data sets.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail, ensure};
use evogrid_core::catalogue::Catalogue;
use evogrid_results::trace::Trigger;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value as Json, json};

use crate::experiment::design::{Design, Designs};
use crate::experiment::instance_list::{InstanceList, PlannedInstances};
use crate::experiment::plan::{Plan, recorded};
use crate::experiment::schedule::Schedule;
use crate::experiment::settings_json::SettingsByPath;
use crate::experiment::settings_json::{settings_from_json, settings_to_json, value_from_json, value_to_json};
use crate::experiment::space::{Space, Values};
use crate::experiment::spec::{
    AlgorithmSpec, AnalysisPlan, Axis, REPETITION_LIMIT, ResolvedAlgorithm, Seeding, Spec, overlapping,
};

/// The most configurations that are planned from a manifest: its reader looks at all of them.
const COMBINATION_LIMIT: u64 = 10_000_000;

/// A resolved experiment, as a manifest contains it. The keys of a manifest are in alphabetical order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Experiment {
    algorithms: Vec<ManifestAlgorithm>,
    /// How results are evaluated according to the present decision. The first session contains the decision before the first run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<AnalysisPlan>,
    /// The experiment file's path.
    pub file: String,
    /// The instances with their content, in the order of the plan. There may be a million, so they are written and read one by one.
    #[serde(serialize_with = "write_list", deserialize_with = "read_list")]
    pub instances: Arc<InstanceList>,
    /// Instances of its data sets that a `limit` leaves out.
    #[serde(default, skip_serializing_if = "is_zero")]
    instances_left_out: usize,
    name: String,
    record: RecordSettings,
    repetitions: u64,
    /// Which runs each configuration has, if not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    schedule: Option<Schedule>,
    seed: u64,
    seeding: Seeding,
    /// The settings of the command line that were laid over the file.
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
    /// Whether the experiment file does not say which.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    trace_by_default: bool,
}

/// An algorithm and what it varies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ManifestAlgorithm {
    /// The settings that were given, where nothing is varied: for the plan.
    base: Map<String, Json>,
    /// The designs that are run instead of a grid.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    designs: Vec<Design>,
    /// Combinations that are left out, by dotted path.
    excluded: Vec<Map<String, Json>>,
    name: String,
    /// All settings at the first point of the grid, resolved, by dotted path: for people.
    settings: BTreeMap<String, Json>,
    /// The space of its configurations.
    #[serde(default, skip_serializing_if = "Space::is_empty")]
    space: Space,
    varied: Vec<ManifestAxis>,
}

/// Settings that move together, by dotted path, and their values at each point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ManifestAxis {
    points: Vec<Vec<Json>>,
    settings: Vec<String>,
}

/// Says that two values differ, with both values if they are short.
fn difference_in<T: PartialEq + Serialize + ?Sized>(key: &str, one: &T, other: &T) -> Option<String> {
    let [one_text, other_text] = [one, other].map(|value| serde_json::to_string(value).unwrap_or_default());
    // Long values, all the instances for example, are of no use on one line.
    let is_short = one_text.len() + other_text.len() < 100;
    let values = if is_short { format!(": {one_text} and {other_text}") } else { String::new() };
    (one != other).then(|| format!("they differ in `{key}`{values}"))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Experiment {
    /// The experiment of a plan that was read from `file`, with `sets` laid over it.
    pub fn new(plan: &Plan, file: &Path, sets: &[String]) -> Self {
        let spec = plan.spec();
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
            algorithms: spec
                .algorithms
                .iter()
                .map(|algorithm| ManifestAlgorithm::new(plan, algorithm.spec()))
                .collect(),
            analysis: spec.analysis.clone(),
            instances_left_out: spec.n_left_out,
            instances: Arc::clone(spec.instances.list()),
        }
    }

    /// The settings of each algorithm, with lists of values for varied settings. Algorithms that end by themselves are omitted.
    pub fn limits(&self, catalogue: &Catalogue) -> Vec<(String, SettingsByPath)> {
        limits(&self.algorithms, catalogue)
    }

    /// An algorithm whose readable settings differ from those of the plan, if there is one.
    pub fn misdescribed(&self, plan: &Plan) -> Option<&str> {
        let is_described = |algorithm: &&ManifestAlgorithm| {
            plan.first_configuration(&algorithm.name)
                .is_some_and(|configuration| recorded(&configuration.settings, plan.catalogue()) == algorithm.settings)
        };
        self.algorithms.iter().find(|algorithm| !is_described(algorithm)).map(|algorithm| algorithm.name.as_str())
    }

    /// Plans the experiment again.
    ///
    /// # Errors
    /// If the catalogue lacks a name, or somebody changed the manifest by hand.
    pub fn plan(&self, catalogue: impl Into<Arc<Catalogue>>) -> Result<Plan> {
        match self.plan_known(catalogue)? {
            (plan, None) => Ok(plan),
            (_, Some(unknown)) => Err(unknown),
        }
    }

    /// Plans the part of the experiment that the catalogue knows, and returns why the first of the other instances or algorithms is
    /// unknown.
    ///
    /// # Errors
    /// If somebody changed the manifest by hand.
    pub fn plan_known(&self, catalogue: impl Into<Arc<Catalogue>>) -> Result<(Plan, Option<anyhow::Error>)> {
        let catalogue = catalogue.into();
        ensure!(!self.instances.is_empty(), "it has no runs");
        let repetitions = 1..=REPETITION_LIMIT;
        ensure!(repetitions.contains(&self.repetitions), "its `repetitions` are not between 1 and {REPETITION_LIMIT}");
        let is_unknown = |problem: &&str| catalogue.family(problem).is_none();
        let mut unknown =
            self.instances.problems().into_iter().find(is_unknown).map(|name| anyhow!("unknown problem `{name}`"));
        let mut list = Arc::clone(&self.instances);
        if unknown.is_some() {
            let mut known = InstanceList::default();
            self.instances
                .iter()
                .filter(|instance| !is_unknown(&instance.problem))
                .for_each(|instance| known.push(instance));
            list = Arc::new(known);
        }
        let instances = PlannedInstances::restore(&list, &catalogue)?;
        let algorithms: Vec<AlgorithmSpec> =
            self.algorithms.iter().map(ManifestAlgorithm::spec).collect::<Result<_>>()?;
        let combinations = algorithms.iter().map(AlgorithmSpec::n_combinations).fold(0, u64::saturating_add);
        ensure!(
            combinations <= COMBINATION_LIMIT,
            "its grids have {combinations} combinations; the limit is {COMBINATION_LIMIT}"
        );
        if let Some(analysis) = &self.analysis {
            let algorithms: Vec<&AlgorithmSpec> = algorithms.iter().collect();
            analysis.expect_no_fault(Some(&algorithms), Some(self.repetitions)).context("its `analysis`")?;
        }
        let problems = instances.list().problems();
        let mut resolved = Vec::new();
        for algorithm in algorithms {
            // Whether an external program is there matters to runs, not to what they left.
            match ResolvedAlgorithm::new(algorithm, &catalogue, &problems, |_| Vec::new()) {
                Ok(algorithm) => resolved.push(algorithm),
                Err(mut errors) => unknown = unknown.or_else(|| Some(errors.swap_remove(0).into())),
            }
        }
        let spec = Spec {
            name: self.name.clone(),
            title: self.title.clone(),
            seed: self.seed,
            repetitions: self.repetitions,
            seeding: self.seeding,
            published: None,
            trace: self.trace()?,
            has_default_trace: self.record.trace_by_default,
            analysis: self.analysis.clone(),
            instances,
            n_left_out: self.instances_left_out,
            notes: Vec::new(),
            algorithms: resolved,
            schedule: self.schedule.clone(),
            test_instances: Vec::new(),
            tune: None,
        };
        if let Some(schedule) = &spec.schedule {
            // Without a configuration or an instance its numbers are wrong.
            if let Some(unknown) = unknown {
                return Err(unknown);
            }
            let n_configurations = spec.algorithms.iter().map(ResolvedAlgorithm::n_configurations).sum();
            schedule
                .check(n_configurations, spec.instances.len())
                .map_err(|wrong| anyhow!("its `schedule`: {wrong}"))?;
        }
        Ok((Plan::new(spec, catalogue), unknown))
    }

    /// The difference that makes these two different experiments, not two states of the same one, in words.
    pub(crate) fn identity_difference(&self, other: &Self) -> Option<String> {
        if self.name != other.name {
            return Some(format!("`{}`, and this is `{}`", self.name, other.name));
        }
        (self.seed != other.seed)
            .then(|| format!("its seed is {}, but the seed of this experiment is {}", self.seed, other.seed))
    }

    /// The first thing in which the plans of two experiments differ, in words: `` `seed` is 1 in one and 2 in the other ``.
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
        /// From this many on, the texts are far longer than what is shown.
        const MOST_COMPARED_AS_TEXT: usize = 10;
        if self.instances.len().max(other.instances.len()) > MOST_COMPARED_AS_TEXT {
            return (!self.instances.has_same_instances(&other.instances))
                .then(|| "they differ in `instances`".to_owned());
        }
        let is_same = self.instances.has_same_instances(&other.instances);
        (!is_same).then(|| difference_in("instances", self.instances.as_ref(), other.instances.as_ref())).flatten()
    }

    fn trace(&self) -> Result<Option<Trigger>> {
        if self.record.trace == "none" {
            return Ok(None);
        }
        serde_json::from_value(self.record.trace.clone()).map(Some).context("cannot read `record.trace`")
    }
}

/// The [limits](Experiment::limits) of an experiment whose algorithms are known; none if the manifest's are not valid.
pub fn limits_of_algorithms(algorithms: &Json, catalogue: &Catalogue) -> Vec<(String, SettingsByPath)> {
    Vec::deserialize(algorithms).map_or_else(|_| Vec::new(), |algorithms| limits(&algorithms, catalogue))
}

fn limits(algorithms: &[ManifestAlgorithm], catalogue: &Catalogue) -> Vec<(String, SettingsByPath)> {
    let limits = algorithms.iter().map(|algorithm| {
        let mut settings = algorithm.settings.clone();
        for axis in &algorithm.varied {
            for (at, path) in axis.settings.iter().enumerate() {
                let mut values: Vec<Json> = axis.points.iter().filter_map(|point| point.get(at).cloned()).collect();
                values.dedup();
                settings.insert(path.clone(), values.into());
            }
        }
        for dimension in algorithm.designs.iter().flat_map(|design| &design.space.dimensions) {
            let values: Vec<Json> = match &dimension.values {
                Values::Choices(values) => values.iter().map(value_to_json).collect(),
                Values::Whole { low, high, .. } => vec![json!(low), json!(high)],
                Values::Real { low, high, .. } => vec![json!(low), json!(high)],
            };
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

impl ManifestAlgorithm {
    fn new(plan: &Plan, algorithm: &AlgorithmSpec) -> Self {
        let Json::Object(base) = settings_to_json(&algorithm.base) else { unreachable!("a table is an object") };
        let points = |axis: &Axis| axis.points.iter().map(|point| point.iter().map(value_to_json).collect()).collect();
        let combination = |left_out: &Vec<(String, _)>| {
            left_out.iter().map(|(path, value)| (path.clone(), value_to_json(value))).collect()
        };
        Self {
            name: algorithm.name.clone(),
            settings: plan
                .first_configuration(&algorithm.name)
                .map(|configuration| recorded(&configuration.settings, plan.catalogue()))
                .unwrap_or_default(),
            base,
            varied: algorithm
                .axes
                .iter()
                .map(|axis| ManifestAxis { settings: axis.paths.clone(), points: points(axis) })
                .collect(),
            excluded: algorithm.excluded.iter().map(combination).collect(),
            designs: algorithm.designs.parts().iter().map(|part| part.design().clone()).collect(),
            space: algorithm.space.clone(),
        }
    }

    fn spec(&self) -> Result<AlgorithmSpec> {
        let axis = |varied: &ManifestAxis| -> Result<Axis> {
            let is_whole = varied.points.iter().all(|point| point.len() == varied.settings.len());
            ensure!(is_whole && !varied.points.is_empty(), "the varied settings of `{}` are incomplete", self.name);
            let point = |point: &Vec<Json>| point.iter().map(value_from_json).collect::<Result<_>>();
            Ok(Axis { paths: varied.settings.clone(), points: varied.points.iter().map(point).collect::<Result<_>>()? })
        };
        let combination = |excluded: &Map<String, Json>| {
            excluded
                .iter()
                .map(|(path, recorded)| Ok((path.clone(), value_from_json(recorded)?)))
                .collect::<Result<Vec<_>>>()
        };
        let axes: Vec<Axis> = self.varied.iter().map(axis).collect::<Result<_>>()?;
        if let Some(path) = overlapping(&axes) {
            bail!("`{}` varies `{path}` twice", self.name);
        }
        ensure!(axes.is_empty() || self.designs.is_empty(), "`{}` has both a grid and designs", self.name);
        let n_points = self.designs.iter().map(Design::n_points).fold(0, u64::saturating_add);
        ensure!(n_points <= COMBINATION_LIMIT, "the designs of `{}` have {n_points} points", self.name);
        self.designs.iter().try_for_each(Design::check).with_context(|| format!("a design of `{}`", self.name))?;
        self.space.check().with_context(|| format!("the space of `{}`", self.name))?;
        Ok(AlgorithmSpec {
            space: self.space.clone(),
            designs: Designs::new(self.designs.clone()),
            name: self.name.clone(),
            base: settings_from_json(&self.base)?,
            axes,
            excluded: self.excluded.iter().map(combination).collect::<Result<_>>()?,
        })
    }
}
