//! Effects of the settings of a complete grid: main effects, interactions of two settings, and shares of the variance.

use evogrid_statistics::{
    FactorialTerm, Interval, contrast_test, factorial_terms, holm, mean_estimate, shapley_shares,
};

use super::grid::Grid;
use crate::ranking::Responses;

/// The effects of the settings of a complete grid.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SettingEffects {
    /// The grid.
    pub grid: Grid,
    /// The effect of each setting, averaged over all other settings.
    pub main: Vec<MainEffect>,
    /// The interaction of each pair of settings. The interaction with the largest share comes first.
    pub interactions: Vec<Interaction>,
    /// The share of the variance that all interactions of three or more settings explain together.
    pub higher: f64,
    /// The decomposition of the variance of the means. The variance that comes from the choice of instances or repetitions is subtracted.
    pub terms: Vec<FactorialTerm>,
}

/// The effect of a setting, averaged over all other settings.
#[derive(Clone, Debug, PartialEq)]
pub struct MainEffect {
    /// The name of the setting.
    pub name: String,
    /// Each level.
    pub levels: Vec<LevelEffect>,
    /// The share of the variance that the setting alone explains, from 0 to 1.
    pub share: f64,
    /// The share of the variance that the setting explains alone and in its interactions. The share is from 0 to 1. The share of each
    /// interaction is divided equally among its settings (Shapley).
    pub total_share: f64,
    /// The p-value with Holm's correction over the settings. The hypothesis is that all levels have the same mean.
    pub p_value: f64,
}

/// A level of a setting, with the mean at this level.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelEffect {
    /// The value.
    pub level: String,
    /// The mean over all configurations with this level, in the unit of the effects.
    pub mean: f64,
    /// The difference between this mean and the mean of the first level, with a 95 % interval. If the difference is the same in all blocks,
    /// the interval is `None`.
    pub difference: Option<(f64, Option<Interval>)>,
}

/// The interaction of two settings. Two settings interact if the effect of one setting depends on the other setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Interaction {
    /// The names of the settings.
    pub names: [String; 2],
    /// The mean at each pair of levels, in the unit of the effects. Each inner list belongs to one level of the first setting.
    pub means: Vec<Vec<f64>>,
    /// The share of the variance that the interaction explains, from 0 to 1. The share does not include the effects of each setting alone.
    pub share: f64,
    /// The p-value with Holm's correction over all pairs of settings. The hypothesis is that the two settings do not interact.
    pub p_value: f64,
}

/// Two factors, the marginal means of the combinations of their levels, and the p-value of their interaction.
type TestedPair = ([usize; 2], Vec<Vec<f64>>, f64);

impl SettingEffects {
    /// The effects on a grid.
    pub(super) fn new(grid: Grid, responses: &Responses) -> Self {
        let blocks: Vec<Vec<f64>> = (0..responses.places.len())
            .map(|block| grid.cells.iter().map(|&cell| responses.costs[cell][block]).collect())
            .collect();
        let (sizes, noise) = (grid.sizes(), noise(&blocks));
        let terms = factorial_terms(&sizes, &mean_of(&blocks), noise);
        let all: f64 = terms.iter().map(|term| term.variance).sum();
        let share = |set: usize| if all > 0.0 { terms[set - 1].variance / all } else { 0.0 };
        let n = grid.factors.len();
        let shapley = shapley_shares(n, &terms);
        let margins: Vec<Vec<Vec<f64>>> = (0..n).map(|factor| margins(&grid, &blocks, &[factor])).collect();
        let p_values = holm(&margins.iter().map(|margins| contrast_test(&centred(margins))).collect::<Vec<_>>());
        let shown = |cost: f64| responses.unit.shown(cost);
        let main = (0..n).map(|factor| MainEffect {
            name: grid.factors[factor].name.clone(),
            levels: levels(&grid.factors[factor].levels, &margins[factor], shown),
            share: share(1 << factor),
            total_share: shapley[factor],
            p_value: p_values[factor],
        });
        let main: Vec<MainEffect> = main.collect();
        let pairs = (0..n).flat_map(|one| (one + 1..n).map(move |other| [one, other]));
        let tested: Vec<TestedPair> = pairs
            .map(|pair| {
                let both = self::margins(&grid, &blocks, &pair);
                let test = contrast_test(&interaction(&both, pair, &margins));
                (pair, both, test)
            })
            .collect();
        let p_values = holm(&tested.iter().map(|&(.., test)| test).collect::<Vec<_>>());
        let interaction = |((pair, both, _), p_value): (&TestedPair, f64)| {
            let mean = |values: &Vec<f64>| shown(values.iter().sum::<f64>() / values.len() as f64);
            let rows = both.chunks(grid.factors[pair[1]].levels.len());
            Interaction {
                names: pair.map(|factor| grid.factors[factor].name.clone()),
                means: rows.map(|row| row.iter().map(mean).collect()).collect(),
                share: share(1 << pair[0] | 1 << pair[1]),
                p_value,
            }
        };
        let mut interactions: Vec<Interaction> = tested.iter().zip(p_values).map(interaction).collect();
        interactions.sort_by(|one, other| other.share.total_cmp(&one.share));
        let higher = terms.iter().filter(|term| term.factors.count_ones() > 2).map(|term| term.variance).sum::<f64>();
        let higher = if all > 0.0 { higher / all } else { 0.0 };
        Self { grid, main, interactions, higher, terms }
    }
}

/// The variance that the mean of a cell would have over other blocks like these. Changes that are equal for all cells are excluded. The
/// variance is the residual mean square of cells and blocks, divided by the number of blocks. With a single block it is 0.
fn noise(blocks: &[Vec<f64>]) -> f64 {
    let means = mean_of(blocks);
    let (n_cells, n_blocks) = (means.len() as f64, blocks.len() as f64);
    let grand = means.iter().sum::<f64>() / n_cells;
    let squares = blocks.iter().map(|block| {
        let shift = block.iter().sum::<f64>() / n_cells - grand;
        block.iter().zip(&means).map(|(cost, mean)| (cost - mean - shift).powi(2)).sum::<f64>()
    });
    let degrees = (n_cells - 1.0) * (n_blocks - 1.0);
    if degrees > 0.0 { squares.sum::<f64>() / degrees / n_blocks } else { 0.0 }
}

/// The mean of each cell over all blocks.
fn mean_of(blocks: &[Vec<f64>]) -> Vec<f64> {
    let mut means = vec![0.0; blocks[0].len()];
    for block in blocks {
        means.iter_mut().zip(block).for_each(|(mean, cost)| *mean += cost);
    }
    means.iter_mut().for_each(|mean| *mean /= blocks.len() as f64);
    means
}

/// The marginal means: in each block, the mean over all cells with the same levels of these factors. The last factor changes fastest.
fn margins(grid: &Grid, blocks: &[Vec<f64>], factors: &[usize]) -> Vec<Vec<f64>> {
    let n: usize = factors.iter().map(|&factor| grid.factors[factor].levels.len()).product();
    let place = |cell: usize| {
        factors.iter().fold(0, |place, &factor| place * grid.factors[factor].levels.len() + grid.level(factor, cell))
    };
    let places: Vec<usize> = (0..grid.cells.len()).map(place).collect();
    let in_each = (grid.cells.len() / n) as f64;
    let mut margins = vec![vec![0.0; blocks.len()]; n];
    for (at, block) in blocks.iter().enumerate() {
        block.iter().zip(&places).for_each(|(cost, &place)| margins[place][at] += cost / in_each);
    }
    margins
}

/// In each block, each marginal mean minus the mean of all marginal means.
fn centred(margins: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let means = mean_of(margins);
    margins.iter().map(|margin| margin.iter().zip(&means).map(|(own, mean)| rounded(own - mean)).collect()).collect()
}

/// In each block, the difference between the mean of each pair of levels and the sum of the single effects of these levels.
fn interaction(both: &[Vec<f64>], [one, other]: [usize; 2], single: &[Vec<Vec<f64>>]) -> Vec<Vec<f64>> {
    let grand = mean_of(&single[one]);
    let n_other = single[other].len();
    let contrast = |(place, margin): (usize, &Vec<f64>)| {
        let (first, second) = (&single[one][place / n_other], &single[other][place % n_other]);
        (0..margin.len()).map(|at| rounded(margin[at] - first[at] - second[at] + grand[at])).collect()
    };
    both.iter().enumerate().map(contrast).collect()
}

/// The difference, or 0 if it is only a rounding error.
fn rounded(difference: f64) -> f64 {
    if difference.abs() < 1e-9 { 0.0 } else { difference }
}

/// The means of the levels, and their differences from the first level.
fn levels(names: &[String], margins: &[Vec<f64>], shown: impl Fn(f64) -> f64) -> Vec<LevelEffect> {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let level = |(at, (name, margin)): (usize, (&String, &Vec<f64>))| {
        let differences: Vec<f64> =
            margin.iter().zip(&margins[0]).map(|(own, first)| rounded(shown(*own) - shown(*first))).collect();
        let estimate = mean_estimate(&differences).filter(|_| at > 0);
        LevelEffect {
            level: name.clone(),
            mean: shown(mean(margin)),
            difference: estimate.map(|estimate| (estimate.mean, estimate.interval)),
        }
    };
    names.iter().zip(margins).enumerate().map(level).collect()
}
