//! Rates: a share of runs, and what was printed of it.

use super::finding::{Finding, Grid, Verdict};
use crate::samples::{Key, Roster, Sample, Samples, Selector, Unselected, rate};
use evogrid_results::format::percent;
use evogrid_statistics::{predict_count, wilson};

/// A claim about the share of runs for which something is true.
#[derive(Clone, Debug, PartialEq)]
pub struct Rate {
    /// Which runs.
    pub of: Selector,
    /// What is true of a run that counts.
    pub event: Event,
    /// What is claimed of its share.
    pub expected: Expected,
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
pub enum Expected {
    /// It is this one, found in so many runs, if that is said.
    Is(f64, Option<u64>),
    /// It is at least this one.
    AtLeast(f64),
    /// It is at most this one.
    AtMost(f64),
}

/// Above this width, in shares, a range of published rates that ours allow could have held nearly any figure.
pub(super) const WIDE: f64 = 0.5;

impl Rate {
    pub(super) fn check(&self, roster: &Roster) -> Result<(), Unselected> {
        roster.select(&self.of).map(|_| ())
    }

    pub(super) fn judge(&self, samples: &Samples) -> Result<Finding, Unselected> {
        let selection = samples.roster.select(&self.of)?;
        let (count, runs) = self.counted(samples.chosen(&selection));
        if runs == 0 {
            return Err(Unselected::Nothing { conditions: self.of.label() });
        }
        let (verdict, published, mut reasons) = self.expected.verdict(count, runs);
        if self.closest && verdict != Verdict::Holds {
            reasons.extend(self.closest(samples)?);
        }
        Ok(Finding {
            verdict,
            published,
            ours: rate(count, runs),
            published_runs: if let Expected::Is(_, runs) = self.expected { runs } else { None },
            runs,
            reasons,
            grids: self.by_bucket(samples)?,
        })
    }

    /// How many runs count, and of how many.
    fn counted<'a>(&self, runs: impl IntoIterator<Item = &'a Sample>) -> (u64, u64) {
        runs.into_iter().fold((0, 0), |(count, all), sample| match self.event.is_true(sample) {
            Some(is_true) => (count + u64::from(is_true), all + 1),
            None => (count, all),
        })
    }

    /// The share in each bucket, where there are several.
    fn by_bucket(&self, samples: &Samples) -> Result<Vec<Grid>, Unselected> {
        let selection = samples.roster.select(&self.of)?;
        let buckets = samples.grouped(&[Key::Bucket], &selection);
        if buckets.len() < 2 {
            return Ok(Vec::new());
        }
        let mut grid = Grid::new(&["bucket", self.event.name(), "runs"], 1);
        for (values, runs) in buckets {
            let (count, all) = self.counted(runs);
            grid.rows.push(vec![values[0].to_owned(), rate(count, all), all.to_string()]);
        }
        Ok(vec![grid])
    }

    /// The setting whose share lies nearest to the printed one.
    fn closest(&self, samples: &Samples) -> Result<Vec<String>, Unselected> {
        let kept = self.of.0.iter().filter(|(key, _)| key == "bucket" || key == "instance").cloned().collect();
        let selection = samples.roster.select(&Selector(kept))?;
        let keys: Vec<Key> =
            std::iter::once(Key::Algorithm).chain((0..samples.roster.varied.len()).map(Key::Setting)).collect();
        let distance = |(count, runs): (u64, u64)| {
            let ours = count as f64 / runs as f64;
            match self.expected {
                Expected::Is(wanted, _) => (ours - wanted).abs(),
                Expected::AtLeast(_) => 1.0 - ours,
                Expected::AtMost(_) => ours,
            }
        };
        let cells = samples.grouped(&keys, &selection).into_iter().filter_map(|(values, runs)| {
            let counted = self.counted(runs);
            (counted.1 > 0).then_some((values, counted))
        });
        let Some((values, (count, runs))) = cells.min_by(|a, b| distance(a.1).total_cmp(&distance(b.1))) else {
            return Ok(Vec::new());
        };
        let conditions = keys.iter().zip(values).filter(|(_, value)| !value.is_empty());
        let conditions =
            conditions.map(|(&key, value)| (samples.roster.name(key).to_owned(), vec![value.to_owned()])).collect();
        Ok(vec![format!(
            "Of all settings tried here the one that comes closest is {}: {} of {runs} runs.",
            Selector(conditions).label(),
            rate(count, runs)
        )])
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

impl Expected {
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
                    true if share(allowed.high) - share(allowed.low) > WIDE => Verdict::CannotBeTold,
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
