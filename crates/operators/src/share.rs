//! Shares: the number of individuals in a fraction of a population.

/// `fraction * n`, rounded to the nearest whole number; halves are rounded up.
pub(crate) fn share(fraction: f64, n: usize) -> usize {
    (fraction * n as f64).round() as usize
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn a_share_is_rounded_to_the_nearest_number_of_individuals() {
        for (fraction, n, expected) in [(0.2, 100, 20), (0.2, 7, 1), (0.2, 8, 2), (0.5, 5, 3), (0.0, 9, 0), (1.0, 9, 9)]
        {
            assert_eq!(share(fraction, n), expected, "{fraction} of {n}");
        }
    }
}
