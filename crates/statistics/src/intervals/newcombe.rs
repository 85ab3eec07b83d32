//! Newcombe's interval of a difference of two success rates.

use crate::interval::Interval;
use crate::intervals::wilson::wilson_score;

/// Newcombe's interval of the first success rate minus the second, from independent runs. Each side is given by its rate and its number of
/// runs, which need not be whole. `reach` is the half width in standard errors: 1.96 for 95 %.
///
/// With the rates `p₁`, `p₂` and their Wilson intervals `[l₁, u₁]`, `[l₂, u₂]`:
/// from `p₁ - p₂ - √((p₁ - l₁)² + (u₂ - p₂)²)` to `p₁ - p₂ + √((u₁ - p₁)² + (p₂ - l₂)²)`. The interval lies in `[-1, 1]`. It has a width
/// also if all runs or no runs are solved.
///
/// Source: R. G. Newcombe, "Interval estimation for the difference between independent proportions: comparison of eleven
/// methods", Statistics in Medicine 17(8), 1998, pages 873 to 890, method 10.
pub(crate) fn newcombe(sides: [(f64, f64); 2], reach: f64) -> Interval {
    let [(first, one), (second, other)] = sides.map(|(rate, runs)| (rate, wilson_score(rate, runs, reach)));
    let middle = first - second;
    Interval {
        low: (middle - (first - one.low).hypot(other.high - second)).max(-1.0),
        high: (middle + (second - other.low).hypot(one.high - first)).min(1.0),
    }
}
