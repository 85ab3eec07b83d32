//! Loops compiled for each set of vector instructions, of which the processor's own is chosen when the program runs.

use fearless_simd::{Level, Simd, dispatch};

/// The vector instructions for which [`run`](Self::run) takes the compiled form of a loop.
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
    /// Those of this processor. It takes longer than a kernel: once for a problem is enough.
    #[must_use]
    pub fn detect() -> Self {
        Self(Level::new())
    }

    /// Those that every processor has that the program was built for.
    #[must_use]
    pub fn baseline() -> Self {
        Self(Level::baseline())
    }

    /// Does the work. It is compiled once for each set of instructions (on x86-64: the baseline, SSE4.2, AVX2 with BMI and the count of
    /// ones, AVX-512). What is found does not depend on the set, floating-point numbers included: none of them is computed in another order.
    ///
    /// The instructions reach as far as the work is inlined: mark the closure and what it calls `#[inline(always)]`. A call costs a few
    /// instructions: let the work be a whole kernel.
    #[inline(always)]
    pub fn run<R>(self, work: impl FnOnce() -> R) -> R {
        dispatch!(self.0, simd => simd.vectorize(work))
    }
}
