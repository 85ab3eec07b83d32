//! Constructions of tours: nearest neighbour, greedy edge, and insertion of cities.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use evogrid_core::prelude::*;

use super::k_d_tree::{KdTree, NeighbourLists};
use super::weights::Weights;
use crate::solutions::{Cost, best_position};

/// Writes the nearest neighbour tour to `order`. From each city, the tour goes to the nearest unvisited city. If several cities are equally
/// near, the tour goes to the city with the smallest number.
///
/// Source: Flood, "The traveling-salesman problem", Operations Research 4(1), 1956. The nearest city is found with a search tree. The
/// source of this method is Bentley, "Fast algorithms for geometric traveling salesman problems", ORSA Journal on Computing 4(4), 1992.
pub fn nearest_neighbour(weights: &Weights, neighbours: &NeighbourLists, start: u16, order: &mut [u16]) {
    let mut is_visited = vec![false; order.len()];
    let (mut tree, mut nearest) = (KdTree::new(weights), Vec::new());
    let mut city = start;
    for (visited, place) in order.iter_mut().enumerate() {
        *place = city;
        is_visited[usize::from(city)] = true;
        tree.remove(city);
        if visited + 1 < is_visited.len() {
            // The list and the tree have the same order, so the first free city of the list is the tree's answer.
            let near = neighbours.of_city(usize::from(city)).iter().find(|near| !is_visited[usize::from(near.city)]);
            city = match near {
                Some(near) => near.city,
                None => {
                    tree.nearest_k(city, 1, &mut nearest);
                    nearest[0].1
                }
            };
        }
    }
}

/// Writes the greedy edge tour to `order`. City 0 is the first city of `order`. City 0 has two neighbours in the tour. The neighbour with
/// the smaller number is the second city of `order`. The construction adds the shortest edges first. An edge is skipped if it would be the
/// third edge of a city. An edge is also skipped if it would close a tour that does not contain all cities. If several edges are equally
/// long, the places of their cities in the search tree decide which edge comes first. So the construction makes no random choices.
///
/// The source is the paper by Bentley, which [`nearest_neighbour`] cites.
pub fn greedy(weights: &Weights, order: &mut [u16]) {
    let n_cities = order.len();
    let mut fragments = Fragments::new(n_cities);
    let mut tree = KdTree::new(weights);
    // An edge is ordered by its weight and by the places of its ends. `asked` is the city that searched for the edge.
    let edge = |tree: &KdTree<'_>, weight: i64, asked: u16, other: u16| {
        let (one, two) = (tree.place(asked), tree.place(other));
        Reverse((weight, one.min(two), one.max(two), asked, other))
    };
    let nearest = |tree: &KdTree<'_>, fragments: &Fragments, asked: u16| {
        let found = tree.nearest_allowed(asked, |city| fragments.can_join(asked, city));
        found.map(|(weight, city)| edge(tree, weight, asked, city))
    };
    let mut edges: BinaryHeap<_> = (0..n_cities).filter_map(|city| nearest(&tree, &fragments, city as u16)).collect();
    let mut n_edges = 0;
    while n_edges + 1 < n_cities {
        let Reverse((_, _, _, asked, other)) = edges.pop().expect("at least two paths are left to join");
        if fragments.can_join(asked, other) {
            fragments.join(asked, other);
            n_edges += 1;
            [asked, other].into_iter().filter(|&city| fragments.is_inner(city)).for_each(|city| tree.remove(city));
        }
        if !fragments.is_inner(asked) {
            edges.extend(nearest(&tree, &fragments, asked));
        }
    }
    fragments.write(order);
}

/// Paths that are joined until they form one tour.
struct Fragments {
    /// The two neighbours of each city; `NOBODY` for a missing neighbour.
    beside: Vec<[u32; 2]>,
    /// For each end of a path, the other end of the same path.
    other_ends: Vec<u16>,
}

const NOBODY: u32 = u32::MAX;

impl Fragments {
    fn new(n_cities: usize) -> Self {
        Self { beside: vec![[NOBODY; 2]; n_cities], other_ends: (0..n_cities).map(|city| city as u16).collect() }
    }

    /// Returns true if a city already has both edges.
    fn is_inner(&self, city: u16) -> bool {
        self.beside[usize::from(city)][1] != NOBODY
    }

    fn can_join(&self, one: u16, other: u16) -> bool {
        one != other && !self.is_inner(one) && !self.is_inner(other) && self.other_ends[usize::from(one)] != other
    }

    fn join(&mut self, one: u16, other: u16) {
        for (city, neighbour) in [(one, other), (other, one)] {
            let beside = &mut self.beside[usize::from(city)];
            let place = usize::from(beside[0] != NOBODY);
            beside[place] = u32::from(neighbour);
        }
        let (start, end) = (self.other_ends[usize::from(one)], self.other_ends[usize::from(other)]);
        (self.other_ends[usize::from(start)], self.other_ends[usize::from(end)]) = (end, start);
    }

    /// Writes the path as a tour.
    fn write(&mut self, order: &mut [u16]) {
        let end = (0..order.len()).find(|&city| self.beside[city][1] == NOBODY).expect("a path has ends");
        let (start, end) = (end as u16, self.other_ends[end]);
        for (city, other) in [(start, end), (end, start)] {
            self.beside[usize::from(city)][1] = u32::from(other);
        }
        let (mut before, mut city) = (0, 0);
        for (place, visited) in order.iter_mut().enumerate() {
            *visited = city as u16;
            let beside = self.beside[city];
            let next = match place {
                0 => beside[0].min(beside[1]),
                _ => beside[usize::from(beside[0] == before)],
            };
            (before, city) = (city as u32, next as usize);
        }
    }
}

/// A closed tour of some cities. A position is an index in the tour: a city is inserted before the present city at the index, or at the
/// end.
pub(super) struct PartialTour<'w> {
    weights: &'w Weights,
    tour: Vec<Allele>,
    /// For every place, the weight of the edge from the preceding place. The last place precedes the first place.
    edges: Vec<i64>,
    length: i64,
}

impl<'w> PartialTour<'w> {
    pub(super) fn new(weights: &'w Weights) -> Self {
        let n_cities = weights.n_cities();
        Self { weights, tour: Vec::with_capacity(n_cities), edges: Vec::with_capacity(n_cities), length: 0 }
    }

    /// The weight between two cities; 0 for equal cities, because a tour of one city has length 0.
    fn between(&self, one: Allele, other: Allele) -> i64 {
        if one == other { 0 } else { self.weights.between(usize::from(one), usize::from(other)) }
    }

    /// The place before another place.
    fn before(&self, place: usize) -> usize {
        if place == 0 { self.tour.len() - 1 } else { place - 1 }
    }

    /// Updates the weight of the edge that leads to a place of the tour.
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
        Cost(self.length).into()
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
        let place = self.tour.iter().position(|&city| city == element).expect("the tour contains the city");
        self.tour.remove(place);
        self.length -= self.edges.remove(place);
        if !self.tour.is_empty() {
            self.mend(if place == self.tour.len() { 0 } else { place });
        }
    }

    /// Cheapest insertion (Rosenkrantz, Stearns and Lewis, "An analysis of several heuristics for the traveling salesman problem", SIAM
    /// Journal on Computing 6, 1977).
    fn best_position(&mut self, element: Allele, limit: u64, ties: Ties) -> BestPosition {
        if self.tour.is_empty() {
            return BestPosition { position: 0, fitness: Cost(0).into(), examined: 1 };
        }
        let mut from = self.between(self.tour[self.before(0)], element);
        let lengths = (0..self.tour.len()).map(|place| {
            let to = self.between(element, self.tour[place]);
            let length = self.length + from + to - self.edges[place];
            from = to;
            (place, length)
        });
        best_position(lengths, limit, ties)
    }

    fn insert(&mut self, element: Allele, position: usize) {
        self.tour.insert(position, element);
        self.edges.insert(position, 0);
        self.mend(position);
        self.mend(if position + 1 == self.tour.len() { 0 } else { position + 1 });
    }
}
