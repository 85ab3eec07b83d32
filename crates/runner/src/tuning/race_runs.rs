//! The runs of a tuning. Its candidates become configurations, and its blocks become runs. Each run gets a cost.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use evogrid_core::family::Direction;
use evogrid_core::settings::Value;
use evogrid_results::RunOutcome;
use evogrid_results::journal::{FinishedRun, Index};

use super::course::{Candidate, TuningCourse, stream};
use super::plans::plan_of;
use crate::engine::abnormal_ends;
use crate::engine::queue::{RunSource, RunSupply};
use crate::engine::run_cost::CostRule;
use crate::experiment::design::Design;
use crate::experiment::plan::{Configuration, Plan, Run, recorded};
use crate::experiment::schedule::Schedule;
use crate::experiment::space::Dimension;
use crate::experiment::spec::{AlgorithmSpec, Spec, TunePlan, lay};

/// A tuning, with its race and the configurations in the race.
pub struct Tuner {
    /// The plan of the default configuration on all training instances.
    pub(super) plan: Arc<Plan>,
    /// The algorithm with its space.
    algorithm: AlgorithmSpec,
    /// The rule that gives the cost of a run.
    pub rule: CostRule,
    budget: u64,
    /// The candidates and the race.
    pub course: TuningCourse,
    configurations: Vec<Arc<Configuration>>,
    /// The resolved settings of each configuration, as text.
    known: BTreeSet<String>,
    /// The instances in the order of the blocks.
    pub(super) instances: Vec<usize>,
    /// The number of runs that are treated as failed. A run is treated as failed if two processes started it, and both were killed during
    /// the run.
    pub n_given_up: u64,
}

impl Tuner {
    /// A tuning without known runs. The plan has only the default configuration.
    ///
    /// # Errors
    /// If the plan has no configuration.
    pub(super) fn new(plan: &Arc<Plan>, algorithm: &AlgorithmSpec, rule: CostRule, tune: &TunePlan) -> Result<Self> {
        let spec = plan.spec();
        let default =
            plan.configurations().next().context("an entry of `exclude` removes the default configuration")?;
        let value = |dimension: &Dimension| {
            let value = default.settings.at(&dimension.path)?;
            // A space chooses an operator by its name.
            Some(match value {
                Value::Table(operator) if dimension.values.place(value).is_none() => {
                    Value::Text(operator.name("kind").to_owned())
                }
                _ => value.clone(),
            })
        };
        let values: Vec<Option<Value>> = algorithm.space.dimensions.iter().map(value).collect();
        let place = |(dimension, value): (&Dimension, &Option<Value>)| {
            value.as_ref().and_then(|value| dimension.values.place(value)).unwrap_or(0.5)
        };
        let point = algorithm.space.dimensions.iter().zip(&values).map(place).collect();
        let candidate = Candidate { point, values, iteration: 0, parent: None };
        let mut instances: Vec<usize> = (0..spec.instances.len()).collect();
        stream(spec.seed, "order of training instances", 0).shuffle(&mut instances);
        Ok(Self {
            known: BTreeSet::from([described(&default, plan)]),
            course: TuningCourse::new(algorithm.space.clone(), spec.seed, tune.blocks, candidate),
            configurations: vec![Arc::new(default)],
            plan: Arc::clone(plan),
            algorithm: AlgorithmSpec { axes: Vec::new(), excluded: Vec::new(), ..algorithm.clone() },
            rule,
            budget: tune.budget,
            instances,
            n_given_up: 0,
        })
    }

    /// Converts a cost to the value of the metric. If larger values of the metric are better, the cost is negated. If the metric is a time,
    /// the cost is in seconds.
    pub fn figure(&self, cost: f64) -> f64 {
        let declared = self.rule.metric.declaration();
        let spec = self.plan.spec();
        let direction = declared.direction.unwrap_or_else(|| {
            let first = spec.instances.get(0);
            self.plan
                .catalogue()
                .family(first.problem)
                .map_or(Direction::Minimise, |family| family.direction(first.content))
        });
        // Adding zero turns -0 into 0.
        direction.cost(cost) * if declared.unit == "ms" { 1e3 } else { 1.0 } + 0.0
    }

    /// The name of the default configuration.
    pub fn default_name(&self) -> String {
        self.algorithm_of(0).name
    }

    /// Returns the number of the candidate that leads the race.
    pub fn winner(&self) -> usize {
        self.course.race.standing().first().copied().unwrap_or(0)
    }

    /// A candidate as an algorithm without a space. The default configuration is called `NAME-default`, and every other candidate
    /// `NAME-tuned`.
    pub(super) fn algorithm_of(&self, candidate: usize) -> AlgorithmSpec {
        if candidate == 0 {
            return self.plan.spec().algorithms[0].spec().clone();
        }
        let name = format!("{}-tuned", self.algorithm.name);
        self.fixed(name, &self.course.candidates[candidate].values)
    }

    /// The settings in which a candidate differs from the default configuration, without settings that have an effect only with another of
    /// these settings.
    pub(super) fn differences(&self, candidate: usize) -> Vec<String> {
        let [default, other] = [0, candidate].map(|number| &self.course.candidates[number].values);
        let differs: Vec<bool> = default.iter().zip(other).map(|(one, other)| one != other).collect();
        let dimensions = self.algorithm.space.dimensions.iter().enumerate();
        let own = dimensions.filter(|(at, dimension)| {
            differs[*at] && !dimension.condition.as_ref().is_some_and(|condition| differs[condition.dimension])
        });
        own.map(|(_, dimension)| dimension.path.clone()).collect()
    }

    /// The default configuration with the candidate's values of these settings. Settings that have an effect only with certain values of
    /// these settings get the candidate's values, too.
    pub(super) fn mixed(&self, candidate: usize, settings: &[String]) -> AlgorithmSpec {
        let mut values = self.course.candidates[0].values.clone();
        let mut is_taken = vec![false; values.len()];
        for (at, dimension) in self.algorithm.space.dimensions.iter().enumerate() {
            let is_below = dimension.condition.as_ref().is_some_and(|condition| is_taken[condition.dimension]);
            is_taken[at] = is_below || settings.contains(&dimension.path);
            if is_taken[at] {
                values[at].clone_from(&self.course.candidates[candidate].values[at]);
            }
        }
        self.fixed(settings.join(" + "), &values)
    }

    /// The algorithm with these values of its dimensions.
    fn fixed(&self, name: String, values: &[Option<Value>]) -> AlgorithmSpec {
        let paths = self.algorithm.space.dimensions.iter().map(|dimension| dimension.path.as_str());
        let values = paths.zip(values.iter().map(Option::as_ref));
        AlgorithmSpec { name, base: lay(&self.algorithm.base, values, None), ..AlgorithmSpec::default() }
    }

    /// Begins a new iteration if one is due.
    fn prepare(&mut self) {
        let Self { plan, algorithm, course, configurations, known, .. } = self;
        course.prepare(|point, values| {
            if algorithm.space.forbids(values) {
                return false;
            }
            let Ok(configuration) = configuration(plan, algorithm, point) else { return false };
            let is_new = known.insert(described(&configuration, plan));
            if is_new {
                configurations.push(Arc::new(configuration));
            }
            is_new
        });
    }

    /// The runs of the next blocks; `None` at the end of the race.
    fn open(&mut self) -> Option<OpenBlocks> {
        self.prepare();
        let blocks = self.course.next_blocks();
        let alive = self.course.race.alive();
        let n_runs = alive.len() as u64 * (blocks.end - blocks.start);
        if n_runs == 0 || self.course.n_runs + n_runs > self.budget {
            return None;
        }
        let mut open = OpenBlocks { costs: Vec::new(), places: BTreeMap::new(), runs: Vec::new() };
        let most_runs = self.plan.most_runs_per_configuration();
        for (at, block) in blocks.enumerate() {
            open.costs.push(vec![None; alive.len()]);
            let n_instances = self.instances.len() as u64;
            let place = (self.instances[(block % n_instances) as usize], block / n_instances);
            for (which, &number) in alive.iter().enumerate() {
                let configuration = (&self.configurations[number], number as u64);
                let run = self.plan.run_at(configuration, number as u64 * most_runs, place, None);
                open.places.insert(run.id.bits(), (at, which));
                open.runs.push(run);
            }
        }
        Some(open)
    }

    /// Continues the race with all blocks whose runs are known. Returns the open blocks with the runs that are not known yet; `None` at the
    /// end of the race. If a run was given up, because its process was killed twice during the run, it stays open unless it `was_tried`
    /// again.
    ///
    /// # Errors
    /// If the journal cannot be read, or a run has no cost.
    pub(crate) fn follow(&mut self, index: &Index, was_tried: bool) -> Result<Option<OpenBlocks>> {
        while let Some(mut open) = self.open() {
            for run in std::mem::take(&mut open.runs) {
                let is_given_up = |found: &FinishedRun| abnormal_ends::is_given_up(found.message.as_deref());
                match index.skim(run.id)?.filter(|found| was_tried || !is_given_up(found)) {
                    Some(found) => {
                        self.n_given_up += u64::from(is_given_up(&found));
                        open.settle(&run, self.rule.cost((&self.plan, &run), found.outcome)?.value);
                    }
                    None => open.runs.push(run),
                }
            }
            if !open.runs.is_empty() {
                return Ok(Some(open));
            }
            self.close(&open);
        }
        Ok(None)
    }

    fn close(&mut self, open: &OpenBlocks) {
        let costs = open.costs.iter().map(|block| block.iter().map(|cost| cost.unwrap_or(f64::INFINITY)).collect());
        self.course.add_blocks(&costs.collect::<Vec<_>>());
    }

    /// The plan of all runs until the race has this number of blocks, if no further candidate is dropped.
    ///
    /// # Errors
    /// If a configuration that was resolved alone cannot be resolved with the others.
    pub(crate) fn plan_until(&self, end: u64) -> Result<Plan> {
        let (course, spec) = (&self.course, self.plan.spec());
        let end = end.max(course.race.n_blocks());
        let blocks = course.race.entries().iter().enumerate().map(|(number, entry)| {
            let is_alive = course.race.alive().binary_search(&number).is_ok();
            let last = if is_alive { end } else { entry.first_block + entry.costs.len() as u64 };
            [entry.first_block, last]
        });
        let blocks = blocks.take_while(|[first, last]| first < last).collect();
        let schedule = Schedule { instances: self.instances.clone(), blocks };
        let candidates = course.candidates.iter().take(schedule.blocks.len()).skip(1);
        let points = candidates.map(|candidate| candidate.point.clone()).collect();
        let default = self.algorithm_of(0);
        let candidates = at_points(&self.algorithm, points);
        let algorithms = [Some(default), candidates].into_iter().flatten().collect();
        let like = Spec { repetitions: schedule.repetitions(), ..spec.like() };
        let instances = Arc::clone(&spec.instances);
        let plan = plan_of(&like, (&spec.name, spec.seed), instances, algorithms, &self.plan.catalogue)?;
        Ok(plan.with_schedule(schedule))
    }
}

/// The configuration at a point of the space.
///
/// # Errors
/// If the configuration is not allowed.
fn configuration(plan: &Plan, algorithm: &AlgorithmSpec, point: &[f64]) -> Result<Configuration> {
    let spec = plan.spec();
    let algorithms = at_points(algorithm, vec![point.to_vec()]).into_iter().collect();
    let name = (spec.name.as_str(), spec.seed);
    let plan = plan_of(spec, name, Arc::clone(&spec.instances), algorithms, &plan.catalogue)?;
    plan.configurations().next().context("an entry of `exclude` removes the configuration")
}

/// An algorithm with a configuration for each point of its space; `None` without points.
fn at_points(algorithm: &AlgorithmSpec, points: Vec<Vec<f64>>) -> Option<AlgorithmSpec> {
    let design = Design::new(algorithm.space.clone(), None, points);
    (!design.points.is_empty()).then(|| AlgorithmSpec { designs: vec![design], ..algorithm.clone() })
}

fn described(configuration: &Configuration, plan: &Plan) -> String {
    format!("{:?}", recorded(&configuration.settings, plan.catalogue()))
}

/// Blocks in which some runs are not done yet.
pub(crate) struct OpenBlocks {
    /// The known costs, sorted by block. Within a block, costs are sorted by the place of the candidate in the race.
    costs: Vec<Vec<Option<f64>>>,
    places: BTreeMap<u64, (usize, usize)>,
    /// The runs that must still be done.
    runs: Vec<Run>,
}

impl OpenBlocks {
    fn settle(&mut self, run: &Run, cost: f64) {
        if let Some(&(block, which)) = self.places.get(&run.id.bits()) {
            self.costs[block][which] = Some(cost);
        }
    }

    fn is_done(&self) -> bool {
        self.costs.iter().flatten().all(Option::is_some)
    }
}

/// A function that is called for each new iteration.
pub(crate) type Announce = dyn FnMut(&Tuner) -> Result<()> + Send;

/// The runs of a race as the source of a queue. The next blocks are supplied when all runs of the present blocks have ended.
pub(crate) struct RaceRuns {
    tuner: Tuner,
    index: Index,
    open: Option<OpenBlocks>,
    /// The error if the race cannot continue.
    error: Arc<Mutex<Option<anyhow::Error>>>,
    /// Called for each new iteration.
    announce: Box<Announce>,
}

impl RaceRuns {
    /// The runs of a race, beginning with these open blocks, and the variable that will hold a later error. `announce` is called for each
    /// new iteration.
    pub(crate) fn new(
        tuner: Tuner,
        (index, open): (Index, OpenBlocks),
        announce: Box<Announce>,
    ) -> (Self, Arc<Mutex<Option<anyhow::Error>>>) {
        let error = Arc::default();
        (Self { tuner, index, open: Some(open), error: Arc::clone(&error), announce }, error)
    }

    /// Closes the present blocks and opens the next ones.
    fn go_on(&mut self) -> Result<()> {
        let Some(open) = self.open.take() else { return Ok(()) };
        let iteration = self.tuner.course.iteration;
        self.tuner.close(&open);
        self.open = self.tuner.follow(&self.index, false)?;
        if self.open.is_some() && self.tuner.course.iteration > iteration {
            (self.announce)(&self.tuner)?;
        }
        Ok(())
    }

    fn fail(&mut self, error: anyhow::Error) {
        self.open = None;
        self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}

impl RunSource for RaceRuns {
    fn supply(&mut self) -> RunSupply {
        let Some(open) = &mut self.open else { return RunSupply::End };
        if open.runs.is_empty() && !open.is_done() {
            return RunSupply::Wait;
        }
        if open.is_done() {
            self.go_on().unwrap_or_else(|error| self.fail(error));
        }
        let Some(open) = &mut self.open else { return RunSupply::End };
        RunSupply::Runs(Box::new(std::mem::take(&mut open.runs).into_iter()))
    }

    fn report(&mut self, run: &Run, outcome: &RunOutcome) {
        let cost = self.tuner.rule.cost((&self.tuner.plan, run), *outcome);
        match (cost, &mut self.open) {
            (Ok(cost), Some(open)) => open.settle(run, cost.value),
            (Err(error), _) => self.fail(error.into()),
            _ => {}
        }
    }
}
