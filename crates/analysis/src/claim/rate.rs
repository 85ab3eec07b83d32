//! Rates: a share of runs, and what was printed of it.

use super::finding::{Finding, Grid, Judge, Verdict};
use crate::samples::{Key, Roster, Sample, Samples, SelectionError, Selector, rate_text};
use evogrid_results::format::percent;
use evogrid_statistics::{predict_count, wilson};

/// A claim about the share of runs for which something is true.
#[derive(Clone, Debug, PartialEq)]
pub struct RateClaim {
    /// Which runs.
    pub of: Selector,
    /// What is true of a run that counts.
    pub event: Event,
    /// What is claimed of its share.
    pub expected: ClaimedRate,
    /// Whether to say which setting of the experiment comes closest to what is claimed: on the instances and buckets that the
    /// selector names, over all else.
    pub closest: bool,
}

/// What may be true of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// It was solved.
    Solved,
    /// Its best fitness lies between these, both included.
    BestFitness(f64, f64),
    /// It was not solved, and its best fitness lies between these, both included; solved runs are left aside.
    StuckAt(f64, f64),
}

/// What is claimed of a share, a fraction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClaimedRate {
    /// It is this one, found in so many runs, if that is said.
    Is(f64, Option<u64>),
    /// It is at least this one.
    AtLeast(f64),
    /// It is at most this one.
    AtMost(f64),
}

/// Above this width, in shares, a range of published rates that ours allow could have held nearly any figure.
pub(super) const WIDE_RANGE: f64 = 0.5;

impl Judge for RateClaim {
    fn check(&self, roster: &Roster) -> Result<(), SelectionError> {
        roster.select(&self.of).map(|_| ())
    }

    fn judge(&self, samples: &Samples) -> Result<Finding, SelectionError> {
        let selection = samples.roster.select(&self.of)?;
        let (count, runs) = self.count(samples.chosen(&selection));
        if runs == 0 {
            return Err(SelectionError::Nothing { conditions: self.of.label() });
        }
        let (verdict, published, mut reasons) = self.expected.verdict(count, runs);
        if self.closest && verdict != Verdict::Holds {
            reasons.extend(self.closest(samples)?);
        }
        let mut by_bucket = Grid::new(["bucket", self.event.name(), "runs"], 1);
        for (values, runs) in samples.grouped(&[Key::Bucket], &selection) {
            let (count, all) = self.count(runs);
            by_bucket.rows.push(vec![values[0].to_owned(), rate_text(count, all), all.to_string()]);
        }
        Ok(Finding {
            verdict,
            published,
            ours: rate_text(count, runs),
            published_runs: if let ClaimedRate::Is(_, runs) = self.expected { runs } else { None },
            runs,
            reasons,
            grids: if by_bucket.rows.len() < 2 { Vec::new() } else { vec![by_bucket] },
        })
    }
}

impl RateClaim {
    /// How many runs count, and of how many.
    fn count<'a>(&self, runs: impl IntoIterator<Item = &'a Sample>) -> (u64, u64) {
        runs.into_iter().fold((0, 0), |(count, all), sample| match self.event.is_true(sample) {
            Some(is_true) => (count + u64::from(is_true), all + 1),
            None => (count, all),
        })
    }

    /// The setting whose share lies nearest to the printed one, in a sentence, if any has runs that count.
    fn closest(&self, samples: &Samples) -> Result<Option<String>, SelectionError> {
        let instances = self.of.0.iter().filter(|(key, _)| key == "bucket" || key == "instance").cloned().collect();
        let selection = samples.roster.select(&Selector(instances))?;
        let keys: Vec<Key> = samples.roster.configuration_keys().collect();
        let distance = |(count, runs): (u64, u64)| {
            let ours = count as f64 / runs as f64;
            match self.expected {
                ClaimedRate::Is(wanted, _) => (ours - wanted).abs(),
                ClaimedRate::AtLeast(_) => 1.0 - ours,
                ClaimedRate::AtMost(_) => ours,
            }
        };
        let settings = samples.grouped(&keys, &selection).into_iter();
        let settings = settings.map(|(values, runs)| (values, self.count(runs))).filter(|(_, (_, runs))| *runs > 0);
        let closest = settings.min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)));
        Ok(closest.map(|(values, (count, runs))| {
            let conditions = keys.into_iter().zip(values).filter(|(_, value)| !value.is_empty());
            let setting = Selector::with_values(&samples.roster, conditions).label();
            let rate = rate_text(count, runs);
            format!("Of all settings tried here the one that comes closest is {setting}: {rate} of {runs} runs.")
        }))
    }
}

impl Event {
    /// Whether it is true of a run; `None` if the run is left aside.
    fn is_true(self, sample: &Sample) -> Option<bool> {
        let lies = |low: f64, high: f64| sample.outcome.best_fitness.is_some_and(|best| low <= best && best <= high);
        match self {
            Self::Solved => Some(sample.outcome.solved),
            Self::BestFitness(low, high) => Some(lies(low, high)),
            Self::StuckAt(low, high) => (!sample.outcome.solved).then(|| lies(low, high)),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::BestFitness(..) => "best fitness as claimed",
            Self::StuckAt(..) => "unsolved runs that end as claimed",
        }
    }
}

impl ClaimedRate {
    /// The verdict on a share of ours, the claim in short, and why.
    fn verdict(self, count: u64, runs: u64) -> (Verdict, String, Vec<String>) {
        let interval = wilson(count, runs);
        let bound = |is_met: bool, is_missed: bool| match (is_met, is_missed) {
            (true, _) => Verdict::Holds,
            (_, true) => Verdict::DoesNotHold,
            _ => Verdict::CannotBeTold,
        };
        let by_interval = "Wilson's 95 % interval of our rate".to_owned();
        match self {
            Self::AtLeast(least) => {
                let verdict = bound(interval.low >= least, interval.high < least);
                (verdict, format!("at least {} %", percent(least)), vec![format!("Judged by {by_interval}.")])
            }
            Self::AtMost(most) => {
                let verdict = bound(interval.high <= most, interval.low > most);
                (verdict, format!("at most {} %", percent(most)), vec![format!("Judged by {by_interval}.")])
            }
            Self::Is(wanted, Some(theirs)) => {
                let seen = (wanted * theirs as f64).round() as u64;
                let allowed = predict_count(count, runs, theirs);
                let share = |count: u64| count as f64 / theirs as f64;
                let verdict = match allowed.contains(seen) {
                    false => Verdict::DoesNotHold,
                    true if share(allowed.high) - share(allowed.low) > WIDE_RANGE => Verdict::CannotBeTold,
                    true => Verdict::Holds,
                };
                let reason = format!(
                    "In 95 of 100 cases {theirs} more runs of ours would show {} to {} % (beta-binomial, Jeffreys' prior).",
                    percent(share(allowed.low)),
                    percent(share(allowed.high))
                );
                (verdict, format!("{} %", percent(wanted)), vec![reason])
            }
            Self::Is(wanted, None) => {
                let is_inside = (interval.low..=interval.high).contains(&wanted);
                let reason = match fewest_that_differ(wanted, count, runs) {
                    _ if is_inside => {
                        format!("The printed rate, of which no number of runs is said, lies inside {by_interval}.")
                    }
                    Some(fewest) => format!(
                        "The printed rate lies outside {by_interval}. It does not say on how many runs it rests; from {fewest} \
                         on, chance alone would hardly (1 in 20) explain it."
                    ),
                    None => format!("The printed rate lies outside {by_interval}, yet chance alone may explain it."),
                };
                let differs = fewest_that_differ(wanted, count, runs).is_some();
                (bound(is_inside, differs), format!("{} %", percent(wanted)), vec![reason])
            }
        }
    }
}

/// The fewest runs behind a printed rate with which ours would not allow it, if there are such up to 1000.
fn fewest_that_differ(wanted: f64, count: u64, runs: u64) -> Option<u64> {
    let is_possible = |n: u64| ((wanted * n as f64).round() / n as f64 - wanted).abs() < 0.005;
    (1..=1000)
        .filter(|&n| is_possible(n))
        .find(|&n| !predict_count(count, runs, n).contains((wanted * n as f64).round() as u64))
}
