//! Assignments under construction: rows of B are removed, and inserted where they cost least.

use super::operands::Operands;
use super::scalar::Scalar;
use crate::solutions::{Cost, best_position};
use evogrid_core::prelude::*;

/// An assignment with some free rows of A. An element is a row of B, and a position is a free row of A. The cost counts only the assigned
/// rows.
pub(super) struct PartialAssignment<'p, S> {
    operands: &'p Operands<S>,
    /// For each row of A, the assigned row of B, or [`FREE`].
    assigned: Vec<Allele>,
    /// For each row of B, the row of A to which it is assigned, or [`FREE`].
    position_of: Vec<Allele>,
    cost: i64,
    /// For each layer, the entries in the row of an element, in the order of the assignment; 0 at free rows.
    crossed: Vec<S>,
}

/// No row.
const FREE: Allele = Allele::MAX;

impl<'p, S: Scalar> PartialAssignment<'p, S> {
    /// An empty assignment.
    pub(super) fn new(operands: &'p Operands<S>) -> Self {
        Self {
            operands,
            assigned: vec![FREE; operands.n],
            position_of: vec![FREE; operands.n],
            cost: 0,
            crossed: vec![S::from_entry(0); operands.n_layers * operands.stride],
        }
    }

    /// Writes the entries between an element and the assigned rows, in the order of the assignment.
    fn cross(&mut self, element: Allele) {
        for (layer, crossed) in self.crossed.chunks_exact_mut(self.operands.stride).enumerate() {
            let row = self.operands.b_row(layer, usize::from(element));
            for (entry, &other) in crossed.iter_mut().zip(&self.assigned) {
                *entry = if other == FREE { S::from_entry(0) } else { row[usize::from(other)] };
            }
        }
    }

    /// The cost that a [crossed](Self::cross) element adds at a position.
    fn contribution(&self, element: Allele, position: usize) -> i64 {
        let crossed = self.crossed.chunks_exact(self.operands.stride).enumerate();
        let sums = crossed.map(|(layer, crossed)| S::to_integer(S::dot(self.operands.a_row(layer, position), crossed)));
        let diagonal = self.operands.a_diagonal[position] * self.operands.b_diagonal[usize::from(element)];
        sums.sum::<i64>() + diagonal
    }
}

impl<S: Scalar> PartialSolution for PartialAssignment<'_, S> {
    fn load(&mut self, genome: &[Allele]) -> Fitness {
        self.assigned.copy_from_slice(genome);
        for (position, &element) in (0..).zip(genome) {
            self.position_of[usize::from(element)] = position;
        }
        self.cost = self.operands.cost(genome);
        Cost(self.cost).into()
    }

    fn clear(&mut self) {
        self.assigned.fill(FREE);
        self.position_of.fill(FREE);
        self.cost = 0;
    }

    fn write(&self, genome: &mut [Allele]) {
        assert!(!self.assigned.contains(&FREE), "every row is assigned");
        genome.copy_from_slice(&self.assigned);
    }

    fn remove(&mut self, element: Allele) {
        let position = std::mem::replace(&mut self.position_of[usize::from(element)], FREE);
        assert!(position != FREE, "an element can be removed only if it has a position");
        self.assigned[usize::from(position)] = FREE;
        self.cross(element);
        self.cost -= self.contribution(element, usize::from(position));
    }

    fn best_position(&mut self, element: Allele, limit: u64, ties: Ties) -> BestPosition {
        assert!(
            self.position_of[usize::from(element)] == FREE,
            "an element can be inserted only if it has no position"
        );
        self.cross(element);
        let free = (0..self.operands.n).filter(|&position| self.assigned[position] == FREE);
        best_position(free.map(|position| (position, self.cost + self.contribution(element, position))), limit, ties)
    }

    fn insert(&mut self, element: Allele, position: usize) {
        assert!(self.position_of[usize::from(element)] == FREE && self.assigned[position] == FREE, "both are free");
        self.cross(element);
        self.cost += self.contribution(element, position);
        self.assigned[position] = element;
        self.position_of[usize::from(element)] = position as Allele;
    }
}
