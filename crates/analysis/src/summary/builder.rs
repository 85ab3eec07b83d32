//! Builds a summary of runs in one pass over the runs.

use std::collections::BTreeMap;

use evogrid_core::budget::Stop;
use evogrid_core::family::Direction;
use evogrid_results::{ALL_BUCKETS, Row};

use super::standing::SummaryParts;
use super::tally::{InstanceTally, RunValues, Tally, addends};
use super::{Summary, SummaryRow};
use crate::metric::{PartTally, add};
use crate::samples::bucket_titles;
use evogrid_results::names::NameTable;

/// Builds a summary from runs that are added one by one.
#[derive(Debug, Default)]
pub struct Builder {
    /// The summary without its rows and parts.
    summary: Summary,
    /// The columns of `runs.csv` that the runs do not have.
    missing: Vec<&'static str>,
    /// The configurations, in the order of their first rows.
    configurations: Vec<Configuration>,
    configuration_of: NameTable,
    /// The index of the configuration of the previous row. Most rows have the same configuration as the previous row.
    last_configuration: usize,
    /// The buckets of each family.
    buckets: NameTable,
    bucket_names: Vec<(usize, String)>,
    /// The instances of each bucket.
    instances: Vec<NameTable>,
    /// For each bucket, the indices of the bucket's instances among all instances, in the order of their first rows.
    places: Vec<Vec<u32>>,
    n_instances: u32,
}

/// One algorithm with one value for each varied setting.
#[derive(Debug, Default)]
struct Configuration {
    algorithm: String,
    varied: Vec<String>,
    /// The tallies of the configuration in each bucket, by the index of the bucket.
    buckets: BTreeMap<usize, BucketTally>,
    all: Tally,
    /// The runs of the configuration by repetition, and the objectives of these runs by instance. For rates and gaps, instances have equal
    /// weight.
    by_repetition: PartTally,
    by_instance: PartTally,
    n_runs: usize,
}

/// The tally of a configuration in a bucket.
#[derive(Debug, Default)]
struct BucketTally {
    tally: Tally,
    values: RunValues,
    /// The counts on each instance, by the number of the instance within the bucket.
    instances: BTreeMap<u32, InstanceTally>,
}

impl Builder {
    /// An empty builder. `varied` are the paths of the varied settings.
    pub fn new(varied: &[String]) -> Self {
        Self { summary: Summary { varied: varied.to_vec(), ..Summary::default() }, ..Self::default() }
    }

    /// Creates an empty builder for rows with these varied settings. `missing` lists the columns of `runs.csv` that are missing in the
    /// rows. If a figure needs a missing column, the figure is absent from the summary.
    pub fn of_columns(varied: &[String], missing: Vec<&'static str>) -> Self {
        Self { missing, ..Self::new(varied) }
    }

    /// Adds a run.
    pub fn add(&mut self, row: &Row) {
        let summary = &mut self.summary;
        note(&mut summary.units, &row.unit);
        let fitness = note(&mut summary.fitnesses, &row.fitness);
        let problem = note(&mut summary.problems, &row.key.problem);
        summary.without_best_known += u64::from(row.outcome.objective.is_some() && row.gap.is_none());
        summary.stopped_above_best_known += u64::from(row.outcome.stop == Stop::Target && row.gap > Some(0.0));
        let bucket = self.bucket(problem, row);
        let instance = self.instances[bucket].number(&row.key.instance) as u32;
        if instance as usize == self.places[bucket].len() {
            self.places[bucket].push(self.n_instances);
            self.n_instances += 1;
        }
        let place = self.places[bucket][instance as usize] as usize;
        let is_numbered = !self.missing.contains(&"repetition");
        let configuration = self.configuration(row);
        let repetition = if is_numbered { row.key.repetition as usize } else { configuration.n_runs };
        configuration.n_runs += 1;
        configuration.by_repetition.add(repetition, &row.outcome, row.gap, row.direction());
        configuration.by_instance.add(place, &row.outcome, None, row.direction());
        let addends = addends(&row.outcome);
        configuration.all.add(row, &addends, (problem, fitness));
        let BucketTally { tally, values, instances } = configuration.buckets.entry(bucket).or_default();
        tally.add(row, &addends, (problem, fitness));
        let gap = row.gap.filter(|_| !row.outcome.has_failed());
        instances.entry(instance).or_default().add(&row.outcome, gap);
        values.add(row, instance);
    }

    /// The summary of all added runs.
    pub fn finish(self) -> Summary {
        let (mut rows, mut parts) = (Vec::new(), Vec::new());
        let titles = bucket_titles(&self.bucket_names, &self.summary.problems);
        for configuration in self.configurations {
            let (mut of_all, mut all_instances) = (RunValues::default(), Vec::new());
            let mut own = PartTally { objectives: configuration.by_instance.objectives, ..PartTally::default() };
            for (bucket, BucketTally { tally, mut values, instances }) in configuration.buckets {
                let tallies: Vec<InstanceTally> = instances.values().copied().collect();
                // The medians below change the order of the values.
                of_all.append(&values, all_instances.is_empty());
                let figures = tally.figures(&mut values, &tallies);
                for (&instance, tally) in &instances {
                    let (place, (solved, judged)) = (self.places[bucket][instance as usize] as usize, tally.counts());
                    let rate = (judged > 0).then(|| solved as f64 / judged as f64);
                    add(&mut own.solved, place, rate.map(|rate| Direction::Maximise.cost(rate)));
                    add(&mut own.gaps, place, tally.mean_gap());
                }
                all_instances.extend(tallies);
                // A bucket with the name of all buckets would repeat the last row.
                if self.bucket_names[bucket].1 != ALL_BUCKETS {
                    rows.push(SummaryRow {
                        algorithm: configuration.algorithm.clone(),
                        varied: configuration.varied.clone(),
                        bucket: titles[bucket].clone(),
                        figures,
                    });
                }
            }
            parts.push(if self.n_instances > 1 { own } else { configuration.by_repetition });
            rows.push(SummaryRow {
                algorithm: configuration.algorithm,
                varied: configuration.varied,
                bucket: ALL_BUCKETS.to_owned(),
                figures: configuration.all.figures(&mut of_all, &all_instances),
            });
        }
        rows.iter_mut().for_each(|row| row.figures.drop_unknown(&self.missing));
        let parts = SummaryParts { configurations: parts, is_by_instance: self.n_instances > 1 };
        Summary { rows, parts, ..self.summary }
    }

    /// The number of the bucket of a run.
    fn bucket(&mut self, problem: usize, row: &Row) -> usize {
        let number = self.buckets.number_of_list([&row.key.problem, &row.key.bucket]);
        if number == self.instances.len() {
            self.instances.push(NameTable::default());
            self.places.push(Vec::new());
            self.bucket_names.push((problem, row.key.bucket.clone()));
        }
        number
    }

    fn configuration(&mut self, row: &Row) -> &mut Configuration {
        let (algorithm, varied) = (&row.key.algorithm, &row.varied);
        let is_last = |last: &Configuration| last.algorithm == *algorithm && last.varied == *varied;
        if !self.configurations.get(self.last_configuration).is_some_and(is_last) {
            self.last_configuration = self.configuration_of.number_of_list(std::iter::once(algorithm).chain(varied));
        }
        if self.last_configuration == self.configurations.len() {
            let (algorithm, varied) = (algorithm.clone(), varied.clone());
            self.configurations.push(Configuration { algorithm, varied, ..Configuration::default() });
        }
        &mut self.configurations[self.last_configuration]
    }
}

/// The index of a name in a short list. A new name is added to the list. An empty name has the index 0.
fn note(names: &mut Vec<String>, name: &str) -> usize {
    if name.is_empty() {
        return 0;
    }
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}
