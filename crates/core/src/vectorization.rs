//! Loops that are compiled for several sets of vector instructions. At run time, the set that fits the processor is chosen.

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
    /// The instructions of this processor. The detection takes longer than a typical loop. Therefore call this function only once for each
    /// problem.
    pub fn detect() -> Self {
        Self(Level::new())
    }

    /// The instructions that every supported processor has.
    pub fn baseline() -> Self {
        Self(Level::baseline())
    }

    /// Runs a loop that is compiled once for each set of instructions. The sets on x86-64 are the baseline, SSE4.2, AVX2 with BMI and
    /// POPCNT, and AVX-512. The order of operations is always the same. The set of instructions therefore changes no result, not even
    /// floating-point results.
    ///
    /// Only inlined code uses the instructions. The closure and the functions that it calls must be marked `#[inline(always)]`. A call
    /// costs a few instructions. `work` should therefore be a whole kernel.
    #[inline(always)]
    pub fn run<R>(self, work: impl FnOnce() -> R) -> R {
        dispatch!(self.0, simd => simd.vectorize(work))
    }
}
