//! The fast neighbourhoods of a tour: 2-opt and Or-opt moves, which are made from neighbour lists. A group contains the moves that connect
//! one city with its near neighbours.

use std::collections::TryReserveError;

use evogrid_core::memory::room;
use evogrid_core::prelude::*;

use super::instance::TspInstance;
use super::moves::{MAX_SEGMENT, MoveScan, TourMove};
use super::tour::Tour;
use crate::solutions::Cost;

/// The tours: each place has one tour.
pub(super) struct TourNeighbourhood<'i> {
    scan: MoveScan<'i>,
    /// Whether the neighbourhood includes Or-opt moves.
    has_transfers: bool,
    tours: Vec<Tour<'i>>,
    /// For each tour, the cities at the ends of the edges that its last move changed.
    ends: Vec<Vec<u32>>,
}

impl<'i> TourNeighbourhood<'i> {
    /// Creates a neighbourhood with this number of places. Fails if there is not enough memory.
    pub(super) fn new(instance: &'i TspInstance, has_transfers: bool, places: usize) -> Result<Self, TryReserveError> {
        let scan = MoveScan { weights: instance.weights(), neighbours: instance.neighbours() };
        let mut tours = room(places)?;
        for _ in 0..places {
            tours.push(Tour::new(instance.weights())?);
        }
        Ok(Self { scan, has_transfers, tours, ends: vec![Vec::new(); places] })
    }

    /// The approximate size of a neighbourhood with this number of tours, in bytes.
    pub(super) fn memory(n_cities: usize, places: usize) -> u64 {
        let each = n_cities * (2 * size_of::<u16>() + size_of::<i32>()) + size_of::<Tour>() + size_of::<Vec<u32>>();
        (places as u64).saturating_mul(each as u64)
    }

    /// Shows a visitor the moves of a city, with or without the gain criterion, until the visitor ends the scan.
    #[inline]
    fn visit_moves<const GAIN: bool>(&self, place: usize, city: usize, mut visit: impl FnMut(TourMove, i64) -> bool) {
        let (tour, city) = (&self.tours[place], city as u16);
        if self.scan.two_opt::<GAIN>(tour, city, &mut visit) && self.has_transfers {
            self.scan.or_opt::<GAIN>(tour, city, &mut visit);
        }
    }
}

impl Neighbourhood for TourNeighbourhood<'_> {
    type Cost = Cost;

    fn load(&mut self, place: usize, genome: &[Allele]) -> Cost {
        Cost(self.tours[place].load(genome))
    }

    fn write(&self, place: usize, genome: &mut [Allele]) {
        genome.copy_from_slice(self.tours[place].order());
    }

    /// The number of groups of moves, which is the number of cities.
    fn n_groups(&self) -> usize {
        self.scan.weights.n_cities()
    }

    /// Draws a move that makes a city adjacent to a city of its neighbour list. 2-opt and Or-opt have equal probabilities.
    fn draw(&self, place: usize, _: u32, random: &mut RandomStream) -> Move {
        let (tour, n_cities) = (&self.tours[place], self.scan.weights.n_cities());
        let each = self.scan.neighbours.each();
        // In a tour of three cities no path can move.
        let longest = MAX_SEGMENT.min(n_cities - 3);
        loop {
            let [city, near, is_forward, way] = random.batch([n_cities, each, 2, 4]);
            let near = self.scan.neighbours.of_city(city)[near].city;
            let (city, is_forward) = (city as u16, is_forward == 1);
            let drawn = if self.has_transfers && longest > 0 && way < 2 {
                MoveScan::transfer(tour, city, 1 + random.below(longest), is_forward, near, way == 0)
            } else {
                MoveScan::reversal(tour, city, near, is_forward)
            };
            if let Some(step) = drawn {
                return step.to_numbers();
            }
        }
    }

    fn after(&mut self, place: usize, step: Move, now: Cost) -> Cost {
        Cost(now.0 + self.scan.delta(&self.tours[place], TourMove::from_numbers(step)))
    }

    fn best_in(
        &mut self,
        Scope { place, group, now, limit }: Scope<Cost>,
        pick: Pick,
        mut allowed: impl FnMut(Move, Cost) -> bool,
    ) -> Scan<Cost> {
        let mut scan = Scan::EMPTY;
        if limit > 0 {
            self.visit_moves::<true>(place, group, |step, delta| {
                let is_over = scan.judge(step.to_numbers(), Cost(now.0 + delta), pick, &mut allowed);
                !is_over && scan.examined < limit
            });
        }
        scan
    }

    /// Lists moves without the gain criterion.
    fn list_below(&mut self, scope: Scope<Cost>, bound: Option<Cost>, list: &mut Vec<(Move, Cost)>) -> u64 {
        let Scope { place, group, now, limit } = scope;
        let mut examined = 0;
        if limit > 0 {
            self.visit_moves::<false>(place, group, |step, delta| {
                examined += 1;
                let length = Cost(now.0 + delta);
                list.extend(bound.is_none_or(|bound| length < bound).then(|| (step.to_numbers(), length)));
                examined < limit
            });
        }
        examined
    }

    /// The edges.
    fn attributes(&self, place: usize, step: Move) -> Attributes {
        MoveScan::edges(&self.tours[place], TourMove::from_numbers(step))
    }

    fn apply(&mut self, place: usize, step: Move) {
        let (tour, step) = (&mut self.tours[place], TourMove::from_numbers(step));
        self.ends[place].clear();
        step.list_ends(tour, &mut self.ends[place]);
        step.apply(tour);
    }

    /// The cities at the ends of the changed edges.
    fn touched(&self, place: usize, _: Move, groups: &mut Vec<u32>) {
        groups.extend_from_slice(&self.ends[place]);
    }

    fn mark(&mut self, place: usize) {
        self.tours[place].mark();
    }

    fn rollback(&mut self, place: usize) {
        self.tours[place].rollback();
    }

    fn rearrange(&mut self, place: usize, changes: &[Rearrangement], now: Cost, groups: &mut Vec<u32>) -> Cost {
        let mut length = now.0;
        for change in changes {
            let order = self.tours[place].order();
            let n_cities = order.len();
            match *change {
                Rearrangement::Swap { one, other, .. } => {
                    let around = [one, other].into_iter().flat_map(|at| [at + n_cities - 1, at, at + 1]);
                    groups.extend(around.map(|at| u32::from(order[at % n_cities])));
                    length += self.tours[place].swap(one, other);
                }
                Rearrangement::Exchange { start, middle, end, .. } if start < middle && middle < end => {
                    let (first, last, before) = (order[start], order[middle - 1], order[end - 1]);
                    let step = TourMove::Transfer { first, last, before, is_turned: false };
                    length += self.scan.delta(&self.tours[place], step);
                    step.list_ends(&self.tours[place], groups);
                    step.apply(&mut self.tours[place]);
                }
                Rearrangement::Exchange { .. } => {}
            }
        }
        Cost(length)
    }
}
