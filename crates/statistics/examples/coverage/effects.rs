//! How often the answers of `runner effects` are right: the set that holds the best, the tests of settings and interactions, the intervals of
//! differences, and shares.

use std::fmt::Write;

use evogrid_statistics::{Confidence, best_set, contrast_test, factorial_terms, mean_estimate, shapley_shares};

use crate::random::Random;

/// The levels of the three settings of the grid.
const LEVELS: [usize; 3] = [3, 2, 2];
const CELLS: usize = 12;
const N_EXPERIMENTS: u32 = 2000;

/// How runs are judged.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Solved or not; instances differ in difficulty.
    Rates,
    /// Gaps above 0, skewed; an instance multiplies all of them.
    Gaps,
}

/// The effects of the levels of the first setting, and of both levels of the second and the third; on a scale of logits or of logarithms.
struct Truth {
    first: [f64; 3],
    second: f64,
    /// How much larger the effect of the second is at the second level of the third.
    interaction: f64,
}

const NONE: Truth = Truth { first: [0.0; 3], second: 0.0, interaction: 0.0 };
const SOME: Truth = Truth { first: [0.0, 0.2, 0.4], second: 0.3, interaction: 0.5 };

impl Truth {
    fn of(&self, cell: usize) -> f64 {
        let [first, second, third] = [cell / 4, cell / 2 % 2, cell % 2];
        self.first[first] + if second == 1 { self.second + self.interaction * third as f64 } else { 0.0 }
    }
}

/// The mean costs of the cells on each of some instances.
fn costs(random: &mut Random, kind: Kind, truth: &Truth, (instances, runs): (usize, usize)) -> Vec<Vec<f64>> {
    let mut costs = vec![Vec::new(); CELLS];
    for _ in 0..instances {
        let own = random.normal();
        for (cell, costs) in costs.iter_mut().enumerate() {
            // An instance likes some configurations more than others.
            let level = own + truth.of(cell) + 0.3 * random.normal();
            let run = |random: &mut Random| match kind {
                Kind::Rates => -f64::from(u8::from(random.unit() < 1.0 / (1.0 + level.exp()))),
                Kind::Gaps => level.exp() * random.gamma(2.0) / 2.0,
            };
            costs.push((0..runs).map(|_| run(random)).sum::<f64>() / runs as f64);
        }
    }
    costs
}

/// The table: in how many per cent of the experiments each answer is wrong, or holds the truth.
pub(crate) fn table(random: &mut Random) -> String {
    let mut table = "| runs judged by | instances x runs | all equal: the set omits configuration 1 | a false effect of a setting | a false interaction | differing: the set omits the best configuration | interval contains the difference | mean share of a setting | true share |\n\
                     |---|---|---:|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for (kind, name) in [(Kind::Rates, "success"), (Kind::Gaps, "gap")] {
        let truths = [NONE, SOME].map(|truth| means(random, kind, &truth));
        for shape in [(6, 1), (6, 10), (10, 1), (10, 5), (30, 3), (40, 1), (100, 1)] {
            let (wrong, mean_share) = row(random, kind, shape, &truths[1]);
            let _ = write!(table, "| {name} | {} x {} |", shape.0, shape.1);
            for count in wrong {
                let _ = write!(table, " {:.1} |", 100.0 * f64::from(count) / f64::from(N_EXPERIMENTS));
            }
            let truth = shapley_shares(3, &factorial_terms(&LEVELS, &truths[1], 0.0))[1];
            let _ = writeln!(table, " {:.0} | {:.0} |", 100.0 * mean_share, 100.0 * truth);
        }
    }
    table
}

/// The true mean cost of each cell, over many instances with the same draws for all.
fn means(random: &mut Random, kind: Kind, truth: &Truth) -> Vec<f64> {
    let costs = costs(random, kind, truth, (400_000, 1));
    costs.iter().map(|costs| costs.iter().sum::<f64>() / costs.len() as f64).collect()
}

fn row(random: &mut Random, kind: Kind, shape: (usize, usize), truth: &[f64]) -> ([u32; 5], f64) {
    let (mut counts, mut shares) = ([0; 5], 0.0);
    let best = (0..CELLS).min_by(|&one, &other| truth[one].total_cmp(&truth[other])).expect("there are cells");
    let difference = margin(truth, |cell| cell / 4 == 2) - margin(truth, |cell| cell / 4 == 0);
    for _ in 0..N_EXPERIMENTS {
        let none = costs(random, kind, &NONE, shape);
        let some = costs(random, kind, &SOME, shape);
        let levels = contrasts(&none, 3, |cell| cell / 4);
        let told = [
            !best_set(&none, Confidence::PERCENT_95)[0],
            contrast_test(&levels) < 0.05,
            contrast_test(&interaction(&none)) < 0.05,
            !best_set(&some, Confidence::PERCENT_95)[best],
            holds_difference(&some, difference),
        ];
        shares += share(&some);
        counts.iter_mut().zip(told).for_each(|(count, is_so)| *count += u32::from(is_so));
    }
    (counts, shares / f64::from(N_EXPERIMENTS))
}

/// The mean over some cells.
fn margin(values: &[f64], is_in: impl Fn(usize) -> bool) -> f64 {
    let chosen: Vec<f64> =
        values.iter().enumerate().filter(|(cell, _)| is_in(*cell)).map(|(_, value)| *value).collect();
    chosen.iter().sum::<f64>() / chosen.len() as f64
}

/// The mean over some cells, on each instance.
fn margins(costs: &[Vec<f64>], is_in: impl Fn(usize) -> bool) -> Vec<f64> {
    (0..costs[0].len()).map(|at| margin(&costs.iter().map(|costs| costs[at]).collect::<Vec<_>>(), &is_in)).collect()
}

/// How far each level of a setting is from the mean of all, on each instance.
fn contrasts(costs: &[Vec<f64>], levels: usize, level: impl Fn(usize) -> usize) -> Vec<Vec<f64>> {
    let all = margins(costs, |_| true);
    let own = |at: usize| margins(costs, |cell| level(cell) == at);
    (0..levels).map(|at| own(at).iter().zip(&all).map(|(own, all)| own - all).collect()).collect()
}

/// The interaction of the second and the third setting, on each instance.
fn interaction(costs: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let at = |second: usize, third: usize| margins(costs, |cell| cell / 2 % 2 == second && cell % 2 == third);
    let [a, b, c, d] = [at(0, 0), at(0, 1), at(1, 0), at(1, 1)];
    vec![(0..a.len()).map(|at| a[at] - b[at] - c[at] + d[at]).collect()]
}

fn holds_difference(costs: &[Vec<f64>], truth: f64) -> bool {
    let [last, first] = [2, 0].map(|level| margins(costs, |cell| cell / 4 == level));
    let differences: Vec<f64> = last.iter().zip(first).map(|(last, first)| last - first).collect();
    let interval = mean_estimate(&differences).and_then(|estimate| estimate.interval);
    interval.is_some_and(|interval| interval.contains(truth))
}

/// The share of the second setting with its part of interactions, without what other instances would change.
fn share(costs: &[Vec<f64>]) -> f64 {
    let n = costs[0].len() as f64;
    let means: Vec<f64> = costs.iter().map(|costs| costs.iter().sum::<f64>() / n).collect();
    let grand = means.iter().sum::<f64>() / CELLS as f64;
    let all = margins(costs, |_| true);
    let squares = costs
        .iter()
        .zip(&means)
        .flat_map(|(costs, mean)| costs.iter().zip(&all).map(move |(cost, all)| (cost - mean - all + grand).powi(2)));
    let noise = squares.sum::<f64>() / (CELLS as f64 - 1.0) / (n - 1.0) / n;
    shapley_shares(3, &factorial_terms(&LEVELS, &means, noise))[1]
}
