//! Curves: a figure of ours along a parameter.

use std::cmp::Ordering;

use super::finding::{Finding, Grid, Verdict};
use crate::samples::{Key, Metric, Roster, Sample, Samples, Selector, Unselected};
use evogrid_results::format::shortest;

/// Our figures along a parameter, a column for each series.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Which runs.
    pub of: Selector,
    /// The parameter: a varied setting, or `bucket`.
    pub along: String,
    /// What the parameter is called on the page, if not by its key.
    pub called: Option<String>,
    /// What tells the series apart; may be nothing.
    pub series: Vec<String>,
    /// The figure.
    pub metric: Metric,
    /// Why there is nothing to judge, where something was published but did not survive; else the curve is ours alone.
    pub lost: Option<String>,
}

impl Curve {
    pub(super) fn check(&self, roster: &Roster) -> Result<(), Unselected> {
        roster.select(&self.of)?;
        std::iter::once(&self.along).chain(&self.series).try_for_each(|name| roster.key(name).map(|_| ()))
    }

    pub(super) fn judge(&self, samples: &Samples) -> Result<Finding, Unselected> {
        let roster = &samples.roster;
        let selection = roster.select(&self.of)?;
        let along = roster.key(&self.along)?;
        let series: Vec<Key> = self.series.iter().map(|name| roster.key(name)).collect::<Result<_, _>>()?;
        let groups = samples.grouped(&series, &selection);
        let mut points: Vec<&str> =
            samples.grouped(&[along], &selection).into_iter().map(|(value, _)| value[0]).collect();
        points.retain(|point| !point.is_empty());
        points.sort_by(|a, b| numerically(a, b));
        if points.is_empty() {
            return Err(Unselected::Nothing { conditions: self.of.label() });
        }

        let names: Vec<String> = groups.iter().map(|(values, _)| self.series_name(values)).collect();
        let called = self.called.as_ref().unwrap_or(&self.along).as_str();
        let header: Vec<&str> = std::iter::once(called).chain(names.iter().map(String::as_str)).collect();
        let mut grid = Grid::new(&header, 1);
        for point in &points {
            let mut row = vec![(*point).to_owned()];
            row.extend(groups.iter().map(|(_, runs)| {
                let here = at(samples, along, point, runs);
                if here.is_empty() { String::new() } else { self.metric.summed_up(samples, &here) }
            }));
            grid.rows.push(row);
        }
        let mut reasons: Vec<String> = self.lost.iter().cloned().collect();
        if self.metric == Metric::Solved {
            reasons.extend(groups.iter().zip(&names).filter_map(|((_, runs), name)| {
                let crossed = self.crossings(samples, along, &points, runs);
                crossed.map(|crossed| format!("{name}: {crossed}."))
            }));
        }
        let runs: usize = groups.iter().map(|(_, runs)| runs.len()).sum();
        Ok(Finding {
            verdict: if self.lost.is_some() { Verdict::CannotBeTold } else { Verdict::OursAlone },
            published: if self.lost.is_some() { "a plot, lost".to_owned() } else { "-".to_owned() },
            ours: format!("{} at {} points along {}", self.metric.name(), points.len(), called),
            published_runs: None,
            runs: runs as u64,
            reasons,
            grids: vec![grid],
        })
    }

    /// A series by its values: `crossover_rate = 0.8`, or the name alone where there is one and it is no number.
    fn series_name(&self, values: &[&str]) -> String {
        if let [only] = values
            && !only.is_empty()
            && only.parse::<f64>().is_err()
        {
            return (*only).to_owned();
        }
        let conditions = self.series.iter().zip(values).filter(|(_, value)| !value.is_empty());
        let conditions: Vec<_> = conditions.map(|(key, value)| (key.clone(), vec![(*value).to_owned()])).collect();
        if conditions.is_empty() { self.metric.name() } else { Selector(conditions).label() }
    }

    /// Between which two points a rate passes one half, in words, for a parameter that is a number.
    fn crossings(&self, samples: &Samples, along: Key, points: &[&str], runs: &[&Sample]) -> Option<String> {
        let rates: Vec<(f64, f64)> = points
            .iter()
            .filter_map(|point| {
                let here = at(samples, along, point, runs);
                let solved = here.iter().filter(|sample| sample.outcome.solved).count();
                Some((point.parse().ok()?, solved as f64 / here.len().max(1) as f64))
            })
            .collect();
        let is_over = |&(_, rate): &(f64, f64)| rate >= 0.5;
        let (first, rest) = rates.split_first()?;
        let mut crossed = Vec::new();
        let mut before = first;
        for next in rest {
            if is_over(before) != is_over(next) {
                crossed.push(format!("{} and {}", shortest(Some(before.0)), shortest(Some(next.0))));
            }
            before = next;
        }
        Some(match crossed.as_slice() {
            [] if is_over(first) => "solves at least half of its runs throughout".to_owned(),
            [] => "solves less than half of its runs throughout".to_owned(),
            [once] => format!("its rate passes one half between {once}"),
            several => format!("its rate passes one half between {}", several.join(", between ")),
        })
    }
}

fn at<'a>(samples: &Samples, along: Key, point: &str, runs: &[&'a Sample]) -> Vec<&'a Sample> {
    runs.iter().copied().filter(|sample| samples.roster.value(along, sample.cell, sample.instance) == point).collect()
}

/// Numbers as numbers, everything else as it came.
fn numerically(a: &str, b: &str) -> Ordering {
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => a.total_cmp(&b),
        _ => Ordering::Equal,
    }
}
