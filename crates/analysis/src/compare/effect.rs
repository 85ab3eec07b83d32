//! Effects: how much better one configuration is than another configuration, and the conclusion from the runs of both.
//!
//! A comparison answers two questions. *These instances*: are the outcomes of both configurations equally distributed on each instance? A
//! permutation test of the runs, stratified by instance, answers this question. *Instances like these*: is the mean difference 0? Student's
//! paired t-test of the differences on the instances answers this question. The variance in this test has a minimum. With one instance, the
//! second question has no answer. The two answers may differ.

use std::cmp::Ordering;

use evogrid_results::format::shortest;
use evogrid_statistics::{
    Confidence, Interval, ObservedTime, PairCounts, holm, instance_differences, instance_log_ratios, instances_needed,
    log_rank, stratified_rates, stratified_test,
};

use super::planning::{POWER, smallest_p_values};

/// The difference between two configurations, with intervals and p-values. A larger effect means that the first configuration is better.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// The size of the effect: a mean over instances with equal weight. For rates, the size is the rate of the first configuration minus
    /// the rate of the second. This difference lies between -1 and 1. For other metrics, the size is a probability from 0 to 1. Take two
    /// runs on the same instance, one run of each configuration. The size is the probability that the run of the first configuration is
    /// better. A pair of equal runs counts as one half.
    pub size: f64,
    /// The answer that holds only for the instances of the experiment.
    pub these: Answer,
    /// The answer for instances like the instances of the experiment. `None` if there is only one instance.
    pub like_these: Option<Answer>,
    /// The number of instances on which both configurations have runs.
    pub instances: usize,
    /// The number of instances on which the first configuration is better, the number on which it is worse, and the number on which both
    /// are equal.
    pub on_instances: PairCounts,
    /// The number of each configuration's runs on the shared instances.
    pub runs: [u64; 2],
    /// Whether the effect is a difference of rates.
    pub is_of_rates: bool,
    /// The p-value of the stratified log-rank test. The value is `None` if the metric does not measure the work to solve an instance. The
    /// value is also `None` if every run is solved.
    pub log_rank: Option<f64>,
    /// The p-value of the log-rank test, corrected for all comparisons together.
    pub log_rank_corrected: Option<f64>,
    /// The margin and the confidence with which the effect is judged.
    pub criteria: Criteria,
    /// The success rates of both configurations, if the effect is a difference of rates.
    rates: [f64; 2],
    /// Whether more than half of the runs of a configuration have an infinite value.
    is_mostly_censored: bool,
    /// The interval of the ratio of expected work. This interval exists only if both configurations solve every instance. The metric must
    /// measure the work to solve an instance. The ratio is a geometric mean over instances. The interval holds for instances like these.
    /// With a single instance, the interval holds only for this instance.
    work_ratio: Option<Interval>,
    /// The mean and the variance of the differences on the instances. Each difference is from -1 to 1.
    mean_difference: f64,
    variance: f64,
    /// The variance of the mean difference that is caused by the randomness of the runs.
    variance_of_runs: f64,
}

/// The answer to one question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// The interval of the effect. If the p-value is not significant, the interval contains the value for "no difference".
    pub interval: Interval,
    /// The two-sided p-value.
    pub p_value: f64,
    /// The p-value, corrected for all comparisons that were made together ([`correct`]).
    pub p_corrected: f64,
    /// The smallest possible p-value with these numbers of instances and runs.
    pub smallest_p: f64,
}

/// A question about two configurations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// On each of these instances, do the outcomes of both configurations have the same distribution?
    TheseInstances,
    /// Is the mean difference 0 over all instances like these?
    InstancesLikeThese,
}

evogrid_core::choices! {
    /// The conclusion of a comparison.
    pub enum Conclusion {
        /// The first configuration is better.
        First = "first",
        /// The second configuration is better.
        Second = "second",
        /// The difference is not significant, and the whole interval of the difference lies within the margin.
        Alike = "alike",
        /// The runs or instances are too few to decide.
        Open = "open",
    }
}

/// The outcomes of two configurations on one instance. The two configurations are called sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InstanceOutcomes {
    /// The costs of the runs of each side. A lower cost is better. The cost of a run without a solution is infinite. For rates, a solved
    /// run costs -1, and an unsolved run costs 0.
    pub costs: [Vec<f64>; 2],
    /// The work of each run, and whether the run was solved. If the metric does not measure the work to solve an instance, the lists are
    /// empty.
    pub times: [Vec<ObservedTime>; 2],
}

/// The upper quartile of the normal distribution. An interval of plus and minus this number of standard errors is a 50 % interval.
const QUARTILE: f64 = 0.674_489_75;

impl Effect {
    /// Computes the effect over these instances. Both configurations must have runs on every instance.
    pub fn new(is_of_rates: bool, criteria: Criteria, instances: &[InstanceOutcomes]) -> Self {
        let costs = |side: usize| instances.iter().flat_map(move |outcomes| &outcomes.costs[side]);
        let runs = [0, 1].map(|side| costs(side).count() as u64);
        let differences: Vec<f64> = instances.iter().map(|outcomes| difference(is_of_rates, &outcomes.costs)).collect();
        // A better run of the first side has a lower cost, so the sides are exchanged.
        let strata: Vec<[&[f64]; 2]> =
            instances.iter().map(|outcomes| [outcomes.costs[1].as_slice(), outcomes.costs[0].as_slice()]).collect();
        let confidence = criteria.confidence;
        let test = stratified_test(&strata, confidence);
        // A mean of differences, which is from -1 to 1, in the unit of the effect.
        let shown = |difference: f64| if is_of_rates { difference } else { (difference + 1.0) / 2.0 };
        let (interval, variance_of_runs, by_instances) = if is_of_rates {
            let rates: Vec<_> = instances.iter().map(|outcomes| solved(&outcomes.costs)).collect();
            let found = stratified_rates(&rates, confidence);
            let by_instances = instance_differences(&differences, found.least_variance, 0.0, confidence);
            (found.interval, found.variance, by_instances)
        } else {
            let mut by_instances = instance_differences(&differences, test.least_variance, test.half_step, confidence);
            // If the runs show no difference on these instances, they show no difference on instances like these.
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
            // With a low confidence, Wilson's interval of few runs may exclude an effect at the edge.
            let interval = Interval { low: interval.low.min(size), high: interval.high.max(size) };
            // The interval and the test use different methods. If the test finds no difference, the interval is extended to contain no difference.
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
        let censored = |side: usize| costs(side).filter(|cost| cost.is_infinite()).count() as u64;
        let on = |wanted| differences.iter().filter(|one| one.partial_cmp(&&0.0) == Some(wanted)).count() as u64;
        let exp = |logs: Interval| Interval { low: logs.low.exp(), high: logs.high.exp() };
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
                wins: on(Ordering::Greater),
                losses: on(Ordering::Less),
                ties: on(Ordering::Equal),
            },
            runs,
            is_of_rates,
            log_rank,
            log_rank_corrected: log_rank,
            criteria,
            rates: if is_of_rates { [0, 1].map(mean_rate) } else { [0.0; 2] },
            is_mostly_censored: [0, 1].into_iter().any(|side| 2 * censored(side) > runs[side]),
            work_ratio: has_times.then(|| instance_log_ratios(times(), confidence)).flatten().map(exp),
            mean_difference: mean(&differences),
            variance: by_instances.map_or(0.0, |test| test.variance),
            variance_of_runs,
        }
    }

    /// The mean difference, from -1 to 1, with the variance that is caused by the randomness of the runs.
    pub(super) fn estimate(&self) -> (f64, f64) {
        (self.mean_difference, self.variance_of_runs / self.instances.max(1) as f64)
    }

    /// The size of an effect if there is no difference.
    pub(crate) fn none(&self) -> f64 {
        if self.is_of_rates { 0.0 } else { 0.5 }
    }

    /// The answer to the question. If all runs are on one instance, the result for [`Question::InstancesLikeThese`] is `None`.
    pub fn answer(&self, question: Question) -> Option<&Answer> {
        match question {
            Question::TheseInstances => Some(&self.these),
            Question::InstancesLikeThese => self.like_these.as_ref(),
        }
    }

    /// The conclusion that follows from the corrected p-value. The conclusion is open if the question has no answer.
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

    /// Whether the whole interval lies within the margin, both as a difference and as a ratio.
    pub(super) fn is_within_margin(&self, interval: Interval) -> bool {
        if self.is_of_rates {
            return self.criteria.margin.holds_rates(interval, self.rates);
        }
        let has_ratio = self.log_rank.is_some() || self.work_ratio.is_some();
        let holds = |ratio: Interval| [ratio.low, ratio.high].iter().all(|&end| self.criteria.margin.holds_ratio(end));
        0.5 - SHARE_POINTS < interval.low
            && interval.high < 0.5 + SHARE_POINTS
            && !self.is_mostly_censored
            && (!has_ratio || self.work_ratio.is_some_and(holds))
    }

    /// The margin as text. If an experiment can declare this margin, the text also says whether it does.
    pub fn margin_text(&self) -> String {
        let Margin { points, ratio, is_declared } = self.criteria.margin;
        let whose = if is_declared {
            "the experiment's margin"
        } else {
            "the default, because the experiment declares no margin"
        };
        let (points, ratio) = (shortest(Some(100.0 * points)), shortest(Some(ratio)));
        let shares = 100.0 * SHARE_POINTS;
        let within = if self.is_of_rates {
            format!("{points} points for rates and a factor of {ratio} for the odds")
        } else if self.log_rank.is_some() || self.work_ratio.is_some() {
            format!(
                "a distance of {shares} percentage points from a probability of 50 %, and a factor of {ratio} for the expected work"
            )
        } else {
            return format!(
                "a distance of {shares} percentage points from a probability of 50 %, as Vargha and Delaney proposed in 2000"
            );
        };
        format!("{within} ({whose})")
    }

    /// The number of instances needed to find this effect with 80 % power. The significance level is corrected for `tests` tests. If there
    /// is only one instance, the result is a number of runs. The result is a range, because the estimated effect is uncertain. If the
    /// p-value is above 0.5, even the sign of the effect is unknown, and the result is `None`. The result is also `None` if the experiment
    /// already has enough instances.
    pub fn needed(&self, tests: usize) -> Option<String> {
        let level = self.criteria.confidence.level() / tests.max(1) as f64;
        let here = self.runs[0].max(self.runs[1]);
        let (p_value, variance, n, noun) = match &self.like_these {
            Some(answer) => (answer.p_value, self.variance, self.instances as u64, "instances like these"),
            None => (self.these.p_value, self.variance_of_runs * here as f64, here, "runs of each configuration"),
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
            most if most > 100 * fewest => Some(format!(
                "at least {fewest} {noun} are needed to decide, perhaps many more (the experiment has {n})"
            )),
            most => Some(format!(
                "about {fewest} to {} {noun} are needed to decide (the experiment has {n})",
                two_digits(most).max(fewest)
            )),
        }
    }

    /// The effect from the side of the second configuration.
    pub(crate) fn mirrored(&self) -> Self {
        let mirror = |value: f64| 2.0 * self.none() - value;
        let PairCounts { wins, losses, ties } = self.on_instances;
        let mirrored = |answer: Answer| Answer {
            interval: Interval { low: mirror(answer.interval.high), high: mirror(answer.interval.low) },
            ..answer
        };
        Self {
            size: mirror(self.size),
            these: mirrored(self.these),
            like_these: self.like_these.map(mirrored),
            on_instances: PairCounts { wins: losses, losses: wins, ties },
            ..self.clone()
        }
    }
}

/// Corrects the p-values of effects that are compared together. Holm's correction is computed separately for three lists of p-values: the
/// p-values for these instances, the p-values for instances like these, and the p-values of the log-rank test. After Holm's correction,
/// each p-value is multiplied by `factor`.
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

/// A number, rounded up to two digits, because the estimate is not more precise.
fn two_digits(number: u64) -> u64 {
    let unit = 10u64.saturating_pow(number.max(1).ilog10().saturating_sub(1));
    number.div_ceil(unit) * unit
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// How much better the first side is on an instance, from -1 to 1.
fn difference(is_of_rates: bool, [first, second]: &[Vec<f64>; 2]) -> f64 {
    if is_of_rates {
        return mean(second) - mean(first);
    }
    2.0 * evogrid_statistics::vargha_delaney(second, first).a12 - 1.0
}

/// For each side, the number of solved runs and the number of all runs.
fn solved(costs: &[Vec<f64>; 2]) -> [(u64, u64); 2] {
    costs.each_ref().map(|costs| (costs.iter().filter(|&&cost| cost < 0.0).count() as u64, costs.len() as u64))
}

/// The criteria for the verdict of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Criteria {
    /// The margin. A difference within the margin is not relevant.
    pub margin: Margin,
    /// The confidence of intervals and tests.
    pub confidence: Confidence,
}

/// A margin for the difference between two configurations. The margin has a limit for the difference of two values, and a limit for the
/// ratio of the values. A difference is relevant if it exceeds the limit for the difference or the limit for the ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margin {
    /// The limit for the difference of two rates. A larger difference is relevant. The number is a fraction above 0 and below 0.5.
    pub points: f64,
    /// The limit for the ratio of two values. A larger ratio is relevant. The limit is above 1. For rates, the limit is compared with the
    /// ratio of the odds of the two configurations. For work, the limit is compared with the ratio of their expected work.
    pub ratio: f64,
    /// Whether the experiment declares the margin. If the experiment declares no margin, the default margin is used.
    pub is_declared: bool,
}

/// For other metrics: the largest distance of A12 from one half. An A12 below 0.56 is less than a small effect (A. Vargha and H. D.
/// Delaney, "A critique and improvement of the CL common language effect size statistics", Journal of Educational and Behavioral Statistics
/// 25(2), 2000).
const SHARE_POINTS: f64 = 0.06;

impl Default for Margin {
    /// Five points for rates, and a ratio of 1.25 for odds or expected work. Near rates of 50 %, five points are about this ratio.
    fn default() -> Self {
        Self { points: 0.05, ratio: 1.25, is_declared: false }
    }
}

impl Margin {
    /// Whether the differences of rates in an interval lie within the margin, for the observed rates. For example, 0.3 % and 3 % differ by
    /// 3 points, but by a factor of ten in the odds.
    fn holds_rates(self, differences: Interval, [first, second]: [f64; 2]) -> bool {
        let middle = (first + second) / 2.0;
        let odds = |rate: f64| rate / (1.0 - rate);
        let holds = |difference: f64| {
            let rates = [middle + difference / 2.0, middle - difference / 2.0];
            let ratio = odds(rates[0]) / odds(rates[1]);
            rates.iter().all(|rate| (0.0..1.0).contains(rate))
                && difference.abs() < self.points
                && self.holds_ratio(ratio)
        };
        holds(differences.low) && holds(differences.high)
    }

    /// Whether a ratio lies within the margin.
    fn holds_ratio(self, ratio: f64) -> bool {
        1.0 / self.ratio < ratio && ratio < self.ratio
    }
}
