//! Comparisons of configurations where there is no difference and where there is one: sizes, coverage and power of both answers, beside those of
//! the candidates that were not chosen.
//!
//! A run's latent quality is the sum of its instance's difficulty, N(0, 1), of the interaction of configuration and instance, N(0, s²/2), and of its
//! own luck. With s = 0 configurations do not interact with instances. It becomes a success (logistic), a gap (log-normal), evaluations
//! (log-normal, those beyond a limit unsolved: three of ten) or processor time (log-normal, in whole ticks, so that many are equal).
//!
//! With a skewed interaction the first of two configurations is better by 80 points on a tenth of the instances, and worse on the others by as
//! much as makes the mean 0.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use evogrid_statistics::{
    Confidence, Interval, holm, instance_differences, stratified_rates, stratified_test, vargha_delaney,
};

use crate::candidates::p_values;
use crate::random::Random;

const LEVEL: f64 = 0.05;
/// Simulations of a design where there is no difference, and of the tables of single steps.
pub(crate) const N_SIZE: usize = 20_000;
pub(crate) const N_POWER: usize = 4000;
/// With more configurations than this the tests by exchange are left out.
pub(crate) const MOST_EXCHANGED: usize = 3;
/// The standard deviations of the interaction at which sizes are measured.
pub(crate) const INTERACTIONS: [Truth; 2] = [Truth::Interaction(0.0), Truth::Interaction(1.0)];

/// How configurations differ from instance to instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Truth {
    /// By a normal distribution of this standard deviation.
    Interaction(f64),
    /// By 80 points on a tenth of the instances, and as much less on the others.
    Skewed,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Metric {
    Success,
    Gap,
    Evaluations,
    CpuTime,
}

pub(crate) const METRICS: [(Metric, &str); 4] = [
    (Metric::Success, "success"),
    (Metric::Gap, "gap"),
    (Metric::Evaluations, "evaluations"),
    (Metric::CpuTime, "CPU time"),
];

#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Design {
    pub(crate) instances: usize,
    pub(crate) runs: usize,
    pub(crate) configurations: usize,
    pub(crate) metric: usize,
}

/// What a design shows of both answers.
#[derive(Clone, Default)]
pub(crate) struct Shares {
    /// How often the answer for these instances finds a difference.
    pub(crate) these: f64,
    /// How often its interval holds the truth.
    pub(crate) these_cover: f64,
    /// How often each candidate for instances like these finds one.
    pub(crate) like: [f64; 6],
    /// How often the interval of the chosen one holds the truth.
    pub(crate) like_cover: f64,
}

/// What is simulated, and how often.
#[derive(Clone, Copy)]
pub(crate) struct Work {
    pub(crate) design: Design,
    pub(crate) truth: Truth,
    /// How much better the first configuration is.
    pub(crate) shift: f64,
    pub(crate) n: usize,
    /// Whether the candidates by exchange are tried, too.
    pub(crate) has_exchanges: bool,
}

/// Each piece of work has a stream of its own, so that the order does not matter.
pub(crate) fn in_parallel(work: &[Work], seed: u64) -> Vec<Shares> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(vec![Shares::default(); work.len()]));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(work) = work.get(at) else { break };
                    let shares = simulate(work, &mut Random::from_seed(seed + at as u64));
                    found.lock().expect("no thread panics")[at] = shares;
                }
            });
        }
    });
    found.into_inner().expect("no thread panics")
}

/// The costs of the runs of each configuration on each instance.
fn experiment(&Work { design, truth, shift, .. }: &Work, random: &mut Random) -> Vec<Vec<Vec<f64>>> {
    let metric = METRICS[design.metric].0;
    (0..design.instances)
        .map(|_| {
            let difficulty = random.normal();
            let own = |configuration: usize, random: &mut Random| match truth {
                Truth::Interaction(deviation) => {
                    let shift = if configuration == 0 { shift } else { 0.0 };
                    difficulty + deviation / 2.0_f64.sqrt() * random.normal() - shift
                }
                Truth::Skewed => 0.0,
            };
            let own: Vec<f64> = (0..design.configurations).map(|configuration| own(configuration, random)).collect();
            let own = if truth == Truth::Skewed { skewed(metric, random) } else { own };
            own.iter().map(|&own| (0..design.runs).map(|_| cost(metric, own, random)).collect()).collect()
        })
        .collect()
}

/// The qualities of two configurations on an instance whose effects are skewed: a difference of rates, or of `2 A12 - 1`, of 0.8 on a tenth of
/// the instances and of -0.8 / 9 on the others.
fn skewed(metric: Metric, random: &mut Random) -> Vec<f64> {
    let is_rare = random.unit() < 0.1;
    let logit = |rate: f64| (1.0 / rate - 1.0).ln();
    match (metric, is_rare) {
        (Metric::Success, true) => vec![logit(0.9), logit(0.1)],
        (Metric::Success, false) => vec![logit(0.5), logit(0.5 + 0.8 / 9.0)],
        // The normal quantiles of 0.9 and of 1/2 - 0.4 / 9, times the root of two.
        (_, true) => vec![-1.812_388, 0.0],
        (_, false) => vec![0.158_066, 0.0],
    }
}

fn cost(metric: Metric, quality: f64, random: &mut Random) -> f64 {
    match metric {
        Metric::Success => -f64::from(u8::from(random.unit() < 1.0 / (1.0 + quality.exp()))),
        Metric::Gap => (quality + random.normal()).exp(),
        Metric::Evaluations => {
            Some((quality + random.normal()).exp()).filter(|&evaluations| evaluations < 2.1).unwrap_or(f64::INFINITY)
        }
        Metric::CpuTime => (3.0 * (quality + random.normal()).exp()).floor(),
    }
}

fn simulate(work: &Work, random: &mut Random) -> Shares {
    let &Work { design, truth, shift, n, has_exchanges } = work;
    let is_of_rates = METRICS[design.metric].0 == Metric::Success;
    let is_null = shift == 0.0;
    let mut shares = Shares::default();
    for _ in 0..n {
        let costs = experiment(work, random);
        let (mut these, mut like) = (Vec::new(), Vec::new());
        for second in 1..design.configurations {
            for first in 0..second {
                let strata: Vec<[&[f64]; 2]> =
                    costs.iter().map(|sides| [sides[second].as_slice(), sides[first].as_slice()]).collect();
                let differences: Vec<f64> =
                    strata.iter().map(|[one, other]| difference(is_of_rates, one, other)).collect();
                // With an interaction the distributions differ on each instance, and so the first question has no null.
                let asks_these = truth == Truth::Interaction(0.0) || !is_null;
                let (p_here, interval, variance, by_instances) = if is_of_rates {
                    let found =
                        stratified_rates(&strata.iter().map(solved).collect::<Vec<_>>(), Confidence::PERCENT_95);
                    let p_here =
                        if asks_these { stratified_test(&strata, Confidence::PERCENT_95).p_value } else { 1.0 };
                    (
                        p_here,
                        found.interval,
                        found.variance,
                        instance_differences(&differences, found.least_variance, 0.0, Confidence::PERCENT_95),
                    )
                } else {
                    let test = stratified_test(&strata, Confidence::PERCENT_95);
                    let interval =
                        Interval { low: 2.0 * test.interval.low - 1.0, high: 2.0 * test.interval.high - 1.0 };
                    let by_instances =
                        instance_differences(&differences, test.least_variance, test.half_step, Confidence::PERCENT_95);
                    (test.p_value, interval, test.variance, by_instances)
                };
                these.push(if asks_these { p_here } else { 1.0 });
                // As `compare` does: what these runs do not show, they do not show of other instances; and an interval of what is not told holds 0.
                let ours =
                    by_instances.map_or(1.0, |test| if is_of_rates { test.p_value } else { test.p_value.max(p_here) });
                like.push(if design.instances > 1 {
                    p_values(ours, &differences, variance, (design.runs, !has_exchanges), random)
                } else {
                    [1.0; 6]
                });
                if (first, second) == (0, 1) {
                    shares.these_cover += f64::from(u8::from(p_here >= LEVEL || interval.contains(0.0)));
                    shares.like_cover += f64::from(u8::from(
                        ours >= LEVEL || by_instances.is_none_or(|test| test.interval.contains(0.0)),
                    ));
                }
            }
        }
        // Of a null any difference is false; else the first pair is the one that differs.
        let is_found = |p_values: &[f64]| {
            let corrected = holm(p_values);
            if is_null { corrected.iter().any(|&p| p < LEVEL) } else { corrected[0] < LEVEL }
        };
        shares.these += f64::from(u8::from(is_found(&these)));
        for (at, share) in shares.like.iter_mut().enumerate() {
            *share += f64::from(u8::from(is_found(&like.iter().map(|p_values| p_values[at]).collect::<Vec<_>>())));
        }
    }
    let n = n as f64;
    Shares {
        these: shares.these / n,
        these_cover: shares.these_cover / n,
        like: shares.like.map(|share| share / n),
        like_cover: shares.like_cover / n,
    }
}

fn difference(is_of_rates: bool, first: &[f64], second: &[f64]) -> f64 {
    if is_of_rates {
        let mean = |costs: &[f64]| costs.iter().sum::<f64>() / costs.len() as f64;
        return mean(first) - mean(second);
    }
    2.0 * vargha_delaney(first, second).a12 - 1.0
}

/// Solved runs of both sides, the second of which are the first's costs.
fn solved(sides: &[&[f64]; 2]) -> [(u64, u64); 2] {
    let count = |costs: &[f64]| (costs.iter().filter(|&&cost| cost < 0.0).count() as u64, costs.len() as u64);
    [count(sides[1]), count(sides[0])]
}
