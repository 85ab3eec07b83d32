//! Tours as arrays: who comes after whom, and reversals of paths that can be undone.

use std::collections::TryReserveError;

use evogrid_core::memory::{filled, room};

use super::weights::Weights;

/// A closed tour with a direction. Nearly every change is a reversal of paths; the shorter side is reversed, so that the time of a change
/// and of its undo is proportional to the number of moved cities.
#[derive(Clone, Debug)]
pub(crate) struct Tour<'w> {
    weights: &'w Weights,
    order: Vec<u16>,
    positions: Vec<u16>,
    /// For each position the weight of the edge to the next one: asked for far more often than it changes.
    edges: Vec<i32>,
    /// What changed since the [mark](Self::mark), if there is one.
    log: Vec<Change>,
    is_marked: bool,
}

/// A change that undoes itself when it is made again, by positions.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// The path from one position to another is reversed.
    Reversal([u16; 2]),
    /// Two cities change places.
    Swap([u16; 2]),
}

impl<'w> Tour<'w> {
    /// The tour that visits the cities in the order of their numbers.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub(super) fn new(weights: &'w Weights) -> Result<Self, TryReserveError> {
        let n_cities = weights.n_cities();
        let (mut order, mut positions) = (room(n_cities)?, room(n_cities)?);
        order.extend((0..n_cities).map(|city| city as u16));
        positions.extend_from_slice(&order);
        let edges = filled(0, n_cities)?;
        Ok(Self { weights, order, positions, edges, log: Vec::new(), is_marked: false })
    }

    /// Loads this order of cities, and returns the length of the tour. A mark is removed.
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

    /// The city after another one.
    #[inline]
    pub(super) fn next(&self, city: u16) -> u16 {
        self.order[self.position_after(usize::from(self.positions[usize::from(city)]))]
    }

    /// The city before another one.
    #[inline]
    pub(super) fn previous(&self, city: u16) -> u16 {
        let position = usize::from(self.positions[usize::from(city)]);
        self.order[self.position_before(position)]
    }

    /// The city after another one, and the weight of the edge to it.
    #[inline]
    pub(super) fn edge_after(&self, city: u16) -> (u16, i64) {
        let position = usize::from(self.positions[usize::from(city)]);
        (self.order[self.position_after(position)], i64::from(self.edges[position]))
    }

    /// The city before another one, and the weight of the edge to it.
    #[inline]
    pub(super) fn edge_before(&self, city: u16) -> (u16, i64) {
        let before = self.position_before(usize::from(self.positions[usize::from(city)]));
        (self.order[before], i64::from(self.edges[before]))
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
        let length = if last >= first { last - first + 1 } else { last + n_cities - first + 1 };
        // The same closed tour comes of turning the rest round.
        let (start, end, length) = if 2 * length <= n_cities {
            (first, last, length)
        } else {
            let (start, end) =
                (if last + 1 == n_cities { 0 } else { last + 1 }, if first == 0 { n_cities - 1 } else { first - 1 });
            (start, end, n_cities - length)
        };
        if length < 2 {
            return;
        }
        if self.is_marked {
            self.log.push(Change::Reversal([start as u16, end as u16]));
        }
        self.reverse_positions(start, end, length);
    }

    /// Exchanges the cities at two positions.
    pub(super) fn swap(&mut self, one: usize, other: usize) {
        if self.is_marked {
            self.log.push(Change::Swap([one as u16, other as u16]));
        }
        self.swap_positions(one, other);
    }

    /// Removes the path from one city to another, and inserts it between `before` and the next city: either its first city follows
    /// `before`, or its last one, if it is reversed.
    pub(super) fn move_path(&mut self, first: u16, last: u16, before: u16, is_turned: bool) {
        // The direction of the whole tour may change with every reversal: paths are found again by the city in front of them.
        let (in_front, behind) = (self.previous(first), self.next(last));
        if in_front == before {
            // It stays where it is.
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

    /// Remembers the tour as the mark, replacing the previous mark.
    pub(super) fn mark(&mut self) {
        self.log.clear();
        self.is_marked = true;
    }

    /// Restores the tour at the mark, which is kept.
    pub(super) fn rollback(&mut self) {
        let n_cities = self.order.len();
        while let Some(change) = self.log.pop() {
            match change {
                Change::Reversal(ends) => {
                    let [start, end] = ends.map(usize::from);
                    let length = if end >= start { end - start + 1 } else { end + n_cities - start + 1 };
                    self.reverse_positions(start, end, length);
                }
                Change::Swap(places) => {
                    let [one, other] = places.map(usize::from);
                    self.swap_positions(one, other);
                }
            }
        }
    }

    /// Reverses the path between two cities; the first is adjacent to `outside`, which is not on the path.
    fn reverse_beside(&mut self, outside: u16, beside: u16, end: u16) {
        if self.next(outside) == beside { self.reverse(beside, end) } else { self.reverse(end, beside) }
    }

    #[inline]
    fn position_after(&self, position: usize) -> usize {
        if position + 1 == self.order.len() { 0 } else { position + 1 }
    }

    #[inline]
    fn position_before(&self, position: usize) -> usize {
        if position == 0 { self.order.len() - 1 } else { position - 1 }
    }

    /// Computes the weight of the edge after a position again.
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

    fn swap_positions(&mut self, one: usize, other: usize) {
        self.exchange(one, other);
        for position in [self.position_before(one), one, self.position_before(other), other] {
            self.mend_edge(position);
        }
    }

    /// Reverses this many positions from one position on, including the edges between them.
    fn reverse_positions(&mut self, start: usize, end: usize, length: usize) {
        if start <= end {
            self.order[start..=end].reverse();
            self.edges[start..end].reverse();
            for (position, &city) in (start..).zip(&self.order[start..=end]) {
                self.positions[usize::from(city)] = position as u16;
            }
        }
        // What lies over the end of the array goes position by position.
        let (mut left, mut right) = (start, end);
        for _ in 0..if start <= end { 0 } else { length / 2 } {
            self.exchange(left, right);
            right = self.position_before(right);
            self.edges.swap(left, right);
            left = self.position_after(left);
        }
        self.mend_edge(self.position_before(start));
        self.mend_edge(end);
    }
}
