//! Numbers that hold times: narrow ones where every makespan fits, so that more of them are computed at once.

/// The number type of times and their sums. Sums of real jobs never overflow, because [`ProcessingTimes`](super::ProcessingTimes) checks
/// the sizes; values computed for unused places may wrap around.
pub(crate) trait Time: Copy + Ord + Default + Send + Sync + Into<u64> + 'static {
    /// Converts a time of the instance, which is known to fit.
    fn narrow(time: u32) -> Self;

    /// The sum of two times, which wraps around.
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
