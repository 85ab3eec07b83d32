//! Effects: how much better one configuration does than another, and what can be told of it.
//!
//! There are two questions. *These instances*: are the outcomes of both distributed equally on each instance? It is answered from the runs,
//! by a permutation test stratified by instance. *Instances like these*: is the mean difference 0? It is answered from the instances'
//! differences, by Student's paired t with a least variance; one instance has no answer. Neither answer stands for the other.

use evogrid_results::format::shortest;
use evogrid_statistics::{
    Interval, ObservedTime, PairCounts, holm, instance_differences, instances_needed, log_rank, stratified_rates,
    stratified_test,
};

use super::design::{POWER, smallest_p_values};
use super::margin::{Criteria, Margin, SHARE_POINTS, work_ratio};

/// The difference of two configurations, positive where the first does better.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// For rates the difference of both, from -1 to 1. For other figures the probability that a run of the first does better than
    /// one of the second on the same instance (ties count by half), from 0 to 1. A mean over instances, which weigh equally.
    pub size: f64,
    /// The answer for these instances.
    pub these: Answer,
    /// The answer for instances like these; `None` with a single instance.
    pub like_these: Option<Answer>,
    /// Instances that both have.
    pub instances: usize,
    /// On how many of them the first does better, worse, or equally well.
    pub on_instances: PairCounts,
    /// Runs of both on them.
    pub runs: [u64; 2],
    /// Whether the effect is one of rates.
    pub is_of_rates: bool,
    /// Of work for solving: the p-value of the stratified log-rank test, if a run of either side is unsolved.
    pub log_rank: Option<f64>,
    /// The same, corrected for all comparisons that were made together.
    pub log_rank_corrected: Option<f64>,
    /// What it is judged by.
    pub criteria: Criteria,
    /// The rates of both, of rates.
    rates: [f64; 2],
    /// Whether more than half of the runs of a side have no figure but infinity.
    is_mostly_censored: bool,
    /// Of work for solving: the interval of the ratio of expected work, if both solve every instance.
    work_ratio: Option<Interval>,
    /// Mean and variance of the instances' differences, from -1 to 1.
    mean_difference: f64,
    variance: f64,
    /// The variance of a difference that the randomness of the runs implies.
    variance_of_runs: f64,
}

/// The answer to one question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// The interval of the effect. It holds no difference where the p-value is not below the level.
    pub interval: Interval,
    /// The two-sided p-value.
    pub p_value: f64,
    /// The same, corrected for all comparisons that were made together ([`correct`]).
    pub p_corrected: f64,
    /// The smallest p-value that so many instances and runs can have.
    pub smallest_p: f64,
}

/// What is asked of two configurations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Are the outcomes equally distributed on each of these instances?
    TheseInstances,
    /// Is the mean difference on instances of this kind 0?
    InstancesLikeThese,
}

evogrid_core::choices! {
    /// Whether a difference can be told.
    pub enum Conclusion {
        /// The first does better.
        First = "first",
        /// The second does better.
        Second = "second",
        /// No difference is found, and the whole interval lies within the margin.
        Alike = "alike",
        /// There are too few runs or instances.
        Open = "open",
    }
}

/// The outcomes of the runs of both sides on an instance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InstanceOutcomes {
    /// The costs of the runs of each side: less is better, infinite without a solution. Of rates -1 for solved and 0 for not.
    pub costs: [Vec<f64>; 2],
    /// Of work for solving: what each run took, and whether it was solved; else empty.
    pub times: [Vec<ObservedTime>; 2],
}

/// The normal quantile that leaves a quarter above. So an interval of plus and minus this number of standard errors is a 50 % interval.
const QUARTILE: f64 = 0.674_489_75;

impl Effect {
    /// The effect over instances, none of which lacks runs of a side.
    pub fn new(is_of_rates: bool, criteria: Criteria, instances: &[InstanceOutcomes]) -> Self {
        let count = |side: usize| instances.iter().map(|outcomes| outcomes.costs[side].len() as u64).sum();
        let differences: Vec<f64> = instances.iter().map(|outcomes| difference(is_of_rates, &outcomes.costs)).collect();
        // What is better is larger in the first.
        let strata: Vec<[&[f64]; 2]> =
            instances.iter().map(|outcomes| [outcomes.costs[1].as_slice(), outcomes.costs[0].as_slice()]).collect();
        let confidence = criteria.confidence;
        let test = stratified_test(&strata, confidence);
        // A mean of differences around 0, from -1 to 1, as what the effect is called.
        let shown = |difference: f64| if is_of_rates { difference } else { (difference + 1.0) / 2.0 };
        let (interval, variance_of_runs, by_instances) = if is_of_rates {
            let rates: Vec<_> = instances.iter().map(|outcomes| solved(&outcomes.costs)).collect();
            let found = stratified_rates(&rates, confidence);
            let by_instances = instance_differences(&differences, found.least_variance, 0.0, confidence);
            (found.interval, found.variance, by_instances)
        } else {
            let mut by_instances = instance_differences(&differences, test.least_variance, test.half_step, confidence);
            // What these runs do not show, they do not show of other instances.
            by_instances.iter_mut().for_each(|found| found.p_value = found.p_value.max(test.p_value));
            (test.interval, test.variance, by_instances)
        };
        let mut smallest =
            smallest_p_values(instances.iter().map(|outcomes| [0, 1].map(|side| outcomes.costs[side].len())));
        if !is_of_rates {
            smallest[1] = smallest[1].max(smallest[0]);
        }
        let (none, size) = (shown(0.0), shown(mean(&differences)));
        let answer = |interval: Interval, p_value, smallest_p| {
            // Wilson's interval of few runs may end before an effect at the edge, if little confidence is asked for.
            let interval = Interval { low: interval.low.min(size), high: interval.high.max(size) };
            // An interval holds no difference where its test finds none: the two are made by different ways, and would else contradict.
            let interval = if p_value < confidence.level() {
                interval
            } else {
                Interval { low: interval.low.min(none), high: interval.high.max(none) }
            };
            Answer { interval, p_value, p_corrected: p_value, smallest_p }
        };
        let mean_rate = |side: usize| {
            instances.iter().map(|outcomes| -mean(&outcomes.costs[side])).sum::<f64>() / instances.len().max(1) as f64
        };
        let censored = |side: usize| {
            instances.iter().flat_map(|outcomes| &outcomes.costs[side]).filter(|cost| cost.is_infinite()).count()
        };
        let has_times = instances.iter().any(|outcomes| !outcomes.times[0].is_empty());
        let is_censored =
            instances.iter().flat_map(|outcomes| outcomes.times.iter().flatten()).any(|&(_, is_solved)| !is_solved);
        let times = || instances.iter().map(|outcomes| [outcomes.times[0].as_slice(), outcomes.times[1].as_slice()]);
        let log_rank = (has_times && is_censored).then(|| log_rank(&times().collect::<Vec<_>>()));
        Self {
            size,
            these: answer(interval, test.p_value, smallest[0]),
            like_these: by_instances.map(|test| {
                let interval = Interval { low: shown(test.interval.low), high: shown(test.interval.high) };
                answer(interval, test.p_value, smallest[1])
            }),
            instances: instances.len(),
            on_instances: PairCounts {
                wins: differences.iter().filter(|&&difference| difference > 0.0).count() as u64,
                losses: differences.iter().filter(|&&difference| difference < 0.0).count() as u64,
                ties: differences.iter().filter(|&&difference| difference == 0.0).count() as u64,
            },
            runs: [count(0), count(1)],
            is_of_rates,
            log_rank,
            log_rank_corrected: log_rank,
            criteria,
            rates: if is_of_rates { [0, 1].map(mean_rate) } else { [0.0; 2] },
            is_mostly_censored: [0, 1].into_iter().any(|side| 2 * censored(side) as u64 > count(side)),
            work_ratio: has_times.then(|| work_ratio(times(), confidence)).flatten(),
            mean_difference: mean(&differences),
            variance: by_instances.map_or(0.0, |test| test.variance),
            variance_of_runs,
        }
    }

    /// The mean difference, from -1 to 1, with the variance that the randomness of the runs implies.
    pub(super) fn estimate(&self) -> (f64, f64) {
        (self.mean_difference, self.variance_of_runs / self.instances.max(1) as f64)
    }

    /// The size of no difference.
    pub(crate) fn none(&self) -> f64 {
        if self.is_of_rates { 0.0 } else { 0.5 }
    }

    /// The answer to a question, if there is one.
    pub fn answer(&self, question: Question) -> Option<&Answer> {
        match question {
            Question::TheseInstances => Some(&self.these),
            Question::InstancesLikeThese => self.like_these.as_ref(),
        }
    }

    /// Whether the difference can be told, by the corrected p-value; open without an answer.
    pub fn conclusion(&self, question: Question) -> Conclusion {
        let Some(answer) = self.answer(question) else { return Conclusion::Open };
        let is_told = answer.p_corrected < self.criteria.confidence.level();
        if is_told && !answer.interval.contains(self.none()) {
            if self.size > self.none() { Conclusion::First } else { Conclusion::Second }
        } else if !is_told && self.is_within_margin(answer.interval) {
            Conclusion::Alike
        } else {
            Conclusion::Open
        }
    }

    /// Whether a whole interval lies within the margin, absolute and as a ratio.
    pub(super) fn is_within_margin(&self, interval: Interval) -> bool {
        if self.is_of_rates {
            return self.criteria.margin.holds_rates(interval, self.rates);
        }
        let has_ratio = self.log_rank.is_some() || self.work_ratio.is_some();
        self.criteria.margin.holds_shares(interval)
            && !self.is_mostly_censored
            && (!has_ratio || self.work_ratio.is_some_and(|ratio| self.criteria.margin.holds_ratios(ratio)))
    }

    /// The margin in words, and whose it is.
    pub fn margin_text(&self) -> String {
        let Margin { points, ratio, is_declared } = self.criteria.margin;
        let whose = if is_declared {
            "the experiment's margin"
        } else {
            "the default margin, because the experiment declares none"
        };
        let (points, ratio) = (shortest(Some(100.0 * points)), shortest(Some(ratio)));
        let shares = 100.0 * SHARE_POINTS;
        let within = if self.is_of_rates {
            format!("{points} points of a rate and a factor of {ratio} of its odds")
        } else if self.log_rank.is_some() || self.work_ratio.is_some() {
            format!("{shares} points around 50 % and a factor of {ratio} of expected work")
        } else {
            format!("{shares} points around 50 % (Vargha and Delaney, 2000)")
        };
        format!("{within} ({whose})")
    }

    /// The number of instances with which an effect of this size would be found with a power of 80 %, at a level corrected for `tests` tests;
    /// for a single instance, the number of runs. It is a range, since the estimate of the effect is uncertain. `None` if the p-value is
    /// above 0.5 (even the sign of the effect is then a guess), or if the experiment has enough instances already.
    pub fn needed(&self, tests: usize) -> Option<String> {
        let level = self.criteria.confidence.level() / tests.max(1) as f64;
        let here = self.runs[0].max(self.runs[1]);
        let (p_value, variance, n, noun) = match &self.like_these {
            Some(answer) => (answer.p_value, self.variance, self.instances as u64, "instances like these"),
            None => (self.these.p_value, self.variance_of_runs * here as f64, here, "runs of each"),
        };
        if p_value > 0.5 || self.mean_difference == 0.0 {
            return None;
        }
        let error = (variance / n as f64).sqrt();
        let needed = |difference: f64| instances_needed(difference, variance, POWER, level).unwrap_or(u64::MAX);
        let distance = self.mean_difference.abs();
        let (fewest, most) = (needed(distance + QUARTILE * error), needed((distance - QUARTILE * error).max(0.0)));
        let fewest = two_digits(fewest.max(n + 1));
        match most {
            most if most <= n => None,
            most if most > 100 * fewest => {
                Some(format!("at least {fewest} {noun}, perhaps many more, would be needed to decide (there are {n})"))
            }
            most => Some(format!(
                "about {fewest} to {} {noun} would be needed to decide (there are {n})",
                two_digits(most).max(fewest)
            )),
        }
    }

    /// The same, seen from the other side.
    pub(crate) fn mirrored(&self) -> Self {
        let mirror = |value: f64| 2.0 * self.none() - value;
        let mirrored = |answer: Answer| Answer {
            interval: Interval { low: mirror(answer.interval.high), high: mirror(answer.interval.low) },
            ..answer
        };
        Self {
            size: mirror(self.size),
            these: mirrored(self.these),
            like_these: self.like_these.map(mirrored),
            on_instances: PairCounts {
                wins: self.on_instances.losses,
                losses: self.on_instances.wins,
                ties: self.on_instances.ties,
            },
            ..self.clone()
        }
    }
}

/// Corrects the p-values of effects that are compared together: Holm's correction for each question, and the log-rank test, by itself, and all of
/// them times `factor`.
pub fn correct<'e>(effects: impl IntoIterator<Item = &'e mut Effect>, factor: f64) {
    let mut effects: Vec<&mut Effect> = effects.into_iter().collect();
    let corrected = |answers: &mut [&mut Answer]| {
        let p_values = holm(&answers.iter().map(|answer| answer.p_value).collect::<Vec<_>>());
        answers.iter_mut().zip(p_values).for_each(|(answer, p)| answer.p_corrected = (factor * p).min(1.0));
    };
    corrected(&mut effects.iter_mut().map(|effect| &mut effect.these).collect::<Vec<_>>());
    corrected(&mut effects.iter_mut().filter_map(|effect| effect.like_these.as_mut()).collect::<Vec<_>>());
    let p_values = holm(&effects.iter().filter_map(|effect| effect.log_rank).collect::<Vec<_>>());
    let of_log_rank = effects.iter_mut().filter_map(|effect| effect.log_rank_corrected.as_mut());
    of_log_rank.zip(p_values).for_each(|(corrected, p)| *corrected = (factor * p).min(1.0));
}

/// A number rounded up to two digits: more would claim to know it.
fn two_digits(number: u64) -> u64 {
    let unit = 10u64.saturating_pow(number.max(1).ilog10().saturating_sub(1));
    number.div_ceil(unit) * unit
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// How much better the first side does on an instance, from -1 to 1.
fn difference(is_of_rates: bool, [first, second]: &[Vec<f64>; 2]) -> f64 {
    if is_of_rates {
        return mean(second) - mean(first);
    }
    2.0 * evogrid_statistics::vargha_delaney(second, first).a12 - 1.0
}

/// Solved runs and all of both sides.
fn solved(costs: &[Vec<f64>; 2]) -> [(u64, u64); 2] {
    [0, 1].map(|side: usize| (costs[side].iter().filter(|&&cost| cost < 0.0).count() as u64, costs[side].len() as u64))
}
