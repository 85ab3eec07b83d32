//! Observations: a single printed run beside the runs of ours.

use super::finding::{Finding, Verdict};
use crate::samples::{Metric, Roster, Samples, Selector, Unselected, number};

/// A claim of one run: its figure lies where ours lie.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// Which runs of ours.
    pub of: Selector,
    /// The figure.
    pub metric: Metric,
    /// What was printed.
    pub published: f64,
}

impl Observation {
    pub(super) fn check(&self, roster: &Roster) -> Result<(), Unselected> {
        roster.select(&self.of).map(|_| ())
    }

    pub(super) fn judge(&self, samples: &Samples) -> Result<Finding, Unselected> {
        let selection = samples.roster.select(&self.of)?;
        let runs: Vec<_> = samples.chosen(&selection).collect();
        let mut values: Vec<f64> = runs.iter().filter_map(|sample| self.metric.of(samples, sample)).collect();
        if values.is_empty() {
            return Err(Unselected::Nothing { conditions: self.of.label() });
        }
        values.sort_unstable_by(f64::total_cmp);
        let (low, high) = central(&values);
        let verdict = match self.metric {
            Metric::WallMs => Verdict::CannotBeTold,
            _ if (low..=high).contains(&self.published) => Verdict::Holds,
            _ => Verdict::DoesNotHold,
        };
        let reason = match self.metric {
            Metric::WallMs => "A time is one of a machine and a language: it is shown, and not judged.".to_owned(),
            _ => format!(
                "Of our runs, the middle 95 of 100 lie between {} and {}; one run of theirs is held against that range.",
                number(low),
                number(high)
            ),
        };
        Ok(Finding {
            verdict,
            published: if self.metric == Metric::WallMs {
                number(self.published) + " ms"
            } else {
                number(self.published)
            },
            ours: format!("{} {}", self.metric.name(), self.metric.summed_up(samples, &runs)),
            published_runs: Some(1),
            runs: runs.len() as u64,
            reasons: vec![reason],
            grids: Vec::new(),
        })
    }
}

/// The range of the middle 95 of 100 of sorted values: at most 2.5 in 100 lie below it, and above.
fn central(sorted: &[f64]) -> (f64, f64) {
    let beyond = (0.025 * sorted.len() as f64).floor() as usize;
    (sorted[beyond], sorted[sorted.len() - 1 - beyond])
}
