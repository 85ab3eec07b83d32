//! Numbers that hold times: narrow ones where every makespan fits, so that more of them are computed at once.

/// A time, or a sum of times. Sums never overflow where they mean something, by the check of [`ProcessingTimes`](super::ProcessingTimes);
/// what is computed for places that hold no job may wrap around.
pub(super) trait Time: Copy + Ord + Default + Send + Sync + Into<u64> + 'static {
    /// The time of an instance as this number, in which it is known to fit.
    fn narrow(time: u32) -> Self;

    /// A sum, which wraps around.
    #[must_use]
    fn plus(self, other: Self) -> Self;
}

impl Time for u16 {
    #[inline]
    fn narrow(time: u32) -> Self {
        time as Self
    }

    #[inline]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
}

impl Time for u32 {
    #[inline]
    fn narrow(time: u32) -> Self {
        time
    }

    #[inline]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
}
