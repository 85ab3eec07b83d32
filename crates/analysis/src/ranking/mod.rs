//! Ranks configurations in a metric, and writes the answer in sentences. The best configuration comes first.
//!
//! If there are three or more configurations, their means show which configurations may be the best. The means use only the instances on
//! which all configurations have runs. If there are two configurations, their [comparison](crate::compare) decides which configuration is
//! better. Therefore a page has only one verdict about the two configurations.

mod answer;
#[cfg(test)]
mod tests;

use evogrid_statistics::{Confidence, best_set};

use crate::compare::{Comparison, Conclusion, Pair};
use crate::cross::{Figure, Spread};
use crate::metric::Metric;
use crate::responses::RunCosts;
use crate::samples::{Key, Roster, Sample, Samples, SelectionError, Selector};

pub use crate::responses::{Responses, Unit};

/// A ranking contains holdout values only for the best ranks. This number is the maximum number of these ranks.
pub const N_BEST: usize = 5;

/// All configurations, ranked in one metric.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Ranking {
    /// The metric that ranks the configurations.
    pub metric: Metric,
    /// The configurations. The best configuration is the first.
    pub rows: Vec<RankingRow>,
    /// The costs of the configurations. Only the instances with runs of all configurations are used. The configurations are in the order of
    /// their first runs. If no instance has runs of all configurations, the best configuration is unknown, and the value is `None`.
    pub shared: Option<Responses>,
    /// The holdout values of the best ranks: one value for each rank from 1 to [`N_BEST`]. The list is shorter if there are fewer
    /// configurations. The list is empty if the holdout values are unknown. A holdout value has the same unit as a mean. To compute the
    /// holdout values, the instances are split into two halves. The configurations are ranked by their means on one half of the instances.
    /// For each rank, the mean of the configuration with this rank is computed on the other half. The holdout value of the rank is the
    /// average of this mean over all splits into halves.
    pub splits: Vec<f64>,
    /// The comparison of the two configurations, if there are two.
    pair: Option<Pair>,
}

/// A configuration in a ranking.
#[derive(Clone, Debug, PartialEq)]
pub struct RankingRow {
    /// The index of the configuration in the roster.
    pub configuration: usize,
    /// The values that distinguish this configuration from the other configurations, for example `population = 100, mutation.rate = 0.1`.
    /// If there is only one configuration, it has the name of its algorithm.
    pub name: String,
    /// The name of each varied setting, with the value of this configuration.
    pub values: Vec<(String, String)>,
    /// The configuration's estimate with the 95 % interval, as text.
    pub figure: String,
    /// The estimate, and the two ends of its interval. An unknown number is `None`.
    pub ends: [Option<f64>; 3],
    /// The mean over the shared instances, in the unit of [`Ranking::shared`].
    pub mean: Option<f64>,
    /// Whether the configuration may be the best of all configurations (95 % confidence). The value is `None` if the answer is unknown.
    pub may_be_best: Option<bool>,
    /// The number of runs of the configuration.
    pub runs: usize,
    /// The number of failed runs of the configuration.
    pub failed: usize,
}

impl Ranking {
    /// Ranks the configurations of these runs in a metric. If there are two configurations, `comparison` decides which configuration is
    /// better.
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
    /// Returns an error if a column is missing or the figures cannot be compared.
    pub fn new(samples: &Samples, metric: Metric, comparison: Option<&Comparison>) -> Result<Self, SelectionError> {
        samples.check_metric(metric)?;
        let keys = samples.roster.differing_keys();
        let mut groups = samples.grouped_by(&keys, samples.runs.iter().enumerate());
        groups.sort_by_key(|(_, places)| samples.runs[places[0]].configuration());
        let members = groups.iter().enumerate();
        let members = members.flat_map(|(group, (_, places))| places.iter().map(move |&at| (at, group)));
        let shared = Responses::of_groups(samples, &RunCosts::new(samples, metric), groups.len(), members);
        let row = |(_, places): &(Vec<&str>, Vec<usize>)| {
            row(samples, metric, &keys, &places.iter().map(|&at| &samples.runs[at]).collect::<Vec<_>>())
        };
        let mut rows: Vec<(Option<f64>, RankingRow)> = groups.iter().map(row).collect();
        // The groups of the comparison and the rows have the same order: the order of the first runs.
        let is_of_both = |one: &&Comparison| [rows.len(), one.groups.len(), one.pairs.len()] == [2, 2, 1];
        let pair = comparison.filter(is_of_both).map(|one| one.pairs[0].clone());
        if let Some(shared) = &shared {
            let best = match &pair {
                Some(pair) => best_of_two(pair),
                None if rows.len() > 1 => best_set(&shared.costs, Confidence::PERCENT_95),
                None => vec![true],
            };
            for (at, (order, row)) in rows.iter_mut().enumerate() {
                let mean = shared.mean(at);
                (*order, row.mean, row.may_be_best) = (Some(mean), Some(shared.unit.shown(mean)), Some(best[at]));
            }
        }
        let splits = shared.as_ref().map(|shared| shared.holdout_values(N_BEST)).unwrap_or_default();
        let cost = |order: &Option<f64>| order.unwrap_or(f64::INFINITY);
        rows.sort_by(|(one, _), (other, _)| cost(one).total_cmp(&cost(other)));
        if pair.is_some() {
            // The configuration that is better by the comparison is first, even if its mean is worse.
            rows.sort_by_key(|(_, row)| row.may_be_best == Some(false));
        }
        Ok(Self { metric, rows: rows.into_iter().map(|(_, row)| row).collect(), shared, splits, pair })
    }

    /// The configurations in the first ranks, each with the holdout value of its rank.
    pub(crate) fn best(&self) -> impl Iterator<Item = (&RankingRow, Option<f64>)> {
        self.rows.iter().take(N_BEST).enumerate().map(|(rank, row)| (row, self.splits.get(rank).copied()))
    }

    /// The number of configurations that may be the best. `None` if the number is unknown.
    pub fn n_may_be_best(&self) -> Option<usize> {
        self.shared.as_ref().map(|_| self.rows.iter().filter(|row| row.may_be_best == Some(true)).count())
    }
}

/// The names of the configurations of a roster. A name consists of the values that distinguish a configuration from the other
/// configurations. An example is `population = 100, mutation.rate = 0.1`. If no value distinguishes a configuration, the name is the name
/// of the algorithm.
pub fn configuration_names(roster: &Roster) -> Vec<String> {
    let keys = roster.differing_keys();
    (0..roster.configurations.len()).map(|at| name(roster, &keys, at)).collect()
}

fn name(roster: &Roster, keys: &[Key], configuration: usize) -> String {
    let values: Vec<&str> = keys.iter().map(|&key| roster.value(key, configuration, 0)).collect();
    let differing = Selector::with_values(roster, keys, &values);
    let algorithm = &roster.configurations[configuration].algorithm;
    if differing.0.is_empty() { algorithm.clone() } else { differing.label() }
}

/// The row of a configuration, computed from its own runs, and the cost that orders the rows if configurations share no instance.
fn row(samples: &Samples, metric: Metric, keys: &[Key], runs: &[&Sample]) -> (Option<f64>, RankingRow) {
    let (roster, configuration) = (&samples.roster, runs[0].configuration());
    let value = |&key: &Key| (roster.name(key).to_owned(), roster.value(key, configuration, 0).to_owned());
    let figure = Figure::new(samples, metric, Spread::Interval, runs);
    let has_figure = figure.cost.is_some();
    let row = RankingRow {
        configuration,
        name: name(roster, keys, configuration),
        values: keys.iter().map(value).collect(),
        figure: if has_figure { metric.group_figure(samples, runs) } else { String::new() },
        ends: figure.ends.map(|end| end.filter(|end| end.is_finite())),
        mean: None,
        may_be_best: None,
        runs: runs.len(),
        failed: runs.iter().filter(|run| run.outcome.has_failed()).count(),
    };
    (figure.cost, row)
}

/// Whether each of two configurations may be the best. If the comparison shows no better configuration, both may be the best.
fn best_of_two(pair: &Pair) -> Vec<bool> {
    let conclusion = pair.effect.conclusion(pair.effect.widest_question());
    let worse = match conclusion {
        Conclusion::First => Some(pair.second),
        Conclusion::Second => Some(pair.first),
        Conclusion::Alike | Conclusion::Open => None,
    };
    [0, 1].map(|at| Some(at) != worse).to_vec()
}
