//! Sums up runs in one pass.

use std::collections::BTreeMap;
use std::fmt::Write;

use evogrid_core::budget::Stop;

use super::{ALL_BUCKETS, Figures, Summary, SummaryRow};
use crate::names::NameTable;
use crate::run::{Row, RunOutcome, is_work_unknown};

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
    /// The evaluations of its solved runs.
    evaluations: Vec<u64>,
    /// The solved runs and all runs of each instance.
    instances: InstanceCounts,
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
        note(&mut self.fitnesses, &row.fitness);
        let bucket = self.bucket(&row.key.bucket);
        let instance = self.instances[bucket].number(&row.key.instance);
        let cell = self.cell(row);
        cell.all.add(&row.outcome, &row.unit);
        let BucketTally { tally, evaluations, instances } = cell.buckets.entry(bucket).or_default();
        tally.add(&row.outcome, &row.unit);
        instances.add(instance as u32, row.outcome.solved);
        if row.outcome.solved {
            evaluations.push(row.outcome.evaluations);
        }
    }

    /// The summary of all runs added.
    #[must_use]
    pub fn finish(self) -> Summary {
        let mut rows = Vec::new();
        for cell in self.cells {
            let (mut of_all, mut all_instances) = (Vec::new(), Vec::new());
            for (bucket, BucketTally { tally, mut evaluations, instances }) in cell.buckets {
                let instances = instances.finish();
                let figures = tally.figures(&mut evaluations, &instances);
                of_all.append(&mut evaluations);
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
        Summary { varied: self.varied, rows, units: self.units, fitnesses: self.fitnesses }
    }

    fn bucket(&mut self, name: &str) -> usize {
        let number = self.buckets.number(name);
        if number == self.instances.len() {
            self.instances.push(NameTable::default());
        }
        number
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

/// Adds a name to a list of a few, if it is new.
fn note(names: &mut Vec<String>, name: &str) {
    if !name.is_empty() && !names.iter().any(|known| known == name) {
        names.push(name.to_owned());
    }
}

/// How many runs each instance has, and how many of them are solved: 24 bytes an instance, where runs on one instance come together or
/// in the order of the instances.
#[derive(Debug, Default)]
struct InstanceCounts {
    /// Number of the instance, solved runs, runs. An instance may have several entries, which are added up now and then.
    entries: Vec<(u32, u64, u64)>,
    /// How many entries there may be until they are added up.
    limit: usize,
}

impl InstanceCounts {
    fn add(&mut self, instance: u32, is_solved: bool) {
        match self.entries.last_mut() {
            Some((last, solved, runs)) if *last == instance => {
                *solved += u64::from(is_solved);
                *runs += 1;
            }
            _ => {
                if self.entries.len() > self.limit {
                    self.add_up();
                    self.limit = (2 * self.entries.len()).max(64);
                }
                self.entries.push((instance, u64::from(is_solved), 1));
            }
        }
    }

    fn add_up(&mut self) {
        self.entries.sort_unstable_by_key(|&(instance, ..)| instance);
        self.entries.dedup_by(|later, entry| {
            let is_same = later.0 == entry.0;
            if is_same {
                (entry.1, entry.2) = (entry.1 + later.1, entry.2 + later.2);
            }
            is_same
        });
    }

    /// Solved runs and runs of each instance, in the order of their numbers.
    fn finish(mut self) -> Vec<(u64, u64)> {
        self.add_up();
        self.entries.into_iter().map(|(_, solved, runs)| (solved, runs)).collect()
    }
}

/// The sums behind the figures.
#[derive(Debug, Default)]
struct Tally {
    /// How many runs stopped for each reason, by its number.
    stops: [u64; 8],
    solved: u64,
    /// Whether some run does not say how much it worked.
    is_work_unknown: bool,
    evaluations: u128,
    ms_solved: Mean,
    generations_solved: WholeMean,
    generations: WholeMean,
    generations_to_best: Mean,
    ms_unsolved: Mean,
    cpu_ms: Mean,
    penalised_ms: Mean,
    best_fitness: Mean,
    objective: Mean,
    /// Whether a run that did not fail has no objective.
    is_objective_unknown: bool,
}

impl Tally {
    fn add(&mut self, outcome: &RunOutcome, unit: &str) {
        self.is_work_unknown |= is_work_unknown(outcome, unit);
        self.stops[outcome.stop as usize] += 1;
        self.evaluations += u128::from(outcome.evaluations);
        if outcome.solved {
            self.solved += 1;
            self.ms_solved.add(outcome.wall_ms);
            self.generations_solved.add(outcome.generations);
        } else if outcome.stop == Stop::Failed {
            return;
        } else {
            self.ms_unsolved.add(outcome.wall_ms);
        }
        self.penalised_ms.add(if outcome.solved { outcome.wall_ms } else { PENALTY * outcome.wall_ms });
        outcome.best_fitness.into_iter().for_each(|fitness| self.best_fitness.add(fitness));
        self.is_objective_unknown |= outcome.objective.is_none();
        outcome.objective.into_iter().for_each(|objective| self.objective.add(objective));
        self.generations.add(outcome.generations);
        self.generations_to_best.add(outcome.generations_to_best());
        outcome.cpu_ms.into_iter().for_each(|milliseconds| self.cpu_ms.add(milliseconds));
    }

    /// `evaluations` are those of the solved runs; they come back in another order. `instances` are the solved runs and all runs of each.
    fn figures(&self, evaluations: &mut [u64], instances: &[(u64, u64)]) -> Figures {
        Figures {
            mean_ms_solved: self.ms_solved.value(),
            mean_generations_solved: self.generations_solved.value(),
            mean_generations: self.generations.value(),
            mean_ms_unsolved: self.ms_unsolved.value(),
            mean_cpu_ms: self.cpu_ms.value(),
            median_evaluations_solved: median(evaluations),
            ert_evaluations: (self.solved > 0 && !self.is_work_unknown)
                .then(|| self.evaluations as f64 / self.solved as f64),
            par10_ms: self.penalised_ms.value(),
            mean_best_fitness: self.best_fitness.value(),
            mean_objective: self.objective.value().filter(|_| !self.is_objective_unknown),
            mean_generations_to_best: self.generations_to_best.value(),
            ..Figures::from_instances(instances, self.stops)
        }
    }
}

#[derive(Debug, Default)]
struct Mean {
    sum: f64,
    n: u64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.n += 1;
    }

    fn value(&self) -> Option<f64> {
        (self.n > 0).then(|| self.sum / self.n as f64)
    }
}

#[derive(Debug, Default)]
struct WholeMean {
    sum: u128,
    n: u64,
}

impl WholeMean {
    fn add(&mut self, value: u64) {
        self.sum += u128::from(value);
        self.n += 1;
    }

    fn value(&self) -> Option<f64> {
        (self.n > 0).then(|| self.sum as f64 / self.n as f64)
    }
}

/// The median; of an even number of values, the mean of the two in the middle.
fn median(values: &mut [u64]) -> Option<f64> {
    let upper = values.len() / 2;
    let odd = values.len() % 2 == 1;
    let (below, &mut upper, _) = values.get(upper).is_some().then(|| values.select_nth_unstable(upper))?;
    let lower = if odd { Some(upper) } else { below.iter().max().copied() };
    lower.map(|lower| (lower as f64 + upper as f64) / 2.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_median_of_an_even_number_is_the_mean_of_the_middle_two() {
        assert_eq!(median(&mut []), None);
        assert_eq!(median(&mut [7]), Some(7.0));
        assert_eq!(median(&mut [9, 1]), Some(5.0));
        assert_eq!(median(&mut [5, 1, 4, 2]), Some(3.0));
        assert_eq!(median(&mut [5, 1, 9]), Some(5.0));
    }

    proptest! {
        #[test]
        fn runs_are_counted_by_instance_in_whatever_order_they_come(
            runs in proptest::collection::vec((0u32..40, proptest::bool::ANY), 0..400)
        ) {
            let (mut counts, mut expected) = (InstanceCounts::default(), BTreeMap::<u32, (u64, u64)>::new());
            for (instance, is_solved) in runs {
                counts.add(instance, is_solved);
                let (solved, runs) = expected.entry(instance).or_default();
                (*solved, *runs) = (*solved + u64::from(is_solved), *runs + 1);
            }
            prop_assert!(counts.finish().into_iter().eq(expected.into_values()));
        }

        #[test]
        fn the_median_is_what_sorting_finds(mut values in proptest::collection::vec(0u64..1000, 1..50)) {
            let median = median(&mut values);
            values.sort_unstable();
            let (lower, upper) = (values[(values.len() - 1) / 2], values[values.len() / 2]);
            prop_assert_eq!(median, Some((lower + upper) as f64 / 2.0));
        }
    }
}
