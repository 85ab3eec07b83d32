//! Costs and curves: our values, if there are no published values for a comparison. A cost is the work for one solution, in evaluations
//! and milliseconds. It includes the work of unsolved runs. A curve has one of our values for each value of a parameter.

use std::cmp::Ordering;

use super::finding::{Finding, Grid, Judge, Verdict};
use evogrid_analysis::metric::{Metric, Rate, expected_evaluations, penalised_time};
use evogrid_analysis::samples::{Key, Roster, Sample, Samples, Selection, SelectionError, Selector, n_solved};
use evogrid_results::format::shortest;

/// For each group of runs, the cost of a solution.
#[derive(Clone, Debug, PartialEq)]
pub struct CostClaim {
    /// The keys that distinguish the groups: `algorithm`, `bucket`, varied settings.
    pub groups: Vec<String>,
}

impl Judge for CostClaim {
    fn check(&self, roster: &Roster, _: &Selector) -> Result<(), SelectionError> {
        roster.keys(&self.groups).map(|_| ())
    }

    fn judge(&self, samples: &Samples, _: &Selector, selection: &Selection) -> Result<Finding, SelectionError> {
        let keys = samples.roster.keys(&self.groups)?;
        let names = self.groups.iter().map(String::as_str);
        let is_mixed = samples.check_comparable(Metric::Evaluations, samples.chosen(selection)).is_err();
        let figures = match is_mixed {
            true => ["solved", "runs", "expected work", "median work", "PAR10 ms"],
            false => ["solved", "runs", "expected evaluations", "median evaluations", "PAR10 ms"],
        };
        let mut grid = Grid::new(names.chain(figures), self.groups.len());
        let mut n_runs = 0;
        for (values, runs) in samples.grouped(&keys, selection) {
            n_runs += runs.len() as u64;
            let unit = if is_mixed { format!(" {}", samples.units[runs[0].unit()]) } else { String::new() };
            let mut row: Vec<String> = values.iter().map(|&value| value.to_owned()).collect();
            row.extend([
                Rate::of_solved(runs.iter().copied()).text(),
                runs.len().to_string(),
                expected_evaluations(&runs) + &unit,
                Metric::Evaluations.group_figure(samples, &runs) + &unit,
                penalised_time(samples, Metric::Par10Ms, &runs),
            ]);
            grid.rows.push(row);
        }
        let reason = "Expected evaluations: the evaluations of all runs, divided by the number of solved runs (ERT; \
                      Hansen et al., 2010). The interval is a bootstrap interval. Median: an unsolved run counts as \
                      longer than any solved run. PAR10: the mean time of the solved and unsolved runs. \
                      Failed runs, which ended with an error, are left out. The time of an unsolved run is multiplied by ten. The interval is a bootstrap interval.";
        Ok(Finding {
            verdict: Verdict::OursAlone,
            published: "-".to_owned(),
            ours: format!("a table of costs for {} groups of runs", grid.rows.len()),
            runs: n_runs,
            reasons: vec![reason.to_owned()],
            grids: vec![grid],
            ..Finding::default()
        })
    }
}

/// Our values as a function of a parameter. If there are several series, each series has one column.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveClaim {
    /// The parameter: a varied setting, or `bucket`.
    pub along: String,
    /// The name of the parameter on the page, if this name differs from the key.
    pub called: Option<String>,
    /// The keys that distinguish the series. If the list is empty, there is one series.
    pub series: Vec<String>,
    /// The metric.
    pub metric: Metric,
    /// If the values of a published curve are lost, this text says why the claim cannot be judged. The value is `None` if there is no
    /// published curve.
    pub lost: Option<String>,
}

impl Judge for CurveClaim {
    fn check(&self, roster: &Roster, _: &Selector) -> Result<(), SelectionError> {
        roster.key(&self.along)?;
        roster.keys(&self.series).map(|_| ())
    }

    fn judge(&self, samples: &Samples, of: &Selector, selection: &Selection) -> Result<Finding, SelectionError> {
        let roster = &samples.roster;
        let along = roster.key(&self.along)?;
        let series = roster.keys(&self.series)?;
        let groups = samples.grouped(&series, selection);
        let mut points: Vec<&str> =
            samples.grouped(&[along], selection).into_iter().map(|(value, _)| value[0]).collect();
        points.retain(|point| !point.is_empty());
        let number = |point: &str| point.parse::<f64>();
        points.sort_by(|a, b| number(a).ok().zip(number(b).ok()).map_or(Ordering::Equal, |(a, b)| a.total_cmp(&b)));
        if points.is_empty() {
            return Err(SelectionError::nothing(of.label()));
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
                crossed.map(|crossed| format!("{name}: we vary `{called}`. {crossed}."))
            }));
        }
        let (verdict, published) = match self.lost {
            Some(_) => (Verdict::CannotBeTold, "a plot that our copy of the source does not contain"),
            None => (Verdict::OursAlone, "-"),
        };
        Ok(Finding {
            verdict,
            published: published.to_owned(),
            ours: format!("a table for {} values of `{}` (metric: {})", points.len(), called, self.metric.name()),
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
        let conditions = Selector::with_values(roster, keys, values);
        match values {
            _ if conditions.0.is_empty() => self.metric.name(),
            [only] if only.parse::<f64>().is_err() => (*only).to_owned(),
            _ => conditions.label(),
        }
    }
}

/// A sentence (without the full stop) with the points at which a rate crosses one half; only for a numeric parameter.
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
        [] if is_over(first) => "At every tested value, at least half of the runs are solved".to_owned(),
        [] => "At every tested value, fewer than half of the runs are solved".to_owned(),
        crossed => {
            format!("The rate of solved runs crosses 50 % between these values: {}", crossed.join("; "))
        }
    })
}

fn at<'a>(samples: &Samples, along: Key, point: &str, runs: &[&'a Sample]) -> Vec<&'a Sample> {
    runs.iter().copied().filter(|sample| samples.value(along, sample) == point).collect()
}
