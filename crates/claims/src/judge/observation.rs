//! Observations: a single published run compared with our runs.

use super::finding::{Finding, Judge, Verdict};
use super::mean::OF_A_MACHINE;
use evogrid_analysis::metric::{Metric, figure_text};
use evogrid_analysis::samples::{Roster, Samples, SelectionError, Selector};

/// A claim about a single run: its value lies within the range of our runs.
#[derive(Clone, Debug, PartialEq)]
pub struct ObservationClaim {
    /// Our runs.
    pub of: Selector,
    /// The metric.
    pub metric: Metric,
    /// The published value.
    pub published: f64,
}

impl Judge for ObservationClaim {
    fn check(&self, roster: &Roster) -> Result<(), SelectionError> {
        roster.select(&self.of).map(|_| ())
    }

    fn judge(&self, samples: &Samples) -> Result<Finding, SelectionError> {
        let selection = samples.roster.select(&self.of)?;
        let runs: Vec<_> = samples.chosen(&selection).collect();
        let mut values: Vec<f64> = runs.iter().filter_map(|sample| self.metric.figure(samples, sample)).collect();
        if values.is_empty() {
            return Err(SelectionError::nothing(self.of.label()));
        }
        values.sort_unstable_by(f64::total_cmp);
        let (low, high) = central(&values);
        let published = figure_text(self.published);
        let (verdict, published, reason) = if self.metric.declaration().unit == "ms" {
            (Verdict::Shown, published + " ms", OF_A_MACHINE.to_owned())
        } else {
            let is_inside = (low..=high).contains(&self.published);
            let mut reason = format!(
                "The middle 95 % of our runs lie between {} and {}. The published run is compared with this range.",
                figure_text(low),
                figure_text(high)
            );
            let is_wide = high - low > self.published.abs();
            if is_inside && is_wide {
                reason += " The range is wider than the published value, so it is too wide to confirm the claim.";
            }
            (Verdict::new(is_inside && !is_wide, !is_inside), published, reason)
        };
        Ok(Finding {
            verdict,
            published,
            ours: format!("{} {}", self.metric.name(), self.metric.group_figure(samples, &runs)),
            published_runs: Some(1),
            runs: runs.len() as u64,
            reasons: vec![reason],
            ..Finding::default()
        })
    }
}

/// The range of the middle 95 % of sorted values: at most 2.5 % lie below it, and at most 2.5 % above.
fn central(sorted: &[f64]) -> (f64, f64) {
    let beyond = (0.025 * sorted.len() as f64).floor() as usize;
    (sorted[beyond], sorted[sorted.len() - 1 - beyond])
}
