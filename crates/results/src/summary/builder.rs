//! Sums up runs in one pass.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use evogrid_core::budget::Stop;
use evogrid_statistics::{MeanEstimate, mean_estimate};

use super::instances::{InstanceCounts, InstanceTally};
use super::means::{Mean, WholeMean, median, middle};
use super::{ALL_BUCKETS, Clocked, Figures, Summary, SummaryRow};
use crate::names::NameTable;
use crate::run::{Row, is_work_unknown};

/// What PAR10 counts for an unsolved run, in times of its own.
const PENALTY: f64 = 10.0;

/// A summary to which runs are added one by one.
#[derive(Debug, Default)]
pub struct Builder {
    varied: Vec<String>,
    /// In the order in which they were first seen.
    cells: Vec<Cell>,
    cell_of: NameTable,
    buckets: NameTable,
    /// The instances of each bucket.
    instances: Vec<NameTable>,
    units: Vec<String>,
    fitnesses: Vec<String>,
    problems: Vec<String>,
    without_best_known: u64,
    stopped_above_best_known: u64,
    /// The key of the present row; kept for its memory.
    key: String,
}

/// One algorithm with one value for each varied setting.
#[derive(Debug)]
struct Cell {
    algorithm: String,
    varied: Vec<String>,
    /// By number of the bucket.
    buckets: BTreeMap<usize, BucketTally>,
    all: Tally,
}

/// What is counted of a cell in a bucket.
#[derive(Debug, Default)]
struct BucketTally {
    tally: Tally,
    values: RunValues,
    instances: InstanceCounts,
}

/// The values of runs of which there are medians: a median needs them all.
#[derive(Debug, Default)]
struct RunValues {
    /// The evaluations of the solved runs.
    evaluations: Vec<u64>,
    /// The gaps of the runs that have one; of a run without a solution an infinite one.
    gaps: Vec<f64>,
    /// The objectives of the runs, as long as all are on one instance.
    objectives: Vec<f64>,
    /// The first instance, and whether it is the only one.
    instance: Option<(u32, bool)>,
}

impl Builder {
    /// A summary of nothing so far; `varied` are the paths of the varied settings.
    #[must_use]
    pub fn new(varied: &[String]) -> Self {
        Self { varied: varied.to_vec(), ..Self::default() }
    }

    /// Adds a run.
    pub fn add(&mut self, row: &Row) {
        note(&mut self.units, &row.unit);
        let fitness = note(&mut self.fitnesses, &row.fitness);
        let problem = note(&mut self.problems, &row.key.problem);
        self.without_best_known += u64::from(row.outcome.objective.is_some() && row.gap.is_none());
        self.stopped_above_best_known += u64::from(row.outcome.stop == Stop::Target && row.gap > Some(0.0));
        let bucket = self.bucket(&row.key.bucket);
        let instance = self.instance(bucket, problem, &row.key.instance);
        let cell = self.cell(row);
        cell.all.add(row, (problem, fitness));
        let BucketTally { tally, values, instances } = cell.buckets.entry(bucket).or_default();
        tally.add(row, (problem, fitness));
        instances.add(InstanceTally::new(instance, row, row.gap.filter(|_| row.outcome.stop != Stop::Failed)));
        values.add(row, instance);
    }

    /// The summary of all runs added.
    #[must_use]
    pub fn finish(self) -> Summary {
        let mut rows = Vec::new();
        for cell in self.cells {
            let (mut of_all, mut all_instances) = (RunValues::default(), Vec::new());
            for (bucket, BucketTally { tally, mut values, instances }) in cell.buckets {
                let instances = instances.finish();
                // Before the medians put the values in another order.
                of_all.append(&values, all_instances.is_empty());
                let figures = tally.figures(&mut values, &instances);
                all_instances.extend(instances);
                // Instances that are in a bucket of that name are already in the last row.
                let bucket = self.buckets.names().get(bucket);
                if bucket != ALL_BUCKETS {
                    rows.push(SummaryRow {
                        algorithm: cell.algorithm.clone(),
                        varied: cell.varied.clone(),
                        bucket: bucket.to_owned(),
                        figures,
                    });
                }
            }
            rows.push(SummaryRow {
                algorithm: cell.algorithm,
                varied: cell.varied,
                bucket: ALL_BUCKETS.to_owned(),
                figures: cell.all.figures(&mut of_all, &all_instances),
            });
        }
        let Self { varied, units, fitnesses, problems, without_best_known, stopped_above_best_known, .. } = self;
        Summary { varied, rows, units, fitnesses, problems, without_best_known, stopped_above_best_known }
    }

    fn bucket(&mut self, name: &str) -> usize {
        let number = self.buckets.number(name);
        if number == self.instances.len() {
            self.instances.push(NameTable::default());
        }
        number
    }

    /// The number of an instance in its bucket. Those of the second family on have its name before their own.
    fn instance(&mut self, bucket: usize, problem: usize, id: &str) -> u32 {
        if problem == 0 {
            return self.instances[bucket].number(id) as u32;
        }
        self.key.clear();
        let _ = write!(self.key, "{problem}\0{id}");
        self.instances[bucket].number(&self.key) as u32
    }

    fn cell(&mut self, row: &Row) -> &mut Cell {
        let (algorithm, varied) = (&row.key.algorithm, &row.varied);
        self.key.clear();
        for part in std::iter::once(algorithm).chain(varied) {
            // With its length, so that no two lists of parts look alike.
            let _ = write!(self.key, "{}:{part}", part.len());
        }
        let number = self.cell_of.number(&self.key);
        if number == self.cells.len() {
            let (algorithm, varied) = (algorithm.clone(), varied.clone());
            self.cells.push(Cell { algorithm, varied, buckets: BTreeMap::new(), all: Tally::default() });
        }
        &mut self.cells[number]
    }
}

/// The place of a name in a list of a few, to which it is added if it is new; that of an empty one is 0.
fn note(names: &mut Vec<String>, name: &str) -> usize {
    if name.is_empty() {
        return 0;
    }
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

impl RunValues {
    fn add(&mut self, row: &Row, instance: u32) {
        let outcome = &row.outcome;
        if outcome.is_solved() {
            self.evaluations.push(outcome.evaluations);
        }
        if outcome.stop == Stop::Failed {
            return;
        }
        let is_unbounded = is_gap_unbounded(row);
        self.gaps.extend(row.gap.or(is_unbounded.then_some(f64::INFINITY)));
        let (first, is_only) = self.instance.get_or_insert((instance, true));
        *is_only &= *first == instance;
        if !*is_only {
            self.objectives = Vec::new();
        } else if let Some(objective) = outcome.objective {
            self.objectives.push(objective);
        }
    }

    /// Adds the values of a bucket, which may be the first one.
    fn append(&mut self, bucket: &Self, is_first: bool) {
        self.evaluations.extend_from_slice(&bucket.evaluations);
        self.gaps.extend_from_slice(&bucket.gaps);
        self.objectives = if is_first { bucket.objectives.clone() } else { Vec::new() };
    }
}

/// Whether a run has no solution on an instance that has a best known value: its gap is infinite.
fn is_gap_unbounded(row: &Row) -> bool {
    row.best_known.is_some_and(|best| best != 0.0) && row.outcome.objective.is_none()
}

/// The sums behind the figures.
#[derive(Debug, Default)]
struct Tally {
    runs: u64,
    /// How many runs stopped for each reason, by its number.
    stops: [u64; 8],
    /// The same of those that say whether they were solved.
    judged_stops: [u64; 8],
    solved: u64,
    /// Whether some run does not say how much it worked.
    is_work_unknown: bool,
    evaluations: u128,
    ms_solved: Mean,
    generations_solved: WholeMean,
    generations: WholeMean,
    generations_judged: WholeMean,
    generations_to_best: Mean,
    ms_unsolved: Mean,
    cpu_ms: Mean,
    cpu_ms_solved: Mean,
    cpu_ms_unsolved: Mean,
    /// The wall time of the runs that tell their processor time, too.
    ms_beside_cpu: Mean,
    penalised_ms: Mean,
    best_fitness: Mean,
    objective: Mean,
    best_objective: Option<f64>,
    /// The families and fitness functions of the runs that did not fail.
    measures: Vec<(usize, usize)>,
    /// Whether a run that did not fail has no objective.
    is_objective_missing: bool,
    /// Whether a run that did not fail has an infinite gap.
    is_gap_unbounded: bool,
}

impl Tally {
    /// Adds a run; its measure is its family and its fitness, by their places.
    fn add(&mut self, row: &Row, measure: (usize, usize)) {
        let outcome = &row.outcome;
        self.is_work_unknown |= is_work_unknown(outcome, &row.unit);
        self.runs += 1;
        self.stops[outcome.stop as usize] += 1;
        if outcome.solved.is_some() {
            self.judged_stops[outcome.stop as usize] += 1;
            self.evaluations += u128::from(outcome.evaluations);
        }
        match outcome.solved {
            Some(true) => {
                self.solved += 1;
                self.ms_solved.add(outcome.wall_ms);
                self.generations_solved.add(outcome.generations);
                self.penalised_ms.add(outcome.wall_ms);
            }
            _ if outcome.stop == Stop::Failed => return,
            Some(false) => {
                self.ms_unsolved.add(outcome.wall_ms);
                self.penalised_ms.add(PENALTY * outcome.wall_ms);
            }
            None => {}
        }
        outcome.best_fitness.into_iter().for_each(|fitness| self.best_fitness.add(fitness));
        if !self.measures.contains(&measure) {
            self.measures.push(measure);
        }
        if let Some(objective) = outcome.objective {
            self.objective.add(objective);
            self.best_objective = Some(self.best_objective.map_or(objective, |best| best.min(objective)));
        }
        self.is_objective_missing |= outcome.objective.is_none();
        self.is_gap_unbounded |= is_gap_unbounded(row);
        self.generations.add(outcome.generations);
        if outcome.solved.is_some() {
            self.generations_judged.add(outcome.generations);
        }
        self.generations_to_best.add(outcome.generations_to_best());
        if let Some(cpu_ms) = outcome.cpu_ms {
            self.cpu_ms.add(cpu_ms);
            self.ms_beside_cpu.add(outcome.wall_ms);
            match outcome.solved {
                Some(true) => self.cpu_ms_solved.add(cpu_ms),
                Some(false) => self.cpu_ms_unsolved.add(cpu_ms),
                None => {}
            }
        }
    }

    /// The values come back in another order.
    fn figures(&self, values: &mut RunValues, instances: &[InstanceTally]) -> Figures {
        let is_one_measure = self.measures.len() <= 1;
        let has_mean_objective = is_one_measure && !self.is_objective_missing;
        let families: BTreeSet<usize> = self.measures.iter().map(|(family, _)| *family).collect();
        let mean_gap = self.mean_gap(&values.gaps, instances);
        let gap_interval = mean_gap.and_then(|gap| gap.interval);
        let finite = |gap: &f64| gap.is_finite();
        Figures {
            families: families.len() as u64,
            measures: self.measures.len() as u64,
            judged_stops: self.judged_stops,
            mean_generations_judged: self.generations_judged.value(),
            mean_ms_solved: self.ms_solved.value(),
            mean_generations_solved: self.generations_solved.value(),
            mean_generations: self.generations.value(),
            mean_ms_unsolved: self.ms_unsolved.value(),
            mean_cpu_ms: self.cpu_ms.value(),
            mean_cpu_ms_solved: self.cpu_ms_solved.value(),
            mean_cpu_ms_unsolved: self.cpu_ms_unsolved.value(),
            clocked: Clocked { wall_ms: self.ms_beside_cpu.sum(), cpu_ms: self.cpu_ms.sum() },
            median_evaluations_solved: median(&mut values.evaluations, u64::cmp)
                .map(|[low, high]| (low as f64 + high as f64) / 2.0),
            ert_evaluations: (self.solved > 0 && !self.is_work_unknown)
                .then(|| self.evaluations as f64 / self.solved as f64),
            par10_ms: self.penalised_ms.value(),
            mean_best_fitness: self.best_fitness.value().filter(|_| is_one_measure),
            mean_objective: self.objective.value().filter(|_| has_mean_objective),
            median_objective: median(&mut values.objectives, f64::total_cmp).map(middle).filter(|_| has_mean_objective),
            best_objective: self.best_objective.filter(|_| has_mean_objective),
            median_gap: median(&mut values.gaps, f64::total_cmp).map(middle).filter(finite),
            mean_gap: mean_gap.map(|gap| gap.mean),
            gap_low: gap_interval.map(|interval| interval.low),
            gap_high: gap_interval.map(|interval| interval.high),
            best_gap: values.gaps.iter().copied().min_by(f64::total_cmp).filter(finite),
            mean_generations_to_best: self.generations_to_best.value(),
            ..Figures::from_instances(
                &instances.iter().map(InstanceTally::counts).collect::<Vec<_>>(),
                self.runs,
                self.stops,
            )
        }
    }

    /// The mean over the instances of their mean gaps, with its interval; with one instance, over its runs, whose gaps are given.
    fn mean_gap(&self, gaps: &[f64], instances: &[InstanceTally]) -> Option<MeanEstimate> {
        let means: Vec<f64> = instances.iter().filter_map(InstanceTally::mean_gap).collect();
        if self.is_gap_unbounded { None } else { mean_estimate(if means.len() == 1 { gaps } else { &means }) }
    }
}
