//! The tables of comparisons: sizes and coverage, powers, skewed effects, and power against the number of instances and runs.

use std::fmt::Write;

use crate::candidates::NAMES;
use crate::comparisons::{
    Design, INTERACTIONS, METRICS, MOST_EXCHANGED, Metric, N_POWER, N_SIZE, Shares, Truth, Work, in_parallel,
};

/// Above this size a candidate is not valid in a design.
const LARGEST_SIZE: f64 = 0.055;

/// Instances, runs on each, configurations.
const NULL: [(usize, usize, usize); 15] = [
    (1, 10, 2),
    (1, 50, 2),
    (2, 10, 2),
    (3, 5, 2),
    (3, 50, 3),
    (4, 1, 2),
    (4, 10, 2),
    (6, 5, 3),
    (8, 1, 2),
    (10, 5, 2),
    (10, 10, 6),
    (20, 1, 2),
    (20, 5, 3),
    (40, 1, 20),
    (40, 5, 2),
];
const POWER: [(usize, usize, usize); 10] = [
    (1, 20, 2),
    (3, 5, 2),
    (4, 10, 2),
    (6, 5, 2),
    (6, 5, 3),
    (8, 1, 2),
    (10, 5, 2),
    (10, 5, 6),
    (20, 5, 2),
    (40, 1, 2),
];

/// Designs whose effects are skewed.
const SKEWED: [(usize, usize, usize); 5] = [(5, 10, 2), (10, 10, 2), (20, 10, 2), (20, 50, 2), (40, 10, 2)];

fn designs(shapes: &[(usize, usize, usize)]) -> Vec<Design> {
    let of = |&(instances, runs, configurations): &(usize, usize, usize)| {
        (0..METRICS.len()).map(move |metric| Design { instances, runs, configurations, metric })
    };
    shapes.iter().flat_map(of).collect()
}

/// The tables of sizes and of powers.
pub(crate) fn sizes_and_powers(seed: u64) -> (String, String) {
    let (null, power) = (designs(&NULL), designs(&POWER));
    let mut measured = null.clone();
    measured.extend(power.iter().filter(|design| !null.contains(design)));
    let work = |design: Design, truth, shift, n| {
        let has_exchanges = design.configurations <= MOST_EXCHANGED;
        Work { design, truth, shift, n, has_exchanges }
    };
    let works: Vec<Work> = measured
        .iter()
        .flat_map(|&design| INTERACTIONS.map(|truth| work(design, truth, 0.0, n_size(design))))
        .chain(
            power
                .iter()
                .flat_map(|&design| INTERACTIONS.map(|truth| work(design, truth, shift(design, truth), N_POWER))),
        )
        .collect();
    let found = in_parallel(&works, seed);
    let (sizes, powers) = found.split_at(2 * measured.len());
    let sizes_of = |design: &Design| {
        let at = measured.iter().position(|other| other == design).expect("sizes of every design are measured");
        &sizes[2 * at..2 * at + 2]
    };
    (size_table(&null, sizes), power_table(&power, sizes_of, powers))
}

/// The sizes of the answer for instances like these where effects are skewed.
pub(crate) fn skewed(seed: u64) -> String {
    let of_metric = |design: &Design| matches!(METRICS[design.metric].0, Metric::Success | Metric::Gap);
    let designs: Vec<Design> = designs(&SKEWED).into_iter().filter(of_metric).collect();
    let work = |&design: &Design| Work { design, truth: Truth::Skewed, shift: 0.0, n: N_SIZE, has_exchanges: true };
    let found = in_parallel(&designs.iter().map(work).collect::<Vec<_>>(), seed);
    let mut table = format!(
        "| instances x runs | metric | {} | covers | {} |\n|---|---|---:|---:|{}\n",
        NAMES[0],
        NAMES[1..].join(" | "),
        "---:|".repeat(NAMES.len() - 1)
    );
    for (Design { instances, runs, metric, .. }, shares) in designs.iter().zip(&found) {
        let _ = write!(table, "| {instances} x {runs} | {} | {} |", METRICS[*metric].1, percent(shares.like[0]));
        let _ = write!(table, " {} |", percent(shares.like_cover));
        let others = shares.like[1..].iter().map(|&share| format!(" {} |", percent(share)));
        let _ = writeln!(table, "{}", others.collect::<String>());
    }
    table
}

/// The power of both answers by the number of instances and of runs, the difference being the same.
pub(crate) fn steps(seed: u64) -> String {
    let instances = (2..=12).map(|instances| (instances, 5));
    let runs = (1..=10).map(|runs| (6, runs));
    let single_runs = (6..=14).map(|instances| (instances, 1));
    let shapes: Vec<(usize, usize)> = instances.chain(runs).chain(single_runs).collect();
    let columns = [(0, INTERACTIONS[0]), (0, INTERACTIONS[1]), (1, INTERACTIONS[0]), (1, INTERACTIONS[1])];
    let work = |instances, runs, (metric, truth)| {
        let design = Design { instances, runs, configurations: 2, metric };
        let middle = Design { instances: 6, runs: 5, ..design };
        Work { design, truth, shift: shift(middle, truth), n: N_SIZE, has_exchanges: false }
    };
    let works: Vec<Work> =
        shapes.iter().flat_map(|&(instances, runs)| columns.map(|column| work(instances, runs, column))).collect();
    let found = in_parallel(&works, seed);
    let mut table = "| instances x runs | success, these | like these | interaction 1: these | like these | gap, these | like these | \
                     interaction 1: these | like these |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for ((instances, runs), shares) in shapes.iter().zip(found.chunks_exact(columns.len())) {
        let _ = write!(table, "| {instances} x {runs} |");
        for shares in shares {
            let _ = write!(table, " {} | {} |", percent(shares.these), percent(shares.like[0]));
        }
        table.push('\n');
    }
    table
}

/// How often a design without a difference is simulated: fewer times with many configurations, whose pairs take long.
fn n_size(design: Design) -> usize {
    match design.configurations {
        0..=3 => N_SIZE,
        4..=6 => N_SIZE / 5,
        _ => N_SIZE / 10,
    }
}

/// How much better the first configuration is, so that powers lie between a half and nine tenths.
fn shift(design: Design, truth: Truth) -> f64 {
    let Truth::Interaction(interaction) = truth else { return 0.0 };
    let k = design.instances as f64;
    let luck = if METRICS[design.metric].0 == Metric::Success { 4.5 } else { 1.2 };
    let few = if design.instances < 5 && design.instances > 1 { 1.6 } else { 1.0 };
    3.2 * few * ((2.0 * luck / design.runs as f64 + interaction * interaction) / k).sqrt()
}

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// The largest size of each candidate over the interactions.
fn worst(shares: &[Shares], at: usize) -> f64 {
    shares.iter().map(|shares| shares.like[at]).fold(0.0, f64::max)
}

/// Whether a candidate was tried with so many configurations.
fn was_made(configurations: usize, at: usize) -> bool {
    configurations <= MOST_EXCHANGED || !matches!(NAMES[at], "sign flips" | "Wilcoxon")
}

fn size_table(designs: &[Design], found: &[Shares]) -> String {
    let mut table = format!(
        "| instances x runs, configurations | metric | these: size | covers | like these: {} | covers | {} |\n|---|---|---:|---:|---:|---:|{}\n",
        NAMES[0],
        NAMES[1..].join(" | "),
        "---:|".repeat(NAMES.len() - 1)
    );
    for (design, shares) in designs.iter().zip(found.chunks_exact(2)) {
        let Design { instances, runs, configurations, metric } = design;
        let _ = write!(table, "| {instances} x {runs}, {configurations} | {} |", METRICS[*metric].1);
        let _ = write!(table, " {} | {} |", percent(shares[0].these), percent(shares[0].these_cover));
        if *instances == 1 {
            let _ = writeln!(table, "{}", " |".repeat(NAMES.len() + 1));
            continue;
        }
        let covered = shares.iter().map(|shares| shares.like_cover).fold(1.0, f64::min);
        let _ = write!(table, " {} | {} |", percent(worst(shares, 0)), percent(covered));
        let others = (1..NAMES.len()).map(|at| {
            if was_made(*configurations, at) { format!(" {} |", percent(worst(shares, at))) } else { " |".to_owned() }
        });
        let _ = writeln!(table, "{}", others.collect::<String>());
    }
    table
}

fn power_table<'s>(designs: &[Design], sizes_of: impl Fn(&Design) -> &'s [Shares], powers: &[Shares]) -> String {
    let mut table = format!(
        "| instances x runs, configurations | metric | interaction | these | like these: {} | {} | share of the best valid |\n|---|---|---:|---:|---:|{}---:|\n",
        NAMES[0],
        NAMES[1..].join(" | "),
        "---:|".repeat(NAMES.len() - 1)
    );
    for (design, powers) in designs.iter().zip(powers.chunks_exact(2)) {
        let sizes = sizes_of(design);
        let Design { instances, runs, configurations, metric } = design;
        for (interaction, power) in [0, 1].iter().zip(powers) {
            let _ = write!(
                table,
                "| {instances} x {runs}, {configurations} | {} | {interaction} | {} |",
                METRICS[*metric].1,
                percent(power.these)
            );
            if *instances == 1 {
                let _ = writeln!(table, "{}", " |".repeat(NAMES.len() + 1));
                continue;
            }
            let is_valid = |at: usize| worst(sizes, at) <= LARGEST_SIZE;
            for at in 0..NAMES.len() {
                if !was_made(*configurations, at) {
                    table.push_str(" |");
                    continue;
                }
                let mark = if is_valid(at) { "" } else { " (not valid)" };
                let _ = write!(table, " {}{mark} |", percent(power.like[at]));
            }
            let best = (0..NAMES.len()).filter(|&at| is_valid(at)).map(|at| power.like[at]).fold(0.0, f64::max);
            let _ = writeln!(table, " {:.2} |", power.like[0] / best);
        }
    }
    table
}
