//! Groups: the runs of a setting, in blocks by instance.

use std::collections::BTreeMap;

use super::{CompareError, Matching};
use crate::samples::{Key, Metric, Sample, Samples, Selector};
use evogrid_statistics::quantile;

/// The runs of a setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Its name: `huke`, `population = 100`.
    pub name: String,
    /// Its runs by instance, as the roster counts them.
    pub blocks: BTreeMap<usize, Block>,
    /// Its figure, over all runs, as a person reads it.
    pub summed_up: String,
    /// How many runs it has.
    pub runs: u64,
}

/// The runs of a setting on an instance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// The figure of each run, by what tells it from the others here (its repetition, and settings that are taken together), and
    /// its seed.
    pub runs: BTreeMap<(u64, Vec<String>), (f64, u64)>,
}

impl Block {
    /// The figures alone.
    pub(super) fn figures(&self) -> Vec<f64> {
        self.runs.values().map(|&(figure, _)| figure).collect()
    }

    /// One figure for the instance: the rate of solved runs, the median of others.
    pub(super) fn typical(&self, metric: Metric) -> f64 {
        let mut figures = self.figures();
        if metric == Metric::Solved {
            return figures.iter().sum::<f64>() / figures.len() as f64;
        }
        figures.sort_unstable_by(f64::total_cmp);
        quantile(&figures, 0.5).unwrap_or(f64::INFINITY)
    }
}

/// The groups that the keys tell apart; by the algorithm and all varied settings if there are none.
pub(super) fn groups(samples: &Samples, metric: Metric, by: &[String]) -> Result<Vec<Group>, CompareError> {
    let roster = &samples.roster;
    let all = || std::iter::once(Key::Algorithm).chain((0..roster.varied.len()).map(Key::Setting));
    let keys: Vec<Key> = if by.is_empty() {
        all().collect()
    } else {
        by.iter().map(|name| roster.key(name)).collect::<Result<_, _>>()?
    };
    let rest: Vec<Key> = all().filter(|key| !keys.contains(key)).collect();
    let everything = roster.select(&Selector::default())?;
    let grouped = samples.grouped(&keys, &everything);
    // What all have in common need not be said.
    let differs = |at: usize| grouped.iter().any(|(values, _)| values[at] != grouped[0].0[at]);
    let told: Vec<usize> = (0..keys.len()).filter(|&at| differs(at)).collect();
    let group = |(values, runs): &(Vec<&str>, Vec<&Sample>)| {
        let conditions = told.iter().filter(|&&at| !values[at].is_empty());
        let conditions: Vec<(String, Vec<String>)> =
            conditions.map(|&at| (roster.name(keys[at]).to_owned(), vec![values[at].to_owned()])).collect();
        let name = if conditions.is_empty() {
            values.first().copied().unwrap_or_default().to_owned()
        } else {
            Selector(conditions).label()
        };
        let mut blocks: BTreeMap<usize, Block> = BTreeMap::new();
        for &run in runs {
            let Some(figure) = metric.of(samples, run) else { continue };
            let told = rest.iter().map(|&key| roster.value(key, run.cell, run.instance).to_owned()).collect();
            blocks.entry(run.instance).or_default().runs.insert((run.repetition, told), (figure, run.seed));
        }
        Group { name, blocks, summed_up: metric.summed_up(samples, runs), runs: runs.len() as u64 }
    };
    Ok(grouped.iter().map(group).collect())
}

/// How the runs of all groups can be matched.
pub(super) fn matching(samples: &Samples, groups: &[Group]) -> Matching {
    let (first, others) = groups.split_first().expect("there are groups");
    let has_seeds = !samples.missing.contains(&"seed");
    let mut matching = if has_seeds { Matching::SameSeeds } else { Matching::Repetitions };
    for other in others {
        for (instance, block) in &first.blocks {
            let Some(others) = other.blocks.get(instance) else { continue };
            if !block.runs.keys().eq(others.runs.keys()) {
                return Matching::Instances;
            }
            if block.runs.values().zip(others.runs.values()).any(|((_, one), (_, two))| one != two) {
                matching = Matching::Repetitions;
            }
        }
    }
    matching
}
