//! Medians of the values of runs.

use std::cmp::Ordering;

/// The two middle values; they are equal if the number of values is odd.
pub(super) fn median<T: Copy>(values: &mut [T], compare: impl Fn(&T, &T) -> Ordering) -> Option<[T; 2]> {
    let upper = values.len() / 2;
    let odd = values.len() % 2 == 1;
    let (below, &mut upper, _) = values.get(upper).is_some().then(|| values.select_nth_unstable_by(upper, &compare))?;
    let lower = if odd { Some(upper) } else { below.iter().copied().max_by(&compare) };
    lower.map(|lower| [lower, upper])
}

pub(super) fn middle([low, high]: [f64; 2]) -> f64 {
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    fn median(values: &mut [u64]) -> Option<f64> {
        super::median(values, u64::cmp).map(|[low, high]| (low as f64 + high as f64) / 2.0)
    }

    #[test]
    fn the_median_of_an_even_number_is_the_mean_of_the_middle_two() {
        assert_eq!(median(&mut []), None);
        assert_eq!(median(&mut [7]), Some(7.0));
        assert_eq!(median(&mut [9, 1]), Some(5.0));
        assert_eq!(median(&mut [5, 1, 4, 2]), Some(3.0));
        assert_eq!(median(&mut [5, 1, 9]), Some(5.0));
    }

    proptest! {
        #[test]
        fn the_median_is_what_sorting_finds(mut values in proptest::collection::vec(0u64..1000, 1..50)) {
            let median = median(&mut values);
            values.sort_unstable();
            let (lower, upper) = (values[(values.len() - 1) / 2], values[values.len() / 2]);
            prop_assert_eq!(median, Some((lower + upper) as f64 / 2.0));
        }
    }
}
