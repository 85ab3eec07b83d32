//! Random streams: one generator a run, and the few draws that a search needs, each pinned by a test.
//!
//! The draws are our own because a library may change how it samples between two versions, and every result here hangs on
//! the exact stream. Xoshiro256++ itself is fixed by its definition (Blackman and Vigna, 2021).

use std::convert::Infallible;

use rand::TryRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// The one source of chance in a run.
///
/// A stream is all a run knows of randomness: the same seed gives the same draws on every machine and at any number of
/// threads.
#[derive(Clone, Debug)]
pub struct RandomStream(Xoshiro256PlusPlus);

impl RandomStream {
    /// The stream of a run: Xoshiro256++ seeded with the 256-bit BLAKE3 hash of the run's seed.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        let hash = blake3::derive_key("evogrid 1 random stream of a run", &seed.to_le_bytes());
        Self(Xoshiro256PlusPlus::from_seed(hash))
    }

    /// The next 64 uniform bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let Ok(bits) = self.0.try_next_u64();
        bits
    }

    /// A uniform integer in `0..bound`, without bias.
    ///
    /// Lemire, "Fast random integer generation in an interval", ACM TOMACS 29(1), 2019, algorithm 5, on the upper 32 bits of
    /// a draw.
    ///
    /// # Panics
    /// If `bound` is 0 or does not fit in 32 bits.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = u32::try_from(bound).expect("a bound fits in 32 bits");
        assert!(bound > 0, "there is no integer below 0");
        let mut product = (self.bits() >> 32) * u64::from(bound);
        if (product as u32) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u32) < threshold {
                product = (self.bits() >> 32) * u64::from(bound);
            }
        }
        (product >> 32) as usize
    }

    /// A uniform number in `[0, 1)`, a multiple of 2^-53.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// True with the given probability: never at 0 (and then without a draw), always at 1.
    #[inline]
    pub fn chance(&mut self, probability: f64) -> bool {
        probability > 0.0 && self.unit() < probability
    }

    /// Puts the items in uniformly random order (Fisher and Yates, from the end).
    #[inline]
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// Draws `cuts.len()` distinct cut points from `1..n`, ascending: they part `n` genes into non-empty segments.
    ///
    /// # Panics
    /// If there are not that many distinct points.
    pub fn cut_points(&mut self, n: usize, cuts: &mut [usize]) {
        assert!(cuts.len() < n, "{n} genes have no {} cut points", cuts.len());
        // Floyd's sampling: each step adds one new point, so that no draw is ever thrown away.
        for (drawn, largest) in (n - cuts.len()..n).enumerate() {
            let point = 1 + self.below(largest);
            let (done, open) = cuts.split_at_mut(drawn);
            open[0] = if done.contains(&point) { largest } else { point };
        }
        cuts.sort_unstable();
    }
}

/// For the distributions of `rand` in a researcher's own operators. Pin their version: their draws may change with it.
impl TryRng for RandomStream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.0.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0.try_next_u64()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.try_fill_bytes(bytes)
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
