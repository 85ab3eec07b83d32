//! Tours as arrays of cities and positions, with reversals of paths that can be undone.

use std::collections::TryReserveError;

use evogrid_core::memory::{filled, room};

use super::weights::Weights;

/// A closed tour with a direction. Nearly every change is a reversal of a path. The shorter of the path and its complement is reversed, so
/// the time of a change and of its undo is proportional to the number of moved cities.
#[derive(Clone, Debug)]
pub(super) struct Tour<'w> {
    weights: &'w Weights,
    order: Vec<u16>,
    positions: Vec<u16>,
    /// For each position, the weight of the edge to the next position. The weights are read far more often than they change.
    edges: Vec<i32>,
    /// The changes since the [mark](Self::mark), if there is a mark.
    log: Vec<Change>,
    is_marked: bool,
}

/// A change, described by positions. A second identical change undoes the first change.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// The path from one position to another is reversed.
    Reversal([u16; 2]),
    /// Two cities change places.
    Swap([u16; 2]),
}

impl<'w> Tour<'w> {
    /// Creates the tour that visits the cities in the order of their numbers.
    ///
    /// # Errors
    /// Returns an error if the system cannot provide enough memory.
    pub(super) fn new(weights: &'w Weights) -> Result<Self, TryReserveError> {
        let n_cities = weights.n_cities();
        let (mut order, mut positions) = (room(n_cities)?, room(n_cities)?);
        order.extend((0..n_cities).map(|city| city as u16));
        positions.extend_from_slice(&order);
        let edges = filled(0, n_cities)?;
        Ok(Self { weights, order, positions, edges, log: Vec::new(), is_marked: false })
    }

    /// Loads an order of cities, removes the mark, and returns the length of the tour.
    pub(super) fn load(&mut self, order: &[u16]) -> i64 {
        self.order.copy_from_slice(order);
        let mut length = 0;
        for (position, &city) in order.iter().enumerate() {
            self.positions[usize::from(city)] = position as u16;
            length += i64::from(self.mend_edge(position));
        }
        self.log.clear();
        self.is_marked = false;
        length
    }

    /// The cities in the order of the tour.
    pub(super) fn order(&self) -> &[u16] {
        &self.order
    }

    /// The city after or before a city.
    #[inline]
    pub(super) fn neighbour(&self, city: u16, is_after: bool) -> u16 {
        let position = self.position(city);
        self.order[if is_after { self.position_after(position) } else { self.position_before(position) }]
    }

    /// The city after or before a city, and the weight of the edge between them.
    #[inline]
    pub(super) fn edge(&self, city: u16, is_after: bool) -> (u16, i64) {
        let position = self.position(city);
        let (other, start) = if is_after {
            (self.position_after(position), position)
        } else {
            let before = self.position_before(position);
            (before, before)
        };
        (self.order[other], i64::from(self.edges[start]))
    }

    /// The index of a city in [`order`](Self::order).
    #[inline]
    pub(super) fn position(&self, city: u16) -> usize {
        usize::from(self.positions[usize::from(city)])
    }

    /// Reverses the path from one city to another.
    pub(super) fn reverse(&mut self, first: u16, last: u16) {
        let n_cities = self.order.len();
        let (first, last) = (self.position(first), self.position(last));
        // The reversal of the complement gives the same closed tour.
        let (start, end) = if 2 * self.span(first, last) <= n_cities {
            (first, last)
        } else {
            (self.position_after(last), self.position_before(first))
        };
        // The complement of a path of all cities is empty, and a path of one city does not change.
        if self.span(first, last) == n_cities || start == end {
            return;
        }
        if self.is_marked {
            self.log.push(Change::Reversal([start as u16, end as u16]));
        }
        self.reverse_positions(start, end);
    }

    /// Exchanges the cities at two positions, and returns the change in length.
    pub(super) fn swap(&mut self, one: usize, other: usize) -> i64 {
        if self.is_marked {
            self.log.push(Change::Swap([one as u16, other as u16]));
        }
        self.swap_positions(one, other)
    }

    /// Moves the path from one city to another between `before` and the next city. If the path is turned, its last city follows `before`;
    /// if not, its first city follows `before`.
    pub(super) fn move_path(&mut self, first: u16, last: u16, before: u16, is_turned: bool) {
        // Every reversal may change the direction of the whole tour, so the city in front of a path identifies the path.
        let (in_front, behind) = (self.neighbour(first, false), self.neighbour(last, true));
        if in_front == before {
            // The path keeps its place.
            if is_turned {
                self.reverse(first, last);
            }
            return;
        }
        self.reverse(first, before);
        self.reverse_beside(in_front, before, behind);
        if !is_turned {
            self.reverse_beside(before, last, first);
        }
    }

    /// Stores the tour as the new mark.
    pub(super) fn mark(&mut self) {
        self.log.clear();
        self.is_marked = true;
    }

    /// Restores the marked tour, and keeps the mark.
    pub(super) fn rollback(&mut self) {
        while let Some(change) = self.log.pop() {
            match change {
                Change::Reversal([start, end]) => self.reverse_positions(start.into(), end.into()),
                Change::Swap([one, other]) => {
                    self.swap_positions(one.into(), other.into());
                }
            }
        }
    }

    /// Reverses the path between the cities `beside` and `end`. `beside` is adjacent to `outside`, which is not on the path.
    fn reverse_beside(&mut self, outside: u16, beside: u16, end: u16) {
        if self.neighbour(outside, true) == beside { self.reverse(beside, end) } else { self.reverse(end, beside) }
    }

    /// The number of positions from one position to another.
    fn span(&self, start: usize, end: usize) -> usize {
        if end >= start { end - start + 1 } else { end + self.order.len() - start + 1 }
    }

    #[inline]
    fn position_after(&self, position: usize) -> usize {
        if position + 1 == self.order.len() { 0 } else { position + 1 }
    }

    #[inline]
    fn position_before(&self, position: usize) -> usize {
        if position == 0 { self.order.len() - 1 } else { position - 1 }
    }

    /// Updates the weight of the edge that begins at a position.
    #[inline]
    fn mend_edge(&mut self, position: usize) -> i32 {
        let (city, next) = (self.order[position], self.order[self.position_after(position)]);
        let weight = self.weights.between(usize::from(city), usize::from(next)) as i32;
        self.edges[position] = weight;
        weight
    }

    #[inline]
    fn exchange(&mut self, one: usize, other: usize) {
        let (city, other_city) = (self.order[one], self.order[other]);
        (self.order[one], self.order[other]) = (other_city, city);
        self.positions[usize::from(other_city)] = one as u16;
        self.positions[usize::from(city)] = other as u16;
    }

    fn swap_positions(&mut self, one: usize, other: usize) -> i64 {
        self.exchange(one, other);
        // A position that occurs twice changes only the first time.
        let positions = [self.position_before(one), one, self.position_before(other), other];
        let change = |position: usize| -i64::from(self.edges[position]) + i64::from(self.mend_edge(position));
        positions.into_iter().map(change).sum()
    }

    /// Reverses the cities from one position to another, including the edges between them.
    fn reverse_positions(&mut self, start: usize, end: usize) {
        if start <= end {
            self.order[start..=end].reverse();
            self.edges[start..end].reverse();
            for (position, &city) in (start..).zip(&self.order[start..=end]) {
                self.positions[usize::from(city)] = position as u16;
            }
        }
        // A path across the end of the array is reversed position by position.
        let (mut left, mut right) = (start, end);
        for _ in 0..if start <= end { 0 } else { self.span(start, end) / 2 } {
            self.exchange(left, right);
            right = self.position_before(right);
            self.edges.swap(left, right);
            left = self.position_after(left);
        }
        self.mend_edge(self.position_before(start));
        self.mend_edge(end);
    }
}
