//! Edge weights: the distances between cities, by the rules of TSPLIB95.
//!
//! Distances between coordinates are computed on demand. So the memory is linear in the number of cities. Sines and cosines come from
//! `libm`, which gives the same bits on every machine.

/// The maximum magnitude of a coordinate. With this limit, the distance between any two cities fits into 31 bits.
pub(crate) const MAX_COORDINATE: f64 = 3e8;

/// The maximum magnitude of a weight in a matrix.
pub(crate) const MAX_WEIGHT: i32 = 1_000_000_000;

evogrid_core::choices! {
    /// The rule that gives the weight of an edge (`EDGE_WEIGHT_TYPE`).
    ///
    /// Source: Reinelt, "TSPLIB - a traveling salesman problem library", ORSA Journal on Computing 3(4), 1991, pp. 376-384, and the TSPLIB
    /// document of 1995. `nint` is the integer part of x + 0.5. The files of TSPLIB use the names of these variants.
    pub enum WeightKind {
        /// The Euclidean distance in the plane, rounded by `nint`.
        Euc2D = "EUC_2D",
        /// The Euclidean distance in the plane, rounded up.
        Ceil2D = "CEIL_2D",
        /// The pseudo-Euclidean distance. The sum of the squared differences is divided by 10, and the root of the result is rounded up.
        Att = "ATT",
        /// The distance in kilometres on the sphere, with pi = 3.141592. Latitude and longitude are in degrees and minutes (`DDD.MM`).
        Geo = "GEO",
        /// The sum of the absolute differences in x and in y, rounded by `nint`.
        Man2D = "MAN_2D",
        /// The larger of the absolute differences in x and in y, rounded by `nint`.
        Max2D = "MAX_2D",
        /// The Euclidean distance in space, rounded by `nint`.
        Euc3D = "EUC_3D",
        /// The sum of the absolute differences in x, in y and in z, rounded by `nint`.
        Man3D = "MAN_3D",
        /// The largest of the absolute differences in x, in y and in z, rounded by `nint`.
        Max3D = "MAX_3D",
        /// A matrix.
        Explicit = "EXPLICIT",
    }
}

impl WeightKind {
    /// The number of coordinates of a city: 2 or 3. If a matrix gives the weights, the number is 0.
    pub fn n_coordinates(self) -> usize {
        match self {
            Self::Explicit => 0,
            Self::Euc3D | Self::Man3D | Self::Max3D => 3,
            _ => 2,
        }
    }
}

/// The weights of all edges of an instance. The weights are symmetric whole numbers.
#[derive(Clone, Debug)]
pub struct Weights {
    kind: WeightKind,
    n_cities: usize,
    /// The coordinates x and y of every city. For `GEO`, the coordinates are latitude and longitude in radians.
    plane: Vec<[f64; 2]>,
    /// The third coordinates; empty if the kind has only two coordinates.
    heights: Vec<f64>,
    /// The whole matrix, row by row, for `EXPLICIT`.
    matrix: Vec<i32>,
    /// True if the weights are `EUC_2D` between whole coordinates of at most [`MAX_FAST`]. In this case, all distances are far enough from
    /// the middle between two whole numbers, and all methods of rounding agree.
    is_fast: bool,
}

/// The largest magnitude of coordinates whose distances are rounded fast. The root of a whole number differs from k + 1/2 by at least 1 /
/// (8 k + 4). For k up to 2^24, this difference is at least four units in the last place of a double. All distances are shorter than 2^24.
const MAX_FAST: f64 = (1 << 22) as f64;

impl Weights {
    /// Creates the weights between cities from the coordinates of the cities. Each city has [`n_coordinates`](WeightKind::n_coordinates)
    /// coordinates.
    ///
    /// # Panics
    /// Panics if `kind` is `Explicit`, because a matrix of weights needs no coordinates. Panics if the number of coordinates is not a
    /// multiple of `n_coordinates`.
    pub fn from_coordinates(kind: WeightKind, coordinates: &[f64]) -> Self {
        let each = kind.n_coordinates();
        assert!(each > 0 && coordinates.len().is_multiple_of(each), "{each} coordinates a city");
        let plane = coordinates.chunks_exact(each).map(|city| match kind {
            WeightKind::Geo => [radians(city[0]), radians(city[1])],
            _ => [city[0], city[1]],
        });
        let heights = coordinates.chunks_exact(each).filter_map(|city| city.get(2).copied());
        let (plane, heights): (Vec<_>, _) = (plane.collect(), heights.collect());
        let is_fast = kind == WeightKind::Euc2D
            && coordinates.iter().all(|coordinate| coordinate.abs() <= MAX_FAST && coordinate.fract() == 0.0);
        Self { kind, n_cities: plane.len(), plane, heights, matrix: Vec::new(), is_fast }
    }

    /// Creates the weights from a symmetric matrix. The entries are listed row by row.
    ///
    /// # Panics
    /// Panics if the matrix is not square.
    pub fn from_matrix(n_cities: usize, matrix: Vec<i32>) -> Self {
        assert_eq!(matrix.len(), n_cities * n_cities, "a square matrix");
        Self { kind: WeightKind::Explicit, n_cities, plane: Vec::new(), heights: Vec::new(), matrix, is_fast: false }
    }

    /// The rule that computes the weights.
    pub fn kind(&self) -> WeightKind {
        self.kind
    }

    /// The number of cities.
    #[inline]
    pub fn n_cities(&self) -> usize {
        self.n_cities
    }

    /// The weight of the edge between two cities. Cities are counted from 0.
    #[inline]
    pub fn between(&self, one: usize, other: usize) -> i64 {
        // The most common kind is tested first. The kind never changes, so the processor predicts the branch.
        if self.is_fast {
            let [dx, dy] = self.difference(one, other);
            // The last bits of the sum are the whole number. A conversion would be slower, because it checks for numbers that are too
            // large.
            return ((dx * dx + dy * dy).sqrt() + TWO_TO_52).to_bits().wrapping_sub(TWO_TO_52.to_bits()) as i64;
        }
        if self.kind == WeightKind::Explicit {
            return i64::from(self.matrix[one * self.n_cities + other]);
        }
        self.between_rarely(one, other)
    }

    /// The length of a closed tour.
    pub fn tour_length(&self, tour: &[u16]) -> i64 {
        let Some(&last) = tour.last() else { return 0 };
        let mut before = usize::from(last);
        let mut length = 0;
        for &city in tour {
            length += self.between(before, usize::from(city));
            before = usize::from(city);
        }
        length
    }

    /// The city as a point in space. If two cities are near, their points are near. The point is on the sphere for `GEO`, and the origin
    /// for a matrix.
    pub(super) fn point(&self, city: usize) -> [f64; 3] {
        match self.kind {
            WeightKind::Explicit => [0.0; 3],
            WeightKind::Geo => {
                let [latitude, longitude] = self.plane[city];
                let (height, radius) = (libm::sin(latitude), libm::cos(latitude));
                [radius * libm::cos(longitude), radius * libm::sin(longitude), height]
            }
            _ => [self.plane[city][0], self.plane[city][1], self.heights.get(city).copied().unwrap_or(0.0)],
        }
    }

    /// A lower bound for the weight between two cities whose [points](Self::point) are at least this far apart on one axis.
    #[inline]
    pub(super) fn axis_bound(&self, apart: f64) -> i64 {
        match self.kind {
            WeightKind::Ceil2D => apart.ceil() as i64,
            WeightKind::Att => (apart * apart / 10.0).sqrt().ceil() as i64,
            // The arc is at least as long as the chord. One kilometre allows for the rounding of both.
            WeightKind::Geo => (EARTH_RADIUS * apart) as i64 - 1,
            WeightKind::Explicit => i64::MIN,
            _ => nint(apart),
        }
    }

    #[inline]
    fn difference(&self, one: usize, other: usize) -> [f64; 2] {
        let ([x, y], [u, v]) = (self.plane[one], self.plane[other]);
        [x - u, y - v]
    }

    fn between_rarely(&self, one: usize, other: usize) -> i64 {
        let [dx, dy] = self.difference(one, other);
        let dz = if self.heights.is_empty() { 0.0 } else { self.heights[one] - self.heights[other] };
        match self.kind {
            WeightKind::Euc2D | WeightKind::Euc3D => nint((dx * dx + dy * dy + dz * dz).sqrt()),
            WeightKind::Ceil2D => (dx * dx + dy * dy).sqrt().ceil() as i64,
            WeightKind::Att => {
                let root = ((dx * dx + dy * dy) / 10.0).sqrt();
                let rounded = nint(root);
                rounded + i64::from((rounded as f64) < root)
            }
            WeightKind::Geo => geographic(self.plane[one], self.plane[other]),
            WeightKind::Man2D | WeightKind::Man3D => nint(dx.abs() + dy.abs() + dz.abs()),
            WeightKind::Max2D | WeightKind::Max3D => nint(dx.abs()).max(nint(dy.abs())).max(nint(dz.abs())),
            WeightKind::Explicit => i64::from(self.matrix[one * self.n_cities + other]),
        }
    }
}

/// All doubles from this number on are whole numbers.
const TWO_TO_52: f64 = (1_u64 << 52) as f64;

/// Pi with six decimals. The quotient is the double that is nearest to the decimal number.
const TSPLIB_PI: f64 = 3_141_592.0 / 1e6;

/// The radius of the Earth in TSPLIB's kilometres.
const EARTH_RADIUS: f64 = 6378.388;

/// The nearest whole number of a number that is at least 0.
#[inline]
fn nint(value: f64) -> i64 {
    (value + 0.5) as i64
}

/// Converts degrees and minutes, written `DDD.MM`, to radians. The degrees are truncated, although the document of 1995 rounds them,
/// because only truncation gives the published optima.
fn radians(coordinate: f64) -> f64 {
    let degrees = coordinate.trunc();
    let minutes = coordinate - degrees;
    TSPLIB_PI * (degrees + 5.0 * minutes / 3.0) / 180.0
}

fn geographic([latitude, longitude]: [f64; 2], [other_latitude, other_longitude]: [f64; 2]) -> i64 {
    let q1 = libm::cos(longitude - other_longitude);
    let q2 = libm::cos(latitude - other_latitude);
    let q3 = libm::cos(latitude + other_latitude);
    // Near a pole, rounding can make the cosine of the arc larger than 1.
    let cosine = (0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3)).clamp(-1.0, 1.0);
    (EARTH_RADIUS * libm::acos(cosine) + 1.0) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(kind: WeightKind, coordinates: &[f64]) -> i64 {
        let weights = Weights::from_coordinates(kind, coordinates);
        assert_eq!(weights.between(0, 1), weights.between(1, 0));
        weights.between(0, 1)
    }

    #[test]
    fn every_kind_follows_its_rule() {
        for (kind, coordinates, expected) in [
            (WeightKind::Euc2D, &[0.0, 0.0, 3.0, 4.0][..], 5),
            (WeightKind::Euc2D, &[0.0, 0.0, 1.0, 1.0], 1),
            (WeightKind::Euc2D, &[0.0, 0.0, 2.5, 0.0], 3),
            (WeightKind::Ceil2D, &[0.0, 0.0, 1.0, 1.0], 2),
            (WeightKind::Ceil2D, &[0.0, 0.0, 3.0, 4.0], 5),
            (WeightKind::Att, &[0.0, 0.0, 10.0, 0.0], 4),
            (WeightKind::Att, &[0.0, 0.0, 3.0, 1.0], 1),
            (WeightKind::Man2D, &[0.0, 0.0, -1.25, 1.25], 3),
            (WeightKind::Max2D, &[0.0, 0.0, -1.5, 1.25], 2),
            (WeightKind::Euc3D, &[0.0, 0.0, 0.0, 2.0, 3.0, 6.0], 7),
            (WeightKind::Man3D, &[0.0, 0.0, 0.0, 1.0, 2.0, -3.0], 6),
            (WeightKind::Max3D, &[0.0, 0.0, 0.0, 1.0, 2.0, -3.4], 3),
        ] {
            assert_eq!(distance(kind, coordinates), expected, "{kind:?} {coordinates:?}");
        }
    }

    #[test]
    fn fast_rounding_is_the_rule() {
        let mut random = evogrid_core::random::RandomStream::from_seed(8);
        for scale in [3, 100, 1_000_000, 1 << 22] {
            let coordinates: Vec<f64> = (0..80).map(|_| random.below(2 * scale + 1) as f64 - scale as f64).collect();
            let weights = Weights::from_coordinates(WeightKind::Euc2D, &coordinates);
            assert!(weights.is_fast);
            for (one, other) in (0..40).flat_map(|one| (0..40).map(move |other| (one, other))) {
                assert_eq!(weights.between(one, other), weights.between_rarely(one, other));
            }
        }
        // As near to a half as whole numbers come: k * k + k lies 1/4 below, and k * k + k + 1 that much above.
        for k in [1_i64, 2, 3, 1000, 46_340, (1 << 24) - 1] {
            for (square, expected) in [(k * k + k, k), (k * k + k + 1, k + 1)] {
                let root = (square as f64).sqrt();
                assert_eq!((nint(root), (root + TWO_TO_52) - TWO_TO_52), (expected, expected as f64), "{k}");
            }
        }
        assert!(!Weights::from_coordinates(WeightKind::Euc2D, &[0.5, 1.0, 2.0, 3.0]).is_fast);
    }

    #[test]
    fn degrees_are_cut_and_not_rounded() {
        // 38.24 N 20.42 E and 39.57 N 26.15 E, the first two cities of TSPLIB's ulysses16 (and minutes above 30 in the second).
        assert_eq!(distance(WeightKind::Geo, &[38.24, 20.42, 39.57, 26.15]), 509);
        assert!((radians(39.57) - TSPLIB_PI * 39.95 / 180.0).abs() < 1e-12);
        assert!((radians(-39.57) + TSPLIB_PI * 39.95 / 180.0).abs() < 1e-12);
    }

    #[test]
    fn the_same_place_is_one_kilometre_away_on_the_sphere_even_at_a_pole() {
        for latitude in [90.0, -90.0, 89.59, 0.0] {
            for longitude in 0..180 {
                let there =
                    distance(WeightKind::Geo, &[latitude, f64::from(longitude), latitude, f64::from(longitude)]);
                assert_eq!(there, 1, "{latitude} {longitude}");
            }
        }
    }

    #[test]
    fn a_matrix_is_read_as_it_stands() {
        let weights = Weights::from_matrix(3, vec![0, 1, 2, 1, 0, 3, 2, 3, 0]);
        assert_eq!((weights.between(1, 2), weights.tour_length(&[0, 1, 2])), (3, 6));
        assert_eq!(weights.tour_length(&[]), 0);
    }

    #[test]
    fn the_bound_of_an_axis_is_never_above_the_weight() {
        let mut random = evogrid_core::random::RandomStream::from_seed(3);
        for &(_, kind) in WeightKind::CHOICES {
            if kind == WeightKind::Explicit {
                continue;
            }
            for scale in [1.0, 10.0, 90.0] {
                let coordinates: Vec<f64> = (0..kind.n_coordinates() * 40).map(|_| scale * random.unit()).collect();
                let weights = Weights::from_coordinates(kind, &coordinates);
                for (one, other) in (0..40).flat_map(|one| (0..40).map(move |other| (one, other))) {
                    let (from, to) = (weights.point(one), weights.point(other));
                    let apart = (0..3).map(|axis| (from[axis] - to[axis]).abs()).fold(0.0, f64::max);
                    assert!(weights.axis_bound(apart) <= weights.between(one, other), "{kind:?} {scale}");
                }
            }
        }
    }
}
