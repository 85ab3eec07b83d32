//! The table of mean gaps: how often intervals for instances like these hold the mean, and how wide they are.

use std::fmt::Write;

use evogrid_statistics::{Interval, mean_estimate, nonnegative_mean_estimate};

use crate::N_EXPERIMENTS;
use crate::random::Random;

const N_RESAMPLES: usize = 999;

/// The place among so many resampled values beyond which 2.5 % lie.
const LAST: usize = (N_RESAMPLES + 1) / 40 - 1;

/// How the instances' own mean gaps are distributed, around 1.
const KINDS: [(&str, Kind); 4] = [
    ("equal", Kind::Equal),
    ("skewed", Kind::Gamma(4.0)),
    ("very skewed", Kind::Gamma(1.0)),
    ("half are 0", Kind::HalfZero),
];

type Candidate = fn(&[f64], &[f64], &mut Random) -> Option<Interval>;

#[derive(Clone, Copy)]
enum Kind {
    Equal,
    /// Gamma-distributed, of this shape.
    Gamma(f64),
    /// Half of the instances are solved to optimality by all runs, the others are gamma-distributed of shape 1.
    HalfZero,
}

/// The candidates, of the instances' means and of all runs; the first is the chosen one.
const CANDIDATES: [(&str, Candidate); 7] = [
    ("logarithm (chosen)", |means, _, _| nonnegative_mean_estimate(means)?.interval),
    ("Student's t", |means, _, _| mean_estimate(means)?.interval),
    ("t, from 0 on", |means, _, _| mean_estimate(means)?.interval.map(from_zero)),
    ("t of square roots", |means, _, _| square_root(means)),
    ("bootstrap-t, from 0 on", |means, _, random| Some(bootstrap_t(means, random))),
    ("BCa", |means, _, random| Some(bca(means, random))),
    ("Student's t of all runs", |_, runs, _| mean_estimate(runs)?.interval),
];

/// How often each interval covers the mean gap, which is 1, and its median width.
pub(crate) fn gaps(random: &mut Random) -> String {
    let names = CANDIDATES.map(|(name, _)| name).join(" | ");
    let mut table =
        format!("| instances x runs | gaps of instances | {names} |\n|---|---|{}\n", "---:|".repeat(CANDIDATES.len()));
    for (instances, runs) in [(2, 10), (3, 10), (4, 10), (10, 1), (10, 10), (10, 50), (30, 5)] {
        for (name, kind) in KINDS {
            let _ = writeln!(table, "| {instances} x {runs} | {name} |{}", cells(random, instances, runs, kind));
        }
    }
    table
}

fn cells(random: &mut Random, instances: usize, runs: usize, kind: Kind) -> String {
    let mut found = CANDIDATES.map(|_| (0, Vec::new()));
    let mut n = 0;
    for _ in 0..N_EXPERIMENTS {
        let sample: Vec<Vec<f64>> = (0..instances).map(|_| instance(random, runs, kind)).collect();
        let means: Vec<f64> = sample.iter().map(|gaps| gaps.iter().sum::<f64>() / runs as f64).collect();
        let all = sample.concat();
        // Equal means have no interval.
        if means.iter().all(|&mean| mean == means[0]) {
            continue;
        }
        n += 1;
        for ((_, of), (covered, widths)) in CANDIDATES.iter().zip(&mut found) {
            let Interval { low, high } = of(&means, &all, random).unwrap_or(Interval { low: 0.0, high: f64::INFINITY });
            *covered += u32::from(low <= 1.0 && 1.0 <= high);
            widths.push(high - low);
        }
    }
    let cell = |(covered, mut widths): (u32, Vec<f64>)| {
        widths.sort_unstable_by(f64::total_cmp);
        let width = widths[widths.len() / 2];
        let width = if width.is_finite() { format!("{width:.2}") } else { "no end".to_owned() };
        format!(" {:.0} ({width}) |", 100.0 * f64::from(covered) / f64::from(n))
    };
    found.map(cell).concat()
}

/// The gaps of the runs on an instance, gamma-distributed around its own with shape 4.
fn instance(random: &mut Random, runs: usize, kind: Kind) -> Vec<f64> {
    const RUN_SHAPE: f64 = 4.0;
    let own = match kind {
        Kind::Equal => 1.0,
        Kind::Gamma(shape) => random.gamma(shape) / shape,
        Kind::HalfZero if random.unit() < 0.5 => 0.0,
        Kind::HalfZero => 2.0 * random.gamma(1.0),
    };
    (0..runs).map(|_| own * random.gamma(RUN_SHAPE) / RUN_SHAPE).collect()
}

fn from_zero(interval: Interval) -> Interval {
    Interval { low: interval.low.max(0.0), ..interval }
}

/// Student's t of the square root of the mean, by the delta method.
fn square_root(means: &[f64]) -> Option<Interval> {
    let estimate = mean_estimate(means)?;
    let half = (estimate.interval?.high - estimate.mean) / estimate.mean / 2.0;
    let end = |root: f64| estimate.mean * root.max(0.0).powi(2);
    Some(Interval { low: end(1.0 - half), high: end(1.0 + half) })
}

fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (n - 1.0) / n).sqrt())
}

/// Means and standard errors of resamples.
fn resampled(means: &[f64], random: &mut Random) -> Vec<(f64, f64)> {
    let n = means.len();
    let mut resample = means.to_vec();
    let mut draw = || {
        resample.iter_mut().for_each(|value| *value = means[(random.unit() * n as f64) as usize]);
        mean_and_error(&resample)
    };
    (0..N_RESAMPLES).map(|_| draw()).collect()
}

/// The bootstrap-t interval (Efron and Tibshirani 1993, chapter 12); a resample of equal values is infinitely far away.
fn bootstrap_t(means: &[f64], random: &mut Random) -> Interval {
    let (mean, error) = mean_and_error(means);
    let distance = |(found, own): (f64, f64)| if found == mean { 0.0 } else { (found - mean) / own };
    let mut distances: Vec<f64> = resampled(means, random).into_iter().map(distance).collect();
    distances.sort_unstable_by(f64::total_cmp);
    let [least, most] = [distances[LAST], distances[N_RESAMPLES - 1 - LAST]];
    from_zero(Interval { low: mean - most * error, high: mean - least * error })
}

/// The bias-corrected and accelerated percentile interval (Efron and Tibshirani 1993, chapter 14).
fn bca(means: &[f64], random: &mut Random) -> Interval {
    let (mean, _) = mean_and_error(means);
    let mut found: Vec<f64> = resampled(means, random).into_iter().map(|(mean, _)| mean).collect();
    found.sort_unstable_by(f64::total_cmp);
    let below = found
        .iter()
        .map(|&other| {
            if other < mean {
                1.0
            } else if other == mean {
                0.5
            } else {
                0.0
            }
        })
        .sum::<f64>();
    let bias = normal_quantile(below / N_RESAMPLES as f64);
    let moment = |power| means.iter().map(|value| (value - mean).powi(power)).sum::<f64>();
    let acceleration = moment(3) / (6.0 * moment(2).powf(1.5));
    let end = |z: f64| {
        let share = normal_at_most(bias + (bias + z) / (1.0 - acceleration * (bias + z)));
        found[((share * (N_RESAMPLES + 1) as f64) as usize).clamp(1, N_RESAMPLES) - 1]
    };
    Interval { low: end(-1.96), high: end(1.96) }
}

/// The standard normal distribution by the trapezoid rule; to 1e-6 within 8 of its middle.
fn normal_at_most(z: f64) -> f64 {
    const STEPS: u32 = 200;
    let step = z.clamp(-8.0, 8.0) / f64::from(STEPS);
    let density = |x: f64| (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt();
    let inner: f64 = (1..STEPS).map(|at| density(f64::from(at) * step)).sum();
    0.5 + step * (inner + (density(0.0) + density(f64::from(STEPS) * step)) / 2.0)
}

fn normal_quantile(share: f64) -> f64 {
    let (mut low, mut high) = (-4.0, 4.0);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if normal_at_most(middle) < share { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}
