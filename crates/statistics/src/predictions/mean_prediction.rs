//! Predictions of the means of further runs. A prediction is for a cell or for the whole published table.

use std::collections::BTreeMap;

use crate::distributions::draws::Draws;

/// A cell of a published table of means: our values and the published mean for the same settings.
#[derive(Clone, Debug, PartialEq)]
pub struct MeanCell {
    /// The values of our runs on each instance. The key of the map is the number of the instance.
    pub figures: BTreeMap<usize, Vec<f64>>,
    /// The number of runs from which the published mean was computed.
    pub further: u64,
    /// The published mean.
    pub seen: f64,
}

/// The predicted mean of further runs, compared with a published mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanPrediction {
    /// The lower end of the central 95 % range of the predicted mean.
    pub low: f64,
    /// The upper end of the central 95 % range of the predicted mean.
    pub high: f64,
    /// The two-sided p-value of the published mean, in `(0, 1]`. The p-value is twice the smaller of two shares. The first share counts the
    /// simulated means that are less than or equal to the published mean. The second share counts the simulated means that are greater than
    /// or equal to the published mean. The published mean itself is counted as one more simulated mean.
    pub p_value: f64,
}

/// The prediction for a table of means, made from our runs.
#[derive(Clone, Debug, PartialEq)]
pub struct MeanTablePrediction {
    /// The prediction for each cell.
    pub cells: Vec<MeanPrediction>,
    /// The p-value of the whole table, in `(0, 1]`. Each table has a distance from the expected table. The p-value is the share of
    /// simulated tables that are at least as far from the expected table as the published table is. The published table itself is counted
    /// as one more simulated table.
    pub p_value: f64,
}

/// Number of tables that are simulated.
const SIMULATED_TABLES: usize = 10_000;

/// The largest number of further runs that is drawn. A mean of more runs is treated as a mean of this number of runs.
const MOST_DRAWN_RUNS: u64 = 1000;

/// Predicts the means of further runs in each cell of a table. The prediction is made from our runs on several instances. The result
/// contains p-values of each published mean and of the whole published table. Returns `None` if the table is empty. Also returns `None` if
/// a cell has no values, or if its number of further runs is 0.
///
/// The prediction assumes that all further runs of a cell have different instances. The authors of the published means did not use our
/// instances. If the simulated tables used only our instances, the predicted range would be too narrow. Therefore the function draws the
/// instances of a simulated table from an urn. At the start, the urn contains our instances. Each drawn instance is returned to the urn,
/// and a copy of the instance is added to the urn. Instances that are drawn from this urn follow the predictive distribution of the
/// Bayesian bootstrap. For each drawn instance, one of our runs is drawn, with equal probabilities. A table usually compares settings on
/// the same instances. Therefore cells that have values on the same instances also use the same draws from the urn. The function simulates
/// 10,000 tables. The same seed always gives the same tables. The deviation of a cell is its value minus its mean over the simulated
/// tables. The quotient of a cell is its squared deviation, divided by the variance of the cell's values in the simulated tables. The
/// distance of a table from the expected table is the sum of the quotients of all cells.
///
/// If `as_ratios` is true, a factor that all means have in common is ignored. For example, if the authors used a slower machine, all their
/// times may be longer than ours by the same factor. All means are divided by the geometric mean of their table. The predicted ranges are
/// converted to the unit of the published means. The means must be above 0.
///
/// If there are few instances, the range is too narrow. The range does not take other kinds of instances into account. If all values are
/// equal, the width of the range is 0. The values must be finite.
///
/// Source: A. Y. Lo, "A Bayesian bootstrap for a finite population", Annals of Statistics 16(4), 1988, pages 1684 to 1695.
///
/// # Panics
/// If there are 2^31 instances or more. If one instance has 2^31 values or more.
///
/// # Example
/// ```
/// use evogrid_statistics::{MeanCell, predict_means};
///
/// // A run on each of 100 instances, 30 of them 1: the mean of 20 further ones, by scipy.stats.betabinom(20, 30, 70), lies
/// // between 0.1 and 0.55.
/// let figures = (0..100).map(|at| (at, vec![f64::from(u8::from(at < 30))])).collect();
/// let table = predict_means(&[MeanCell { figures, further: 20, seen: 0.8 }], false, 3).unwrap();
/// assert!((table.cells[0].low - 0.1).abs() < 1e-12 && (table.cells[0].high - 0.55).abs() < 1e-12);
/// assert!(table.p_value < 0.001);
/// ```
pub fn predict_means(cells: &[MeanCell], as_ratios: bool, seed: u64) -> Option<MeanTablePrediction> {
    let cells: Vec<CellUrn<'_>> = CellUrn::of_table(cells)?;
    let seen: Vec<f64> = cells.iter().map(|cell| cell.seen).collect();
    let (seen, factor) = if as_ratios { ratios(&seen) } else { (seen, 0.0) };
    let mut random = Draws::from_seed(seed);
    let tables: Vec<Vec<f64>> = (0..SIMULATED_TABLES)
        .map(|_| {
            let means = draw(&cells, &mut random);
            if as_ratios { ratios(&means).0 } else { means }
        })
        .collect();
    let printed = |value: f64| if as_ratios { (value + factor).exp() } else { value };
    let (mut predictions, mut distances, mut observed) = (Vec::new(), vec![0.0; SIMULATED_TABLES], 0.0);
    for (at, &seen) in seen.iter().enumerate() {
        let means: Vec<f64> = tables.iter().map(|table| table[at]).collect();
        let (middle, variance) = mean_and_variance(&means);
        let distance = |mean: f64| {
            let squared = (mean - middle).powi(2);
            if squared <= 1e-24 * middle.powi(2) { 0.0 } else { squared / variance }
        };
        distances.iter_mut().zip(&means).for_each(|(sum, &mean)| *sum += distance(mean));
        observed += distance(seen);
        let MeanPrediction { low, high, p_value } = predict(means, seen, middle);
        predictions.push(MeanPrediction { low: printed(low), high: printed(high), p_value });
    }
    // The sum of equal distances may depend on the order of the cells.
    let farther = distances.iter().filter(|&&distance| distance >= observed * (1.0 - 1e-12)).count();
    Some(MeanTablePrediction { cells: predictions, p_value: (farther + 1) as f64 / (SIMULATED_TABLES + 1) as f64 })
}

/// A cell, and the urn of instances from which it draws.
struct CellUrn<'a> {
    figures: Vec<&'a [f64]>,
    drawn: usize,
    seen: f64,
    urn: usize,
}

impl<'a> CellUrn<'a> {
    /// Cells with figures on the same instances share an urn.
    fn of_table(cells: &'a [MeanCell]) -> Option<Vec<Self>> {
        let mut urns: Vec<Vec<usize>> = Vec::new();
        let urns_of_cells = cells.iter().map(|cell| {
            let figures = || cell.figures.iter().filter(|(_, figures)| !figures.is_empty());
            let instances: Vec<usize> = figures().map(|(&instance, _)| instance).collect();
            if instances.is_empty() || cell.further == 0 {
                return None;
            }
            let known = urns.iter().position(|urn| *urn == instances);
            let urn = known.unwrap_or_else(|| {
                urns.push(instances);
                urns.len() - 1
            });
            let drawn = cell.further.min(MOST_DRAWN_RUNS) as usize;
            Some(Self {
                figures: figures().map(|(_, figures)| figures.as_slice()).collect(),
                drawn,
                seen: cell.seen,
                urn,
            })
        });
        urns_of_cells.collect::<Option<Vec<_>>>().filter(|cells| !cells.is_empty())
    }
}

/// The means of one simulated table.
fn draw(cells: &[CellUrn<'_>], random: &mut Draws) -> Vec<f64> {
    // For each urn the instances in it, ours first, then a copy of each that was drawn.
    let mut urns: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let means = cells.iter().map(|cell| {
        let n = cell.figures.len();
        let urn = urns.entry(cell.urn).or_insert_with(|| (0..n).collect());
        while urn.len() < n + cell.drawn {
            urn.push(urn[random.below(urn.len())]);
        }
        let figures = urn[n..n + cell.drawn].iter().map(|&instance| {
            let figures = cell.figures[instance];
            figures[random.below(figures.len())]
        });
        figures.sum::<f64>() / cell.drawn as f64
    });
    means.collect()
}

/// The logarithms of the means divided by their geometric mean, and the logarithm of this geometric mean.
fn ratios(means: &[f64]) -> (Vec<f64>, f64) {
    let logarithms: Vec<f64> = means.iter().map(|mean| mean.ln()).collect();
    let middle = logarithms.iter().sum::<f64>() / logarithms.len() as f64;
    (logarithms.iter().map(|logarithm| logarithm - middle).collect(), middle)
}

fn mean_and_variance(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().map(|value| value / n).sum::<f64>();
    (mean, values.iter().map(|value| (value - mean).powi(2) / n).sum())
}

/// The central 95 % range of the simulated means, and the p-value of a published mean.
fn predict(mut means: Vec<f64>, seen: f64, middle: f64) -> MeanPrediction {
    means.sort_by(f64::total_cmp);
    // A rounding error must not separate a published mean from an equal mean of ours.
    let slack = 1e-12 * middle.abs();
    let lower = means.partition_point(|&mean| mean <= seen + slack);
    let upper = means.len() - means.partition_point(|&mean| mean < seen - slack);
    let p_value = 2.0 * (lower.min(upper) + 1) as f64 / (means.len() + 1) as f64;
    let tail = means.len() / 40;
    MeanPrediction { low: means[tail - 1], high: means[means.len() - tail], p_value: p_value.min(1.0) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A cell of one run on each instance.
    fn cell(figures: &[f64], further: u64, seen: f64) -> MeanCell {
        MeanCell { figures: figures.iter().map(|&figure| vec![figure]).enumerate().collect(), further, seen }
    }

    fn predict_mean(figures: &[f64], further: u64, seen: f64, seed: u64) -> Option<MeanPrediction> {
        predict_means(&[cell(figures, further, seen)], false, seed).map(|table| table.cells[0])
    }

    #[test]
    fn of_two_values_it_is_a_beta_binomial_count() {
        // scipy.stats.betabinom(20, 30, 70).ppf([0.025, 0.975]) and twice its sf(10).
        let sample: Vec<f64> = (0..100).map(|i| f64::from(i < 30)).collect();
        let found = predict_mean(&sample, 20, 0.55, 3).unwrap();
        assert!((found.low - 2.0 / 20.0).abs() < 1e-12 && (found.high - 11.0 / 20.0).abs() < 1e-12, "{found:?}");
        // Five standard errors of twice a share of 10,000.
        assert!((found.p_value - 0.05408063356017889).abs() < 0.015, "{found:?}");
    }

    #[test]
    fn as_many_further_runs_leave_our_own_error() {
        let sample: Vec<f64> = (0..400).map(f64::from).collect();
        // A standard error of 115.47 √(1/m + 1/400), and a range of 1.96 of them on either side.
        let found = predict_mean(&sample, 400, 199.5, 1).unwrap();
        let half = 1.96 * 115.47 * (2.0f64 / 400.0).sqrt();
        assert!(((found.high - found.low) / (2.0 * half) - 1.0).abs() < 0.05, "{found:?}");
        assert!(found.p_value > 0.9, "{found:?}");
        assert_eq!(predict_mean(&sample, 1_000_000, 199.5, 1), predict_mean(&sample, 1000, 199.5, 1));
    }

    #[test]
    fn without_runs_there_is_no_mean_and_equal_ones_have_no_width() {
        assert_eq!((predict_mean(&[], 10, 1.0, 1), predict_mean(&[1.0], 0, 1.0, 1)), (None, None));
        assert_eq!(predict_means(&[], false, 1), None);
        let equal = predict_means(&[cell(&[0.1; 7], 3, 0.1)], false, 1).unwrap();
        assert!((equal.cells[0].low - 0.1).abs() < 1e-12 && (equal.cells[0].p_value, equal.p_value) == (1.0, 1.0));
        let far = predict_means(&[cell(&[0.1; 7], 3, 0.2)], false, 1).unwrap();
        assert_eq!((far.cells[0].p_value, far.p_value), (2.0 / 10_001.0, 1.0 / 10_001.0));
    }

    #[test]
    fn runs_on_few_instances_predict_less_than_as_many_on_instances_of_their_own() {
        // Ten instances, each with ten runs of one figure, against a hundred with one run each.
        let figures: Vec<f64> = (0..100).map(|at| f64::from(at / 10)).collect();
        let clustered =
            MeanCell { figures: (0..10).map(|at| (at, vec![at as f64; 10])).collect(), ..cell(&figures, 10, 6.5) };
        let width = |found: MeanPrediction| found.high - found.low;
        let clustered = predict_means(&[clustered], false, 1).unwrap();
        assert!(width(clustered.cells[0]) > 1.2 * width(predict_mean(&figures, 10, 6.5, 1).unwrap()));
    }

    #[test]
    fn cells_on_the_same_instances_deviate_together() {
        // The second cell is the first times two: a table off by half in both is nothing but the same instances drawn.
        let first = cell(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], 4, 7.0);
        let second = MeanCell { figures: first.figures.clone(), ..first.clone() };
        let elsewhere = MeanCell {
            figures: first.figures.iter().map(|(at, figures)| (at + 100, figures.clone())).collect(),
            ..first.clone()
        };
        let together = predict_means(&[first.clone(), second], false, 1).unwrap().p_value;
        let apart = predict_means(&[first, elsewhere], false, 1).unwrap().p_value;
        assert!(together > 1.5 * apart, "{together} {apart}");
    }

    #[test]
    fn as_ratios_a_common_factor_is_nothing() {
        let cells = |factor: f64| {
            let one = |at: f64| cell(&[at, 1.1 * at, 0.9 * at, 1.2 * at], 5, factor * at);
            [one(1.0), one(3.0), one(10.0)]
        };
        let [one, thousand] = [1.0, 1000.0].map(|factor| predict_means(&cells(factor), true, 1).unwrap());
        assert!((one.p_value - thousand.p_value).abs() < 1e-9 && one.p_value > 0.5, "{one:?}");
        assert!((thousand.cells[2].low / one.cells[2].low - 1000.0).abs() < 1e-6);
        let mut wrong = cells(1.0);
        wrong[1].seen *= 3.0;
        assert!(predict_means(&wrong, true, 1).unwrap().p_value < 0.001);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn the_range_is_where_the_p_value_is_above_five_percent(
            sample in prop::collection::vec(0.0..1e4f64, 1..30), further in 1u64..40, part in -0.2..1.2f64, seed: u64,
        ) {
            let most = sample.iter().fold(0.0f64, |a, &b| a.max(b));
            let found = predict_mean(&sample, further, part * most, seed).unwrap();
            prop_assert!(-1e-9 <= found.low && found.low <= found.high && found.high <= most + 1e-9);
            prop_assert!(found.p_value > 0.0 && found.p_value <= 1.0);
            prop_assert_eq!(found.low <= part * most && part * most <= found.high, found.p_value > 0.05);
        }
    }
}
