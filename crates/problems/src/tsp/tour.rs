//! Tours as arrays: who comes after whom, and reversals of paths that can be undone.

use super::weights::Weights;

/// A closed tour with a direction. Everything that changes it is a reversal of a path, of which the shorter side is turned round, so that
/// a change costs what it moves and can be undone at that cost.
#[derive(Clone, Debug)]
pub struct Tour {
    order: Vec<u16>,
    positions: Vec<u16>,
    /// The first and last position of each reversal since the [mark](Self::mark), if there is one.
    log: Vec<[u16; 2]>,
    is_marked: bool,
}

impl Tour {
    /// The tour that visits the cities in the order of their numbers.
    #[must_use]
    pub fn new(n_cities: usize) -> Self {
        let order: Vec<u16> = (0..n_cities).map(|city| city as u16).collect();
        Self { positions: order.clone(), order, log: Vec::new(), is_marked: false }
    }

    /// Visits the cities in this order. A mark is forgotten.
    pub fn load(&mut self, order: &[u16]) {
        self.order.copy_from_slice(order);
        for (position, &city) in order.iter().enumerate() {
            self.positions[usize::from(city)] = position as u16;
        }
        self.log.clear();
        self.is_marked = false;
    }

    /// The cities in the order of the tour.
    #[must_use]
    pub fn order(&self) -> &[u16] {
        &self.order
    }

    /// The city after another one.
    #[inline]
    #[must_use]
    pub fn next(&self, city: u16) -> u16 {
        let after = usize::from(self.positions[usize::from(city)]) + 1;
        self.order.get(after).copied().unwrap_or_else(|| self.order[0])
    }

    /// The city before another one.
    #[inline]
    #[must_use]
    pub fn previous(&self, city: u16) -> u16 {
        let position = usize::from(self.positions[usize::from(city)]);
        self.order[if position == 0 { self.order.len() - 1 } else { position - 1 }]
    }

    /// The place of a city in [`order`](Self::order).
    #[inline]
    #[must_use]
    pub fn position(&self, city: u16) -> usize {
        usize::from(self.positions[usize::from(city)])
    }

    /// Turns the path from one city on to another one round.
    pub fn reverse(&mut self, first: u16, last: u16) {
        let n_cities = self.order.len();
        let (first, last) = (self.position(first), self.position(last));
        let length = if last >= first { last - first + 1 } else { last + n_cities - first + 1 };
        // The same closed tour comes of turning the rest round.
        let (start, end, length) = if 2 * length <= n_cities {
            (first, last, length)
        } else {
            let (start, end) = (if last + 1 == n_cities { 0 } else { last + 1 }, if first == 0 { n_cities - 1 } else { first - 1 });
            (start, end, n_cities - length)
        };
        if length < 2 {
            return;
        }
        if self.is_marked {
            self.log.push([start as u16, end as u16]);
        }
        self.reverse_positions(start, end, length);
    }

    /// Takes the path from one city on to another one out, and puts it between `before` and the city that comes after that: its first
    /// city beside `before`, or its last one where it is turned.
    pub fn move_path(&mut self, first: u16, last: u16, before: u16, is_turned: bool) {
        // The direction of the whole tour may change with every reversal: paths are found again by the city in front of them.
        let (in_front, behind) = (self.previous(first), self.next(last));
        self.reverse(first, before);
        self.reverse_beside(in_front, before, behind);
        if !is_turned {
            self.reverse_beside(before, last, first);
        }
    }

    /// Remembers the tour, in place of what was remembered before.
    pub fn mark(&mut self) {
        self.log.clear();
        self.is_marked = true;
    }

    /// Makes the tour what it was at the mark, which stays.
    pub fn rollback(&mut self) {
        let n_cities = self.order.len();
        while let Some([start, end]) = self.log.pop() {
            let (start, end) = (usize::from(start), usize::from(end));
            let length = if end >= start { end - start + 1 } else { end + n_cities - start + 1 };
            self.reverse_positions(start, end, length);
        }
    }

    /// The length of the tour.
    #[must_use]
    pub fn length(&self, weights: &Weights) -> i64 {
        weights.tour_length(&self.order)
    }

    /// Turns the path between two cities round, the first of which is beside `outside`, which is not on it.
    fn reverse_beside(&mut self, outside: u16, beside: u16, end: u16) {
        if self.next(outside) == beside { self.reverse(beside, end) } else { self.reverse(end, beside) }
    }

    fn reverse_positions(&mut self, mut start: usize, mut end: usize, length: usize) {
        let last = self.order.len() - 1;
        for _ in 0..length / 2 {
            let (one, other) = (self.order[start], self.order[end]);
            (self.order[start], self.order[end]) = (other, one);
            self.positions[usize::from(other)] = start as u16;
            self.positions[usize::from(one)] = end as u16;
            start = if start == last { 0 } else { start + 1 };
            end = if end == 0 { last } else { end - 1 };
        }
    }
}
