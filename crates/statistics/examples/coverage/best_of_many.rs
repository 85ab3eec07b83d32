//! How much the best of many configurations flatters itself, and whether its holdout value does.

use std::fmt::Write;

use evogrid_statistics::{PartCosts, SPLIT_PARTS, holdout_value, least_cost};

use crate::random::Random;

const N_EXPERIMENTS: u32 = 10_000;

/// The mean success rate, and the correlation of runs on one instance.
const RATE: f64 = 0.5;
const CORRELATION: f64 = 0.2;

/// The standard deviation of the configurations' rates where they differ.
const DIFFERENCE: f64 = 0.1;

/// By how much the rate of the best lies above its true rate on these instances: as it is shown, and its holdout value.
#[derive(Clone, Copy, Default)]
struct Excess {
    shown: f64,
    split: f64,
}

/// The table, in points, for equal configurations and for ones that differ.
pub(crate) fn table(random: &mut Random) -> String {
    let mut table = "| instances x runs | configurations | equal: the best, as shown | holdout value | differing: the best, as shown | holdout value |\n\
                     |---|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for (instances, runs) in [(1, 10), (1, 30), (4, 10), (10, 1), (10, 10), (25, 4), (40, 10)] {
        for configurations in [2, 8, 72] {
            let _ = write!(table, "| {instances} x {runs} | {configurations} |");
            for difference in [0.0, DIFFERENCE] {
                let Excess { shown, split } = mean_excess(random, (instances, runs, configurations), difference);
                let _ = write!(table, " {shown:+.1} | {split:+.1} |");
            }
            table.push('\n');
        }
    }
    table
}

fn mean_excess(random: &mut Random, shape: (usize, usize, usize), difference: f64) -> Excess {
    let mut sum = Excess::default();
    for _ in 0..N_EXPERIMENTS {
        let Excess { shown, split } = excess(random, shape, difference);
        sum = Excess { shown: sum.shown + shown, split: sum.split + split };
    }
    // Without the sign of a rounded zero.
    let points = |sum: f64| (1000.0 * sum / f64::from(N_EXPERIMENTS)).round() / 10.0 + 0.0;
    Excess { shown: points(sum.shown), split: points(sum.split) }
}

/// That of one experiment. A configuration's rate on an instance is that of the instance and its own difference from the mean, within 0 and 1.
fn excess(random: &mut Random, (instances, runs, configurations): (usize, usize, usize), difference: f64) -> Excess {
    let own: Vec<f64> = (0..instances).map(|_| random.rate(RATE, CORRELATION)).collect();
    let mut truths = Vec::new();
    let mut costs = Vec::new();
    for _ in 0..configurations {
        let better = if difference > 0.0 { difference * random.normal() } else { 0.0 };
        let rates: Vec<f64> = own.iter().map(|rate| (rate + better).clamp(0.0, 1.0)).collect();
        truths.push(rates.iter().sum::<f64>() / instances as f64);
        let mut parts = [PartCosts::default(); SPLIT_PARTS];
        for (at, &rate) in rates.iter().enumerate() {
            for run in 0..runs {
                // With a single instance its repetitions are dealt to the parts.
                let part = &mut parts[if instances > 1 { at } else { run } % SPLIT_PARTS];
                *part = PartCosts { n: part.n + 1, sum: part.sum - f64::from(u8::from(random.unit() < rate)) };
            }
        }
        costs.push(parts);
    }
    let totals: Vec<PartCosts> = costs.iter().map(PartCosts::of_all).collect();
    let best = least_cost(totals.iter().copied()).expect("there are configurations");
    let shown = -totals[best].mean().expect("it has runs");
    let split = -holdout_value(&costs).expect("there are several").mean;
    Excess { shown: shown - truths[best], split: split - truths[best] }
}
