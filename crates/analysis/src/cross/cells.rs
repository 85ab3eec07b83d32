//! The runs in the cells of a table, and what is marked.

use std::collections::BTreeMap;

use evogrid_results::ALL_BUCKETS;
use evogrid_statistics::{Confidence, best_set};

use super::figure::{Figure, Spread};
use crate::metric::Metric;
use crate::responses::{Responses, RunCosts};
use crate::samples::{Key, Sample, Samples, Selector};
use crate::table::Cell;
use crate::truncation::TARGET_SETTING;

/// Runs in the cells of a table.
pub(super) struct Cells<'s> {
    pub(super) samples: &'s Samples,
    pub(super) rows: Vec<String>,
    pub(super) columns: Vec<String>,
    /// The runs of each row, by their places, with their columns.
    members: Vec<Vec<(usize, usize)>>,
    /// Whether the objectives of the runs have several measures.
    has_measures: bool,
    /// Whether one column can be better than another: configurations are compared, targets, buckets and instances are not.
    pub(super) is_ranked: bool,
}

impl<'s> Cells<'s> {
    pub(super) fn new(samples: &'s Samples, [rows_by, columns_by]: [&[Key]; 2]) -> Self {
        let mut names = [Vec::new(), Vec::new()];
        let mut known: [BTreeMap<Vec<&str>, usize>; 2] = Default::default();
        let mut place = |side: usize, keys: &[Key], run: &'s Sample| {
            let values: Vec<&str> = keys.iter().map(|&key| samples.value(key, run)).collect();
            *known[side].entry(values).or_insert_with_key(|values| {
                let label = match values.as_slice() {
                    [only] => (*only).to_owned(),
                    values => Selector::with_values(&samples.roster, keys, values).label(),
                };
                names[side].push(if label.is_empty() { "-".to_owned() } else { label });
                names[side].len() - 1
            })
        };
        let mut members: Vec<Vec<(usize, usize)>> = Vec::new();
        let mut all = Vec::with_capacity(samples.runs.len());
        for (at, run) in samples.runs.iter().enumerate() {
            let [row, column] = [place(0, rows_by, run), place(1, columns_by, run)];
            members.resize(members.len().max(row + 1), Vec::new());
            members[row].push((at, column));
            all.push((at, column));
        }
        let [mut rows, columns] = names;
        if rows.len() > 1 {
            rows.push(ALL_BUCKETS.to_owned());
            members.push(all);
        }
        let has_measures = samples.n_measures(&samples.runs) > 1;
        let is_compared = |key: &Key| key.is_of_configurations() && samples.roster.name(*key) != TARGET_SETTING;
        let is_ranked = columns_by.iter().all(is_compared);
        Self { samples, rows, columns, members, has_measures, is_ranked }
    }

    /// The mean costs of all columns in a row, on each instance on which all have runs.
    pub(super) fn responses(&self, row: usize, costs: &RunCosts) -> Option<Responses> {
        Responses::of_groups(self.samples, costs, self.columns.len(), self.members[row].iter().copied())
    }

    /// The figures of a row, one for each column.
    pub(super) fn figures(&self, row: usize, metric: Metric, spread: Spread) -> Vec<Figure> {
        let mut runs: Vec<Vec<&Sample>> = vec![Vec::new(); self.columns.len()];
        self.members[row].iter().for_each(|&(at, column)| runs[column].push(&self.samples.runs[at]));
        // Neither objectives nor gaps of different families have one scale.
        let all: Vec<&Sample> = runs.iter().flatten().copied().collect();
        let is_mixed = match metric {
            Metric::Objective => self.has_measures && self.samples.n_measures(runs.iter().flatten().copied()) > 1,
            Metric::Gap => self.samples.n_families(&all) > 1,
            _ => false,
        };
        let figure = |runs: &Vec<&Sample>| {
            if is_mixed { Figure::none() } else { Figure::new(self.samples, metric, spread, runs) }
        };
        runs.iter().map(figure).collect()
    }

    /// Which columns are the best of a row by their figures, and which may be by the confidence set.
    pub(super) fn marks(&self, row: usize, costs: &RunCosts, figures: &[Figure]) -> (Vec<bool>, Vec<bool>) {
        if !self.is_ranked {
            return (vec![false; figures.len()], vec![false; figures.len()]);
        }
        let least = figures.iter().filter_map(|figure| figure.cost).reduce(f64::min);
        let best = figures.iter().map(|figure| figure.cost.is_some() && figure.cost == least).collect();
        let may_be = self.responses(row, costs).map(|found| best_set(&found.costs, Confidence::PERCENT_95));
        (best, may_be.unwrap_or_else(|| vec![false; self.columns.len()]))
    }

    pub(super) fn row(&self, row: usize, (metric, costs): (Metric, &RunCosts), spread: Spread) -> Vec<Cell> {
        let figures = self.figures(row, metric, spread);
        let (best, may_be) = self.marks(row, costs, &figures);
        let cell = |(at, figure): (usize, Figure)| match (best[at], may_be[at] && figure.cost.is_some()) {
            (true, _) if best.contains(&false) => Cell::Best(figure.text),
            (_, true) => Cell::MayBeBest(figure.text),
            _ => Cell::Plain(figure.text),
        };
        figures.into_iter().enumerate().map(cell).collect()
    }
}
