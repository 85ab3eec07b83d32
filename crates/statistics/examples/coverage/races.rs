//! Races of configurations: how often one that was named beforehand is dropped, and how many of those that are worse.

use std::fmt::Write;

use evogrid_statistics::{Fate, Race, friedman, student_quantile_975, wilson};

use crate::random::Random;

const N_RACES: u64 = 4000;
const N_BLOCKS: usize = 40;

/// A race without drops before this block, as in irace.
const FIRST_TEST: usize = 5;

/// 0.95 quantiles of chi-squared by degrees of freedom from 1 to 19.
const CHI_SQUARED_95: [f64; 19] = [
    3.841, 5.991, 7.815, 9.488, 11.070, 12.592, 14.067, 15.507, 16.919, 18.307, 19.675, 21.026, 22.362, 23.685, 24.996,
    26.296, 27.587, 28.869, 30.144,
];

/// The configurations of a race.
struct Design {
    name: &'static str,
    /// What each costs on average; the first one, and others with the same cost, are the best.
    means: Vec<f64>,
    /// The standard deviation of each within a block.
    deviations: Vec<f64>,
    /// Whether a run is solved or not, with the mean as the probability that it is not.
    is_binary: bool,
}

fn designs() -> Vec<Design> {
    let normal = |name, means: Vec<f64>| Design { name, deviations: vec![1.0; means.len()], means, is_binary: false };
    let steps = |step: f64| (0..20).map(|at| f64::from(at) * step).collect();
    let wide = |first| {
        let mut design = normal("", vec![0.0; 10]);
        design.deviations[0] = first;
        design
    };
    vec![
        normal("2 equal", vec![0.0; 2]),
        normal("5 equal", vec![0.0; 5]),
        normal("20 equal", vec![0.0; 20]),
        Design { is_binary: true, ..normal("20 equal, half solved", vec![0.5; 20]) },
        Design {
            name: "10 configurations with equal means; the named configuration has standard deviation 3",
            ..wide(3.0)
        },
        Design {
            name: "10 configurations with equal means; the named configuration has standard deviation 1/3",
            ..wide(1.0 / 3.0)
        },
        normal("2 equal, 18 worse by 1", [vec![0.0; 2], vec![1.0; 18]].concat()),
        normal("20 configurations; each is worse by 0.1 than the previous one", steps(0.1)),
        normal("20 configurations; each is worse by 0.3 than the previous one", steps(0.3)),
        normal("20 configurations; each is worse by 1 than the previous one", steps(1.0)),
        Design {
            is_binary: true,
            ..normal("20, solved in 90 % to 33 %", (0..20).map(|at| 0.1 + 0.03 * f64::from(at)).collect())
        },
    ]
}

/// The fate of each configuration: the block after which it was dropped; and the number of runs.
type Outcome = (Vec<Option<usize>>, usize);

/// The table.
pub(crate) fn table(seed: u64) -> String {
    let mut table = "| configurations | best dropped, ours (95 %) | Friedman | worse ones dropped, ours | Friedman | runs, ours | Friedman |\n\
                     |---|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for (at, design) in (0..).zip(designs()) {
        let figures = [race as fn(&Design, &mut Random) -> Outcome, friedman_race].map(|run| {
            let mut random = Random::from_seed(seed + at);
            let (mut n_dropped, mut n_worse_dropped, mut n_runs) = (0, 0, 0);
            for _ in 0..N_RACES {
                let (fates, runs) = run(&design, &mut random);
                n_dropped += u64::from(fates[0].is_some());
                let worse = fates.iter().zip(&design.means).filter(|(_, mean)| **mean > design.means[0]);
                n_worse_dropped += worse.filter(|(fate, _)| fate.is_some()).count();
                n_runs += runs;
            }
            (n_dropped, n_worse_dropped, n_runs)
        });
        let n_worse = design.means.iter().filter(|mean| **mean > design.means[0]).count();
        let _ = write!(table, "| {} |", design.name);
        let interval = wilson(figures[0].0, N_RACES);
        let percent = |share: f64| 100.0 * share;
        let _ = write!(
            table,
            " {:.1} ({:.1} to {:.1}) |",
            percent(figures[0].0 as f64 / N_RACES as f64),
            percent(interval.low),
            percent(interval.high)
        );
        let _ = write!(table, " {:.1} |", percent(figures[1].0 as f64 / N_RACES as f64));
        for (_, dropped, _) in figures {
            let share = |n: usize| format!("{:.0}", percent(dropped as f64 / (n as f64 * N_RACES as f64)));
            let _ = write!(table, " {} |", if n_worse > 0 { share(n_worse) } else { String::new() });
        }
        let _ = writeln!(
            table,
            " {:.0} | {:.0} |",
            figures[0].2 as f64 / N_RACES as f64,
            figures[1].2 as f64 / N_RACES as f64
        );
    }
    table
}

fn cost(design: &Design, at: usize, random: &mut Random) -> f64 {
    if design.is_binary {
        return f64::from(u8::from(random.unit() < design.means[at]));
    }
    design.means[at] + design.deviations[at] * random.normal()
}

fn race(design: &Design, random: &mut Random) -> Outcome {
    let mut race = Race::default();
    race.enter(design.means.len());
    let mut n_runs = 0;
    for _ in 0..N_BLOCKS {
        let costs: Vec<f64> = race.alive().iter().map(|&at| cost(design, at, random)).collect();
        n_runs += costs.len();
        race.add_blocks(&[&costs]);
        if race.n_alive() == 1 {
            break;
        }
    }
    let fate = |fate| if let Fate::Dropped { block } = fate { Some(block as usize) } else { None };
    (race.entries().iter().map(|entry| fate(entry.fate)).collect(), n_runs)
}

/// F-Race (M. Birattari, T. Stützle, L. Paquete and K. Varrentrapp, GECCO 2002): Friedman's test at 0.05 after each block from the fifth on, then
/// Conover's comparison of each with the best mean rank.
fn friedman_race(design: &Design, random: &mut Random) -> Outcome {
    let n = design.means.len();
    let (mut fates, mut blocks, mut n_runs) = (vec![None; n], Vec::<Vec<f64>>::new(), 0);
    let mut alive: Vec<usize> = (0..n).collect();
    for number in 0..N_BLOCKS {
        let mut block = vec![0.0; n];
        for &at in &alive {
            block[at] = cost(design, at, random);
        }
        n_runs += alive.len();
        blocks.push(block);
        if number + 1 < FIRST_TEST {
            continue;
        }
        let (m, k) = (blocks.len() as f64, alive.len() as f64);
        let own: Vec<Vec<f64>> = blocks.iter().map(|block| alive.iter().map(|&at| block[at]).collect()).collect();
        let test = friedman(&own.iter().map(Vec::as_slice).collect::<Vec<_>>());
        if test.statistic > CHI_SQUARED_95[alive.len() - 2] {
            let sums: Vec<f64> = test.mean_ranks.iter().map(|rank| rank * m).collect();
            // Of the sum of all squared ranks, from the statistic with its correction for ties.
            let spread: f64 = sums.iter().map(|sum| (sum - m * (k + 1.0) / 2.0).powi(2)).sum();
            let squares = (k - 1.0) * spread / test.statistic + m * k * (k + 1.0).powi(2) / 4.0;
            let rest = 2.0 * (m * squares - sums.iter().map(|sum| sum * sum).sum::<f64>()) / ((m - 1.0) * (k - 1.0));
            let margin = student_quantile_975(((m - 1.0) * (k - 1.0)) as usize) * rest.max(0.0).sqrt();
            let best = sums.iter().copied().fold(f64::INFINITY, f64::min);
            for (&at, sum) in alive.iter().zip(&sums) {
                if sum - best > margin {
                    fates[at] = Some(number);
                }
            }
            alive.retain(|&at| fates[at].is_none());
        }
        if alive.len() == 1 {
            break;
        }
    }
    (fates, n_runs)
}
