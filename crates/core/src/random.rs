//! Random streams. Each run has one generator of random numbers. The generator offers only those kinds of random draws that the searches
//! need.
//!
//! Every result depends on the exact random numbers. A new version of a library could draw different numbers, so this file defines all
//! draws. Tests check that the draws do not change. The generator is Xoshiro256++, as defined by Blackman and Vigna (2021).

use std::convert::Infallible;

use rand::TryRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// The only source of randomness in a run. The same seed gives the same draws on every machine, with any number of threads.
///
/// ```
/// use evogrid_core::random::RandomStream;
///
/// let (mut one, mut other) = (RandomStream::from_seed(7), RandomStream::from_seed(7));
/// assert_eq!(one.below(100), other.below(100));
/// let (first, second) = one.pair(10);
/// assert!(first < second && second < 10);
/// ```
#[derive(Clone, Debug)]
pub struct RandomStream {
    generator: Xoshiro256PlusPlus,
    seed: u64,
}

impl RandomStream {
    /// Creates the random stream of a run. The generator's seed is the 256-bit BLAKE3 hash of the run's seed.
    pub fn from_seed(seed: u64) -> Self {
        let hash = blake3::derive_key("evogrid 1 random stream of a run", &seed.to_le_bytes());
        Self { generator: Xoshiro256PlusPlus::from_seed(hash), seed }
    }

    /// The seed of the stream. A search can leave its random draws to other code, for example to an external program. Then the search
    /// passes this seed to the other code.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The next 64 uniform bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let Ok(bits) = self.generator.try_next_u64();
        bits
    }

    /// A uniform integer in `0..bound`, without bias.
    ///
    /// Lemire, "Fast random integer generation in an interval", ACM TOMACS 29(1), 2019, algorithm 5. The function uses the upper 32 bits of
    /// each 64-bit random number.
    ///
    /// # Panics
    /// Panics if `bound` is 0 or does not fit in 32 bits.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = u32::try_from(bound).expect("the bound fits in 32 bits");
        assert!(bound > 0, "the bound is above 0");
        let mut product = (self.bits() >> 32) * u64::from(bound);
        if (product as u32) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u32) < threshold {
                product = (self.bits() >> 32) * u64::from(bound);
            }
        }
        (product >> 32) as usize
    }

    /// `K` independent uniform integers without bias. The `k`-th integer lies in `0..bounds[k]`. If the product of the bounds is below
    /// 2^48, one draw determines all integers. If the product of the bounds is 2^48 or larger, each integer needs a separate draw.
    ///
    /// Brackett-Rozinsky and Lemire, "Batched ranged random integer generation", Software: Practice and Experience 55(1),
    /// 2025, algorithm 3.
    ///
    /// # Panics
    /// Panics if a bound is 0 or does not fit in 32 bits.
    #[inline]
    pub fn batch<const K: usize>(&mut self, bounds: [usize; K]) -> [usize; K] {
        let product = bounds.iter().try_fold(1u64, |product, &bound| product.checked_mul(bound as u64));
        match product {
            Some(product) if product < 1 << 48 => {
                assert!(product > 0, "the bound is above 0");
                loop {
                    let mut rest = self.bits();
                    let drawn = bounds.map(|bound| {
                        let wide = u128::from(rest) * bound as u128;
                        rest = wide as u64;
                        (wide >> 64) as usize
                    });
                    // The division is slow, but it is rarely necessary, because the rest is rarely below the product.
                    if rest >= product || rest >= product.wrapping_neg() % product {
                        return drawn;
                    }
                }
            }
            _ => bounds.map(|bound| self.below(bound)),
        }
    }

    /// Two distinct integers in `0..n`. The smaller integer comes first. All pairs are equally likely. The function makes only one draw.
    ///
    /// # Panics
    /// Panics if `n` is below 2.
    #[inline]
    pub fn pair(&mut self, n: usize) -> (usize, usize) {
        assert!(n >= 2, "a pair needs two");
        let [first, other] = self.batch([n, n - 1]);
        let second = other + usize::from(other >= first);
        (first.min(second), first.max(second))
    }

    /// A uniform number in `[0, 1)`, a multiple of 2^-53.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Returns true with this probability. If the probability is 0, nothing is drawn from the stream.
    #[inline]
    pub fn chance(&mut self, probability: f64) -> bool {
        probability > 0.0 && self.unit() < probability
    }

    /// Puts the items into uniformly random order, by the method of Fisher and Yates, which starts at the last item.
    #[inline]
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// Shuffles only the items at the given positions. Every order of these items is equally likely, as with [`shuffle`](Self::shuffle).
    #[inline]
    pub fn shuffle_at<T>(&mut self, positions: &[usize], items: &mut [T]) {
        for last in (1..positions.len()).rev() {
            items.swap(positions[last], positions[self.below(last + 1)]);
        }
    }

    /// Draws `cuts.len()` distinct cut points from `1..n`, in ascending order. The cut points divide `n` elements into non-empty segments.
    ///
    /// # Panics
    /// Panics if `1..n` has fewer than `cuts.len()` points.
    pub fn cut_points(&mut self, n: usize, cuts: &mut [usize]) {
        assert!(cuts.len() < n, "a list of {n} elements has fewer than {} cut points", cuts.len());
        // Floyd's sampling adds one new point in each step, so it rejects no draw.
        for (drawn, largest) in (n - cuts.len()..n).enumerate() {
            let point = 1 + self.below(largest);
            let (done, open) = cuts.split_at_mut(drawn);
            open[0] = if done.contains(&point) { largest } else { point };
        }
        cuts.sort_unstable();
    }
}

/// Makes the distributions of the crate `rand` usable. An operator that uses these distributions must fix the version of `rand`, because
/// another version may draw other numbers.
impl TryRng for RandomStream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.generator.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.generator.try_next_u64()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.generator.try_fill_bytes(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_a_seed_never_changes() {
        let mut random = RandomStream::from_seed(2016);
        let bits: Vec<u64> = (0..3).map(|_| random.bits()).collect();
        assert_eq!(bits, [13985308617208000106, 5597865023952066711, 13269586428823051301]);
        let small: Vec<usize> = (0..12).map(|_| random.below(9)).collect();
        assert_eq!(small, [4, 8, 8, 2, 7, 0, 7, 0, 1, 0, 3, 4]);
    }

    #[test]
    fn below_reaches_every_value_about_equally_often() {
        let mut random = RandomStream::from_seed(1);
        let mut counts = [0u32; 9];
        for _ in 0..90_000 {
            counts[random.below(9)] += 1;
        }
        // Six standard deviations of a binomial(90000, 1/9).
        assert!(counts.iter().all(|&count| count.abs_diff(10_000) < 566), "{counts:?}");
    }

    #[test]
    fn a_batch_is_pinned_and_reaches_every_combination_about_equally_often() {
        let mut random = RandomStream::from_seed(2016);
        let drawn: Vec<[usize; 3]> = (0..3).map(|_| random.batch([200, 9, 8])).collect();
        assert_eq!(drawn, [[151, 5, 5], [60, 6, 1], [143, 7, 6]]);
        let mut counts = [0u32; 24];
        for _ in 0..240_000 {
            let [a, b, c] = random.batch([2, 3, 4]);
            counts[a * 12 + b * 4 + c] += 1;
        }
        // Six standard deviations of a binomial(240000, 1/24).
        assert!(counts.iter().all(|&count| count.abs_diff(10_000) < 588), "{counts:?}");
        // Too large for one draw.
        let [a, b] = random.batch([1 << 31, 1 << 31]);
        assert!(a < 1 << 31 && b < 1 << 31);
    }

    #[test]
    fn every_pair_comes_about_equally_often() {
        let (mut random, mut counts) = (RandomStream::from_seed(4), [0u32; 16]);
        for _ in 0..60_000 {
            let (first, second) = random.pair(4);
            counts[first * 4 + second] += 1;
        }
        let is_right =
            |(at, &count): (usize, &u32)| if at / 4 < at % 4 { count.abs_diff(10_000) < 548 } else { count == 0 };
        assert!(counts.iter().enumerate().all(is_right), "{counts:?}");
    }

    #[test]
    fn a_chance_of_zero_never_comes_and_one_always_does() {
        let mut random = RandomStream::from_seed(7);
        assert!((0..1000).all(|_| !random.chance(0.0) && random.chance(1.0)));
    }

    #[test]
    fn cut_points_are_distinct_ascending_and_inside() {
        let mut random = RandomStream::from_seed(3);
        for _ in 0..1000 {
            let mut cuts = [0; 4];
            random.cut_points(6, &mut cuts);
            assert!(cuts.windows(2).all(|pair| pair[0] < pair[1]) && cuts[0] >= 1 && cuts[3] < 6, "{cuts:?}");
        }
    }
}
