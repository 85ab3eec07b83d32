//! Measures how often the intervals and tests of this crate are right, by simulation: the tables of docs/STATISTICS.md.
//!
//! `cargo run --release -p evogrid-statistics --example coverage -- docs/STATISTICS.md` rewrites them. A design is a number of
//! instances, of runs on each, an intra-class correlation and a success rate; the instances' own rates are beta-distributed around it. The designs
//! of comparisons are described in `comparisons.rs`.

use std::error::Error;
use std::fmt::Write;

mod candidates;
mod comparisons;
mod looks;
mod random;
mod tables;

use evogrid_statistics::{clustered_rate, mean_estimate, wilson};

use random::Random;

const N_EXPERIMENTS: u32 = 4000;
const SEED: u64 = 20_161_122;
const RATES: [f64; 3] = [0.02, 0.3, 0.98];

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("expected the path of the page that has the tables")?;
    let mut page = std::fs::read_to_string(&path)?;
    // Each table is written when it is made: the last ones take long.
    let mut write_table = |name: &str, table: &str| -> Result<(), Box<dyn Error>> {
        page = with_table(&page, name, table)?;
        Ok(std::fs::write(&path, &page)?)
    };
    // A stream of its own for each: a table more changes no other.
    write_table("looks", &looks::looks(SEED + 3000))?;
    write_table("coverage", &coverage(&mut Random::from_seed(SEED))?)?;
    write_table("gaps", &gaps(&mut Random::from_seed(SEED + 1))?)?;
    write_table("skewed", &tables::skewed(SEED + 2))?;
    write_table("steps", &tables::steps(SEED + 1000))?;
    let (sizes, powers) = tables::sizes_and_powers(SEED + 2000);
    write_table("sizes", &sizes)?;
    write_table("powers", &powers)
}

/// The page with this table between two comments.
fn with_table(page: &str, name: &str, table: &str) -> Result<String, Box<dyn Error>> {
    let begin = format!("<!-- {name}: made by a program -->\n");
    let (before, rest) = page.split_once(&begin).ok_or_else(|| format!("the page has no line {begin}"))?;
    let (_, after) = rest.split_once("<!-- end -->").ok_or("the table has no end")?;
    Ok(format!("{before}{begin}\n{table}\n<!-- end -->{after}"))
}

/// How often two intervals of a rate cover it.
fn coverage(random: &mut Random) -> Result<String, std::fmt::Error> {
    let [low, middle, high] = RATES;
    let mut table = format!(
        "| instances x runs | correlation | Wilson, at {low} | at {middle} | at {high} | like these, at {low} | at {middle} | at {high} |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|\n"
    );
    for (instances, runs) in [(4, 10), (10, 1), (10, 10), (10, 50), (25, 4), (40, 10), (100, 1), (100, 10)] {
        for correlation in [0.0, 0.2, 0.6] {
            let rows = RATES.map(|rate| rate_coverage(random, instances, runs, correlation, rate));
            write!(table, "| {instances} x {runs} | {correlation} |")?;
            for share in rows.iter().map(|row| row[0]).chain(rows.iter().map(|row| row[1])) {
                write!(table, " {:.0} |", 100.0 * share)?;
            }
            table.push('\n');
        }
    }
    Ok(table)
}

/// How often two intervals of a mean gap cover it, by the shape of the gamma distribution of instances' gaps.
fn gaps(random: &mut Random) -> Result<String, std::fmt::Error> {
    const SHAPES: [f64; 3] = [f64::INFINITY, 4.0, 1.0];
    let mut table = "| instances x runs | of runs, instances alike | skewed | very skewed | of instances, alike | skewed | very skewed |\n\
                     |---|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for (instances, runs) in [(4, 10), (10, 1), (10, 10), (10, 50), (30, 5), (120, 5)] {
        let rows = SHAPES.map(|shape| gap_coverage(random, instances, runs, shape));
        write!(table, "| {instances} x {runs} |")?;
        for share in rows.iter().map(|row| row[0]).chain(rows.iter().map(|row| row[1])) {
            write!(table, " {:.0} |", 100.0 * share)?;
        }
        table.push('\n');
    }
    Ok(table)
}

/// How often Student's interval of the runs, and that of the instances' means, cover the mean gap, which is 1. An instance's own is
/// gamma-distributed with the shape (or 1 for all), and a run's around it with shape 4.
fn gap_coverage(random: &mut Random, instances: u64, runs: u64, shape: f64) -> [f64; 2] {
    const RUN_SHAPE: f64 = 4.0;
    let mut sums = [0.0; 2];
    for _ in 0..N_EXPERIMENTS {
        let sample: Vec<Vec<f64>> = (0..instances)
            .map(|_| {
                let own = if shape.is_finite() { random.gamma(shape) / shape } else { 1.0 };
                (0..runs).map(|_| own * random.gamma(RUN_SHAPE) / RUN_SHAPE).collect()
            })
            .collect();
        let means: Vec<f64> = sample.iter().map(|gaps| gaps.iter().sum::<f64>() / runs as f64).collect();
        for (sum, values) in sums.iter_mut().zip([sample.concat(), means]) {
            let interval = mean_estimate(&values).and_then(|estimate| estimate.interval);
            *sum += f64::from(u8::from(interval.is_some_and(|interval| interval.contains(1.0))));
        }
    }
    sums.map(|sum| sum / f64::from(N_EXPERIMENTS))
}

/// How often the plain and the clustered interval cover the rate.
fn rate_coverage(random: &mut Random, instances: u64, runs: u64, correlation: f64, rate: f64) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for _ in 0..N_EXPERIMENTS {
        let sample: Vec<(u64, u64)> = (0..instances)
            .map(|_| {
                let own = random.rate(rate, correlation);
                (random.solved(own, runs), runs)
            })
            .collect();
        let solved = sample.iter().map(|(solved, _)| solved).sum();
        sums[0] += f64::from(u8::from(wilson(solved, instances * runs).contains(rate)));
        sums[1] += f64::from(u8::from(clustered_rate(&sample).interval.contains(rate)));
    }
    sums.map(|sum| sum / f64::from(N_EXPERIMENTS))
}
