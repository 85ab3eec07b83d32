//! Distributions: the shares of several outcomes that were published together, and are judged together.

use super::finding::{Finding, Grid, Judge, Verdict};
use super::rate::Event;
use evogrid_analysis::metric::Rate;
use evogrid_analysis::samples::{Roster, Sample, Samples, SelectionError, Selector};
use evogrid_results::format::{percent, rounded_text};
use evogrid_statistics::outcomes_p_value;

/// The numbers of runs that are tried for published shares whose number of runs was not published.
const POSSIBLE_RUNS: [u64; 10] = [10, 20, 30, 40, 50, 100, 200, 300, 500, 1000];

/// The number of simulated counts for each p-value, and their seed.
const SIMULATIONS: (usize, u64) = (4000, 1);

/// Our runs must exclude equal shares of this number of runs. Otherwise an agreement has little meaning.
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
        let rate = |counts: &dyn Fn(&Sample) -> bool| {
            Rate::new(samples.chosen(&selection).map(|sample| (sample.instance(), counts(sample))))
        };
        let has = |event: &Event, sample: &Sample| event.is_true(sample) == Some(true);
        let events = || self.outcomes.iter().map(|(event, _)| event);
        let mut rates: Vec<Rate> = events().map(|event| rate(&|sample| has(event, sample))).collect();
        rates.push(rate(&|sample| !events().any(|event| has(event, sample))));
        if rates[0].runs == 0 {
            return Err(SelectionError::nothing(self.of.label()));
        }
        let mut printed: Vec<f64> = self.outcomes.iter().map(|&(_, share)| share).collect();
        printed.push(1.0 - printed.iter().sum::<f64>());
        let mut grid = Grid::new(["outcome", "published", "ours (95 %)"], 1);
        let names = events().map(|event| event.label()).chain(["any other".to_owned()]);
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
            ..Finding::default()
        })
    }
}

impl DistributionClaim {
    fn verdict(&self, printed: &[f64], rates: &[Rate]) -> (Verdict, String) {
        // The number of independent runs with the same information about the outcome on which our runs have the least information.
        let effective = rates.iter().map(|rate| rate.effective_runs).fold(f64::INFINITY, f64::min);
        let ours: Vec<u64> = rates.iter().map(|rate| (rate.share * effective).round() as u64).collect();
        let p = |runs: u64| {
            let theirs: Vec<u64> = printed.iter().map(|share| (share * runs as f64).round() as u64).collect();
            outcomes_p_value(&ours, &theirs, SIMULATIONS.0, SIMULATIONS.1)
        };
        let method = "Dirichlet-multinomial, Jeffreys' prior";
        if let Some(runs) = self.published_runs {
            let p = p(runs);
            let p_text = rounded_text(p, 1e4);
            let reason =
                format!("The shares are judged together: p = {p_text} for {runs} further runs of ours ({method}).");
            return (Verdict::new(p >= 0.05, p < 0.05), reason);
        }
        let unsaid = "The shares are judged together. The paper does not give the number of its runs";
        if let Some(fewest) = POSSIBLE_RUNS.into_iter().find(|&runs| p(runs) < 0.05) {
            let reason = format!(
                "{unsaid}; if it is {fewest}, chance alone hardly explains the difference (p < 0.05; {method})."
            );
            return (Verdict::DoesNotHold, reason);
        }
        let even = vec![TELLING_RUNS / printed.len() as u64; printed.len()];
        let says_little = outcomes_p_value(&ours, &even, SIMULATIONS.0, SIMULATIONS.1) >= 0.05;
        let reason = format!("{unsaid}; our runs agree with the shares for every number up to 1000 ({method}).");
        if says_little {
            let few = " But our runs are so few that they also agree with equal shares.";
            return (Verdict::CannotBeTold, reason + few);
        }
        (Verdict::Holds, reason)
    }
}
