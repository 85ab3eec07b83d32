//! Loops that are compiled for several sets of vector instructions. At run time, the program uses the set that fits the processor.

use fearless_simd::{Level, Simd, dispatch};

/// The vector instructions for which [`run`](Self::run) compiles a loop.
///
/// ```
/// use evogrid_core::vectorization::VectorInstructions;
///
/// let genome = [3u16, 1, 2, 0];
/// let ones = VectorInstructions::detect().run(
///     #[inline(always)]
///     || genome.iter().map(|allele| (1u32 << allele).count_ones()).sum::<u32>(),
/// );
/// assert_eq!(ones, 4);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct VectorInstructions(Level);

impl VectorInstructions {
    /// The instructions of this processor. The detection of the instructions takes longer than a typical loop. Therefore call this function
    /// only once for each problem.
    pub fn detect() -> Self {
        Self(Level::new())
    }

    /// The instructions that every supported processor has.
    pub fn baseline() -> Self {
        Self(Level::baseline())
    }

    /// Runs a loop that is compiled once for each set of instructions. For x86-64, there are four sets of instructions: the baseline;
    /// SSE4.2; AVX2 with BMI and POPCNT; and AVX-512. The order of operations is always the same. Therefore all sets of instructions give
    /// the same results, even in floating-point arithmetic.
    ///
    /// Only inlined code uses the vector instructions. The closure and the functions that it calls must be marked `#[inline(always)]`. A
    /// call of `run` costs a few instructions. Therefore `work` should be a whole loop, and not a single step.
    #[inline(always)]
    pub fn run<R>(self, work: impl FnOnce() -> R) -> R {
        dispatch!(self.0, simd => simd.vectorize(work))
    }
}
