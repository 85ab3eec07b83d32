//! Costs: what a solution takes, in evaluations and not milliseconds alone, unsolved runs included.

use super::finding::{Finding, Grid, Judge, Verdict};
use evogrid_analysis::samples::{Metric, Rate, Roster, Sample, Samples, SelectionError, Selector, figure_text};
use evogrid_core::budget::Stop;
use evogrid_results::format::short;
use evogrid_statistics::{Bootstrap, ert, ert_interval, par10};

/// Resamples for the interval of an expected running time, and their seed.
const RESAMPLES: (usize, u64) = (20_000, 1);

/// The cost of a solution for each group of runs.
#[derive(Clone, Debug, PartialEq)]
pub struct CostClaim {
    /// Which runs.
    pub of: Selector,
    /// What tells the groups apart: `algorithm`, `bucket`, varied settings.
    pub groups: Vec<String>,
}

impl Judge for CostClaim {
    fn check(&self, roster: &Roster) -> Result<(), SelectionError> {
        roster.select(&self.of)?;
        roster.keys(&self.groups).map(|_| ())
    }

    fn judge(&self, samples: &Samples) -> Result<Finding, SelectionError> {
        let selection = samples.roster.select(&self.of)?;
        let keys = samples.roster.keys(&self.groups)?;
        let names = self.groups.iter().map(String::as_str);
        let is_mixed = samples.check_comparable(Metric::Evaluations, samples.chosen(&selection)).is_err();
        let figures = match is_mixed {
            true => ["solved", "runs", "expected work", "median work", "PAR10 ms"],
            false => ["solved", "runs", "expected evaluations", "median evaluations", "PAR10 ms"],
        };
        let mut grid = Grid::new(names.chain(figures), self.groups.len());
        let mut n_runs = 0;
        for (values, runs) in samples.grouped(&keys, &selection) {
            n_runs += runs.len() as u64;
            let unit = if is_mixed { format!(" {}", samples.units[runs[0].unit()]) } else { String::new() };
            let mut row: Vec<String> = values.iter().map(|&value| value.to_owned()).collect();
            row.extend([
                Rate::of_solved(runs.iter().copied()).text(),
                runs.len().to_string(),
                expected(&runs) + &unit,
                Metric::Evaluations.group_figure(samples, &runs) + &unit,
                penalised(&runs),
            ]);
            grid.rows.push(row);
        }
        if n_runs == 0 {
            return Err(SelectionError::Nothing { conditions: self.of.label() });
        }
        let reason = "Expected evaluations: those of all runs over the number of solved ones (ERT; Hansen et al., 2010), with a \
                      bootstrap interval; none where nothing was solved. Median: unsolved runs count as longer than any. PAR10: \
                      the mean time of runs that did not fail, an unsolved one counting ten times its own, with a bootstrap interval.";
        Ok(Finding {
            verdict: Verdict::OursAlone,
            published: "-".to_owned(),
            ours: format!("costs of {} groups of runs", grid.rows.len()),
            published_runs: None,
            runs: n_runs,
            reasons: vec![reason.to_owned()],
            grids: vec![grid],
        })
    }
}

/// The penalised mean time in milliseconds, with its interval.
fn penalised(group: &[&Sample]) -> String {
    let runs = group.iter().filter(|run| run.outcome.stop != Stop::Failed);
    let times: Vec<(f64, bool)> = runs.map(|run| (run.outcome.wall_ms, run.outcome.is_solved())).collect();
    let (resamples, seed) = RESAMPLES;
    let bootstrap = Bootstrap { resamples, seed };
    match bootstrap.percentile(&times, par10) {
        Some(interval) => {
            format!("{} ({} to {})", short(par10(&times)), short(Some(interval.low)), short(Some(interval.high)))
        }
        None => "no runs".to_owned(),
    }
}

/// The expected evaluations of a solution, with their interval.
fn expected(group: &[&Sample]) -> String {
    let runs: Vec<(u64, bool)> = group.iter().map(|run| (run.outcome.evaluations, run.outcome.is_solved())).collect();
    let Some(expected) = ert(&runs) else { return "none solved".to_owned() };
    let interval = ert_interval(&runs, RESAMPLES.0, RESAMPLES.1);
    let end = |value: f64| if value.is_finite() { figure_text(value) } else { "infinite".to_owned() };
    format!("{} ({} to {})", figure_text(expected), end(interval.low), end(interval.high))
}
