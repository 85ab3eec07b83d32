//! The configurations of a plan, one after the other.

use crate::experiment::spec::Spec;

/// A position among the configurations: an algorithm, and a point on each of its axes.
#[derive(Clone, Default)]
pub(super) struct Cursor {
    pub(super) algorithm: usize,
    /// The points; empty before the first configuration of the algorithm.
    pub(super) points: Vec<usize>,
    /// The number of the combination that comes next.
    next: u64,
}

impl Cursor {
    /// The position before the first configuration of the algorithm with this number.
    pub(super) fn before(algorithm: usize) -> Self {
        Self { algorithm, ..Self::default() }
    }

    /// The position of the configuration with this number.
    pub(super) fn at(spec: &Spec, mut number: u64) -> Option<Self> {
        for (place, algorithm) in spec.algorithms.iter().enumerate() {
            let n_configurations = algorithm.n_configurations();
            if number >= n_configurations {
                number -= n_configurations;
                continue;
            }
            let mut cursor = Self::before(place);
            if algorithm.spec().excluded.is_empty() {
                cursor.next = number;
                number = 0;
            }
            // Which combinations are left out is only known of each.
            (0..=number).try_for_each(|_| cursor.step(spec))?;
            return Some(cursor);
        }
        None
    }

    /// Moves to the next configuration that is not excluded.
    pub(super) fn step(&mut self, spec: &Spec) -> Option<()> {
        while let Some(algorithm) = spec.algorithms.get(self.algorithm) {
            if self.next >= algorithm.spec().n_combinations() {
                *self = Self::before(self.algorithm + 1);
                continue;
            }
            self.points = algorithm.spec().combination(self.next);
            self.next += 1;
            if !algorithm.is_excluded(&self.points) {
                return Some(());
            }
        }
        None
    }
}
