//! A test whether a whole published table agrees with our table.

use crate::distributions::draws::Draws;
use crate::predictions::count_prediction::{posterior, weights};

/// A cell of a table of success rates: our counts and the published counts for the same settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableCell {
    /// The number of our solved runs.
    pub solved: u64,
    /// The number of our runs.
    pub runs: u64,
    /// The number of solved runs among the published runs.
    pub further_solved: u64,
    /// The number of the published runs.
    pub further: u64,
}

/// Computes the p-value, in `(0, 1]`, of a whole table of published success rates. The hypothesis: in each cell, the published runs and our
/// runs have the same success rate. Different cells may have different success rates.
///
/// Under this hypothesis, the count `K` of a cell has the beta-binomial distribution of [`predict_count`](crate::predict_count). Let `E` be
/// the mean of `K`, and `V` its variance. The distance of a table from the expected counts is the sum of `(K - E)²/V` over its cells. The
/// p-value is the share of simulated tables that are at least as far from the expected counts as the published table is. The published
/// table itself is counted as one more simulated table. So the p-value is never below `1/(tables + 1)`. With 20,000 simulated tables, the
/// standard error of the p-value is at most 0.0036. The same seed always gives the same p-value.
///
/// The cells must be independent, given our runs. Cells without published runs are omitted. If there are no cells, the p-value is 1. The
/// time and memory of the function are proportional to the number of published runs.
///
/// Source: A. C. Davison and D. V. Hinkley, "Bootstrap Methods and their Application", 1997, chapter 4.
///
/// # Panics
/// If the number of solved runs in a cell exceeds the number of all runs in this cell.
///
/// # Example
/// ```
/// use evogrid_statistics::{TableCell, joint_p_value};
///
/// // One cell: the share of counts as far from the mean, 0.01495 by scipy.stats.betabinom.
/// let far = TableCell { solved: 85, runs: 100, further_solved: 5, further: 10 };
/// assert!((joint_p_value(&[far], 20_000, 1) - 0.01495).abs() < 0.005);
/// let near = TableCell { further_solved: 8, ..far };
/// assert!(joint_p_value(&[near; 4], 20_000, 1) > 0.9);
/// ```
pub fn joint_p_value(cells: &[TableCell], tables: usize, seed: u64) -> f64 {
    let cells: Vec<CellPrediction> = cells.iter().filter(|cell| cell.further > 0).map(CellPrediction::new).collect();
    // The sum of equal distances may depend on the order of the cells.
    let observed = cells.iter().map(|cell| cell.distance(cell.seen)).sum::<f64>() * (1.0 - 1e-12);
    let mut random = Draws::from_seed(seed);
    let farther = (0..tables).filter(|_| {
        let distance: f64 = cells.iter().map(|cell| cell.distance(cell.draw(&mut random))).sum();
        distance >= observed
    });
    (farther.count() + 1) as f64 / (tables + 1) as f64
}

/// The distribution of a cell's published count, as our runs predict it.
struct CellPrediction {
    seen: f64,
    mean: f64,
    variance: f64,
    /// The cumulative probabilities of the counts, up to a common factor.
    sums: Vec<f64>,
}

impl CellPrediction {
    fn new(cell: &TableCell) -> Self {
        let TableCell { solved, runs, further_solved, further } = *cell;
        assert!(
            further_solved <= further,
            "the number of solved runs, {further_solved}, exceeds the number of runs, {further}"
        );
        let ((a, b), m) = (posterior(solved, runs), further as f64);
        let mut sums = weights(a, b, further);
        let mut sum = 0.0;
        sums.iter_mut().for_each(|weight| {
            sum += *weight;
            *weight = sum;
        });
        Self {
            seen: further_solved as f64,
            mean: m * a / (a + b),
            variance: m * a * b * (a + b + m) / ((a + b) * (a + b) * (a + b + 1.0)),
            sums,
        }
    }

    fn distance(&self, count: f64) -> f64 {
        (count - self.mean) * (count - self.mean) / self.variance
    }

    fn draw(&self, random: &mut Draws) -> f64 {
        let last = self.sums.len() - 1;
        let at = random.unit() * self.sums[last];
        self.sums.partition_point(|&sum| sum <= at).min(last) as f64
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cell(solved: u64, runs: u64, further_solved: u64, further: u64) -> TableCell {
        TableCell { solved, runs, further_solved, further }
    }

    /// Fails unless the p-value of a table is the exact one, up to five standard errors of 20,000 simulated tables.
    #[track_caller]
    fn expect_p_value(cells: &[TableCell], exact: f64) {
        let found = joint_p_value(cells, 20_000, 1);
        let error = (exact * (1.0 - exact) / 20_000.0f64).sqrt();
        assert!((found - exact).abs() < 5.0 * error + 1e-4, "{found} instead of {exact}");
    }

    #[test]
    fn a_single_cell_has_the_share_of_counts_as_far_from_the_mean() {
        // 85 of 100: a mean of 8.465 of 10 and 1.189 for the standard deviation. scipy.stats.betabinom.pmf, summed.
        let golden = [
            (5, 0.014951812352979287),
            (6, 0.062347178694566886),
            (7, 0.4001423191937141),
            (8, 0.9999999999999992),
            (10, 0.2661909363286865),
        ];
        for (seen, golden) in golden {
            expect_p_value(&[cell(85, 100, seen, 10)], golden);
        }
    }

    #[test]
    fn many_cells_a_little_low_are_found_together() {
        // Of 24 such cells the distance follows from the sums of the counts and of their squares, whose distribution was computed exactly.
        let low = [cell(850, 1000, 7, 10); 24];
        expect_p_value(&low[..1], 0.37916649368267963);
        expect_p_value(&low, 0.02416851887905581);
        expect_p_value(&[cell(850, 1000, 8, 10); 24], 0.999999999998581);
    }

    #[test]
    fn a_deviation_counts_by_what_its_own_cell_varies() {
        // Summed over all pairs of counts. Without the variances it were 0.62, and with those of binomial counts 0.09.
        expect_p_value(&[cell(950, 1000, 7, 10), cell(5, 10, 22, 40)], 0.01042081727252583);
        // And 0.22, and 0.16, over all triples.
        expect_p_value(&[cell(95, 100, 8, 10), cell(5, 10, 12, 40), cell(30, 60, 13, 20)], 0.0730558830210525);
    }

    #[test]
    fn a_table_without_runs_says_nothing() {
        assert_eq!(joint_p_value(&[], 100, 1), 1.0);
        assert_eq!(joint_p_value(&[cell(3, 10, 0, 0)], 100, 1), 1.0);
        assert_eq!(joint_p_value(&[cell(1000, 1000, 0, 50)], 100, 1), 1.0 / 101.0);
    }

    /// A cell whose published runs are drawn one by one. With Jeffreys' prior the next run is solved with the probability `(solved + 1/2) /
    /// (runs + 1)`, where all earlier runs count (Polya's urn): this check shares no code with what it tests.
    fn with_drawn_runs(ours: &TableCell, random: &mut Draws) -> TableCell {
        let (mut solved, mut further_solved) = (ours.solved as f64, 0);
        for before in 0..ours.further {
            let runs = (ours.runs + before) as f64;
            if random.unit() * (runs + 1.0) < solved + 0.5 {
                solved += 1.0;
                further_solved += 1;
            }
        }
        TableCell { further_solved, ..*ours }
    }

    #[test]
    fn tables_drawn_from_our_rates_have_uniform_p_values() {
        let mut random = Draws::from_seed(5);
        let ours: Vec<TableCell> = (0..8).map(|i| cell(40 + 7 * i, 100, 0, 40)).collect();
        let p_values: Vec<f64> = (0..400)
            .map(|table| {
                let drawn: Vec<TableCell> = ours.iter().map(|cell| with_drawn_runs(cell, &mut random)).collect();
                joint_p_value(&drawn, 199, table)
            })
            .collect();
        for share in [0.1, 0.25, 0.5, 0.75, 0.9] {
            let below = p_values.iter().filter(|&&p_value| p_value <= share).count() as f64;
            // Four standard deviations of a binomial count.
            let deviation = (400.0 * share * (1.0 - share)).sqrt();
            assert!((below - 400.0 * share).abs() < 4.0 * deviation, "{below} of 400 are at most {share}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn solved_and_unsolved_may_be_exchanged(
            table in prop::collection::vec((0u64..100, 0u64..100, 0u64..10, 0u64..10), 0..6), seed: u64,
        ) {
            let cells: Vec<TableCell> = table.iter().map(|&(a, b, c, d)| cell(a, a + b, c, c + d)).collect();
            let mirror: Vec<TableCell> = table.iter().map(|&(a, b, c, d)| cell(b, a + b, d, c + d)).collect();
            let (found, mirrored) = (joint_p_value(&cells, 2000, seed), joint_p_value(&mirror, 2000, !seed));
            prop_assert!(found > 0.0 && found <= 1.0);
            // Six standard errors of the difference.
            prop_assert!((found - mirrored).abs() < 0.1, "{} and {}", found, mirrored);
        }
    }
}
