//! Instances of the 8th DIMACS implementation challenge: cities uniform in a square, from a seed.

use super::{TspInstance, WeightKind};

/// The generator of the challenge's random numbers, modulo 10^9.
///
/// Knuth, "The Art of Computer Programming", volume 2, section 3.2.2: subtractive, lags 55 and 24.
struct Knuth55 {
    numbers: [u32; 55],
    at: usize,
    lagged: usize,
}

/// Random numbers are below this.
const MODULUS: u32 = 1_000_000_000;

impl Knuth55 {
    fn new(seed: u32) -> Self {
        let mut numbers = [0; 55];
        let (mut last, mut next) = (seed, 1);
        numbers[0] = seed;
        for place in (1..55).map(|step| 21 * step % 55) {
            numbers[place] = next;
            next = difference(last, next);
            last = numbers[place];
        }
        let mut generator = Self { numbers, at: 0, lagged: 24 };
        (0..165).for_each(|_| {
            generator.next();
        });
        generator
    }

    fn next(&mut self) -> u32 {
        let before = |place: usize| if place == 0 { 54 } else { place - 1 };
        (self.at, self.lagged) = (before(self.at), before(self.lagged));
        self.numbers[self.at] = difference(self.numbers[self.at], self.numbers[self.lagged]);
        self.numbers[self.at]
    }
}

fn difference(one: u32, other: u32) -> u32 {
    if one >= other { one - other } else { one + MODULUS - other }
}

/// The instance that `portgen N SEED` makes: coordinates from 0 to 999,999, `EUC_2D`.
///
/// Johnson and McGeoch, "Experimental analysis of heuristics for the STSP", 2002; the challenge's programs.
///
/// # Panics
/// If the seed is 10^9 or more.
#[must_use]
pub fn uniform(n_cities: usize, seed: u32) -> TspInstance {
    assert!(seed < MODULUS, "a seed is below 10^9");
    let mut generator = Knuth55::new(seed);
    let coordinates = (0..2 * n_cities).map(|_| f64::from(generator.next() / 1000)).collect();
    TspInstance::from_coordinates(WeightKind::Euc2D, coordinates)
}

/// An instance of the challenge that is made from a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DimacsInstance {
    /// Its name: `E1k.0`.
    pub id: &'static str,
    /// Number of cities.
    pub n_cities: usize,
    /// The seed of its generator.
    pub seed: u32,
    /// The length of the best known tour, and whether it is proven optimal.
    pub best_known: Option<(i64, bool)>,
}

impl DimacsInstance {
    /// Generates the instance.
    #[must_use]
    pub fn make(&self) -> TspInstance {
        uniform(self.n_cities, self.seed)
    }

    /// The instance of that name.
    #[must_use]
    pub fn find(id: &str) -> Option<&'static Self> {
        DIMACS.iter().find(|instance| instance.id == id)
    }
}

/// The uniform instances of up to 65,535 cities. Seeds and lengths: the challenge's pages, collected November 2026.
pub const DIMACS: [DimacsInstance; 20] = [
    published("E1k.0", 1000, 1000, Some((23_360_648, true))),
    published("E1k.1", 1000, 10_001, Some((22_985_695, true))),
    published("E1k.2", 1000, 10_002, Some((23_023_351, true))),
    published("E1k.3", 1000, 10_003, Some((23_149_856, true))),
    published("E1k.4", 1000, 10_004, Some((22_698_717, true))),
    published("E1k.5", 1000, 10_005, Some((23_192_391, true))),
    published("E1k.6", 1000, 10_006, Some((23_349_803, true))),
    published("E1k.7", 1000, 10_007, Some((22_882_343, true))),
    published("E1k.8", 1000, 10_008, Some((23_027_023, true))),
    published("E1k.9", 1000, 10_009, Some((23_356_256, true))),
    published("E3k.0", 3162, 3162, None),
    published("E3k.1", 3162, 31_621, None),
    published("E3k.2", 3162, 31_622, None),
    published("E3k.3", 3162, 31_623, None),
    published("E3k.4", 3162, 31_624, None),
    published("E10k.0", 10_000, 10_000, Some((71_865_826, false))),
    published("E10k.1", 10_000, 100_001, Some((72_031_630, false))),
    published("E10k.2", 10_000, 100_002, Some((71_822_483, false))),
    published("E31k.0", 31_623, 31_623, Some((127_282_138, false))),
    published("E31k.1", 31_623, 316_231, Some((127_452_384, false))),
];

const fn published(id: &'static str, n_cities: usize, seed: u32, best_known: Option<(i64, bool)>) -> DimacsInstance {
    DimacsInstance { id, n_cities, seed, best_known }
}
