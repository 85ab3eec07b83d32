//! Measures how often the intervals and tests of this crate are right, by simulation: the tables of docs/STATISTICS.md.
//!
//! `cargo run --release -p evogrid-statistics --example coverage -- docs/STATISTICS.md` rewrites them; with the name of a table behind it, such as
//! `split`, only that one. A design is a number of
//! instances, of runs on each, an intra-class correlation and a success rate; the instances' own rates are beta-distributed around it. The designs
//! of comparisons are described in `comparisons.rs`.

use std::error::Error;
use std::fmt::Write;

mod best_of_many;
mod candidates;
mod comparisons;
mod effects;
mod gaps;
mod looks;
mod races;
mod random;
mod tables;

use evogrid_statistics::{clustered_rate, wilson};

use random::Random;

const N_EXPERIMENTS: u32 = 4000;
const SEED: u64 = 20_161_122;
const RATES: [f64; 3] = [0.02, 0.3, 0.98];

/// What makes a table.
type Table = fn() -> String;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("expected the path of the page that has the tables")?;
    let only = std::env::args().nth(2);
    let mut page = std::fs::read_to_string(&path)?;
    let is_made = |name: &str| only.as_deref().is_none_or(|only| only == name);
    // Each table is written when it is made: the last ones take long.
    let mut write_table = |name: &str, table: &str| -> Result<(), Box<dyn Error>> {
        page = with_table(&page, name, table)?;
        Ok(std::fs::write(&path, &page)?)
    };
    // A stream of its own for each: a table more changes no other.
    let tables: [(&str, Table); 8] = [
        ("coverage", || coverage(&mut Random::from_seed(SEED)).expect("a text takes all")),
        ("gaps", || gaps::gaps(&mut Random::from_seed(SEED + 1))),
        ("split", || best_of_many::table(&mut Random::from_seed(SEED + 3))),
        ("effects", || effects::table(&mut Random::from_seed(SEED + 4))),
        ("looks", || looks::looks(SEED + 3000)),
        ("races", || races::table(SEED + 5000)),
        ("skewed", || tables::skewed(SEED + 2)),
        ("steps", || tables::steps(SEED + 1000)),
    ];
    for (name, make) in tables.into_iter().filter(|(name, _)| is_made(name)) {
        write_table(name, &make())?;
    }
    if is_made("sizes") || is_made("powers") {
        let (sizes, powers) = tables::sizes_and_powers(SEED + 2000);
        write_table("sizes", &sizes)?;
        write_table("powers", &powers)?;
    }
    Ok(())
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
