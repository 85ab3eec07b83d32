//! Counts of numbers. Quartiles are computed from the counts, which need little memory even for very many numbers.

use std::collections::BTreeMap;

use evogrid_statistics::quantile;

/// The maximum number of different numbers. If there are more different numbers, they are rounded.
const MOST_VALUES: usize = 512;

/// Numbers and their frequencies. Up to 512 different numbers are exact, which is enough for most fitness functions. If there are more
/// different numbers, binary digits are dropped until at most 512 remain. Then each number is replaced by the middle of its range.
#[derive(Clone, Debug, Default)]
pub(super) struct ValueCounts {
    counts: BTreeMap<i64, u64>,
    /// The number of binary digits that are dropped from each number.
    lost: u32,
    total: u64,
}

impl ValueCounts {
    /// Counts a number. The number must not be NaN.
    pub(super) fn add(&mut self, number: f64) {
        *self.counts.entry(ordered(number) >> self.lost).or_default() += 1;
        self.total += 1;
        while self.counts.len() > MOST_VALUES {
            self.lost += 1;
            let mut coarser = BTreeMap::new();
            self.counts.iter().for_each(|(key, count)| *coarser.entry(key >> 1).or_default() += count);
            self.counts = coarser;
        }
    }

    /// The total number of counted numbers.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// The number with this rank in ascending order. The first rank is 1. `None` if there are fewer numbers.
    pub(super) fn least_of(&self, rank: u64) -> Option<f64> {
        let mut below = 0;
        let is_reached = |(_, count): &(&i64, &u64)| {
            below += **count;
            below >= rank
        };
        self.counts.iter().find(is_reached).map(|(&key, _)| self.number(key))
    }

    /// The number that belongs to a key of the counts.
    fn number(&self, key: i64) -> f64 {
        back((key << self.lost) + ((1 << self.lost) >> 1))
    }

    /// The lower quartile, the median and the upper quartile; `None` if there are no numbers.
    pub(super) fn quartiles(&self) -> Option<[f64; 3]> {
        let repeated = self.counts.iter().flat_map(|(&key, &count)| {
            std::iter::repeat_n(self.number(key), usize::try_from(count).unwrap_or(usize::MAX))
        });
        let ascending: Vec<f64> = repeated.collect();
        let [low, middle, high] = [0.25, 0.5, 0.75].map(|share| quantile(&ascending, share));
        Some([low?, middle?, high?])
    }
}

/// Maps a number to a whole number. The order of the whole numbers is the order of the numbers (IEEE 754, `totalOrder`).
fn ordered(number: f64) -> i64 {
    // Adding zero turns -0 into 0.
    let bits = (number + 0.0).to_bits().cast_signed();
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}

fn back(ordered: i64) -> f64 {
    f64::from_bits((ordered ^ ((ordered >> 63).cast_unsigned() >> 1).cast_signed()).cast_unsigned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn counted(numbers: impl IntoIterator<Item = f64>) -> ValueCounts {
        let mut counted = ValueCounts::default();
        numbers.into_iter().for_each(|number| counted.add(number));
        counted
    }

    #[test]
    fn few_numbers_have_their_exact_quartiles() {
        assert_eq!(counted([4.0, 1.0, 2.0, 8.0, 16.0]).quartiles(), Some([2.0, 4.0, 8.0]));
        assert_eq!(counted([-1.5, -2.5]).quartiles(), Some([-2.25, -2.0, -1.75]));
        assert_eq!(counted([]).quartiles(), None);
    }

    #[test]
    fn the_least_of_so_many_is_a_number_that_was_counted() {
        let counts = counted([4.0, 1.0, 4.0, -2.0]);
        assert_eq!([1, 2, 3, 4].map(|rank| counts.least_of(rank)), [-2.0, 1.0, 4.0, 4.0].map(Some));
        assert_eq!((counts.least_of(5), counted([]).least_of(1)), (None, None));
    }

    #[test]
    fn very_many_different_numbers_are_no_matter() {
        let many = counted((0..100_000).map(|number| f64::from(number) / 7.0));
        assert!(many.counts.len() <= MOST_VALUES && many.total() == 100_000);
        let quartiles = many.quartiles().expect("numbers");
        for (found, expected) in quartiles.iter().zip([1e5 / 28.0, 1e5 / 14.0, 3e5 / 28.0]) {
            assert!((found / expected - 1.0).abs() < 0.01, "{quartiles:?}");
        }
    }

    proptest! {
        #[test]
        fn the_order_of_keys_is_that_of_numbers(a in any::<f64>(), b in any::<f64>()) {
            prop_assume!(!a.is_nan() && !b.is_nan());
            prop_assert_eq!(ordered(a).cmp(&ordered(b)), a.partial_cmp(&b).unwrap());
            prop_assert_eq!(back(ordered(a)), a);
        }
    }
}
