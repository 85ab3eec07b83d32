//! Expected costs: what a solution costs each series on each instance.

use std::collections::BTreeMap;

use super::division::{Division, Wish, divide};
use super::{Material, Refusal, labels};
use crate::samples::Sample;
use evogrid_statistics::ert;

/// The expected cost of a solution, for each series on each instance.
pub(super) struct Expected<'a> {
    /// The one panel.
    pub(super) division: Division<'a>,
    /// Instances with runs of every series.
    pub(super) blocks: Vec<Block>,
    /// What was left out.
    pub(super) notes: Vec<String>,
}

/// An instance.
pub(super) struct Block {
    /// Its place in the roster.
    pub(super) instance: usize,
    /// The expected cost of a solution by each series: `f64::INFINITY` where none of its runs is solved.
    pub(super) costs: Vec<f64>,
}

impl<'a> Expected<'a> {
    /// The costs of at most so many series.
    pub(super) fn of(material: &Material<'a>, most: usize, least_instances: usize) -> Result<Self, Refusal> {
        let (samples, effort) = (material.samples, material.effort);
        if samples.missing.contains(&effort.column()) {
            return Err(Refusal::Column { column: effort.column() });
        }
        let runs: Vec<&Sample> = samples.runs.iter().collect();
        let wish = Wish { most, few: usize::MAX, ..Wish::of_settings(samples) };
        let division = divide(samples, &runs, wish, material.by);
        if division.names.len() < 2 {
            return Err(Refusal::OneSeries);
        }
        let n = division.names.len();
        let mut spent: BTreeMap<usize, Vec<Vec<(u64, bool)>>> = BTreeMap::new();
        for series in division.panels.iter().flat_map(|panel| &panel.series) {
            for run in &series.runs {
                let of_instance = spent.entry(run.instance).or_insert_with(|| vec![Vec::new(); n]);
                of_instance[series.name].push((effort.of(run), run.outcome.solved));
            }
        }
        let seen = spent.len();
        let block = |(instance, runs): (usize, Vec<Vec<(u64, bool)>>)| {
            let costs = runs.iter().map(|runs| cost(runs, effort.scale(), effort.least())).collect::<Option<_>>();
            costs.map(|costs| Block { instance, costs })
        };
        let blocks: Vec<Block> = spent.into_iter().filter_map(block).collect();
        if blocks.len() < least_instances {
            let instances =
                if blocks.len() == 1 { "1 instance".to_owned() } else { format!("{} instances", blocks.len()) };
            return Err(Refusal::FewInstances { instances, least: least_instances });
        }
        let mut notes: Vec<String> = effort.note(runs.iter().copied()).into_iter().collect();
        notes.extend(division.notes.iter().cloned());
        if blocks.len() < seen {
            let missing = seen - blocks.len();
            notes
                .push(format!("{missing} of {seen} instances are left out: not all that is compared was run on them."));
        }
        Ok(Self { division, blocks, notes })
    }

    /// An instance's id.
    pub(super) fn id(material: &Material<'_>, block: &Block) -> String {
        labels::text(&material.samples.roster.instances[block.instance].id)
    }
}

/// The expected cost of a solution, at least the smallest that counts; `None` without runs.
fn cost(runs: &[(u64, bool)], scale: f64, least: f64) -> Option<f64> {
    (!runs.is_empty()).then(|| ert(runs).map_or(f64::INFINITY, |cost| (cost / scale).max(least)))
}
