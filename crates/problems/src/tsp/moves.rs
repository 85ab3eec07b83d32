//! Moves of a tour: 2-opt and Or-opt, by neighbour lists.

use evogrid_core::neighbourhood::{Attribute, Attributes, Move};

use super::{NeighbourLists, Tour, Weights};

/// The maximum number of cities that Or-opt moves at once.
pub(super) const MAX_SEGMENT: usize = 3;

/// A change of a tour, given by cities. It is valid only for the tour, including its direction, for which it was created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TourMove {
    /// 2-opt: the path from one city to another is reversed.
    Reversal {
        /// The first city of the path.
        first: u16,
        /// The last.
        last: u16,
    },
    /// Or-opt: a path is moved elsewhere.
    Transfer {
        /// The first city of the path.
        first: u16,
        /// The last.
        last: u16,
        /// The city that it comes after, which is not on it.
        before: u16,
        /// Whether it is turned round.
        is_turned: bool,
    },
}

/// In the second number of a transfer, above the city that it comes after.
const TRANSFER: u32 = 1 << 16;
const TURNED: u32 = 1 << 17;

impl TourMove {
    /// The move as two numbers.
    #[inline]
    pub(super) fn to_numbers(self) -> Move {
        let pair = |first: u16, last: u16| u32::from(first) | u32::from(last) << 16;
        match self {
            Self::Reversal { first, last } => Move(pair(first, last), 0),
            Self::Transfer { first, last, before, is_turned } => {
                Move(pair(first, last), u32::from(before) | TRANSFER | if is_turned { TURNED } else { 0 })
            }
        }
    }

    /// The move of two numbers.
    #[inline]
    pub(super) fn from_numbers(Move(ends, rest): Move) -> Self {
        let (first, last) = (ends as u16, (ends >> 16) as u16);
        if rest & TRANSFER == 0 {
            Self::Reversal { first, last }
        } else {
            Self::Transfer { first, last, before: rest as u16, is_turned: rest & TURNED != 0 }
        }
    }

    /// Makes the change.
    pub(super) fn apply(self, tour: &mut Tour<'_>) {
        match self {
            Self::Reversal { first, last } => tour.reverse(first, last),
            Self::Transfer { first, last, before, is_turned } => tour.move_path(first, last, before, is_turned),
        }
    }

    /// Calls a function with every city at an end of a removed or added edge, before the change is made.
    pub(super) fn visit_ends(self, tour: &Tour<'_>, mut visit: impl FnMut(u16)) {
        let (Self::Reversal { first, last } | Self::Transfer { first, last, .. }) = self;
        [tour.previous(first), first, last, tour.next(last)].into_iter().for_each(&mut visit);
        if let Self::Transfer { before, .. } = self {
            [before, tour.next(before)].into_iter().for_each(&mut visit);
        }
    }
}

/// The data for evaluating moves.
///
/// Sources: Croes, "A method for solving traveling-salesman problems", Operations Research 6, 1958 (2-opt); Or, Ph.D. thesis, Northwestern
/// University, 1976 (Or-opt); neighbour lists and the gain criterion: Bentley, "Fast algorithms for geometric traveling salesman
/// problems", ORSA Journal on Computing 4(4), 1992.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveScan<'i> {
    /// The weights of the instance.
    pub(super) weights: &'i Weights,
    /// The neighbour list of each city.
    pub(super) neighbours: &'i NeighbourLists,
}

impl MoveScan<'_> {
    /// Shows a visitor the 2-opt moves that give a city a nearer neighbour, each with the change in length: in place of the city after
    /// it, or of the one before it, one of its list. The visitor says whether to go on; whether it did to the end is returned. Without the
    /// gain criterion (`GAIN`) the moves that give the city a neighbour no nearer are there, too.
    #[inline]
    pub(super) fn two_opt<const GAIN: bool>(
        &self,
        tour: &Tour<'_>,
        city: u16,
        mut visit: impl FnMut(TourMove, i64) -> bool,
    ) -> bool {
        for is_forward in [true, false] {
            let way = Way { tour, is_forward };
            let (left, removed) = way.edge_after(city);
            for near in self.neighbours.of_city(usize::from(city)) {
                let gain = removed - i64::from(near.weight);
                if GAIN && gain <= 0 {
                    break;
                }
                let (beyond, opened) = way.edge_after(near.city);
                // The two are neighbours already: nothing would change.
                if !GAIN && (near.city == left || beyond == city) {
                    continue;
                }
                let delta = self.between(left, beyond) - opened - gain;
                if !visit(way.reversal(left, near.city), delta) {
                    return false;
                }
            }
        }
        true
    }

    /// Shows a visitor, as [`two_opt`](Self::two_opt) does, the Or-opt moves that give a city a nearer neighbour: the path of one to three
    /// cities that ends in it goes beside one of its list, on either side.
    #[inline]
    pub(super) fn or_opt<const GAIN: bool>(
        &self,
        tour: &Tour<'_>,
        city: u16,
        mut visit: impl FnMut(TourMove, i64) -> bool,
    ) -> bool {
        // At least two cities stay where they are.
        let longest = MAX_SEGMENT.min(self.weights.n_cities() - 2);
        let neighbours = self.neighbours.of_city(usize::from(city));
        for is_forward in [true, false] {
            let way = Way { tour, is_forward };
            let (left, removed) = way.edge_before(city);
            if GAIN && i64::from(neighbours[0].weight) >= removed {
                continue;
            }
            let (mut right, mut path) = (city, [city; MAX_SEGMENT]);
            for length in 1..=longest {
                let end = right;
                path[length - 1] = end;
                let (behind, opened_behind) = way.edge_after(end);
                right = behind;
                let opened = removed + opened_behind - self.between(left, right);
                for near in neighbours {
                    if GAIN && i64::from(near.weight) >= removed {
                        break;
                    }
                    if path[1..length].contains(&near.city) || !GAIN && near.city == left {
                        continue;
                    }
                    for is_after in [true, false] {
                        let (beyond, split) =
                            if is_after { way.edge_after(near.city) } else { way.edge_before(near.city) };
                        // Where the path is now, it would only be turned round: a move of 2-opt.
                        if beyond == city || beyond == end {
                            continue;
                        }
                        let added = i64::from(near.weight) + self.between(end, beyond) - split;
                        if !visit(way.transfer(city, end, near.city, beyond, is_after), added - opened) {
                            return false;
                        }
                    }
                }
            }
        }
        true
    }

    /// The 2-opt move that brings a city next to another one, in place of its successor or predecessor; `None` if they are already
    /// adjacent.
    pub(super) fn reversal(tour: &Tour<'_>, city: u16, near: u16, is_forward: bool) -> Option<TourMove> {
        let way = Way { tour, is_forward };
        let left = way.next(city);
        (left != near).then(|| way.reversal(left, near))
    }

    /// The Or-opt move that brings the path of this many cities, ending in a city, to one side of another city; `None` if that city is on
    /// the path, or the path would not move.
    pub(super) fn transfer(
        tour: &Tour<'_>,
        city: u16,
        length: usize,
        is_forward: bool,
        near: u16,
        is_after: bool,
    ) -> Option<TourMove> {
        let way = Way { tour, is_forward };
        let (mut end, mut is_inside) = (city, near == city);
        for _ in 1..length {
            end = way.next(end);
            is_inside |= end == near;
        }
        let beyond = if is_after { way.next(near) } else { way.previous(near) };
        (!is_inside && beyond != city && beyond != end).then(|| way.transfer(city, end, near, beyond, is_after))
    }

    /// The edges that a move removes and adds; the city with the smaller number comes first.
    pub(super) fn edges(tour: &Tour<'_>, step: TourMove) -> Attributes {
        let edge = |(one, other): (u16, u16)| Attribute(u32::from(one.min(other)), u32::from(one.max(other)));
        let (TourMove::Reversal { first, last } | TourMove::Transfer { first, last, .. }) = step;
        let (in_front, behind) = (tour.previous(first), tour.next(last));
        match step {
            TourMove::Reversal { .. } => Attributes::new(
                [(in_front, first), (last, behind)].map(edge),
                [(in_front, last), (first, behind)].map(edge),
            ),
            TourMove::Transfer { before, is_turned, .. } => {
                let after = tour.next(before);
                let (head, tail) = if is_turned { (last, first) } else { (first, last) };
                Attributes::new(
                    [(in_front, first), (last, behind), (before, after)].map(edge),
                    [(in_front, behind), (before, head), (tail, after)].map(edge),
                )
                .without_common()
            }
        }
    }

    /// The change in the length of a tour by a move.
    pub(super) fn delta(&self, tour: &Tour<'_>, step: TourMove) -> i64 {
        let (TourMove::Reversal { first, last } | TourMove::Transfer { first, last, .. }) = step;
        let (in_front, behind) = (tour.previous(first), tour.next(last));
        let opened = self.between(in_front, first) + self.between(last, behind);
        match step {
            // A path of all cities is the same closed tour when it is turned.
            TourMove::Reversal { .. } if behind == first => 0,
            TourMove::Reversal { .. } => self.between(in_front, last) + self.between(first, behind) - opened,
            TourMove::Transfer { before, is_turned, .. } => {
                let after = tour.next(before);
                let (head, tail) = if is_turned { (last, first) } else { (first, last) };
                let added = self.between(before, head) + self.between(tail, after);
                if before == in_front {
                    return if is_turned {
                        self.between(before, last) + self.between(first, behind) - opened
                    } else {
                        0
                    };
                }
                self.between(in_front, behind) + added - self.between(before, after) - opened
            }
        }
    }

    #[inline]
    fn between(&self, one: u16, other: u16) -> i64 {
        self.weights.between(usize::from(one), usize::from(other))
    }
}

/// A tour in one of its two directions.
#[derive(Clone, Copy)]
struct Way<'t> {
    tour: &'t Tour<'t>,
    is_forward: bool,
}

impl Way<'_> {
    #[inline]
    fn next(self, city: u16) -> u16 {
        if self.is_forward { self.tour.next(city) } else { self.tour.previous(city) }
    }

    #[inline]
    fn previous(self, city: u16) -> u16 {
        if self.is_forward { self.tour.previous(city) } else { self.tour.next(city) }
    }

    #[inline]
    fn edge_after(self, city: u16) -> (u16, i64) {
        if self.is_forward { self.tour.edge_after(city) } else { self.tour.edge_before(city) }
    }

    #[inline]
    fn edge_before(self, city: u16) -> (u16, i64) {
        if self.is_forward { self.tour.edge_before(city) } else { self.tour.edge_after(city) }
    }

    /// The path from one city to another, reversed.
    #[inline]
    fn reversal(self, first: u16, last: u16) -> TourMove {
        let (first, last) = if self.is_forward { (first, last) } else { (last, first) };
        TourMove::Reversal { first, last }
    }

    /// The path from `city` on to `end` between `near` and `beyond`, which comes after `near` or before it, `city` beside `near`.
    #[inline]
    fn transfer(self, city: u16, end: u16, near: u16, beyond: u16, is_after: bool) -> TourMove {
        let (first, last) = if self.is_forward { (city, end) } else { (end, city) };
        let before = if is_after == self.is_forward { near } else { beyond };
        // With `near` in front and `city` beside it the path keeps its direction where the two ways are the same.
        TourMove::Transfer { first, last, before, is_turned: !is_after }
    }
}
