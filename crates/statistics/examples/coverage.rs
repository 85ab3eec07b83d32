//! Measures how often the intervals of this crate cover what they speak of, by simulation: the tables of docs/STATISTICS.md.
//!
//! `cargo run --release --example coverage` prints them. A design is a number of instances, of runs on each, an intra-class
//! correlation and a success rate; the instances' own rates are beta-distributed around it.

use std::io::{self, Write};

use evogrid_statistics::{PairCounts, clustered_rate, sign_flip, wilson};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

const N_EXPERIMENTS: u32 = 4000;
const SEED: u64 = 20_161_122;

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mut random = Random(Xoshiro256PlusPlus::seed_from_u64(SEED));
    writeln!(
        out,
        "| instances | runs on each | correlation | rate | Wilson, of runs | for instances like these | its width |"
    )?;
    writeln!(out, "|---:|---:|---:|---:|---:|---:|---:|")?;
    for (instances, runs) in [(4, 10), (10, 1), (10, 10), (10, 50), (25, 4), (40, 10), (100, 1), (100, 10)] {
        for correlation in [0.0, 0.2, 0.6] {
            for rate in [0.02, 0.3, 0.7, 0.98] {
                let row = rate_coverage(&mut random, instances, runs, correlation, rate);
                let [plain, clustered, width] = row.map(|share| 100.0 * share);
                writeln!(
                    out,
                    "| {instances} | {runs} | {correlation} | {rate} | {plain:.1} | {clustered:.1} | {width:.0} |"
                )?;
            }
        }
    }
    writeln!(out)?;
    writeln!(
        out,
        "| instances | runs on each | effects differ | McNemar, of runs | sign flips, of instances | its interval covers |"
    )?;
    writeln!(out, "|---:|---:|---:|---:|---:|---:|")?;
    for (instances, runs) in [(6, 10), (10, 1), (10, 10), (10, 50), (40, 10), (100, 1)] {
        for correlation in [0.0, 0.1, 0.5] {
            let row = false_alarms(&mut random, instances, runs, correlation);
            let [by_runs, by_instances, covers] = row.map(|share| 100.0 * share);
            writeln!(out, "| {instances} | {runs} | {correlation} | {by_runs:.1} | {by_instances:.1} | {covers:.1} |")?;
        }
    }
    Ok(())
}

/// How often the plain and the clustered interval cover the rate, and the mean width of the latter.
fn rate_coverage(random: &mut Random, instances: u64, runs: u64, correlation: f64, rate: f64) -> [f64; 3] {
    let mut sums = [0.0; 3];
    for _ in 0..N_EXPERIMENTS {
        let sample: Vec<(u64, u64)> = (0..instances)
            .map(|_| {
                let own = random.rate(rate, correlation);
                (random.solved(own, runs), runs)
            })
            .collect();
        let solved = sample.iter().map(|(solved, _)| solved).sum();
        let clustered = clustered_rate(&sample).interval;
        sums[0] += f64::from(u8::from(wilson(solved, instances * runs).contains(rate)));
        sums[1] += f64::from(u8::from(clustered.contains(rate)));
        sums[2] += clustered.high - clustered.low;
    }
    sums.map(|sum| sum / f64::from(N_EXPERIMENTS))
}

/// How often either test finds a difference (p < 0.05) between two settings that on average solve equally many, though on each instance
/// one may be better; and how often the interval covers 0.
fn false_alarms(random: &mut Random, instances: u64, runs: u64, correlation: f64) -> [f64; 3] {
    let mut sums = [0.0; 3];
    for _ in 0..N_EXPERIMENTS {
        let (mut wins, mut losses) = (0, 0);
        let mut differences = Vec::new();
        for _ in 0..instances {
            let rates = [0, 1].map(|_| random.rate(0.5, correlation));
            let before: i64 = wins as i64 - losses as i64;
            for _ in 0..runs {
                match rates.map(|rate| random.unit() < rate) {
                    [true, false] => wins += 1,
                    [false, true] => losses += 1,
                    _ => {}
                }
            }
            differences.push((wins as i64 - losses as i64 - before) as f64 / runs as f64);
        }
        let pairs = PairCounts { wins, losses, ties: instances * runs - wins - losses };
        let test = sign_flip(&differences);
        sums[0] += f64::from(u8::from(pairs.p_value() < 0.05));
        sums[1] += f64::from(u8::from(test.p_value < 0.05));
        sums[2] += f64::from(u8::from(test.interval.contains(0.0)));
    }
    sums.map(|sum| sum / f64::from(N_EXPERIMENTS))
}

struct Random(Xoshiro256PlusPlus);

impl Random {
    fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn solved(&mut self, rate: f64, runs: u64) -> u64 {
        (0..runs).filter(|_| self.unit() < rate).count() as u64
    }

    /// The rate of an instance: beta-distributed around the mean, with the correlation of runs on one instance.
    fn rate(&mut self, mean: f64, correlation: f64) -> f64 {
        if correlation == 0.0 {
            return mean;
        }
        let size = (1.0 - correlation) / correlation;
        let [one, other] = [mean, 1.0 - mean].map(|share| self.gamma(share * size));
        if one + other > 0.0 { one / (one + other) } else { f64::from(u8::from(self.unit() < mean)) }
    }

    /// Gamma-distributed (Marsaglia and Tsang, ACM TOMS 26(3), 2000).
    fn gamma(&mut self, shape: f64) -> f64 {
        if shape < 1.0 {
            let power = self.unit().powf(1.0 / shape);
            return self.gamma(shape + 1.0) * power;
        }
        let (d, c) = (shape - 1.0 / 3.0, 1.0 / (9.0 * shape - 3.0).sqrt());
        loop {
            let normal = (-2.0 * (1.0 - self.unit()).ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos();
            let v = (1.0 + c * normal).powi(3);
            if v > 0.0 && (1.0 - self.unit()).ln() < normal * normal / 2.0 + d - d * v + d * v.ln() {
                return d * v;
            }
        }
    }
}
