//! Results on each instance, for the table of instances in a report.

use anyhow::{Result, ensure};
use evogrid_analysis::metric::{InstanceMean, Metric, Rate};
use evogrid_analysis::ranking::configuration_names;
use evogrid_analysis::samples::{Key, Sample, Samples};
use evogrid_results::format::short;
use evogrid_results::names::NameTable;
use serde::Serialize;

use crate::messages::program;
use crate::opened::OpenedResults;

/// At most this many figures of configurations or algorithms on instances are stored. With this limit, the page stays below three
/// megabytes.
const MOST_FIGURES: usize = 20_000;

/// The maximum number of instances on a page. Browsers fail on more instances.
const MOST_INSTANCES: usize = 1_000_000;

/// The results of all runs, or of the runs of some configurations, on each instance. The results are in the order of the instances.
#[derive(Default, Serialize)]
pub(super) struct InstanceFigures {
    /// The configuration or the algorithm; `None` for all runs.
    name: Option<String>,
    /// The configurations of the runs.
    configurations: Vec<usize>,
    failed: Vec<u32>,
    /// The numbers of runs that record whether they were solved.
    judged: Vec<u32>,
    runs: Vec<u32>,
    /// For each figure, the number of its text. The text is a mean, or a rate with an interval.
    shown: Vec<u32>,
    solved: Vec<u32>,
    /// The values that sort instances.
    value: Vec<Option<f64>>,
}

/// Returns the results of all runs and of each configuration (or algorithm) on each instance, and the texts of the figures.
pub(super) fn figures(opened: &OpenedResults<'_>) -> Result<(Vec<InstanceFigures>, Vec<String>)> {
    let (samples, roster) = (&opened.samples, &opened.samples.roster);
    let (n_instances, n_configurations) = (roster.instances.len(), roster.configurations.len());
    let algorithms = roster.values(Key::Algorithm);
    ensure!(
        n_instances <= MOST_INSTANCES,
        "{n_instances} instances are too many for this page; use `{} table`",
        program::name()
    );
    // The runs in the order of their instances.
    let mut order: Vec<u32> = (0..samples.runs.len() as u32).collect();
    order.sort_by_key(|&at| samples.runs[at as usize].instance());
    let all_of = |algorithm: &str| {
        (0..n_configurations).filter(|&at| roster.value(Key::Algorithm, at, 0) == algorithm).collect()
    };
    let parts: Vec<(String, Vec<usize>)> = match n_configurations {
        1 => Vec::new(),
        n if n * n_instances <= MOST_FIGURES => {
            configuration_names(roster).into_iter().zip((0..n).map(|at| vec![at])).collect()
        }
        _ if algorithms.len() * n_instances > MOST_FIGURES => Vec::new(),
        _ => algorithms.iter().map(|&name| (name.to_owned(), all_of(name))).collect(),
    };
    let mut all = vec![InstanceFigures { configurations: (0..n_configurations).collect(), ..Default::default() }];
    let part = |(name, configurations)| InstanceFigures { name: Some(name), configurations, ..Default::default() };
    all.extend(parts.into_iter().map(part));
    // The place of the figures for each configuration. Its runs also count in the figures of all runs.
    let mut part_of = vec![0; n_configurations];
    for (at, figures) in all.iter().enumerate().skip(1) {
        figures.configurations.iter().for_each(|&configuration| part_of[configuration] = at);
    }
    let mut texts = NameTable::default();
    for instance in 0..n_instances {
        let [begin, end] = [instance, instance + 1]
            .map(|limit| order.partition_point(|&at| samples.runs[at as usize].instance() < limit));
        let runs: Vec<&Sample> = order[begin..end].iter().map(|&at| &samples.runs[at as usize]).collect();
        let mut of_parts = vec![Vec::new(); all.len()];
        runs.iter().for_each(|&run| of_parts[part_of[run.configuration()]].push(run));
        of_parts[0] = runs;
        for (figures, own) in all.iter_mut().zip(&of_parts) {
            let (shown, value) = instance_figure(samples, opened.quality(), own);
            figures.add(own, texts.number(&shown) as u32, value);
        }
    }
    Ok((all, texts.names().iter().map(str::to_owned).collect()))
}

impl InstanceFigures {
    /// Adds the results of these runs on the next instance.
    fn add(&mut self, runs: &[&Sample], shown: u32, value: Option<f64>) {
        let count = |is_counted: fn(&Sample) -> bool| runs.iter().filter(|run| is_counted(run)).count() as u32;
        self.failed.push(count(|run| run.outcome.has_failed()));
        self.judged.push(count(|run| run.outcome.solved.is_some()));
        self.runs.push(runs.len() as u32);
        self.solved.push(count(|run| run.outcome.is_solved()));
        self.shown.push(shown);
        self.value.push(value.map(|value| (value * 1e4).round() / 1e4));
    }
}

/// The figure of some runs on one instance in a metric, and a number to sort by. If rates are shown, runs without a target show their gap
/// or objective.
fn instance_figure(samples: &Samples, metric: Metric, runs: &[&Sample]) -> (String, Option<f64>) {
    if metric == Metric::Solved {
        let rate = Rate::of_solved(runs.iter().copied());
        if rate.runs > 0 {
            return (rate.text(), Some(rate.share));
        }
    }
    let has_gap = || runs.iter().any(|run| run.gap.is_some());
    let measure = match metric {
        Metric::Solved if has_gap() => Metric::Gap,
        Metric::Solved => Metric::Objective,
        metric => metric,
    };
    let is_finished = |run: &&&Sample| !run.outcome.has_failed();
    let values = runs.iter().filter(is_finished).filter_map(|run| Some((0, measure.figure(samples, run)?)));
    let mean = InstanceMean::of_values(values);
    let text = match (mean.mean, measure) {
        (None, _) if mean.unsolved > 0 => "no solution".to_owned(),
        (None, _) => "–".to_owned(),
        (Some(gap), Metric::Gap) if metric == Metric::Solved => format!("gap {gap:.2} %"),
        (Some(objective), _) if metric == Metric::Solved => format!("objective {}", short(Some(objective))),
        (value, _) => short(value),
    };
    (text, mean.mean.filter(|_| metric != Metric::Solved))
}
