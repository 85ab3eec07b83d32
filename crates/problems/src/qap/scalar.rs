//! The two number types for computing deltas: 16-bit integers if they are wide enough, otherwise doubles that hold integers.

/// The number type of matrix entries and of sums of their products. All operations are exact for the instances for which the type is
/// chosen.
pub(crate) trait Scalar: Copy + Send + Sync + 'static {
    /// A sum of products.
    type Sum: Copy + PartialOrd + Default + Send + Sync + 'static;

    /// Converts an entry of a matrix. The caller knows that the entry fits.
    fn from_entry(entry: i64) -> Self;

    /// Converts a sum. The caller knows that the sum fits.
    fn to_sum(integer: i64) -> Self::Sum;

    /// Converts a sum to an integer.
    fn to_integer(sum: Self::Sum) -> i64;

    /// Converts an entry to an integer.
    fn entry(self) -> i64;

    /// The difference of two entries.
    fn minus(self, other: Self) -> Self;

    /// `sum + a * b`.
    fn accumulated(sum: Self::Sum, a: Self, b: Self) -> Self::Sum;

    /// The sum over `k` of `(a_i[k] - a_j[k]) * (b_j[k] - b_i[k])`, for rows of the same length, a multiple of [`LANES`].
    fn crossed(a_i: &[Self], a_j: &[Self], b_i: &[Self], b_j: &[Self]) -> Self::Sum;

    /// The sum over `k` of `a[k] * b[k]`.
    fn dot(a: &[Self], b: &[Self]) -> Self::Sum;

    /// Adds `(u_i - u[k]) * (v_i - v[k])` to every `sums[k]`.
    fn add_products(sums: &mut [Self::Sum], u_i: Self, u: &[Self], v_i: Self, v: &[Self]);

    /// The smallest sum; an arbitrary number if the list is empty.
    fn least(sums: &[Self::Sum]) -> Self::Sum;
}

/// Rows are padded with zeros to a multiple of this length.
pub(super) const LANES: usize = 16;

#[inline]
fn lanes(row: &[i16]) -> std::slice::Iter<'_, [i16; LANES]> {
    row.as_chunks().0.iter()
}

/// The sum of products over all lanes. Compilers turn the inner loop into multiplications and additions of pairs. Without the overflow
/// check in the outer loop, compilers would vectorise the outer loop instead, and the sum would take several times as long.
#[inline]
fn sum_of_lanes<R>(mut rows: impl Iterator<Item = R>, product: impl Fn(&R, usize) -> i32) -> i32 {
    let sum = rows.try_fold(0_i32, |total, row| {
        let mut sum = 0;
        for k in 0..LANES {
            sum += product(&row, k);
        }
        total.checked_add(sum)
    });
    sum.expect("narrow number types are used only if all sums fit into them")
}

/// The conversions of matrix entries and of sums. The argument is the number type of sums.
macro_rules! conversions {
    ($sum:ty) => {
        type Sum = $sum;

        fn from_entry(entry: i64) -> Self {
            entry as Self
        }

        fn to_sum(integer: i64) -> $sum {
            integer as $sum
        }

        #[inline]
        fn to_integer(sum: $sum) -> i64 {
            sum as i64
        }

        #[inline]
        fn entry(self) -> i64 {
            self as i64
        }
    };
}

#[inline]
fn fours(row: &[f64]) -> std::slice::Iter<'_, [f64; 4]> {
    row.as_chunks().0.iter()
}

/// The sum of products over all doubles, computed in four separate sums.
#[inline]
fn sum_of_fours<R>(rows: impl Iterator<Item = R>, product: impl Fn(&R, usize) -> f64) -> f64 {
    let mut sums = [0.0; 4];
    for row in rows {
        for (k, sum) in sums.iter_mut().enumerate() {
            *sum += product(&row, k);
        }
    }
    sums.iter().sum()
}

/// Narrow numbers. Differences of differences of entries must fit, so entries are at most 2^13 - 1.
impl Scalar for i16 {
    conversions!(i32);

    #[inline]
    fn minus(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }

    #[inline]
    fn accumulated(sum: i32, a: i16, b: i16) -> i32 {
        sum + i32::from(a) * i32::from(b)
    }

    #[inline]
    fn crossed(a_i: &[i16], a_j: &[i16], b_i: &[i16], b_j: &[i16]) -> i32 {
        let rows = lanes(a_i).zip(lanes(a_j)).zip(lanes(b_i).zip(lanes(b_j)));
        sum_of_lanes(rows, |((a_i, a_j), (b_i, b_j)), k| {
            i32::from(a_i[k].wrapping_sub(a_j[k])) * i32::from(b_j[k].wrapping_sub(b_i[k]))
        })
    }

    #[inline]
    fn dot(a: &[i16], b: &[i16]) -> i32 {
        sum_of_lanes(lanes(a).zip(lanes(b)), |(a, b), k| i32::from(a[k]) * i32::from(b[k]))
    }

    // Only in a function of its own does the compiler know that the slices do not overlap.
    #[inline(never)]
    fn add_products(sums: &mut [i32], u_i: i16, u: &[i16], v_i: i16, v: &[i16]) {
        let product = |u: i16, v: i16| i32::from(u_i.wrapping_sub(u)) * i32::from(v_i.wrapping_sub(v));
        let n = sums.len();
        let (chunks, rest) = sums.as_chunks_mut::<8>();
        let (u_chunks, u_rest) = u[..n].as_chunks::<8>();
        let (v_chunks, v_rest) = v[..n].as_chunks::<8>();
        for ((sums, u), v) in chunks.iter_mut().zip(u_chunks).zip(v_chunks) {
            for k in 0..8 {
                sums[k] += product(u[k], v[k]);
            }
        }
        for ((sum, &u), &v) in rest.iter_mut().zip(u_rest).zip(v_rest) {
            *sum += product(u, v);
        }
    }

    #[inline]
    fn least(sums: &[i32]) -> i32 {
        sums.iter().fold(i32::MAX, |least, &sum| least.min(sum))
    }
}

/// Wide numbers. Doubles are exact because [`MAX_COST`](super::instance::MAX_COST) keeps all integers below 2^53. SSE2 can multiply
/// doubles, but it cannot multiply 64-bit integers.
impl Scalar for f64 {
    conversions!(f64);

    #[inline]
    fn minus(self, other: Self) -> Self {
        self - other
    }

    #[inline]
    fn accumulated(sum: f64, a: f64, b: f64) -> f64 {
        sum + a * b
    }

    #[inline]
    fn crossed(a_i: &[f64], a_j: &[f64], b_i: &[f64], b_j: &[f64]) -> f64 {
        let rows = fours(a_i).zip(fours(a_j)).zip(fours(b_i).zip(fours(b_j)));
        sum_of_fours(rows, |((a_i, a_j), (b_i, b_j)), k| (a_i[k] - a_j[k]) * (b_j[k] - b_i[k]))
    }

    #[inline]
    fn dot(a: &[f64], b: &[f64]) -> f64 {
        sum_of_fours(fours(a).zip(fours(b)), |(a, b), k| a[k] * b[k])
    }

    #[inline]
    fn add_products(sums: &mut [f64], u_i: f64, u: &[f64], v_i: f64, v: &[f64]) {
        for ((sum, &u), &v) in sums.iter_mut().zip(u).zip(v) {
            *sum += (u_i - u) * (v_i - v);
        }
    }

    #[inline]
    fn least(sums: &[f64]) -> f64 {
        let mut least = [f64::INFINITY; 4];
        let chunks = sums.chunks_exact(4);
        let rest = chunks.remainder();
        for chunk in chunks {
            for (least, &sum) in least.iter_mut().zip(chunk) {
                *least = if sum < *least { sum } else { *least };
            }
        }
        least.iter().chain(rest).fold(f64::INFINITY, |least, &sum| if sum < least { sum } else { least })
    }
}
