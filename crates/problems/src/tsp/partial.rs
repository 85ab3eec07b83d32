//! A tour under construction: cities go where they lengthen it least.

use evogrid_core::prelude::*;

use super::{Length, Weights};

/// A closed tour of some cities. A position is an index in it: the city is inserted before the city that is there now, or at the end.
pub(super) struct PartialTour<'w> {
    weights: &'w Weights,
    tour: Vec<Allele>,
    /// For every place the weight of the edge from the place before, the last before the first.
    edges: Vec<i64>,
    length: i64,
}

impl<'w> PartialTour<'w> {
    pub(super) fn new(weights: &'w Weights) -> Self {
        let n_cities = weights.n_cities();
        Self { weights, tour: Vec::with_capacity(n_cities), edges: Vec::with_capacity(n_cities), length: 0 }
    }

    /// The weight between two cities, 0 if they are equal: a tour of one city has length 0.
    fn between(&self, one: Allele, other: Allele) -> i64 {
        if one == other { 0 } else { self.weights.between(usize::from(one), usize::from(other)) }
    }

    /// The place before another one.
    fn before(&self, place: usize) -> usize {
        if place == 0 { self.tour.len() - 1 } else { place - 1 }
    }

    /// Computes the edge to a position again.
    fn mend(&mut self, place: usize) {
        let edge = self.between(self.tour[self.before(place)], self.tour[place]);
        self.length += edge - self.edges[place];
        self.edges[place] = edge;
    }
}

impl PartialSolution for PartialTour<'_> {
    fn load(&mut self, genome: &[Allele]) -> Fitness {
        self.clear();
        self.tour.extend_from_slice(genome);
        self.edges.resize(genome.len(), 0);
        (0..genome.len()).for_each(|place| self.mend(place));
        Length(self.length).into()
    }

    fn clear(&mut self) {
        self.tour.clear();
        self.edges.clear();
        self.length = 0;
    }

    fn write(&self, genome: &mut [Allele]) {
        genome.copy_from_slice(&self.tour);
    }

    fn remove(&mut self, element: Allele) {
        let place = self.tour.iter().position(|&city| city == element).expect("the city is in the tour");
        self.tour.remove(place);
        self.length -= self.edges.remove(place);
        if !self.tour.is_empty() {
            self.mend(if place == self.tour.len() { 0 } else { place });
        }
    }

    /// Cheapest insertion (Rosenkrantz, Stearns and Lewis, "An analysis of several heuristics for the traveling salesman problem", SIAM
    /// Journal on Computing 6, 1977).
    fn best_position(&mut self, element: Allele, limit: u64, mut ties: Ties) -> BestPosition {
        if self.tour.is_empty() {
            return BestPosition { position: 0, fitness: Length(0).into(), examined: 1 };
        }
        let n_examined = self.tour.len().min(usize::try_from(limit).unwrap_or(usize::MAX));
        let (mut position, mut least, mut n_equal) = (0, i64::MAX, 0);
        let mut from = self.between(self.tour[self.before(0)], element);
        for place in 0..n_examined {
            let to = self.between(element, self.tour[place]);
            let added = from + to - self.edges[place];
            n_equal = if added < least { 1 } else { n_equal + u32::from(added == least) };
            if added < least || (added == least && ties.replaces(n_equal)) {
                (position, least) = (place, added);
            }
            from = to;
        }
        BestPosition { position, fitness: Length(self.length + least).into(), examined: n_examined as u64 }
    }

    fn insert(&mut self, element: Allele, position: usize) {
        self.tour.insert(position, element);
        self.edges.insert(position, 0);
        self.mend(position);
        self.mend(if position + 1 == self.tour.len() { 0 } else { position + 1 });
    }
}
