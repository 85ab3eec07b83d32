//! Bisection down to the resolution of floating-point numbers.

/// The two neighbouring numbers between which a condition changes. The condition holds from `low` up to some number below `high`.
pub(crate) fn bisect(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> (f64, f64) {
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return (low, high);
        }
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}
