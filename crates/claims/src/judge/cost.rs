//! Costs: the work for one solution in evaluations and milliseconds, unsolved runs included.

use super::finding::{Finding, Grid, Judge, Verdict};
use evogrid_analysis::metric::{Metric, Rate, expected_evaluations, penalised_time};
use evogrid_analysis::samples::{Roster, Samples, SelectionError, Selector};

/// The cost of a solution for each group of runs.
#[derive(Clone, Debug, PartialEq)]
pub struct CostClaim {
    /// The runs.
    pub of: Selector,
    /// The keys that distinguish the groups: `algorithm`, `bucket`, varied settings.
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
                expected_evaluations(&runs) + &unit,
                Metric::Evaluations.group_figure(samples, &runs) + &unit,
                penalised_time(samples, Metric::Par10Ms, &runs),
            ]);
            grid.rows.push(row);
        }
        if n_runs == 0 {
            return Err(SelectionError::nothing(self.of.label()));
        }
        let reason = "Expected evaluations: the evaluations of all runs, divided by the number of solved runs (ERT; Hansen et al., 2010), \
                      with a bootstrap interval. Median: an unsolved run counts as longer than any solved run. PAR10: the mean time of the \
                      runs that did not fail, with a bootstrap interval; an unsolved run counts ten times its own time.";
        Ok(Finding {
            verdict: Verdict::OursAlone,
            published: "-".to_owned(),
            ours: format!("costs of {} groups of runs", grid.rows.len()),
            runs: n_runs,
            reasons: vec![reason.to_owned()],
            grids: vec![grid],
            ..Finding::default()
        })
    }
}
