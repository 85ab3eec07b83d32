//! Fitness: the value that selection compares. The fitness is always minimised.

use std::cmp::Ordering;
use std::fmt;

/// The fitness of an individual: a number. Smaller is better.
///
/// Fitnesses are totally ordered, because a fitness is never NaN.
///
/// ```
/// use evogrid_core::fitness::Fitness;
///
/// let fitnesses = [Fitness::from(3), Fitness::new(-0.5), Fitness::WORST];
/// assert_eq!(fitnesses.iter().min(), Some(&Fitness::new(-0.5)));
/// assert_eq!(Fitness::new(-0.0), Fitness::from(0));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Fitness(f64);

impl Fitness {
    /// A fitness that is worse than the fitness of any evaluated candidate.
    pub const WORST: Fitness = Fitness(f64::INFINITY);

    /// The fitness with this value.
    ///
    /// # Panics
    /// Panics if the value is NaN. If a problem computes NaN, the problem has a bug.
    #[inline]
    pub fn new(value: f64) -> Self {
        assert!(!value.is_nan(), "a fitness is a number");
        // Adding zero turns -0 into 0. So equal fitnesses are equal in every order.
        Self(value + 0.0)
    }

    /// The fitness as a number.
    #[inline]
    pub fn value(self) -> f64 {
        self.0
    }
}

impl From<u32> for Fitness {
    #[inline]
    fn from(value: u32) -> Self {
        Self(f64::from(value))
    }
}

impl PartialEq for Fitness {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Fitness {}

impl PartialOrd for Fitness {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }

    // A fitness is neither NaN nor -0. So the processor's comparison agrees with the total order, and it is much faster.
    #[inline]
    fn lt(&self, other: &Self) -> bool {
        self.0 < other.0
    }

    #[inline]
    fn le(&self, other: &Self) -> bool {
        self.0 <= other.0
    }

    #[inline]
    fn gt(&self, other: &Self) -> bool {
        self.0 > other.0
    }

    #[inline]
    fn ge(&self, other: &Self) -> bool {
        self.0 >= other.0
    }
}

impl Ord for Fitness {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl fmt::Display for Fitness {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_comparisons_agree() {
        let fitnesses = [-1.5, -0.0, 0.0, 1.0, 42.5, f64::MAX].map(Fitness::new);
        for one in fitnesses.into_iter().chain([Fitness::WORST]) {
            for other in fitnesses {
                let order = one.cmp(&other);
                assert_eq!((one < other, one <= other), (order.is_lt(), order.is_le()));
                assert_eq!((one > other, one >= other), (order.is_gt(), order.is_ge()));
                assert_eq!(one == other, order.is_eq());
            }
        }
    }
}
