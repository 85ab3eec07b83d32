//! The ranking: all configurations by one metric, the best first, and the answer of an experiment in a sentence.
//!
//! Of three configurations and more, those that may be the best are found as in [`effects`](crate::effects): by means over the instances
//! on which all of them have runs. Of two, their [comparison](crate::compare) decides, so that a page has one verdict on them.

mod answer;
#[cfg(test)]
mod tests;

use evogrid_statistics::{Confidence, best_set, split_figures};

use crate::compare::{Comparison, Conclusion, Pair};
use crate::cross::{Figure, Spread};
use crate::effects::{EffectsError, Factor, Responses, RunCosts, Unit, factors, parts};
use crate::metric::Metric;
use crate::samples::{Roster, Sample, Samples, Selector};

/// All configurations by one metric.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Ranking {
    /// By what runs are judged.
    pub metric: Metric,
    /// The configurations, the best first.
    pub rows: Vec<RankingRow>,
    /// How the configurations share instances; `None` if they share none, so that nobody can say which may be the best.
    pub shared: Option<SharedInstances>,
    /// The two configurations beside each other, if there are two.
    pair: Option<Pair>,
}

/// The instances on which all configurations have runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SharedInstances {
    /// The unit of the means by which configurations are ordered.
    pub unit: Unit,
    /// The number of instances.
    pub instances: usize,
    /// The number of instances that were left out, because a configuration has no run with a figure there.
    pub omitted: usize,
    /// Whether the verdict is about instances like these; otherwise about these instances.
    pub is_by_instance: bool,
    /// What the best configuration of one part of the instances shows on the other part, in the unit of the means.
    pub split: Option<f64>,
}

/// A configuration in a ranking.
#[derive(Clone, Debug, PartialEq)]
pub struct RankingRow {
    /// Its index in the roster.
    pub configuration: usize,
    /// What tells it from the others: `population = 100, mutation.rate = 0.1`; its algorithm if it is the only one.
    pub name: String,
    /// The figure of its runs, with its 95 % interval, as text.
    pub figure: String,
    /// The estimate and the two ends of its interval, where they are known.
    pub ends: [Option<f64>; 3],
    /// Its mean over the shared instances, in their unit.
    pub mean: Option<f64>,
    /// Whether it may be the best of all (95 % confidence); `None` if that cannot be said.
    pub may_be_best: Option<bool>,
    /// The number of its runs.
    pub runs: usize,
    /// The number of its runs that failed.
    pub failed: usize,
}

impl Ranking {
    /// Ranks the configurations of these runs by a metric. Their comparison, if it is of the only two of them, decides between these.
    ///
    /// ```
    /// use evogrid_analysis::metric::Metric;
    /// use evogrid_analysis::ranking::Ranking;
    /// use evogrid_analysis::samples::Samples;
    /// use evogrid_results::runs::Reader;
    ///
    /// let mut csv = "algorithm,size,instance,gap\n".to_owned();
    /// for instance in 0..9 {
    ///     for (size, gap) in [(1, 20), (2, 10), (3, 30)] {
    ///         csv += &format!("a,{size},{instance},{}\n", gap + instance % 3);
    ///     }
    /// }
    /// let ranking = Ranking::new(&Samples::read(Reader::new("runs.csv", csv.as_bytes())?)?, Metric::Gap, None)?;
    /// assert_eq!((ranking.rows[0].name.as_str(), ranking.n_may_be_best()), ("size = 2", Some(1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a column is missing, or figures cannot be compared.
    pub fn new(samples: &Samples, metric: Metric, comparison: Option<&Comparison>) -> Result<Self, EffectsError> {
        if let Some(column) = metric.column().filter(|column| samples.missing.contains(column)) {
            return Err(EffectsError::MissingColumn { column });
        }
        samples.check_comparable(metric, &samples.runs)?;
        let groups = Groups::new(samples);
        let costs = RunCosts::new(samples, metric);
        let members = samples.runs.iter().enumerate().map(|(at, run)| (at, groups.place_of[run.configuration()]));
        let responses = Responses::of_groups(samples, &costs, groups.members.len(), members);
        let factors = factors(&samples.roster);
        let mut rows: Vec<(Option<f64>, RankingRow)> =
            groups.members.iter().map(|runs| row(samples, metric, &factors, runs)).collect();
        // Both are in the order of their first run.
        let is_of_both = |one: &&Comparison| [rows.len(), one.groups.len(), one.pairs.len()] == [2, 2, 1];
        let pair = comparison.filter(is_of_both).map(|one| one.pairs[0].clone());
        let mut shared = None;
        if let Some(responses) = &responses {
            let best = match &pair {
                Some(pair) => best_of_two(pair),
                None if rows.len() > 1 => best_set(&responses.costs, Confidence::PERCENT_95),
                None => vec![true],
            };
            for (at, (order, row)) in rows.iter_mut().enumerate() {
                let mean = responses.mean(at);
                (*order, row.mean, row.may_be_best) = (Some(mean), Some(responses.unit.shown(mean)), Some(best[at]));
            }
            let splits = if rows.len() > 1 { split_figures(&parts(responses), 1) } else { Vec::new() };
            shared = Some(SharedInstances {
                unit: responses.unit,
                instances: responses.instances,
                omitted: responses.omitted_instances,
                is_by_instance: responses.is_by_instance,
                split: splits.first().map(|split| responses.unit.shown(split.mean)),
            });
        }
        let cost = |order: &Option<f64>| order.unwrap_or(f64::INFINITY);
        rows.sort_by(|(one, _), (other, _)| cost(one).total_cmp(&cost(other)));
        Ok(Self { metric, rows: rows.into_iter().map(|(_, row)| row).collect(), shared, pair })
    }

    /// The number of configurations that may be the best; `None` if that cannot be said.
    #[must_use]
    pub fn n_may_be_best(&self) -> Option<usize> {
        self.shared.map(|_| self.rows.iter().filter(|row| row.may_be_best == Some(true)).count())
    }
}

/// The runs of each configuration that has any.
struct Groups<'s> {
    members: Vec<Vec<&'s Sample>>,
    /// The place of each configuration of the roster among them.
    place_of: Vec<usize>,
}

impl<'s> Groups<'s> {
    fn new(samples: &'s Samples) -> Self {
        let mut members = vec![Vec::new(); samples.roster.configurations.len()];
        samples.runs.iter().for_each(|run| members[run.configuration()].push(run));
        let mut place_of = Vec::with_capacity(members.len());
        let mut places = 0;
        for runs in &members {
            place_of.push(places);
            places += usize::from(!runs.is_empty());
        }
        members.retain(|runs| !runs.is_empty());
        Self { members, place_of }
    }
}

/// What tells each configuration of a roster from the others: `population = 100, mutation.rate = 0.1`, or its algorithm if nothing does.
#[must_use]
pub fn configuration_names(roster: &Roster) -> Vec<String> {
    let factors = factors(roster);
    (0..roster.configurations.len()).map(|at| name(roster, &factors, at)).collect()
}

fn name(roster: &Roster, factors: &[Factor], configuration: usize) -> String {
    let value = |factor: &Factor| roster.value(factor.key, configuration, 0).to_owned();
    let values = factors.iter().map(|factor| (factor.name.clone(), vec![value(factor)]));
    let differing: Vec<_> = values.filter(|(_, value)| !value[0].is_empty()).collect();
    if differing.is_empty() {
        roster.configurations[configuration].algorithm.clone()
    } else {
        Selector(differing).label()
    }
}

/// A configuration by its own runs, and what it is ordered by if nothing is shared.
fn row(samples: &Samples, metric: Metric, factors: &[Factor], runs: &[&Sample]) -> (Option<f64>, RankingRow) {
    let configuration = runs[0].configuration();
    let figure = Figure::new(samples, metric, Spread::Interval, runs);
    let has_figure = figure.cost.is_some();
    let row = RankingRow {
        configuration,
        name: name(&samples.roster, factors, configuration),
        figure: if has_figure { metric.group_figure(samples, runs) } else { String::new() },
        ends: figure.ends.map(|end| end.filter(|end| end.is_finite())),
        mean: None,
        may_be_best: None,
        runs: runs.len(),
        failed: runs.iter().filter(|run| run.outcome.has_failed()).count(),
    };
    (figure.cost, row)
}

/// Which of two may be the best: the one that does better if that can be told, otherwise both.
fn best_of_two(pair: &Pair) -> Vec<bool> {
    let conclusion = pair.effect.conclusion(pair.effect.widest_question());
    let worse = match conclusion {
        Conclusion::First => Some(pair.second),
        Conclusion::Second => Some(pair.first),
        Conclusion::Alike | Conclusion::Open => None,
    };
    [0, 1].map(|at| Some(at) != worse).to_vec()
}
