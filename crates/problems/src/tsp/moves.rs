//! The moves of a tour: 2-opt and Or-opt moves, which are made from neighbour lists.

use evogrid_core::neighbourhood::{Attribute, Attributes, Move};

use super::k_d_tree::NeighbourLists;
use super::tour::Tour;
use super::weights::Weights;

/// The maximum number of cities that Or-opt moves at once.
pub(super) const MAX_SEGMENT: usize = 3;

/// A change of a tour, described by cities. A change is valid only for the tour and the direction for which the change was created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TourMove {
    /// 2-opt: the path from one city to another is reversed.
    Reversal {
        /// The first city of the path.
        first: u16,
        /// The last city of the path.
        last: u16,
    },
    /// Or-opt: a path is moved to another place.
    Transfer {
        /// The first city of the path.
        first: u16,
        /// The last city of the path.
        last: u16,
        /// The city in front of the new place, which is not on the path.
        before: u16,
        /// Whether the direction of the path is reversed.
        is_turned: bool,
    },
}

/// Flags in the second number of a transfer, in the bits above the city in front of the new place.
const TRANSFER: u32 = 1 << 16;
const TURNED: u32 = 1 << 17;

impl TourMove {
    /// The reversal of the path from one city to another, in one of the two directions of the tour.
    #[inline]
    fn reversal(is_forward: bool, first: u16, last: u16) -> Self {
        let (first, last) = if is_forward { (first, last) } else { (last, first) };
        Self::Reversal { first, last }
    }

    /// The transfer of the path from `city` to `end` between `near` and `beyond`, which are adjacent. `city` becomes adjacent to `near`.
    #[inline]
    fn transfer(is_forward: bool, [city, end]: [u16; 2], [near, beyond]: [u16; 2], is_after: bool) -> Self {
        let (first, last) = if is_forward { (city, end) } else { (end, city) };
        let before = if is_after == is_forward { near } else { beyond };
        // If the path follows `near`, `city` is its first city and the path keeps its direction.
        Self::Transfer { first, last, before, is_turned: !is_after }
    }

    /// Encodes the move as two numbers.
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

    /// Decodes a move from two numbers.
    #[inline]
    pub(super) fn from_numbers(Move(ends, rest): Move) -> Self {
        let (first, last) = (ends as u16, (ends >> 16) as u16);
        if rest & TRANSFER == 0 {
            Self::Reversal { first, last }
        } else {
            Self::Transfer { first, last, before: rest as u16, is_turned: rest & TURNED != 0 }
        }
    }

    /// Makes the move.
    pub(super) fn apply(self, tour: &mut Tour<'_>) {
        match self {
            Self::Reversal { first, last } => tour.reverse(first, last),
            Self::Transfer { first, last, before, is_turned } => tour.move_path(first, last, before, is_turned),
        }
    }

    /// Appends the cities at the ends of the edges that the move removes and adds. `tour` is the tour before the move.
    pub(super) fn list_ends(self, tour: &Tour<'_>, ends: &mut Vec<u32>) {
        let (Self::Reversal { first, last } | Self::Transfer { first, last, .. }) = self;
        ends.extend([tour.neighbour(first, false), first, last, tour.neighbour(last, true)].map(u32::from));
        if let Self::Transfer { before, .. } = self {
            ends.extend([before, tour.neighbour(before, true)].map(u32::from));
        }
    }
}

/// The data for evaluating moves.
///
/// Sources: Croes, "A method for solving traveling-salesman problems", Operations Research 6, 1958 (2-opt); Or, Ph.D. thesis, Northwestern
/// University, 1976 (Or-opt); Bentley, "Fast algorithms for geometric traveling salesman problems", ORSA Journal on Computing 4(4), 1992
/// (neighbour lists and the gain criterion).
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveScan<'i> {
    /// The weights of the instance.
    pub(super) weights: &'i Weights,
    /// The neighbour list of each city.
    pub(super) neighbours: &'i NeighbourLists,
}

impl MoveScan<'_> {
    /// Shows a visitor the 2-opt moves of a city, each with its change in length. A move replaces the successor or the predecessor of the
    /// city by a nearer city from the neighbour list. The visitor returns whether the scan continues. The function returns whether the scan
    /// reached its end. Without the gain criterion (`GAIN`), the scan includes moves whose new neighbour is not nearer.
    #[inline]
    pub(super) fn two_opt<const GAIN: bool>(
        &self,
        tour: &Tour<'_>,
        city: u16,
        mut visit: impl FnMut(TourMove, i64) -> bool,
    ) -> bool {
        for is_forward in [true, false] {
            let (left, removed) = tour.edge(city, is_forward);
            for near in self.neighbours.of_city(usize::from(city)) {
                let gain = removed - i64::from(near.weight);
                if GAIN && gain <= 0 {
                    break;
                }
                let (beyond, opened) = tour.edge(near.city, is_forward);
                // The two cities are already adjacent, so the move would change nothing.
                if !GAIN && (near.city == left || beyond == city) {
                    continue;
                }
                let delta = self.between(left, beyond) - opened - gain;
                if !visit(TourMove::reversal(is_forward, left, near.city), delta) {
                    return false;
                }
            }
        }
        true
    }

    /// Shows a visitor the Or-opt moves of a city in the same way as [`two_opt`](Self::two_opt). A move takes a path of one to three cities
    /// that begins or ends in the city. The move inserts the path before or behind a nearer city from the neighbour list.
    #[inline]
    pub(super) fn or_opt<const GAIN: bool>(
        &self,
        tour: &Tour<'_>,
        city: u16,
        mut visit: impl FnMut(TourMove, i64) -> bool,
    ) -> bool {
        // At least two cities keep their places.
        let longest = MAX_SEGMENT.min(self.weights.n_cities() - 2);
        let neighbours = self.neighbours.of_city(usize::from(city));
        for is_forward in [true, false] {
            let (left, removed) = tour.edge(city, !is_forward);
            if GAIN && i64::from(neighbours[0].weight) >= removed {
                continue;
            }
            let (mut right, mut path) = (city, [city; MAX_SEGMENT]);
            for length in 1..=longest {
                let end = right;
                path[length - 1] = end;
                let (behind, opened_behind) = tour.edge(end, is_forward);
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
                        let (beyond, split) = tour.edge(near.city, is_after == is_forward);
                        // At its present place the path would only be reversed, which is a 2-opt move.
                        if beyond == city || beyond == end {
                            continue;
                        }
                        let added = i64::from(near.weight) + self.between(end, beyond) - split;
                        let step = TourMove::transfer(is_forward, [city, end], [near.city, beyond], is_after);
                        if !visit(step, added - opened) {
                            return false;
                        }
                    }
                }
            }
        }
        true
    }

    /// The 2-opt move that replaces the successor or the predecessor of a city by another city; `None` if the two cities are adjacent.
    pub(super) fn reversal(tour: &Tour<'_>, city: u16, near: u16, is_forward: bool) -> Option<TourMove> {
        let left = tour.neighbour(city, is_forward);
        (left != near).then(|| TourMove::reversal(is_forward, left, near))
    }

    /// The Or-opt move that inserts a path next to the city `near`. The path has `length` cities and ends in `city`. `None` if `near` is on
    /// the path, or the path would keep its place.
    pub(super) fn transfer(
        tour: &Tour<'_>,
        city: u16,
        length: usize,
        is_forward: bool,
        near: u16,
        is_after: bool,
    ) -> Option<TourMove> {
        let (mut end, mut is_inside) = (city, near == city);
        for _ in 1..length {
            end = tour.neighbour(end, is_forward);
            is_inside |= end == near;
        }
        let beyond = tour.neighbour(near, is_after == is_forward);
        let is_move = !is_inside && beyond != city && beyond != end;
        is_move.then(|| TourMove::transfer(is_forward, [city, end], [near, beyond], is_after))
    }

    /// The edges that a move removes and adds. In each edge the city with the smaller number is first.
    pub(super) fn edges(tour: &Tour<'_>, step: TourMove) -> Attributes {
        let edge = |(one, other): (u16, u16)| Attribute(u32::from(one.min(other)), u32::from(one.max(other)));
        let (TourMove::Reversal { first, last } | TourMove::Transfer { first, last, .. }) = step;
        let (in_front, behind) = (tour.neighbour(first, false), tour.neighbour(last, true));
        match step {
            TourMove::Reversal { .. } => Attributes::new(
                [(in_front, first), (last, behind)].map(edge),
                [(in_front, last), (first, behind)].map(edge),
            ),
            TourMove::Transfer { before, is_turned, .. } => {
                let after = tour.neighbour(before, true);
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
        let (in_front, behind) = (tour.neighbour(first, false), tour.neighbour(last, true));
        let opened = self.between(in_front, first) + self.between(last, behind);
        match step {
            // The reversal of a path of all cities gives the same closed tour.
            TourMove::Reversal { .. } if behind == first => 0,
            TourMove::Transfer { before, is_turned, .. } if before != in_front => {
                let after = tour.neighbour(before, true);
                let (head, tail) = if is_turned { (last, first) } else { (first, last) };
                let added = self.between(before, head) + self.between(tail, after);
                self.between(in_front, behind) + added - self.between(before, after) - opened
            }
            TourMove::Transfer { is_turned: false, .. } => 0,
            // A reversal, or a path that is turned at its present place.
            _ => self.between(in_front, last) + self.between(first, behind) - opened,
        }
    }

    #[inline]
    fn between(&self, one: u16, other: u16) -> i64 {
        self.weights.between(usize::from(one), usize::from(other))
    }
}
