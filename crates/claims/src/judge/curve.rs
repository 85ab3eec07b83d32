//! Curves: our figures along a parameter.

use std::cmp::Ordering;

use super::finding::{Finding, Grid, Judge, Verdict};
use evogrid_analysis::metric::Metric;
use evogrid_analysis::samples::{Key, Roster, Sample, Samples, SelectionError, Selector, n_solved};
use evogrid_results::format::shortest;

/// Our values along a parameter, with a column for each series.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveClaim {
    /// The runs.
    pub of: Selector,
    /// The parameter: a varied setting, or `bucket`.
    pub along: String,
    /// The name of the parameter on the page, if it differs from the key.
    pub called: Option<String>,
    /// The keys that distinguish the series; may be empty.
    pub series: Vec<String>,
    /// The metric.
    pub metric: Metric,
    /// Why the claim cannot be judged although a curve was published: its data are lost. Otherwise the curve shows only our values.
    pub lost: Option<String>,
}

impl Judge for CurveClaim {
    fn check(&self, roster: &Roster) -> Result<(), SelectionError> {
        roster.select(&self.of)?;
        roster.key(&self.along)?;
        roster.keys(&self.series).map(|_| ())
    }

    fn judge(&self, samples: &Samples) -> Result<Finding, SelectionError> {
        let roster = &samples.roster;
        let selection = roster.select(&self.of)?;
        let along = roster.key(&self.along)?;
        let series = roster.keys(&self.series)?;
        let groups = samples.grouped(&series, &selection);
        let mut points: Vec<&str> =
            samples.grouped(&[along], &selection).into_iter().map(|(value, _)| value[0]).collect();
        points.retain(|point| !point.is_empty());
        points.sort_by(|a, b| numerically(a, b));
        if points.is_empty() {
            return Err(SelectionError::Nothing { conditions: self.of.label() });
        }

        let names: Vec<String> = groups.iter().map(|(values, _)| self.series_name(roster, &series, values)).collect();
        let called = self.called.as_ref().unwrap_or(&self.along).as_str();
        let mut grid = Grid::new(std::iter::once(called).chain(names.iter().map(String::as_str)), 1);
        for point in &points {
            let mut row = vec![(*point).to_owned()];
            row.extend(groups.iter().map(|(_, runs)| {
                let here = at(samples, along, point, runs);
                if here.is_empty() { String::new() } else { self.metric.group_figure(samples, &here) }
            }));
            grid.rows.push(row);
        }
        let mut reasons: Vec<String> = self.lost.iter().cloned().collect();
        if self.metric == Metric::Solved {
            reasons.extend(groups.iter().zip(&names).filter_map(|((_, runs), name)| {
                let crossed = crossings(samples, along, &points, runs);
                crossed.map(|crossed| format!("{name}: {crossed}."))
            }));
        }
        let (verdict, published) = match self.lost {
            Some(_) => (Verdict::CannotBeTold, "a plot, lost"),
            None => (Verdict::OursAlone, "-"),
        };
        Ok(Finding {
            verdict,
            published: published.to_owned(),
            ours: format!("{} at {} points along {}", self.metric.name(), points.len(), called),
            runs: groups.iter().map(|(_, runs)| runs.len() as u64).sum(),
            reasons,
            grids: vec![grid],
            ..Finding::default()
        })
    }
}

impl CurveClaim {
    /// The name of a series from its values: `crossover_rate = 0.8`, or only the value if it is a single name and not a number.
    fn series_name(&self, roster: &Roster, keys: &[Key], values: &[&str]) -> String {
        if let [only] = values
            && !only.is_empty()
            && only.parse::<f64>().is_err()
        {
            return (*only).to_owned();
        }
        let conditions = Selector::with_values(roster, keys, values);
        if conditions.0.is_empty() { self.metric.name() } else { conditions.label() }
    }
}

/// Between which points a rate passes one half, in words, for a parameter that is a number.
fn crossings(samples: &Samples, along: Key, points: &[&str], runs: &[&Sample]) -> Option<String> {
    let rate = |point: &&str| -> Option<(f64, f64)> {
        let here = at(samples, along, point, runs);
        Some((point.parse().ok()?, n_solved(&here) as f64 / here.len().max(1) as f64))
    };
    let rates: Vec<(f64, f64)> = points.iter().filter_map(rate).collect();
    let is_over = |&(_, rate): &(f64, f64)| rate >= 0.5;
    let first = rates.first()?;
    let crossed = rates.windows(2).filter(|two| is_over(&two[0]) != is_over(&two[1]));
    let crossed: Vec<String> =
        crossed.map(|two| format!("{} and {}", shortest(Some(two[0].0)), shortest(Some(two[1].0)))).collect();
    Some(match crossed.as_slice() {
        [] if is_over(first) => "solves at least half of its runs throughout".to_owned(),
        [] => "solves less than half of its runs throughout".to_owned(),
        crossed => format!("its rate passes one half between {}", crossed.join(", between ")),
    })
}

fn at<'a>(samples: &Samples, along: Key, point: &str, runs: &[&'a Sample]) -> Vec<&'a Sample> {
    runs.iter().copied().filter(|sample| samples.value(along, sample) == point).collect()
}

/// Numbers as numbers, other values as they are.
fn numerically(a: &str, b: &str) -> Ordering {
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => a.total_cmp(&b),
        _ => Ordering::Equal,
    }
}
