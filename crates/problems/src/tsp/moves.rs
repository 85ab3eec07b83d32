//! Moves of a tour: 2-opt and Or-opt, by neighbour lists.

use super::neighbours::NeighbourLists;
use super::tour::Tour;
use super::weights::Weights;

/// The most cities that Or-opt moves at once.
pub const MAX_SEGMENT: usize = 3;

/// A change of a tour, named by cities. It means what it says only in the tour, with its direction, that it was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TourMove {
    /// 2-opt: the path from a city on to another one is turned round.
    Reversal {
        /// The first city of the path.
        first: u16,
        /// The last.
        last: u16,
    },
    /// Or-opt: a path of one to three cities goes elsewhere.
    Transfer {
        /// The first city of the path.
        first: u16,
        /// The last.
        last: u16,
        /// The city that it comes after.
        before: u16,
        /// Whether it is turned round.
        is_turned: bool,
    },
}

/// Croes, "A method for solving traveling-salesman problems", Operations Research 6, 1958 (2-opt); Or, Ph.D. thesis, Northwestern University,
/// 1976 (Or-opt); neighbour lists and the gain criterion: Johnson and McGeoch, "The traveling salesman problem: a case study in local
/// optimization", 1997.
#[derive(Clone, Copy, Debug)]
pub struct MoveScan<'i> {
    /// The weights of the instance.
    pub weights: &'i Weights,
    /// The cities near each.
    pub neighbours: &'i NeighbourLists,
}

impl MoveScan<'_> {
    /// Shows a visitor the 2-opt moves that give a city a nearer neighbour, each with the change in length: in place of the city after
    /// it, or of the one before it, one of its list. The visitor says whether to go on.
    #[inline]
    pub fn two_opt(&self, tour: &Tour, city: u16, mut visit: impl FnMut(TourMove, i64) -> bool) -> bool {
        for is_forward in [true, false] {
            let step = |from: u16| if is_forward { tour.next(from) } else { tour.previous(from) };
            let left = step(city);
            let removed = self.between(city, left);
            for near in self.neighbours.of_city(usize::from(city)) {
                let gain = removed - i64::from(near.weight);
                if gain <= 0 {
                    break;
                }
                let beyond = step(near.city);
                let delta = self.between(left, beyond) - self.between(near.city, beyond) - gain;
                let (first, last) = if is_forward { (left, near.city) } else { (near.city, left) };
                if !visit(TourMove::Reversal { first, last }, delta) {
                    return false;
                }
            }
        }
        true
    }

    /// Shows a visitor the Or-opt moves that give a city a nearer neighbour: the path of one to three cities that ends in it goes
    /// beside one of its list, on either side.
    #[inline]
    pub fn or_opt(&self, tour: &Tour, city: u16, mut visit: impl FnMut(TourMove, i64) -> bool) -> bool {
        let n_cities = self.weights.n_cities();
        for is_forward in [true, false] {
            let step = |from: u16| if is_forward { tour.next(from) } else { tour.previous(from) };
            let back = |from: u16| if is_forward { tour.previous(from) } else { tour.next(from) };
            let left = back(city);
            let removed = self.between(left, city);
            let mut end = city;
            // At least two cities stay where they are.
            for length in 1..=MAX_SEGMENT.min(n_cities.saturating_sub(2)) {
                if length > 1 {
                    end = step(end);
                }
                let right = step(end);
                let opened = removed + self.between(end, right) - self.between(left, right);
                let is_inside = |one: u16| {
                    let from = if is_forward { (city, one) } else { (one, city) };
                    let apart = tour.position(from.1) + n_cities - tour.position(from.0);
                    apart % n_cities < length
                };
                for near in self.neighbours.of_city(usize::from(city)) {
                    if i64::from(near.weight) >= removed {
                        break;
                    }
                    if is_inside(near.city) {
                        continue;
                    }
                    for beyond in [step(near.city), back(near.city)] {
                        if beyond == city || beyond == end {
                            continue;
                        }
                        let added = i64::from(near.weight) + self.between(end, beyond) - self.between(near.city, beyond);
                        let step = Transferred { city, end, near: near.city, beyond, is_forward };
                        if !visit(step.to_move(tour), added - opened) {
                            return false;
                        }
                    }
                }
            }
        }
        true
    }

    #[inline]
    fn between(&self, one: u16, other: u16) -> i64 {
        self.weights.between(usize::from(one), usize::from(other))
    }
}

/// A path from `city` to `end` that goes between `near` and `beyond`, `city` beside `near`.
struct Transferred {
    city: u16,
    end: u16,
    near: u16,
    beyond: u16,
    is_forward: bool,
}

impl Transferred {
    #[inline]
    fn to_move(&self, tour: &Tour) -> TourMove {
        let (first, last) = if self.is_forward { (self.city, self.end) } else { (self.end, self.city) };
        let is_near_before = tour.next(self.near) == self.beyond;
        let before = if is_near_before { self.near } else { self.beyond };
        // The city beside the one in front of the gap is its first one, unless it is turned.
        let beside = if is_near_before { self.city } else { self.end };
        TourMove::Transfer { first, last, before, is_turned: beside != first }
    }
}

impl TourMove {
    /// Makes the change.
    pub fn apply(self, tour: &mut Tour) {
        match self {
            Self::Reversal { first, last } => tour.reverse(first, last),
            Self::Transfer { first, last, before, is_turned } => tour.move_path(first, last, before, is_turned),
        }
    }

    /// Calls with every city at an end of an edge that goes or comes, before the change is made.
    pub fn visit_ends(self, tour: &Tour, mut visit: impl FnMut(u16)) {
        let (first, last) = match self {
            Self::Reversal { first, last } | Self::Transfer { first, last, .. } => (first, last),
        };
        [tour.previous(first), first, last, tour.next(last)].into_iter().for_each(&mut visit);
        if let Self::Transfer { before, .. } = self {
            [before, tour.next(before)].into_iter().for_each(&mut visit);
        }
    }
}
