//! The plan gives a number to each run of an experiment. The plan does not store runs. When a run is needed, the plan finds the
//! configuration, the instance, the repetition and the seed of the run from the number of the run.

mod blocks;
mod configuration;
mod instance_cache;
mod varied_types;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use anyhow::Context;
use evogrid_analysis::samples::{self, Roster};
use evogrid_core::budget::Budget;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::{Family, Instance};
use evogrid_core::identity::{RunId, run_seed};
use evogrid_core::settings::Settings;
use evogrid_results::record::RecordedSettings;
use evogrid_results::{Row, RunKey, RunOutcome, gap};

use crate::experiment::instance_list::ListedInstance;
use crate::experiment::schedule::Schedule;
use crate::experiment::shard::{Shard, ShardAssignment};
use crate::experiment::spec::{ResolvedAlgorithm, Seeding, Spec, label};

use instance_cache::InstanceCache;

pub use crate::experiment::settings_on_instance::{budget_on, has_time_limit, size, with_target};
pub use blocks::{Block, Blocks, Runs};
pub use configuration::{Configuration, Projection, recorded};
pub use varied_types::VariedType;

/// All runs of an experiment, ordered by algorithm, configuration, instance and repetition.
///
/// The plan stores no run. An iterator computes one run after the other. [`run`](Self::run) computes the run with a given number.
pub struct Plan {
    spec: Spec,
    pub(crate) catalogue: Arc<Catalogue>,
    varied: Vec<String>,
    /// For each algorithm, the number of its first configuration. One more entry follows: the total number of configurations.
    first_configurations: Vec<u64>,
    /// If there is a schedule: for each configuration, the number of its first run. One more entry follows: the total number of runs. Empty
    /// without a schedule.
    first_runs: Vec<u64>,
    cache: InstanceCache,
}

/// A run of the plan.
#[derive(Clone)]
pub struct Run {
    /// The number of the run in the plan, counted from 0.
    pub number: u64,
    /// The identity of the run.
    pub id: RunId,
    /// The configuration of the run.
    pub configuration: Arc<Configuration>,
    /// The number of the run's configuration in the plan.
    pub configuration_number: u64,
    /// The index of the run's instance in the experiment's instances.
    pub instance: usize,
    /// The index of the run's problem family among the families of the experiment, counted from 0.
    pub family: usize,
    /// The repetition of the run, counted from 0.
    pub repetition: u64,
    /// The seed of the run.
    pub seed: u64,
}

impl Run {
    /// Returns the configuration of the run, with only the settings that affect the run's problem family.
    pub fn projection(&self) -> &Projection {
        &self.configuration.projections[self.family]
    }
}

impl Plan {
    /// Makes the plan of an experiment. The experiment must have been checked with the same catalogue.
    pub fn new(spec: Spec, catalogue: impl Into<Arc<Catalogue>>) -> Self {
        let ends = spec.algorithms.iter().scan(0u64, |end, algorithm| {
            *end = end.saturating_add(algorithm.n_configurations());
            Some(*end)
        });
        Self {
            varied: spec.varied(),
            first_configurations: std::iter::once(0).chain(ends).collect(),
            first_runs: spec.schedule.as_ref().map(Schedule::first_runs).unwrap_or_default(),
            spec,
            catalogue: catalogue.into(),
            cache: InstanceCache::default(),
        }
    }

    /// The same plan with only the runs of a schedule.
    pub(crate) fn with_schedule(mut self, schedule: Schedule) -> Self {
        self.spec.schedule = Some(schedule);
        Self::new(self.spec, self.catalogue)
    }

    /// The experiment.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The catalogue that defines the names in the experiment.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// Returns the dotted paths of the varied settings. Each varied setting is a column in the results.
    pub fn varied(&self) -> &[String] {
        &self.varied
    }

    /// The instance of a run.
    pub fn instance(&self, run: &Run) -> ListedInstance<'_> {
        self.spec.instances.get(run.instance)
    }

    /// Returns the values that name a run in its record and in `runs.csv`.
    pub fn run_key(&self, run: &Run) -> RunKey {
        let loaded = self.instance(run);
        RunKey {
            run_id: run.id,
            algorithm: run.configuration.algorithm.clone(),
            problem: loaded.problem.to_owned(),
            instance: loaded.id.to_owned(),
            bucket: loaded.bucket.to_owned(),
            repetition: run.repetition,
            seed: run.seed,
        }
    }

    /// The resolved settings of a run, with its budget.
    pub fn settings<'r>(&self, run: &'r Run) -> Cow<'r, Settings> {
        run.projection().on(self.instance(run).best_known)
    }

    /// Returns the settings of a run. The key of each setting is its dotted path, as in a journal.
    pub fn recorded(&self, run: &Run) -> RecordedSettings {
        run.projection().recorded(self.instance(run).best_known, &self.catalogue)
    }

    /// The budget of a run on its instance.
    pub fn budget(&self, run: &Run, family: &dyn Family, instance: &dyn Instance) -> Budget {
        run.projection().budget(family, instance, self.instance(run).best_known)
    }

    /// Returns the instance of a run, with its family. If the instance is not in the cache, the family creates the instance from the text
    /// of its content.
    ///
    /// # Errors
    /// Returns an error if the catalogue lacks the family of the instance, or if the family cannot read the content of the instance.
    pub fn restore(&self, run: &Run) -> anyhow::Result<(&dyn Family, Arc<dyn Instance>)> {
        let listed = self.spec.instances.get(run.instance);
        let make = || listed.restore(&self.catalogue).map(|(_, instance)| instance);
        let instance = self.cache.get(run.instance, listed.content, make)?;
        Ok((self.family(run).context("the catalogue does not contain the problem family of this instance")?, instance))
    }

    /// The family of a run's instance.
    pub fn family(&self, run: &Run) -> Option<&dyn Family> {
        self.catalogue.family(self.instance(run).problem)
    }

    /// Returns the row of a run in `runs.csv`. The names in the row are the names in this plan. When the run was done, the names may have
    /// been different. The names do not change the identity of a run.
    pub fn row(&self, run: &Run, outcome: RunOutcome) -> Row {
        let (family, projection, instance) = (self.family(run), run.projection(), self.instance(run));
        let known = instance.best_known.zip(outcome.objective);
        Row {
            run: run.number,
            key: self.run_key(run),
            varied: projection.varied.clone(),
            fitness: family.map_or_else(String::new, |family| {
                family.fitness(&projection.settings, family.objective(instance.content).as_ref())
            }),
            unit: match family.and_then(|family| family.preparation(&projection.settings)) {
                Some(preparation) => format!("{} after {preparation}", projection.search.unit()),
                None => projection.search.unit().to_owned(),
            },
            gap: known.and_then(|(known, objective)| gap(objective, known.value, known.direction)),
            best_known: instance.best_known.map(|known| known.value),
            outcome,
        }
    }

    /// The number of configurations.
    pub fn n_configurations(&self) -> u64 {
        self.first_configurations[self.spec.algorithms.len()]
    }

    /// All configurations, in order.
    pub fn configurations(&self) -> impl Iterator<Item = Configuration> {
        (0..).map_while(|number| self.configuration(number))
    }

    /// The configurations and instances in the form that claims use.
    pub fn roster(&self) -> Roster {
        let configurations = self.configurations().map(|configuration| samples::Configuration {
            algorithm: configuration.algorithm,
            varied: configuration.varied,
        });
        let instances = self.spec.instances.iter();
        let mut roster = Roster {
            varied: self.varied.clone(),
            configurations: configurations.collect(),
            instances: instances
                .map(|loaded| samples::RosterInstance {
                    id: loaded.id.to_owned(),
                    bucket: loaded.bucket.to_owned(),
                    problem: loaded.problem.to_owned(),
                    has_gap: loaded.best_known.is_some_and(|known| known.value != 0.0),
                })
                .collect(),
        };
        roster.separate_families();
        roster
    }

    /// The number of runs.
    pub fn n_runs(&self) -> u64 {
        match self.first_runs.last() {
            Some(&n_runs) => n_runs,
            None => self.n_configurations().saturating_mul(self.most_runs_per_configuration()),
        }
    }

    /// All runs in order.
    pub fn runs(self: &Arc<Self>) -> Runs {
        self.blocks(None, u64::MAX).flatten()
    }

    /// Returns all runs or the runs of a shard, in the plan's order. The runs are divided into blocks. A block has at most `size` runs, all
    /// of the same configuration.
    pub fn blocks(self: &Arc<Self>, shard: Option<Shard>, size: u64) -> Blocks {
        blocks::in_order(self, shard, size)
    }

    /// Returns the runs in an order in which the configurations take turns. In this order, a change in the machine's speed affects all
    /// configurations equally. Each configuration has one run on an instance before the next instance begins. All runs of a repetition come
    /// before the next repetition.
    pub fn interleaved(self: &Arc<Self>, shard: Option<Shard>) -> Blocks {
        blocks::interleaved(self, shard)
    }

    /// Returns the assignment of the plan's runs to shards.
    pub fn shard_assignment(&self) -> ShardAssignment {
        ShardAssignment::new(self.spec.seed, self.n_runs())
    }

    /// Returns the run with this number. Returns `None` if the plan has no run with this number.
    pub fn run(&self, number: u64) -> Option<Run> {
        let configuration_number = match self.first_runs.len() {
            0 => number / self.most_runs_per_configuration(),
            _ => self.first_runs.partition_point(|&first| first <= number) as u64 - 1,
        };
        let configuration = Arc::new(self.configuration(configuration_number)?);
        (number < self.n_runs()).then(|| self.run_of((&configuration, configuration_number), number))
    }

    /// The configuration at these points of the axes of the algorithm with this number; `None` if the combination is excluded.
    pub(crate) fn configuration_at(&self, algorithm: usize, points: &[usize]) -> Option<Configuration> {
        let algorithm = &self.spec.algorithms[algorithm];
        (!algorithm.is_excluded(points)).then(|| self.configuration_of(algorithm, points))
    }

    /// The configuration with this number; `None` if there are fewer.
    fn configuration(&self, number: u64) -> Option<Configuration> {
        let at = self.first_configurations.partition_point(|&first| first <= number) - 1;
        let algorithm = self.spec.algorithms.get(at)?;
        Some(self.configuration_of(algorithm, &algorithm.configuration(number - self.first_configurations[at])))
    }

    /// The first configuration of an algorithm.
    pub(crate) fn first_configuration(&self, algorithm: &str) -> Option<Configuration> {
        let at = self.spec.algorithms.iter().position(|resolved| resolved.spec().name == algorithm)?;
        let is_there = self.spec.algorithms[at].n_configurations() > 0;
        self.configuration(self.first_configurations[at]).filter(|_| is_there)
    }

    /// Makes a run of an algorithm's first configuration, with any instance and seed. The plan need not contain a run with this seed.
    pub fn seeded_run(&self, algorithm: &str, instance: usize, seed: u64) -> Option<Run> {
        let configuration = Arc::new(self.first_configuration(algorithm)?);
        Some(self.run_at((&configuration, 0), 0, (instance, 0), Some(seed)))
    }

    /// Returns how many runs each configuration of the plan has. With a schedule, configurations may have different numbers of runs, and
    /// the function returns the largest number.
    pub fn most_runs_per_configuration(&self) -> u64 {
        self.spec.instances.len() as u64 * self.spec.repetitions
    }

    /// The numbers of the runs of the configuration with this number.
    fn runs_of(&self, configuration: u64) -> Range<u64> {
        match self.first_runs.get(configuration as usize..) {
            Some([first, end, ..]) => *first..*end,
            _ => {
                let each = self.most_runs_per_configuration();
                // Like `n_runs`, the numbers saturate if the plan has more runs than a `u64` can count.
                configuration.saturating_mul(each)..configuration.saturating_add(1).saturating_mul(each)
            }
        }
    }

    /// The run with this number. `configuration` is the configuration of the run, with its number.
    fn run_of(&self, configuration: (&Arc<Configuration>, u64), number: u64) -> Run {
        let within = number - self.runs_of(configuration.1).start;
        let place = match &self.spec.schedule {
            Some(schedule) => schedule.place(schedule.blocks[configuration.1 as usize][0] + within),
            None => ((within / self.spec.repetitions) as usize, within % self.spec.repetitions),
        };
        self.run_at(configuration, number, place, None)
    }

    /// The run of a configuration on an instance, with a repetition. The first argument is the configuration with its number. Without
    /// `seed`, the run has the seed of its place in the plan.
    pub(crate) fn run_at(
        &self,
        (configuration, configuration_number): (&Arc<Configuration>, u64),
        number: u64,
        (instance, repetition): (usize, u64),
        seed: Option<u64>,
    ) -> Run {
        let (instances, catalogue) = (&self.spec.instances, &self.catalogue);
        let (family, content) = (instances.family(instance), instances.fingerprint(instance, catalogue));
        let fingerprint = configuration.projections[family].fingerprint(instances.get(instance).best_known, catalogue);
        let of_configuration = (self.spec.seeding == Seeding::Independent).then_some(&fingerprint);
        let seed = seed.unwrap_or_else(|| run_seed(self.spec.seed, content, repetition, of_configuration));
        let id = RunId::new(&fingerprint, content, seed);
        let configuration = Arc::clone(configuration);
        Run { number, id, configuration, configuration_number, instance, family, repetition, seed }
    }

    fn configuration_of(&self, algorithm: &ResolvedAlgorithm, points: &[usize]) -> Configuration {
        let settings = algorithm.settings(points);
        let algorithm = algorithm.spec();
        let values = algorithm.values(points);
        let value = |path: &str| match values.iter().find(|(varied, _)| *varied == path) {
            // The setting has no effect in this configuration.
            Some((_, None)) => String::new(),
            Some((_, written)) => label(settings.at(path), written.as_deref()),
            None => label(settings.at(path), None),
        };
        let varied: Vec<(&str, String)> = self.varied.iter().map(|path| (path.as_str(), value(path))).collect();
        let project = |problem: &str| Projection::new(&settings, &varied, problem, &self.catalogue);
        Configuration {
            algorithm: algorithm.name.clone(),
            projections: self.spec.instances.problems().into_iter().map(project).collect(),
            varied: varied.into_iter().map(|(_, value)| value).collect(),
            settings,
        }
    }
}
