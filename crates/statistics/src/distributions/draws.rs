//! Random draws for resampling: the same seed gives the same draws on every machine and in every version.

use std::convert::Infallible;

use rand::TryRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// A stream of random draws. We do not use a library for the draws, because a new version of a library may sample differently. Published
/// intervals depend on the exact draws.
pub(crate) struct Draws(Xoshiro256PlusPlus);

impl Draws {
    /// Xoshiro256++ seeded with a 256-bit hash of the seed.
    pub(crate) fn from_seed(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::from_seed(blake3::derive_key("evogrid 1 random stream of a run", &seed.to_le_bytes())))
    }

    pub(crate) fn bits(&mut self) -> u64 {
        let Ok::<_, Infallible>(bits) = self.0.try_next_u64();
        bits
    }

    /// A uniform integer in `0..bound`, without bias (Lemire, ACM TOMACS 29(1), 2019, algorithm 5).
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = u32::try_from(bound).expect("a bound fits in 32 bits");
        assert!(bound > 0, "the bound must be above 0: a bound of 0 leaves no number to draw");
        loop {
            let product = (self.bits() >> 32) * u64::from(bound);
            if product as u32 >= bound || product as u32 >= bound.wrapping_neg() % bound {
                return (product >> 32) as usize;
            }
        }
    }

    /// Draws a number uniformly from the multiples of 2^-53 in `[0, 1)`.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_draws_of_a_seed_never_change() {
        let mut draws = Draws::from_seed(2016);
        let drawn: Vec<usize> = (0..6).map(|_| draws.below(1000)).collect();
        let mut items: Vec<usize> = (0..6).collect();
        (1..6).rev().for_each(|last| items.swap(last, draws.below(last + 1)));
        assert_eq!(drawn, [758, 303, 719, 553, 963, 996]);
        assert_eq!((items, draws.unit()), (vec![5, 3, 2, 0, 4, 1], 0.18109779515825197));
    }
}
