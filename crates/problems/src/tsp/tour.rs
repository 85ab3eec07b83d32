//! Tours as arrays: who comes after whom, and reversals of paths that can be undone.

use std::collections::TryReserveError;

use evogrid_core::memory::room;

/// A closed tour with a direction. Nearly everything that changes it is a reversal of paths, of which the shorter side is turned round, so
/// that a change costs what it moves and can be undone at that cost.
#[derive(Clone, Debug)]
pub(super) struct Tour {
    order: Vec<u16>,
    positions: Vec<u16>,
    /// What changed since the [mark](Self::mark), if there is one.
    log: Vec<Change>,
    is_marked: bool,
}

/// A change that undoes itself when it is made again, by positions.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// The path from one position on to another is turned round.
    Reversal([u16; 2]),
    /// Two cities change places.
    Swap([u16; 2]),
}

impl Tour {
    /// The tour that visits the cities in the order of their numbers.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub(super) fn new(n_cities: usize) -> Result<Self, TryReserveError> {
        let (mut order, mut positions) = (room(n_cities)?, room(n_cities)?);
        order.extend((0..n_cities).map(|city| city as u16));
        positions.extend_from_slice(&order);
        Ok(Self { order, positions, log: Vec::new(), is_marked: false })
    }

    /// Visits the cities in this order. A mark is forgotten.
    pub(super) fn load(&mut self, order: &[u16]) {
        self.order.copy_from_slice(order);
        for (position, &city) in order.iter().enumerate() {
            self.positions[usize::from(city)] = position as u16;
        }
        self.log.clear();
        self.is_marked = false;
    }

    /// The cities in the order of the tour.
    #[must_use]
    pub(super) fn order(&self) -> &[u16] {
        &self.order
    }

    /// The city after another one.
    #[inline]
    #[must_use]
    pub(super) fn next(&self, city: u16) -> u16 {
        let after = usize::from(self.positions[usize::from(city)]) + 1;
        self.order.get(after).copied().unwrap_or_else(|| self.order[0])
    }

    /// The city before another one.
    #[inline]
    #[must_use]
    pub(super) fn previous(&self, city: u16) -> u16 {
        let position = usize::from(self.positions[usize::from(city)]);
        self.order[if position == 0 { self.order.len() - 1 } else { position - 1 }]
    }

    /// The place of a city in [`order`](Self::order).
    #[inline]
    #[must_use]
    pub(super) fn position(&self, city: u16) -> usize {
        usize::from(self.positions[usize::from(city)])
    }

    /// Turns the path from one city on to another one round.
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

    /// Lets the cities at two positions change places.
    pub(super) fn swap(&mut self, one: usize, other: usize) {
        if self.is_marked {
            self.log.push(Change::Swap([one as u16, other as u16]));
        }
        self.swap_positions(one, other);
    }

    /// Takes the path from one city on to another one out, and puts it between `before` and the city that comes after that: its first
    /// city beside `before`, or its last one where it is turned.
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

    /// Remembers the tour, in place of what was remembered before.
    pub(super) fn mark(&mut self) {
        self.log.clear();
        self.is_marked = true;
    }

    /// Makes the tour what it was at the mark, which stays.
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

    /// Turns the path between two cities round, the first of which is beside `outside`, which is not on it.
    fn reverse_beside(&mut self, outside: u16, beside: u16, end: u16) {
        if self.next(outside) == beside { self.reverse(beside, end) } else { self.reverse(end, beside) }
    }

    #[inline]
    fn swap_positions(&mut self, one: usize, other: usize) {
        let (city, other_city) = (self.order[one], self.order[other]);
        (self.order[one], self.order[other]) = (other_city, city);
        self.positions[usize::from(other_city)] = one as u16;
        self.positions[usize::from(city)] = other as u16;
    }

    fn reverse_positions(&mut self, mut start: usize, mut end: usize, length: usize) {
        let last = self.order.len() - 1;
        for _ in 0..length / 2 {
            self.swap_positions(start, end);
            start = if start == last { 0 } else { start + 1 };
            end = if end == 0 { last } else { end - 1 };
        }
    }
}
