//! The plan: every run that an experiment asks for, one after the other, made as it is taken and never held in memory.

use std::collections::BTreeMap;
use std::iter::Flatten;
use std::ops::Range;
use std::sync::Arc;

use evogrid_analysis::samples::{self, Roster};
use evogrid_core::algorithm::Algorithm;
use evogrid_core::budget::Budget;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::{Family, Instance};
use evogrid_core::identity::{Fingerprint, RunId, run_seed};
use evogrid_core::settings::{Settings, Value};
use evogrid_results::{Row, RunKey, RunOutcome};

use crate::instance_list::PlannedInstance;
use crate::settings_json::value_to_json;
use crate::shard::{Shard, ShardAssignment};
use crate::spec::combination::combination;
use crate::spec::{ResolvedAlgorithm, Seeding, Spec, label};

/// All runs of an experiment, in order: algorithm, cell, instance, repetition; the last moves fastest.
///
/// It holds none of them: a run is made when it is reached or asked for by its number, the same in either way.
pub struct Plan {
    spec: Spec,
    catalogue: Arc<Catalogue>,
    varied: Vec<String>,
}

/// An algorithm under one combination of what it varies.
pub struct Cell {
    /// The algorithm's name in the experiment.
    pub algorithm: String,
    /// All settings, resolved, the budget among them.
    pub settings: Settings,
    /// The same by dotted path, as they are recorded.
    pub recorded: BTreeMap<String, serde_json::Value>,
    /// For each varied setting of the experiment its value here; empty where this algorithm does not have it.
    pub varied: Vec<String>,
    /// The algorithm, built.
    pub search: Algorithm,
    /// Its budget.
    pub budget: Budget,
    fingerprint: Fingerprint,
}

/// One run to do.
#[derive(Clone)]
pub struct Run {
    /// Its number in this plan, from 0.
    pub number: u64,
    /// Its identity.
    pub id: RunId,
    /// Its settings.
    pub cell: Arc<Cell>,
    /// Its instance, by its number in the spec.
    pub instance: usize,
    /// Its repetition, from 0.
    pub repetition: u64,
    /// Its seed.
    pub seed: u64,
}

impl Plan {
    /// The plan of a checked experiment, which was checked against this catalogue.
    #[must_use]
    pub fn new(spec: Spec, catalogue: impl Into<Arc<Catalogue>>) -> Self {
        Self { varied: spec.varied(), spec, catalogue: catalogue.into() }
    }

    /// The experiment.
    #[must_use]
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// What the experiment's names stand for.
    #[must_use]
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The settings that are varied, by dotted path: columns of the results.
    #[must_use]
    pub fn varied(&self) -> &[String] {
        &self.varied
    }

    /// Which of the [varied](Self::varied) settings may be fractions.
    #[must_use]
    pub fn fractions(&self) -> Vec<bool> {
        let names = || self.spec.algorithms.iter().map(|algorithm| &algorithm.spec().name);
        let cells: Vec<Cell> = names().filter_map(|name| self.first_cell(name)).collect();
        let is_fraction =
            |path: &String| cells.iter().any(|cell| matches!(cell.settings.at(path), Some(Value::Real(_))));
        self.varied.iter().map(is_fraction).collect()
    }

    /// The instance of a run.
    #[must_use]
    pub fn instance(&self, run: &Run) -> PlannedInstance<'_> {
        self.spec.instances.get(run.instance)
    }

    /// Which run it is, for its record and its row.
    #[must_use]
    pub fn run_key(&self, run: &Run) -> RunKey {
        let loaded = self.instance(run);
        RunKey {
            run_id: run.id,
            algorithm: run.cell.algorithm.clone(),
            problem: loaded.problem.to_owned(),
            instance: loaded.id.to_owned(),
            bucket: loaded.bucket.to_owned(),
            repetition: run.repetition,
            seed: run.seed,
        }
    }

    /// The family of its instance, and the instance itself, made anew of its content.
    ///
    /// # Errors
    /// If the family reads its own content otherwise than it read the instance.
    pub fn restore(&self, run: &Run) -> anyhow::Result<(&dyn Family, Box<dyn Instance>)> {
        self.spec.instances.list().get(run.instance).restore(&self.catalogue)
    }

    /// The family of its instance.
    #[must_use]
    pub fn family(&self, run: &Run) -> Option<&dyn Family> {
        self.catalogue.family(self.instance(run).problem)
    }

    /// Its row, with the names of the plan: they are no part of a run's identity, and may have changed since it was done.
    #[must_use]
    pub fn row(&self, run: &Run, outcome: RunOutcome) -> Row {
        let family = self.family(run);
        Row {
            run: run.number,
            key: self.run_key(run),
            varied: run.cell.varied.clone(),
            fitness: family.map_or_else(String::new, |family| {
                family.fitness(&run.cell.settings, family.objective(self.instance(run).text))
            }),
            unit: run.cell.search.unit().to_owned(),
            outcome,
            best_known: None,
            gap: None,
        }
    }

    /// Number of cells.
    #[must_use]
    pub fn n_cells(&self) -> u64 {
        self.spec.algorithms.iter().map(ResolvedAlgorithm::n_cells).fold(0, u64::saturating_add)
    }

    /// The cells and instances, as claims speak of them.
    #[must_use]
    pub fn roster(&self) -> Roster {
        let mut cursor = Cursor::default();
        let cells = std::iter::from_fn(|| {
            cursor.step(&self.spec)?;
            let cell = self.cell(&cursor);
            Some(samples::Configuration { algorithm: cell.algorithm, varied: cell.varied })
        });
        let instances = self.spec.instances.iter();
        Roster {
            varied: self.varied.clone(),
            configurations: cells.collect(),
            instances: instances
                .map(|loaded| samples::RosterInstance {
                    id: loaded.id.to_owned(),
                    bucket: loaded.bucket.to_owned(),
                    problem: loaded.problem.to_owned(),
                    has_gap: false,
                })
                .collect(),
        }
    }

    /// Number of runs.
    #[must_use]
    pub fn n_runs(&self) -> u64 {
        self.n_cells().saturating_mul(self.runs_a_cell())
    }

    /// All runs in order.
    pub fn runs(self: &Arc<Self>) -> Runs {
        self.blocks(None, u64::MAX).flatten()
    }

    /// All runs, or those of a shard, in order and in blocks of which each is one of at most `size` runs of a cell.
    #[must_use]
    pub fn blocks(self: &Arc<Self>, shard: Option<Shard>, size: u64) -> Blocks {
        let plan = Arc::clone(self);
        let share = shard.map(|shard| (shard, self.shard_assignment()));
        Blocks { plan, share, size, cursor: Cursor::default(), cell: None, within: 0, number: 0 }
    }

    /// Which shard has which of its runs.
    #[must_use]
    pub fn shard_assignment(&self) -> ShardAssignment {
        ShardAssignment::new(self.spec.seed, self.n_runs())
    }

    /// The run with this number, by way of its cell.
    #[must_use]
    pub fn run(&self, number: u64) -> Option<Run> {
        let a_cell = self.runs_a_cell();
        let cursor = Cursor::at(&self.spec, number / a_cell)?;
        Some(self.run_in(&Arc::new(self.cell(&cursor)), number, number % a_cell))
    }

    /// The cell of an algorithm, by its number in the spec, at these points of its axes; `None` where it is left out.
    pub(crate) fn cell_at(&self, algorithm: usize, points: Vec<usize>) -> Option<Cell> {
        let cursor = Cursor { algorithm, points: Some(points) };
        let is_excluded = self.spec.algorithms[algorithm].is_excluded(cursor.points());
        (!is_excluded).then(|| self.cell(&cursor))
    }

    /// The first cell of an algorithm.
    #[must_use]
    pub fn first_cell(&self, algorithm: &str) -> Option<Cell> {
        let mut cursor = Cursor::default();
        loop {
            cursor.step(&self.spec)?;
            if self.spec.algorithms[cursor.algorithm].spec().name == algorithm {
                return Some(self.cell(&cursor));
            }
            cursor = Cursor { algorithm: cursor.algorithm + 1, points: None };
        }
    }

    fn runs_a_cell(&self) -> u64 {
        self.spec.instances.len() as u64 * self.spec.repetitions
    }

    fn run_in(&self, cell: &Arc<Cell>, number: u64, within: u64) -> Run {
        let instance = (within / self.spec.repetitions) as usize;
        let repetition = within % self.spec.repetitions;
        let content = self.spec.instances.get(instance).content;
        let of_cell = (self.spec.seeding == Seeding::Independent).then_some(&cell.fingerprint);
        let seed = run_seed(self.spec.seed, content, repetition, of_cell);
        let id = RunId::new(&cell.fingerprint, content, seed);
        Run { number, id, cell: Arc::clone(cell), instance, repetition, seed }
    }

    fn cell(&self, cursor: &Cursor) -> Cell {
        let algorithm = &self.spec.algorithms[cursor.algorithm];
        let settings = algorithm.settings(cursor.points());
        let algorithm = algorithm.spec();
        let written = |path: &str| algorithm.values(cursor.points()).find(|(varied, _)| *varied == path);
        let varied = self.varied.iter().map(|path| label(settings.at(path), written(path).map(|(_, written)| written)));
        let recorded = self.catalogue.identifying(&settings);
        Cell {
            algorithm: algorithm.name.clone(),
            recorded: recorded.flat().into_iter().map(|(path, value)| (path, value_to_json(value))).collect(),
            varied: varied.collect(),
            search: self.catalogue.algorithm(&settings),
            budget: Budget::from_settings(settings.table("budget")),
            fingerprint: self.catalogue.fingerprint(&settings),
            settings,
        }
    }
}

/// The runs of a plan, one after the other.
pub type Runs = Flatten<Blocks>;

/// The runs of a plan in blocks, which can be made side by side: the identity of a run is a hash, and takes longer than to find out
/// which run is next.
pub struct Blocks {
    plan: Arc<Plan>,
    share: Option<(Shard, ShardAssignment)>,
    size: u64,
    cursor: Cursor,
    cell: Option<Arc<Cell>>,
    within: u64,
    number: u64,
}

impl Iterator for Blocks {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        let a_cell = self.plan.runs_a_cell();
        if self.cell.is_none() || self.within == a_cell {
            self.cursor.step(&self.plan.spec)?;
            self.cell = Some(Arc::new(self.plan.cell(&self.cursor)));
            self.within = 0;
        }
        let end = a_cell.min(self.within.saturating_add(self.size));
        let block = Block {
            plan: Arc::clone(&self.plan),
            cell: Arc::clone(self.cell.as_ref()?),
            share: self.share,
            number: self.number,
            within: self.within..end,
        };
        self.number += end - self.within;
        self.within = end;
        Some(block)
    }
}

/// Some runs of one cell that follow each other.
pub struct Block {
    plan: Arc<Plan>,
    cell: Arc<Cell>,
    share: Option<(Shard, ShardAssignment)>,
    number: u64,
    within: Range<u64>,
}

impl Iterator for Block {
    type Item = Run;

    fn next(&mut self) -> Option<Run> {
        loop {
            let within = self.within.next()?;
            let number = self.number;
            self.number += 1;
            if self.share.is_none_or(|(shard, assignment)| shard.holds(&assignment, number)) {
                return Some(self.plan.run_in(&self.cell, number, within));
            }
        }
    }
}

/// A place among the cells: an algorithm, and a point on each of its axes.
#[derive(Clone, Default)]
struct Cursor {
    algorithm: usize,
    /// `None` before the algorithm's first cell.
    points: Option<Vec<usize>>,
}

impl Cursor {
    /// The place of the cell with this number.
    fn at(spec: &Spec, mut number: u64) -> Option<Self> {
        for (place, algorithm) in spec.algorithms.iter().enumerate() {
            let n_cells = algorithm.n_cells();
            if number >= n_cells {
                number -= n_cells;
                continue;
            }
            let mut cursor = Self { algorithm: place, points: None };
            let algorithm = algorithm.spec();
            if algorithm.excluded.is_empty() {
                let axes = &algorithm.axes;
                cursor.points = Some(combination(number, axes.len(), |at| axes[at].points.len()));
            } else {
                // Which combinations are left out is only known of each.
                (0..=number).try_for_each(|_| cursor.step(spec))?;
            }
            return Some(cursor);
        }
        None
    }

    /// Moves to the next cell that is not left out.
    fn step(&mut self, spec: &Spec) -> Option<()> {
        while let Some(algorithm) = spec.algorithms.get(self.algorithm) {
            let is_there = match &mut self.points {
                None => {
                    self.points = Some(vec![0; algorithm.spec().axes.len()]);
                    true
                }
                Some(points) => algorithm.spec().advance(points),
            };
            if !is_there {
                *self = Self { algorithm: self.algorithm + 1, points: None };
            } else if !algorithm.is_excluded(self.points()) {
                return Some(());
            }
        }
        None
    }

    /// The point of each axis.
    fn points(&self) -> &[usize] {
        self.points.as_deref().unwrap_or_default()
    }
}
