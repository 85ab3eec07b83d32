//! Samples: the runs of an experiment.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use super::roster::{Configuration, Key, Roster, RosterInstance};
use super::selection::Selection;
use crate::trace::{self, Quantity};
use evogrid_core::budget::Stop;
use evogrid_results::runs::{Reader, Row, RunOutcome};
use evogrid_results::sheet::ReadError;

/// The most runs that are held: some 250 MB.
pub const MAX_SAMPLES: usize = 2_000_000;

/// All runs of an experiment, some 120 bytes each.
///
/// ```
/// use evogrid_analysis::samples::{Key, Samples, Selector};
/// use evogrid_results::runs::Reader;
///
/// let csv = "algorithm,population,instance,solved\nga,10,a,true\nga,10,b,false\nga,20,a,true\nga,20,b,true\n";
/// let samples = Samples::read(Reader::new("runs.csv", csv.as_bytes())?)?;
/// assert_eq!(samples.roster.varied, ["population"]);
///
/// let everything = samples.roster.select(&Selector::default())?;
/// let groups = samples.grouped(&[samples.roster.key("population")?], &everything);
/// let solved = groups.iter().map(|(values, runs)| (values[0], runs.iter().filter(|run| run.outcome.solved).count()));
/// assert_eq!(solved.collect::<Vec<_>>(), [("10", 1), ("20", 2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// What they are told apart by.
    pub roster: Roster,
    /// The runs in the order of the file.
    pub runs: Vec<Sample>,
    /// The fitness functions that were minimised, by name; an empty name where the file says none.
    pub fitnesses: Vec<String>,
    /// The units of work, as `evaluations`; an empty name where the file says none.
    pub units: Vec<String>,
    /// The columns of `runs.csv` that the file does not have.
    pub missing: Vec<&'static str>,
    /// By generation, then by number of the run: the gene diversity of the population at the end of the generation. Empty until
    /// [`read_diversity`](Self::read_diversity).
    pub diversity: BTreeMap<u64, BTreeMap<u64, f64>>,
}

/// A run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Its number in the plan.
    pub run: u64,
    /// Its configuration, by its place in the roster.
    pub configuration: usize,
    /// Its instance, by its place in the roster.
    pub instance: usize,
    /// Which of the runs that differ in their random stream only, from 0.
    pub repetition: u64,
    /// The seed of its random stream.
    pub seed: u64,
    /// The fitness that it minimised, by its place in [`Samples::fitnesses`].
    pub fitness: usize,
    /// The unit of its work, by its place in [`Samples::units`].
    pub unit: usize,
    /// How it ended.
    pub outcome: RunOutcome,
}

impl Samples {
    /// Reads the rows of a `runs.csv`, or of any CSV that has its columns `algorithm`, `instance` and `solved`.
    ///
    /// # Errors
    /// The first error of the file, or that it has more than [`MAX_SAMPLES`] runs.
    pub fn read<R: Read>(reader: Reader<R>) -> Result<Self, ReadError> {
        Self::read_at_most(reader, MAX_SAMPLES)
    }

    fn read_at_most<R: Read>(mut reader: Reader<R>, limit: usize) -> Result<Self, ReadError> {
        let file = reader.file().to_owned();
        let mut samples = Self::default();
        samples.roster.varied = reader.varied().to_vec();
        samples.missing = reader.missing().to_vec();
        let (mut configurations, mut instances) = (BTreeMap::new(), BTreeMap::new());
        let (mut fitnesses, mut units) = (BTreeMap::new(), BTreeMap::new());
        let mut row = Row::default();
        while reader.read_over(&mut row)? {
            if samples.runs.len() == limit {
                return Err(ReadError::TooManyRuns { file, limit });
            }
            let key = &row.key;
            let configuration = Configuration { algorithm: key.algorithm.clone(), varied: row.varied.clone() };
            let instance = RosterInstance { id: key.instance.clone(), bucket: key.bucket.clone() };
            samples.runs.push(Sample {
                run: row.run,
                configuration: place(&mut configurations, &mut samples.roster.configurations, configuration),
                instance: place(&mut instances, &mut samples.roster.instances, instance),
                repetition: key.repetition,
                seed: key.seed,
                fitness: place(&mut fitnesses, &mut samples.fitnesses, row.fitness.clone()),
                unit: place(&mut units, &mut samples.units, row.unit.clone()),
                outcome: row.outcome,
            });
        }
        Ok(samples)
    }

    /// Reads from a `trace.csv.gz` the gene diversity of every run at the end of these generations, where it was recorded.
    ///
    /// # Errors
    /// If the file cannot be read, or has no column of diversities.
    pub fn read_diversity(&mut self, trace: &Path, generations: &[u64]) -> Result<(), ReadError> {
        let mut diversity: BTreeMap<u64, BTreeMap<u64, f64>> =
            generations.iter().map(|&generation| (generation, BTreeMap::new())).collect();
        trace::open(trace, Quantity::Diversity, |run, generation, value| {
            if let Some(runs) = diversity.get_mut(&generation) {
                runs.insert(run, value);
            }
        })?;
        self.diversity.extend(diversity);
        Ok(())
    }

    /// What a run has for a key.
    #[must_use]
    pub fn value(&self, key: Key, sample: &Sample) -> &str {
        self.roster.value(key, sample.configuration, sample.instance)
    }

    /// The chosen runs.
    pub fn chosen<'a, 's>(&'a self, selection: &'s Selection) -> impl Iterator<Item = &'a Sample> + use<'a, 's> {
        self.runs.iter().filter(|sample| selection.has(sample.configuration, sample.instance))
    }

    /// The chosen runs in groups that agree in all of these keys, in the order in which they come; each group behind its values
    /// of the keys.
    #[must_use]
    pub fn grouped<'a>(&'a self, keys: &[Key], selection: &Selection) -> Vec<(Vec<&'a str>, Vec<&'a Sample>)> {
        let mut places: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
        let mut groups: Vec<(Vec<&str>, Vec<&Sample>)> = Vec::new();
        for sample in self.chosen(selection) {
            let values: Vec<&str> = keys.iter().map(|&key| self.value(key, sample)).collect();
            let place = *places.entry(values.clone()).or_insert(groups.len());
            if place == groups.len() {
                groups.push((values, Vec::new()));
            }
            groups[place].1.push(sample);
        }
        groups
    }
}

/// How many of the runs are solved.
pub(crate) fn n_solved(runs: &[&Sample]) -> u64 {
    runs.iter().filter(|run| run.outcome.solved).count() as u64
}

/// How many of the runs failed.
pub(crate) fn n_failed(runs: &[&Sample]) -> u64 {
    runs.iter().filter(|run| run.outcome.stop == Stop::Failed).count() as u64
}

/// The place of an entry in a list, to which it is added if it is new.
fn place<T: Clone + Ord>(places: &mut BTreeMap<T, usize>, list: &mut Vec<T>, entry: T) -> usize {
    if let Some(&place) = places.get(&entry) {
        return place;
    }
    list.push(entry.clone());
    places.insert(entry, list.len() - 1);
    list.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_runs_than_can_be_held_are_refused() {
        let text = "algorithm,instance,solved\na,x,true\na,x,true\na,x,true\n";
        let read = |limit| Samples::read_at_most(Reader::new("x.csv", text.as_bytes()).expect("columns"), limit);
        assert_eq!(read(3).expect("three").runs.len(), 3);
        insta::assert_snapshot!(read(2).expect_err("one too many"), @"x.csv has more than 2 runs, and what is asked for holds every run in memory; `runner table` does not, or take fewer of them");
    }
}
