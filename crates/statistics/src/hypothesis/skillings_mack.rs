//! Skillings and Mack's test compares several treatments on blocks. Some treatments may be missing in some blocks.

use crate::distributions::chi_squared;
use crate::hypothesis::friedman::FriedmanTest;
use crate::hypothesis::ranks::ranks;

/// Performs the test of Skillings and Mack, with a correction for ties. The test shows whether several treatments differ on the same
/// blocks. Some treatments may be missing in some blocks.
///
/// A block has one entry per treatment, always in the same order. An entry is a number, or `None` if the treatment is missing. For complete
/// blocks, the result equals the result of [`friedman`](crate::friedman()). Blocks with fewer than two numbers contain no information and
/// are omitted. In a block of `m` numbers, a rank `r` has the score `√(12 / (m + 1)) (r - (m + 1)/2)`. Let `A` be the list of the sums of
/// scores, one for each treatment. Let `Σ` be the covariance of the sums in `A` if the treatments do not differ. The test statistic
/// (chi-squared) is `A' Σ⁻ A`. The degrees of freedom of chi-squared are the rank of `Σ`. Usually the rank of `Σ` is the number of
/// treatments minus one. The rank of `Σ` is lower if some treatments share no blocks with other treatments. The rank of `Σ` is 0 if each
/// block consists of equal numbers. With few blocks, the chi-squared distribution is only a rough approximation.
///
/// The mean rank of a treatment is the mean over the blocks that contain it. If no block contains the treatment, its mean rank is 0. If a
/// block contains `m` of all `k` treatments, each rank `r` in the block is replaced by `(r - 1/2) k / m + 1/2`. An unsolved run may have
/// the value `f64::INFINITY`. The blocks must be independent. The reason for a missing number must not depend on the numbers.
///
/// Source: J. H. Skillings and G. A. Mack, "On the use of a Friedman-type statistic in balanced and unbalanced block designs",
/// Technometrics 23(2), 1981, doi:10.1080/00401706.1981.10486261. If a block contains ties, the covariance within this block is computed
/// from the tied ranks, as in Friedman's test.
///
/// # Panics
/// If the blocks have different numbers of entries.
///
/// # Example
/// ```
/// let blocks = [vec![Some(1.0), Some(2.0), None], vec![Some(1.0), Some(3.0), Some(4.0)], vec![None, Some(1.0), Some(2.0)]];
/// let test = evogrid_statistics::skillings_mack(&blocks);
/// assert!(test.degrees == 2 && test.p_value > 0.05 && test.mean_ranks[0] < test.mean_ranks[2]);
/// ```
pub fn skillings_mack(blocks: &[Vec<Option<f64>>]) -> FriedmanTest {
    let k = blocks.first().map_or(0, Vec::len);
    assert!(blocks.iter().all(|block| block.len() == k), "every block has one entry per treatment");
    let (mut sums, mut covariance) = (vec![0.0; k], vec![vec![0.0; k]; k]);
    let (mut mean_ranks, mut n_blocks) = (vec![0.0; k], vec![0.0_f64; k]);
    for block in blocks {
        let (places, numbers): (Vec<usize>, Vec<f64>) =
            block.iter().enumerate().filter_map(|(at, number)| Some((at, (*number)?))).unzip();
        if places.len() < 2 {
            continue;
        }
        let m = places.len() as f64;
        let (weight, middle, ranks) = ((12.0 / (m + 1.0)).sqrt(), (m + 1.0) / 2.0, ranks(&numbers));
        // The variance of a rank is (m³ - m - ties)/(12 m); its covariance with another is this over -(m - 1).
        let variance = (m - 1.0) * (1.0 - ranks.ties / (m * (m * m - 1.0)));
        for (&one, rank) in places.iter().zip(ranks.ranks) {
            sums[one] += weight * (rank - middle);
            mean_ranks[one] += (rank - 0.5) * k as f64 / m + 0.5;
            n_blocks[one] += 1.0;
            for &other in &places {
                covariance[one][other] += if one == other { variance } else { -variance / (m - 1.0) };
            }
        }
    }
    mean_ranks.iter_mut().zip(n_blocks).for_each(|(sum, n)| *sum /= n.max(1.0));
    let (statistic, degrees) = standardised_square(sums, covariance);
    FriedmanTest { mean_ranks, statistic, degrees, p_value: chi_squared::more_than(statistic, degrees) }
}

/// `A' Σ⁻ A` and the rank of `Σ`. Each step of the elimination takes the largest remaining variance.
fn standardised_square(mut sums: Vec<f64>, mut covariance: Vec<Vec<f64>>) -> (f64, usize) {
    let (mut square, mut rank) = (0.0, 0);
    let largest = |covariance: &[Vec<f64>]| {
        (0..covariance.len()).max_by(|&one, &other| covariance[one][one].total_cmp(&covariance[other][other]))
    };
    // A smaller variance is a rounding error.
    let least = 1e-9 * largest(&covariance).map_or(0.0, |at| covariance[at][at]);
    while let Some(at) = largest(&covariance).filter(|&at| covariance[at][at] > least) {
        let (pivots, sum) = (covariance[at].clone(), sums[at]);
        square += sum * sum / pivots[at];
        rank += 1;
        for (row, own) in covariance.iter_mut().zip(&mut sums) {
            let factor = row[at] / pivots[at];
            *own -= factor * sum;
            row.iter_mut().zip(&pivots).for_each(|(cell, pivot)| *cell -= factor * pivot);
        }
        // Exactly, so that no rounding error is a variance again.
        covariance[at][at] = 0.0;
    }
    (square, rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_agrees_with_a_pseudoinverse_by_numpy() {
        // A pseudoinverse by numpy 2.4.6 and scipy.stats.chi2.sf, scipy 1.17.1. The first is the example of the paper.
        const N: f64 = f64::NAN;
        let golden = [
            (
                vec![
                    [3.2, 4.1, 3.8, 4.2],
                    [3.1, 3.9, 3.4, 4.0],
                    [4.3, 3.5, 4.6, 4.8],
                    [3.5, 3.6, 3.9, 4.0],
                    [3.6, 4.2, 3.7, 3.9],
                    [4.5, 4.7, 3.7, N],
                    [N, 4.2, 3.4, N],
                    [4.3, 4.6, 4.4, 4.9],
                    [3.5, N, 3.7, 3.9],
                ],
                (15.493048797529276, 3, 0.0014402963024908563),
            ),
            (
                vec![
                    [1.0, 1.0, 2.0, N],
                    [2.0, 2.0, 2.0, 3.0],
                    [N, 1.0, 5.0, 5.0],
                    [4.0, 1.0, N, 2.0],
                    [1.0, N, N, 1.0],
                    [3.0, 1.0, 2.0, 2.0],
                ],
                (5.878931252559173, 3, 0.11765137104341446),
            ),
            (
                vec![[1.0, 2.0, N, N], [1.0, 2.0, N, N], [2.0, 1.0, N, N], [N, N, 1.0, 2.0], [N, N, 1.0, 2.0]],
                (2.3333333333333326, 2, 0.31140322391459785),
            ),
        ];
        for (blocks, (statistic, degrees, p_value)) in golden {
            let present = |number: &f64| Some(*number).filter(|number| !number.is_nan());
            let blocks: Vec<Vec<Option<f64>>> = blocks.iter().map(|row| row.iter().map(present).collect()).collect();
            let found = skillings_mack(&blocks);
            assert_eq!(found.degrees, degrees, "{found:?}");
            assert!((found.statistic - statistic).abs() < 1e-11, "{found:?}");
            assert!((found.p_value / p_value - 1.0).abs() < 1e-9, "{found:?}");
        }
    }

    #[test]
    fn too_little_to_compare_says_nothing() {
        let equal = Some(3.0);
        for blocks in [vec![], vec![vec![]], vec![vec![equal, None], vec![None, equal]], vec![vec![equal; 3]; 2]] {
            let found = skillings_mack(&blocks);
            assert_eq!((found.statistic, found.degrees, found.p_value), (0.0, 0, 1.0), "{blocks:?}");
        }
    }
}
