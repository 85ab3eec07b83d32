//! The cells of a plan, one after the other.

use crate::experiment::spec::Spec;
use crate::experiment::spec::combination::combination;

/// A place among the cells: an algorithm, and a point on each of its axes.
#[derive(Clone, Default)]
pub(super) struct Cursor {
    pub(super) algorithm: usize,
    /// `None` before the algorithm's first cell.
    pub(super) points: Option<Vec<usize>>,
}

impl Cursor {
    /// The place of the cell with this number.
    pub(super) fn at(spec: &Spec, mut number: u64) -> Option<Self> {
        for (place, algorithm) in spec.algorithms.iter().enumerate() {
            let n_cells = algorithm.n_cells();
            if number >= n_cells {
                number -= n_cells;
                continue;
            }
            let mut cursor = Self { algorithm: place, points: None };
            let algorithm = algorithm.spec();
            if algorithm.excluded.is_empty() {
                let axes = &algorithm.axes;
                cursor.points = Some(combination(number, axes.len(), |at| axes[at].points.len()));
            } else {
                // Which combinations are left out is only known of each.
                (0..=number).try_for_each(|_| cursor.step(spec))?;
            }
            return Some(cursor);
        }
        None
    }

    /// Moves to the next cell that is not left out.
    pub(super) fn step(&mut self, spec: &Spec) -> Option<()> {
        while let Some(algorithm) = spec.algorithms.get(self.algorithm) {
            let is_there = match &mut self.points {
                None => {
                    self.points = Some(vec![0; algorithm.spec().axes.len()]);
                    true
                }
                Some(points) => algorithm.spec().advance(points),
            };
            if !is_there {
                *self = Self { algorithm: self.algorithm + 1, points: None };
            } else if !algorithm.is_excluded(self.points()) {
                return Some(());
            }
        }
        None
    }

    /// The point of each axis.
    pub(super) fn points(&self) -> &[usize] {
        self.points.as_deref().unwrap_or_default()
    }
}
