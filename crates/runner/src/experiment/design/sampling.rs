//! Samples of the unit cube. Each point is computed from its number alone, so a sample needs no memory. A sample is the same on every
//! machine.

use evogrid_core::random::RandomStream;
use serde::{Deserialize, Serialize};

/// A method that draws points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SampleMethod {
    /// Sobol's sequence with nested uniform scrambling.
    Sobol,
    /// A Latin hypercube. In each dimension, every interval of length 1 / count contains exactly one point. A larger sample does not
    /// contain the points of a smaller sample.
    LatinHypercube,
    /// Halton's sequence with randomly permuted digits.
    Halton,
    /// Independent uniform points.
    Random,
}

/// The methods, with their names in an experiment file.
pub const METHODS: [(&str, SampleMethod); 4] = [
    ("sobol", SampleMethod::Sobol),
    ("latin-hypercube", SampleMethod::LatinHypercube),
    ("halton", SampleMethod::Halton),
    ("random", SampleMethod::Random),
];

/// The maximum number of dimensions of a Sobol or Halton sequence.
pub const MAX_SEQUENCE_DIMENSIONS: usize = 100;

/// The direction numbers of all dimensions after the first one.
const JOE_KUO: &str = include_str!("joe-kuo.txt");

/// The coordinates of one dimension.
#[derive(Clone, Debug)]
pub(super) enum Coordinates {
    Sobol { directions: [u32; 32], seed: u32 },
    Halton { base: u64, permutations: Vec<Vec<u64>> },
    LatinHypercube { intervals: Vec<u32>, seed: u64 },
    Random { seed: u64 },
}

impl SampleMethod {
    /// The coordinates of `count` points, for each dimension. The coordinates in a dimension do not depend on later dimensions.
    pub(super) fn coordinates(self, count: u32, seed: u64, n_dimensions: usize) -> Vec<Coordinates> {
        let mut stream = RandomStream::from_seed(seed);
        let coordinates = (0..n_dimensions).map(|dimension| {
            let seed = stream.bits();
            let mut stream = RandomStream::from_seed(seed);
            match self {
                Self::Sobol => Coordinates::Sobol { directions: directions(dimension), seed: seed as u32 },
                Self::Halton => {
                    let base = prime(dimension);
                    let mut permutation = || {
                        let mut digits: Vec<u64> = (0..base).collect();
                        stream.shuffle(&mut digits);
                        digits
                    };
                    // With this number of digits, a step is smaller than 2^-32.
                    let n_digits = (1..).find(|&n| base.pow(n) >> 32 > 0).expect("powers grow");
                    Coordinates::Halton { base, permutations: (0..n_digits).map(|_| permutation()).collect() }
                }
                Self::LatinHypercube => {
                    let mut intervals: Vec<u32> = (0..count).collect();
                    stream.shuffle(&mut intervals);
                    Coordinates::LatinHypercube { intervals, seed }
                }
                Self::Random => Coordinates::Random { seed },
            }
        });
        coordinates.collect()
    }

    /// Whether a larger sample contains all points of a smaller sample.
    pub fn is_extensible(self) -> bool {
        self != Self::LatinHypercube
    }
}

impl Coordinates {
    /// The coordinate of a point, in `[0, 1)`.
    pub(super) fn at(&self, number: u64) -> f64 {
        match self {
            Self::Sobol { directions, seed } => {
                let bits = directions.iter().enumerate().filter(|(bit, _)| number >> bit & 1 == 1);
                f64::from(scrambled(bits.fold(0, |point, (_, direction)| point ^ direction), *seed))
                    / (1u64 << 32) as f64
            }
            Self::Halton { base, permutations } => {
                let (mut rest, mut digits, mut scale) = (number, 0, 1);
                for permutation in permutations {
                    digits = digits * base + permutation[(rest % base) as usize];
                    (rest, scale) = (rest / base, scale * base);
                }
                digits as f64 / scale as f64
            }
            Self::LatinHypercube { intervals, seed } => {
                (f64::from(intervals[number as usize]) + uniform(*seed, number)) / intervals.len() as f64
            }
            Self::Random { seed } => uniform(*seed, number),
        }
    }
}

/// The direction numbers of Sobol's sequence: Joe and Kuo, "Constructing Sobol sequences with better two-dimensional projections", SIAM
/// Journal on Scientific Computing 30, 2008.
fn directions(dimension: usize) -> [u32; 32] {
    if dimension == 0 {
        return std::array::from_fn(|bit| 1 << (31 - bit));
    }
    let line = JOE_KUO.lines().filter(|line| !line.starts_with('#')).nth(dimension - 1).expect(
        "the table has a row for each \
                                                                                         dimension of the space",
    );
    let row: Vec<u32> = line.split(' ').map(|number| number.parse().expect("a number")).collect();
    let (degree, polynomial, first) = (row[1] as usize, row[2], &row[3..]);
    let mut directions = [0; 32];
    for bit in 0..32 {
        directions[bit] = if bit < degree {
            first[bit] << (31 - bit)
        } else {
            let before = directions[bit - degree];
            let terms = (1..degree).filter(|term| polynomial >> (degree - 1 - term) & 1 == 1);
            terms.fold(before ^ before >> degree, |sum, term| sum ^ directions[bit - term])
        };
    }
    directions
}

/// Nested uniform scrambling: Burley, "Practical hash-based Owen scrambling", Journal of Computer Graphics Techniques 9(4), 2020, with the
/// constants of Vegdahl, "Building a better LK hash", 2021.
fn scrambled(point: u32, seed: u32) -> u32 {
    let mut bits = point.reverse_bits();
    bits ^= bits.wrapping_mul(0x3d20_adea);
    bits = bits.wrapping_add(seed);
    bits = bits.wrapping_mul(seed >> 16 | 1);
    bits ^= bits.wrapping_mul(0x0552_6c56);
    bits ^= bits.wrapping_mul(0x53a2_2864);
    bits.reverse_bits()
}

/// The prime with this number, counted from 0.
fn prime(number: usize) -> u64 {
    let is_prime = |candidate: &u64| {
        (2..*candidate).take_while(|by| by * by <= *candidate).all(|by| !candidate.is_multiple_of(by))
    };
    (2..).filter(is_prime).nth(number).expect("there are infinitely many primes")
}

/// A uniform number in `[0, 1)`: the number at this position in the sequence of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
fn uniform(seed: u64, number: u64) -> f64 {
    let mut bits = seed.wrapping_add((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((bits ^ bits >> 31) >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(method: SampleMethod, count: u32, n_dimensions: usize) -> Vec<Vec<f64>> {
        let coordinates = method.coordinates(count, 7, n_dimensions);
        (0..u64::from(count)).map(|number| coordinates.iter().map(|one| one.at(number)).collect()).collect()
    }

    /// How many cells of a grid with these numbers of intervals have exactly one point in these two dimensions.
    fn cells_with_one(points: &[Vec<f64>], [one, other]: [usize; 2], [across, down]: [usize; 2]) -> usize {
        let mut counts = vec![0; across * down];
        for point in points {
            counts[(point[one] * across as f64) as usize * down + (point[other] * down as f64) as usize] += 1;
        }
        counts.into_iter().filter(|&count| count == 1).count()
    }

    #[test]
    fn sobol_and_the_latin_hypercube_have_a_point_in_each_interval() {
        for (method, count) in [(SampleMethod::Sobol, 256), (SampleMethod::LatinHypercube, 200)] {
            let points = points(method, count, 100);
            for dimension in 0..100 {
                let n_cells = cells_with_one(&points, [dimension, dimension], [count as usize, 1]);
                assert_eq!(n_cells, count as usize, "{method:?}, dimension {dimension}");
            }
        }
    }

    #[test]
    fn two_dimensions_of_sobol_have_a_point_in_each_rectangle() {
        let points = points(SampleMethod::Sobol, 64, 2);
        for across in [1, 2, 4, 8, 16, 32, 64] {
            assert_eq!(cells_with_one(&points, [0, 1], [across, 64 / across]), 64);
        }
    }

    #[test]
    fn halton_has_a_point_in_each_interval_of_a_power_of_its_base() {
        let points = points(SampleMethod::Halton, 243, 3);
        assert_eq!(cells_with_one(&points[..128], [0, 0], [128, 1]), 128);
        assert_eq!(cells_with_one(&points, [1, 1], [243, 1]), 243);
        assert_eq!(cells_with_one(&points[..125], [2, 2], [125, 1]), 125);
        assert_eq!(prime(MAX_SEQUENCE_DIMENSIONS - 1), 541);
    }

    #[test]
    fn random_points_are_uniform_and_independent() {
        let points = points(SampleMethod::Random, 10_000, 2);
        let mean = |of: &dyn Fn(&Vec<f64>) -> f64| points.iter().map(of).sum::<f64>() / 10_000.0;
        assert!((mean(&|point| point[0]) - 0.5).abs() < 0.01);
        assert!((mean(&|point| (point[0] - 0.5) * (point[1] - 0.5))).abs() < 0.003);
    }

    #[test]
    fn a_larger_sample_keeps_the_points_of_a_smaller_one_except_with_a_latin_hypercube() {
        for (name, method) in METHODS {
            let is_kept = points(method, 100, 5) == points(method, 150, 5)[..100];
            assert_eq!(is_kept, method.is_extensible(), "{name}");
            assert_eq!(
                points(method, 50, 3),
                points(method, 50, 5).iter().map(|point| point[..3].to_vec()).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn the_points_are_pinned() {
        let third = METHODS
            .map(|(_, method)| points(method, 4, 3)[2].iter().map(|place| (place * 1e9) as u32).collect::<Vec<_>>());
        let pinned = [
            [469_113_488, 569_857_804, 32_072_724],
            [161_676_371, 332_406_414, 618_165_244],
            [131_918_773, 642_667_027, 63_009_591],
            [646_705_484, 329_625_657, 472_660_978],
        ];
        assert_eq!(third, pinned.map(Vec::from));
    }

    /// As `scipy.stats.qmc.Sobol(100, scramble=False, bits=32)` 1.17.1 has them at the place of Gray's code.
    #[test]
    fn the_sequence_without_scrambling_is_the_one_of_joe_and_kuo() {
        let point = |number: u32, dimension: usize| {
            let bits = directions(dimension).into_iter().enumerate().filter(|(bit, _)| number >> bit & 1 == 1);
            f64::from(bits.fold(0, |sum, (_, direction)| sum ^ direction)) / (1u64 << 32) as f64
        };
        assert_eq!([2, 9, 99].map(|dimension| point(5, dimension)), [0.875, 0.375, 0.125]);
        assert_eq!(
            [2, 9, 99].map(|dimension| point(777, dimension)),
            [0.891_601_562_5, 0.852_539_062_5, 0.231_445_312_5]
        );
    }
}
