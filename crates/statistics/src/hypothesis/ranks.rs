//! Ranks with ties.

/// The ranks of some numbers. The smallest number has rank 1, and equal numbers have the mean of their ranks.
pub(crate) struct Ranks {
    /// The ranks in the order of the numbers.
    pub(crate) ranks: Vec<f64>,
    /// The sum of `t³ - t` over all groups of `t` equal numbers; 0 without ties.
    pub(crate) ties: f64,
}

/// Ranks the numbers; infinite numbers are treated like any others.
pub(crate) fn ranks(numbers: &[f64]) -> Ranks {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_unstable_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
    let (mut ranks, mut ties, mut before) = (vec![0.0; numbers.len()], 0.0, 0);
    for equal in order.chunk_by(|&a, &b| numbers[a] == numbers[b]) {
        let rank = before as f64 + (equal.len() + 1) as f64 / 2.0;
        equal.iter().for_each(|&at| ranks[at] = rank);
        ties += cubed_less_itself(equal.len());
        before += equal.len();
    }
    Ranks { ranks, ties }
}

/// `n³ - n`.
pub(crate) fn cubed_less_itself(n: usize) -> f64 {
    let n = n as f64;
    n * (n * n - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_share_the_mean_of_their_ranks() {
        let found = ranks(&[3.0, f64::INFINITY, 1.0, 3.0, f64::INFINITY, 3.0, -0.0, 0.0]);
        assert_eq!(found.ranks, [5.0, 7.5, 3.0, 5.0, 7.5, 5.0, 1.5, 1.5]);
        assert_eq!(found.ties, 24.0 + 6.0 + 6.0);
        assert_eq!((ranks(&[]).ties, ranks(&[2.0; 4]).ties), (0.0, cubed_less_itself(4)));
    }
}
