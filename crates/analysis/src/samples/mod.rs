//! The runs of an experiment, held for the tests that need each of them.
//!
//! A [`Roster`] says what runs are told apart by, a [`Selector`] chooses some, a [`Metric`] is a figure of a run, and
//! [`pairs`] matches those of two settings.

mod diversity;
mod metric;
mod pairing;
mod roster;

use std::collections::BTreeMap;
use std::io::Read;

pub use metric::{METRICS, Metric};
pub(crate) use metric::{number, rate};
pub use pairing::pairs;
pub use roster::{Cell, Instance, Key, Roster, Selection, Selector, Unselected};

use evogrid_results::runs::{Reader, Row, RunOutcome};
use evogrid_results::sheet::ReadError;

/// The most runs that are held: some 250 MB.
pub const LIMIT: usize = 2_000_000;

/// All runs of an experiment, some 120 bytes each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// What they are told apart by.
    pub roster: Roster,
    /// The runs in the order of the file.
    pub runs: Vec<Sample>,
    /// The columns that the file did not have.
    pub missing: Vec<&'static str>,
    /// For a generation the gene diversity at its end, by the number of the run, where it was recorded.
    pub diversity: BTreeMap<u64, BTreeMap<u64, f64>>,
}

/// A run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Its number in the plan.
    pub run: u64,
    /// Its cell, by its place in the roster.
    pub cell: usize,
    /// Its instance, by its place in the roster.
    pub instance: usize,
    /// Which of the runs that differ in their random stream only.
    pub repetition: u64,
    /// The seed of its random stream.
    pub seed: u64,
    /// How it went.
    pub outcome: RunOutcome,
}

impl Samples {
    /// Reads the rows of a `runs.csv`.
    ///
    /// # Errors
    /// The first error of the file, or that it has more than [`LIMIT`] runs.
    pub fn read<R: Read>(reader: Reader<R>) -> Result<Self, ReadError> {
        Self::read_at_most(reader, LIMIT)
    }

    fn read_at_most<R: Read>(mut reader: Reader<R>, limit: usize) -> Result<Self, ReadError> {
        let file = reader.file().to_owned();
        let mut samples = Self::default();
        samples.roster.varied = reader.varied().to_vec();
        samples.missing = reader.missing().to_vec();
        let (mut cells, mut instances) = (BTreeMap::new(), BTreeMap::new());
        let mut row = Row::default();
        while reader.read_over(&mut row)? {
            if samples.runs.len() == limit {
                return Err(ReadError::TooManyRuns { file, limit });
            }
            let key = &row.key;
            let cell = Cell { algorithm: key.algorithm.clone(), varied: row.varied.clone() };
            let instance = Instance { id: key.instance.clone(), bucket: key.bucket.clone() };
            samples.runs.push(Sample {
                run: row.run,
                cell: place(&mut cells, &mut samples.roster.cells, cell),
                instance: place(&mut instances, &mut samples.roster.instances, instance),
                repetition: row.key.repetition,
                seed: row.key.seed,
                outcome: row.outcome,
            });
        }
        Ok(samples)
    }

    /// The chosen runs.
    pub fn chosen<'a, 's>(&'a self, selection: &'s Selection) -> impl Iterator<Item = &'a Sample> + use<'a, 's> {
        self.runs.iter().filter(|sample| selection.has(sample.cell, sample.instance))
    }

    /// The chosen runs in groups that agree in all of these keys, in the order in which they come. A group's values are
    /// given with it.
    #[must_use]
    pub fn grouped<'a>(&'a self, keys: &[Key], selection: &Selection) -> Vec<(Vec<&'a str>, Vec<&'a Sample>)> {
        let mut places: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
        let mut groups: Vec<(Vec<&str>, Vec<&Sample>)> = Vec::new();
        for sample in self.chosen(selection) {
            let values: Vec<&str> =
                keys.iter().map(|&key| self.roster.value(key, sample.cell, sample.instance)).collect();
            let place = *places.entry(values.clone()).or_insert(groups.len());
            if place == groups.len() {
                groups.push((values, Vec::new()));
            }
            groups[place].1.push(sample);
        }
        groups
    }
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
