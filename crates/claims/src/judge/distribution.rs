//! Distributions: the shares of several outcomes that were published together, judged together.

use super::finding::{Finding, Grid, Judge, Verdict};
use super::rate::Event;
use evogrid_analysis::metric::Rate;
use evogrid_analysis::samples::{Roster, Samples, SelectionError, Selector};
use evogrid_results::format::{percent, rounded_text};
use evogrid_statistics::outcomes_p_value;

/// Numbers of runs that may underlie published shares without such a number, and simulated counts for each, with their seed.
const POSSIBLE_RUNS: [u64; 10] = [10, 20, 30, 40, 50, 100, 200, 300, 500, 1000];
const SIMULATIONS: (usize, u64) = (4000, 1);

/// The number of their runs from which ours must distinguish the published shares from equal ones, for an agreement to mean something.
const TELLING_RUNS: u64 = 50;

/// A claim about the frequencies of mutually exclusive results of runs.
#[derive(Clone, Debug, PartialEq)]
pub struct DistributionClaim {
    /// The runs.
    pub of: Selector,
    /// The outcomes with their published shares, as fractions. The rest up to 1 belongs to all other outcomes.
    pub outcomes: Vec<(Event, f64)>,
    /// The number of runs behind the shares, if it was published.
    pub published_runs: Option<u64>,
}

impl Judge for DistributionClaim {
    fn check(&self, roster: &Roster) -> Result<(), SelectionError> {
        roster.select(&self.of).map(|_| ())
    }

    fn judge(&self, samples: &Samples) -> Result<Finding, SelectionError> {
        let selection = samples.roster.select(&self.of)?;
        let is_any = |sample: &_| self.outcomes.iter().any(|(event, _)| event.is_true(sample) == Some(true));
        let mut rates: Vec<Rate> = self
            .outcomes
            .iter()
            .map(|(event, _)| {
                let runs = samples.chosen(&selection);
                Rate::new(runs.map(|sample| (sample.instance(), event.is_true(sample) == Some(true))))
            })
            .collect();
        rates.push(Rate::new(samples.chosen(&selection).map(|sample| (sample.instance(), !is_any(sample)))));
        if rates[0].runs == 0 {
            return Err(SelectionError::Nothing { conditions: self.of.label() });
        }
        let printed: Vec<f64> = self.outcomes.iter().map(|&(_, share)| share).collect();
        let printed: Vec<f64> = printed.iter().copied().chain([1.0 - printed.iter().sum::<f64>()]).collect();
        let mut grid = Grid::new(["outcome", "published", "ours (95 %)"], 1);
        let names = self.outcomes.iter().map(|(event, _)| event.label()).chain(["any other".to_owned()]);
        for ((name, &share), rate) in names.zip(&printed).zip(&rates) {
            grid.rows.push(vec![name, format!("{} %", percent(share)), rate.text()]);
        }
        let (verdict, reason) = self.verdict(&printed, &rates);
        let shares = |shares: &[f64]| shares.iter().map(|&share| percent(share)).collect::<Vec<_>>().join(", ");
        Ok(Finding {
            verdict,
            published: format!("{} %", shares(&printed)),
            ours: format!("{} %", shares(&rates.iter().map(|rate| rate.share).collect::<Vec<_>>())),
            published_runs: self.published_runs,
            runs: rates[0].runs,
            reasons: vec![reason],
            grids: vec![grid],
        })
    }
}

impl DistributionClaim {
    fn verdict(&self, printed: &[f64], rates: &[Rate]) -> (Verdict, String) {
        // As many independent runs as tell as much about the outcome of which they tell least.
        let effective = rates.iter().map(|rate| rate.effective_runs).fold(f64::INFINITY, f64::min);
        let ours: Vec<u64> = rates.iter().map(|rate| (rate.share * effective).round() as u64).collect();
        let p = |runs: u64| {
            let theirs: Vec<u64> = printed.iter().map(|share| (share * runs as f64).round() as u64).collect();
            outcomes_p_value(&ours, &theirs, SIMULATIONS.0, SIMULATIONS.1)
        };
        let method = "Dirichlet-multinomial, Jeffreys' prior";
        if let Some(runs) = self.published_runs {
            let p = p(runs);
            let reason = format!(
                "Of {runs} more runs of ours a share of {} would be as far from what is expected or farther ({method}).",
                rounded_text(p, 1e4)
            );
            return (Verdict::new(p >= 0.05, p < 0.05), reason);
        }
        let unsaid = "The shares, judged together, do not say on how many runs they rest";
        if let Some(fewest) = POSSIBLE_RUNS.into_iter().find(|&runs| p(runs) < 0.05) {
            let reason = format!("{unsaid}; of {fewest}, chance alone would hardly (1 in 20) explain them ({method}).");
            return (Verdict::DoesNotHold, reason);
        }
        let even = vec![TELLING_RUNS / printed.len() as u64; printed.len()];
        let says_little = outcomes_p_value(&ours, &even, SIMULATIONS.0, SIMULATIONS.1) >= 0.05;
        let reason = format!("{unsaid}; of no number of them up to 1000 would our runs exclude them ({method}).");
        if says_little {
            let few = " Yet so few runs of ours would not exclude even shares either.";
            return (Verdict::CannotBeTold, reason + few);
        }
        (Verdict::Holds, reason)
    }
}
