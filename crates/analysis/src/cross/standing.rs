//! How the columns stand over all instances: mean ranks, wins and losses, and the virtual best of them.

use std::collections::BTreeMap;

use evogrid_results::format::printable;
use evogrid_statistics::friedman;

use super::cells::Cells;
use crate::responses::{Responses, RunCosts, Unit};

/// The most columns whose part of the virtual best is said.
const MOST_CONTRIBUTIONS: usize = 5;

impl Cells<'_> {
    /// The mean costs of all columns over all rows; `None` if columns are not ranked.
    pub(super) fn overall(&self, costs: &RunCosts) -> Option<Responses> {
        let is_compared = self.is_ranked && self.columns.len() > 1;
        is_compared.then(|| self.responses(self.rows.len() - 1, costs)).flatten()
    }

    /// The mean costs by instance.
    fn by_instance(responses: &Responses) -> Vec<Vec<f64>> {
        let mut instances: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (block, &place) in responses.places.iter().enumerate() {
            instances.entry(if responses.instances > 1 { place } else { 0 }).or_default().push(block);
        }
        let mean = |costs: &Vec<f64>, blocks: &Vec<usize>| {
            blocks.iter().map(|&at| costs[at]).sum::<f64>() / blocks.len() as f64
        };
        instances.values().map(|blocks| responses.costs.iter().map(|costs| mean(costs, blocks)).collect()).collect()
    }

    /// The mean rank of each column over instances, its wins, ties and losses, and what these are against.
    pub(super) fn standing(
        &self,
        responses: &Responses,
        baseline: Option<usize>,
    ) -> Option<(Vec<String>, Vec<String>, String)> {
        let blocks = Self::by_instance(responses);
        let ranks = friedman(&blocks.iter().map(Vec::as_slice).collect::<Vec<_>>()).mean_ranks;
        let first = (0..ranks.len()).min_by(|&one, &other| ranks[one].total_cmp(&ranks[other]))?;
        let reference = baseline.unwrap_or(first);
        let counts = |column: usize| {
            let order = |block: &Vec<f64>| (block[column] - block[reference]).abs() < 1e-9;
            let ties = blocks.iter().filter(|block| order(block)).count();
            let wins = blocks.iter().filter(|block| !order(block) && block[column] < block[reference]).count();
            if column == reference { "-".to_owned() } else { format!("{wins}/{ties}/{}", blocks.len() - wins - ties) }
        };
        let instances = if blocks.len() == 1 { "the 1 instance" } else { &format!("the {} instances", blocks.len()) };
        let which = if baseline.is_some() { "" } else { ", which has the best mean rank" };
        let sentence = format!(
            "Ranks, and wins, ties and losses against {}{which}, are over {instances} on which all columns have runs, by the mean of the runs on each.",
            printable(&self.columns[reference])
        );
        let ranks = ranks.iter().map(|rank| format!("{rank:.2}")).collect();
        Some((ranks, (0..self.columns.len()).map(counts).collect(), sentence))
    }

    /// What the best column on each instance would show, and what each column adds to that.
    pub(super) fn virtual_best(&self, responses: &Responses) -> Option<String> {
        if !matches!(responses.unit, Unit::Solved | Unit::Gap) || responses.instances < 2 {
            return None;
        }
        let blocks = Self::by_instance(responses);
        let without = |left: Option<usize>| {
            let least = |block: &Vec<f64>| {
                block
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| Some(*at) != left)
                    .map(|(_, cost)| *cost)
                    .fold(f64::INFINITY, f64::min)
            };
            blocks.iter().map(least).sum::<f64>() / blocks.len() as f64
        };
        let best = without(None);
        let mut added: Vec<(f64, &String)> =
            self.columns.iter().enumerate().map(|(at, name)| (without(Some(at)) - best, name)).collect();
        added.sort_by(|one, other| other.0.total_cmp(&one.0));
        let text =
            |value: f64| if responses.unit == Unit::Solved { format!("{value:.1}") } else { format!("{value:.2}") };
        let named: Vec<String> = added
            .iter()
            .take(MOST_CONTRIBUTIONS)
            .map(|(by, name)| format!("{} {}", printable(name), text(*by)))
            .collect();
        let more = if added.len() > MOST_CONTRIBUTIONS { ", others less" } else { "" };
        Some(format!(
            "Virtual best (the best column on each instance): {} %. Without a column it is worse by (points): {}{more}. The same runs choose and judge it, so it looks better than it is.",
            text(responses.unit.shown(best)),
            named.join(", ")
        ))
    }
}
