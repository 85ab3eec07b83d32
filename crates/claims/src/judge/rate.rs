//! Rates: a share of our runs is compared with a published share. Distributions: the shares of several outcomes are judged together.

use super::finding::{Finding, Grid, Judge, Verdict};
use evogrid_analysis::metric::{Rate, figure_text};
use evogrid_analysis::published::AllowedCounts;
use evogrid_analysis::samples::{Key, Sample, Samples, Selection, SelectionError, Selector};
use evogrid_results::format::{percent, rounded_text};
use evogrid_statistics::{Interval, outcomes_p_value, wilson};

/// A claim about the share of runs that meet a condition.
#[derive(Clone, Debug, PartialEq)]
pub struct RateClaim {
    /// The claim is about the share of runs that meet this condition.
    pub event: Event,
    /// The claimed share.
    pub expected: ClaimedRate,
    /// Whether the page names the configuration whose rate is closest to the claim. The rates of the configurations are computed only on
    /// the instances and buckets that the claim selects.
    pub closest: bool,
}

/// An interval that is wider than this number agrees with almost any rate.
const WIDEST_INTERVAL: f64 = 0.2;

/// A condition on a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// The run was solved.
    Solved,
    /// The best fitness of the run lies between these bounds, inclusive.
    BestFitness(f64, f64),
    /// The run was unsolved, and its best fitness lies between these bounds, inclusive. The share is computed only from unsolved runs.
    StuckAt(f64, f64),
}

/// The claimed share, as a fraction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClaimedRate {
    /// The share equals the first number. The second number is the number of published runs. If the paper does not give the number of its
    /// runs, the second number is `None`.
    Is(f64, Option<u64>),
    /// The share is at least this value.
    AtLeast(f64),
    /// The share is at most this value.
    AtMost(f64),
}

impl Judge for RateClaim {
    fn judge(&self, samples: &Samples, of: &Selector, selection: &Selection) -> Result<Finding, SelectionError> {
        let rate = self.rate(samples.chosen(selection));
        let (verdict, published, reason) = self.expected.verdict(&rate);
        let mut reasons = vec![reason];
        if self.closest && verdict != Verdict::Holds {
            reasons.extend(self.closest(samples, of)?);
        }
        let mut by_bucket = Grid::new(["bucket", &self.event.label(), "runs"], 1);
        for (values, runs) in samples.grouped(&[Key::Bucket], selection) {
            let rate = self.rate(runs);
            by_bucket.rows.push(vec![values[0].to_owned(), rate.text(), rate.runs.to_string()]);
        }
        Ok(Finding {
            verdict,
            published,
            ours: rate.text(),
            published_runs: if let ClaimedRate::Is(_, runs) = self.expected { runs } else { None },
            runs: rate.runs,
            reasons,
            grids: if by_bucket.rows.len() < 2 { Vec::new() } else { vec![by_bucket] },
            ..Finding::default()
        })
    }
}

impl RateClaim {
    /// The share of runs that meet the condition, among the counted runs.
    fn rate<'a>(&self, runs: impl IntoIterator<Item = &'a Sample>) -> Rate {
        Rate::new(runs.into_iter().filter_map(|sample| Some((sample.instance(), self.event.is_true(sample)?))))
    }

    /// A sentence that names the configuration whose share is closest to the claim; `None` if no configuration has runs that count.
    fn closest(&self, samples: &Samples, of: &Selector) -> Result<Option<String>, SelectionError> {
        let instances = of.0.iter().filter(|(key, _)| key == "bucket" || key == "instance").cloned().collect();
        let selection = samples.roster.select(&Selector(instances))?;
        let keys: Vec<Key> = samples.roster.configuration_keys().collect();
        let distance = |rate: &Rate| {
            let ours = rate.share;
            match self.expected {
                ClaimedRate::Is(wanted, _) => (ours - wanted).abs(),
                ClaimedRate::AtLeast(_) => 1.0 - ours,
                ClaimedRate::AtMost(_) => ours,
            }
        };
        let settings = samples.grouped(&keys, &selection).into_iter();
        let settings = settings.map(|(values, runs)| (values, self.rate(runs))).filter(|(_, rate)| rate.runs > 0);
        let closest = settings.min_by(|a, b| distance(&a.1).total_cmp(&distance(&b.1)));
        Ok(closest.map(|(values, rate)| {
            let setting = Selector::with_values(&samples.roster, &keys, &values).label();
            format!(
                "The configuration that comes closest to the claim is \"{setting}\". The rate of this configuration is {}.",
                rate.figure()
            )
        }))
    }
}

impl Event {
    /// Whether the condition holds for a run; `None` if the run is ignored.
    fn is_true(self, sample: &Sample) -> Option<bool> {
        let lies = |low: f64, high: f64| sample.outcome.best_fitness.is_some_and(|best| low <= best && best <= high);
        match self {
            Self::Solved => sample.outcome.solved,
            Self::BestFitness(low, high) => Some(lies(low, high)),
            Self::StuckAt(low, high) => (sample.outcome.solved == Some(false)).then(|| lies(low, high)),
        }
    }

    /// The description of the runs for which the condition holds.
    fn label(self) -> String {
        let between = |low: f64, high: f64| match (figure_text(low), figure_text(high)) {
            (low, high) if low == high => low,
            (low, high) => format!("{low} to {high}"),
        };
        match self {
            Self::Solved => "solved".to_owned(),
            Self::BestFitness(low, high) => format!("best fitness {}", between(low, high)),
            Self::StuckAt(low, high) => format!("unsolved at {}", between(low, high)),
        }
    }
}

impl ClaimedRate {
    /// The verdict on our share, a short form of the claim, and the reason for the verdict.
    fn verdict(self, rate: &Rate) -> (Verdict, String, String) {
        let (words, bound) = match self {
            Self::Is(printed, theirs) => {
                let (verdict, reason) = match theirs {
                    Some(theirs) => by_prediction(printed, theirs, rate),
                    None => by_interval(printed, &rate.interval, rate),
                };
                return (verdict, format!("{} %", percent(printed)), reason);
            }
            Self::AtLeast(least) => ("at least", least),
            Self::AtMost(most) => ("at most", most),
        };
        let judged = |ours: &Interval| match self {
            Self::AtLeast(_) => Verdict::new(ours.low >= bound, ours.high < bound),
            _ => Verdict::new(ours.high <= bound, ours.low > bound),
        };
        let mut reason = "The 95 % interval of our rate gives the verdict.".to_owned();
        if judged(&rate.interval) == Verdict::CannotBeTold {
            reason += &runs_needed(rate, |interval| judged(interval) != Verdict::CannotBeTold);
        }
        (judged(&rate.interval), format!("{words} {} %", percent(bound)), reason)
    }
}

/// Judges a printed rate whose number of runs was published.
fn by_prediction(printed: f64, theirs: u64, rate: &Rate) -> (Verdict, String) {
    let allowed = AllowedCounts::new(rate.effective_counts(), theirs);
    let is_allowed = allowed.contains((printed * theirs as f64).round() as u64);
    let mut reason = format!(
        "With a probability of 95 %, {theirs} further runs would have a rate of {allowed} (beta-binomial, Jeffreys' prior)."
    );
    if is_allowed && allowed.is_wide() {
        reason += " The published rate comes from few runs. Therefore our runs would agree with nearly any rate, even if we did more runs.";
    }
    (Verdict::new(is_allowed && !allowed.is_wide(), !is_allowed), reason)
}

/// Judges a published rate whose number of runs was not published.
fn by_interval(printed: f64, interval: &Interval, rate: &Rate) -> (Verdict, String) {
    if interval.contains(printed) {
        let mut reason = "The published rate lies inside the 95 % interval of our rate. The paper does not give the number of its runs.".to_owned();
        let is_narrow = |interval: &Interval| interval.high - interval.low <= WIDEST_INTERVAL;
        if is_narrow(interval) {
            return (Verdict::Holds, reason);
        }
        reason += &format!(
            " The interval is wider than {} points: it contains too many possible rates.",
            percent(WIDEST_INTERVAL)
        );
        return (Verdict::CannotBeTold, reason + &runs_needed(rate, is_narrow));
    }
    let outside = "The published rate lies outside the 95 % interval of our rate.";
    match fewest_that_differ(printed, rate.effective_counts()) {
        Some(fewest) => {
            let reason = format!(
                "{outside} The paper does not give the number of its runs. If the published rate comes from {fewest} or more runs, chance alone hardly explains the difference (p < 0.05)."
            );
            (Verdict::DoesNotHold, reason)
        }
        None => (
            Verdict::CannotBeTold,
            format!(
                "{outside} The paper does not give the number of its runs. For every possible number of published runs (up to 1000), chance may explain the difference."
            ),
        ),
    }
}

/// A sentence with the smallest number of runs that would decide, if the true rate is the observed rate.
fn runs_needed(rate: &Rate, tells: impl Fn(&Interval) -> bool) -> String {
    let at = |runs: u64| tells(&wilson((rate.share * runs as f64).round() as u64, runs));
    let Some(enough) = (1..=24).map(|power| 1u64 << power).find(|&runs| at(runs)) else {
        return " If the true rate is the observed rate, the claim cannot be decided with any number of runs."
            .to_owned();
    };
    // Counts are rounded to whole runs, so the true limit may differ slightly.
    let (mut too_few, mut enough) = (enough / 2, enough);
    while enough - too_few > 1 {
        let middle = enough.midpoint(too_few);
        if at(middle) { enough = middle } else { too_few = middle }
    }
    let runs = (enough as f64 * rate.runs as f64 / rate.effective_runs.max(1.0)).ceil();
    let more = if rate.effective_runs < 0.9 * rate.runs as f64 { " and proportionally more instances" } else { "" };
    format!(" If the true rate is the observed rate, about {runs} runs{more} are needed to decide.")
}

/// The smallest number of published runs, up to 1000, for which our runs would contradict the published rate; `None` if there is no such number.
fn fewest_that_differ(printed: f64, ours: (u64, u64)) -> Option<u64> {
    let counted = |n: u64| (printed * n as f64).round();
    let is_possible = |&n: &u64| (counted(n) / n as f64 - printed).abs() < 0.005;
    (1..=1000).filter(is_possible).find(|&n| !AllowedCounts::new(ours, n).contains(counted(n) as u64))
}

/// If the number of runs behind published shares was not published, these numbers of runs are tried.
const POSSIBLE_RUNS: [u64; 10] = [10, 20, 30, 40, 50, 100, 200, 300, 500, 1000];

/// The number of simulated counts for each p-value, and their seed.
const SIMULATIONS: (usize, u64) = (4000, 1);

/// Suppose that all outcomes have equal shares among this number of runs. If our runs also agree with these equal shares, an agreement with
/// the published shares has little meaning.
const TELLING_RUNS: u64 = 50;

/// A claim about the shares of several outcomes. Each run has at most one of these outcomes.
#[derive(Clone, Debug, PartialEq)]
pub struct DistributionClaim {
    /// The outcomes with their published shares, as fractions. If the sum of the shares is less than 1, the rest are runs with other
    /// outcomes.
    pub outcomes: Vec<(Event, f64)>,
    /// The number of runs from which the paper computed the shares. `None` if the paper does not give the number.
    pub published_runs: Option<u64>,
}

impl Judge for DistributionClaim {
    fn judge(&self, samples: &Samples, _: &Selector, selection: &Selection) -> Result<Finding, SelectionError> {
        let rate = |counts: &dyn Fn(&Sample) -> bool| {
            Rate::new(samples.chosen(selection).map(|sample| (sample.instance(), counts(sample))))
        };
        let has = |event: &Event, sample: &Sample| event.is_true(sample) == Some(true);
        let events = || self.outcomes.iter().map(|(event, _)| event);
        let mut rates: Vec<Rate> = events().map(|event| rate(&|sample| has(event, sample))).collect();
        rates.push(rate(&|sample| !events().any(|event| has(event, sample))));
        let mut printed: Vec<f64> = self.outcomes.iter().map(|&(_, share)| share).collect();
        printed.push(1.0 - printed.iter().sum::<f64>());
        let mut grid = Grid::new(["outcome", "published", "ours (95 %)"], 1);
        let names = events().map(|event| event.label()).chain(["any other".to_owned()]);
        for ((name, &share), rate) in names.zip(&printed).zip(&rates) {
            grid.rows.push(vec![name, format!("{} %", percent(share)), rate.text()]);
        }
        let (verdict, reason) = self.verdict(&printed, &rates);
        let shares = |shares: &[f64]| shares.iter().map(|&share| percent(share)).collect::<Vec<_>>().join(" %, ");
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
            let reason = format!(
                "All shares are judged together, as one distribution. The published shares come from {runs} runs. For the difference between the published shares and our shares, p is {p_text} ({method})."
            );
            return (Verdict::new(p >= 0.05, p < 0.05), reason);
        }
        let unsaid =
            "All shares are judged together, as one distribution. The paper does not give the number of its runs";
        if let Some(fewest) = POSSIBLE_RUNS.into_iter().find(|&runs| p(runs) < 0.05) {
            let reason = format!(
                "{unsaid}. If the published shares come from {fewest} runs, chance alone hardly explains the difference (p < 0.05; {method})."
            );
            return (Verdict::DoesNotHold, reason);
        }
        let even = vec![TELLING_RUNS / printed.len() as u64; printed.len()];
        let says_little = outcomes_p_value(&ours, &even, SIMULATIONS.0, SIMULATIONS.1) >= 0.05;
        let reason = format!(
            "{unsaid}. Therefore we repeat the test for several possible numbers of published runs (10 to 1000). For each of these numbers of published runs, our runs agree with the published shares ({method})."
        );
        if says_little {
            let few = " But we have too few runs: our runs would also agree with a table in which all outcomes have equal shares.";
            return (Verdict::CannotBeTold, reason + few);
        }
        (Verdict::Holds, reason)
    }
}
