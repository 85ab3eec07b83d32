//! Instances of the 8th DIMACS implementation challenge: cities uniform in a square, from a seed.

use super::{TspInstance, WeightKind};
use crate::published::{number, rows};

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
    pub fn make(&self) -> TspInstance {
        uniform(self.n_cities, self.seed)
    }

    /// All instances of up to 65,535 cities, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        rows(DIMACS).map(|[id, n_cities, seed, length, is_optimal]| Self {
            id,
            n_cities: number(n_cities),
            seed: number(seed),
            best_known: (!length.is_empty()).then(|| (number(length), is_optimal == "true")),
        })
    }

    /// The instance of that name.
    pub fn find(id: &str) -> Option<Self> {
        Self::all().find(|instance| instance.id == id)
    }
}

/// Seeds and lengths: the challenge's pages, collected November 2026.
const DIMACS: &str = include_str!("portgen/dimacs.csv");
