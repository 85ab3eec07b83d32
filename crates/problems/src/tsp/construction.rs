//! Constructions of tours: nearest neighbour and greedy edge.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{KdTree, NeighbourLists, Weights};

/// The tour that always continues to the nearest unvisited city; ties go to the city with the smaller number. Writes it to `order`.
///
/// Source: Flood, "The traveling-salesman problem", Operations Research 4(1), 1956; by a tree of the cities: Bentley, "Fast algorithms for
/// geometric traveling salesman problems", ORSA Journal on Computing 4(4), 1992.
pub fn nearest_neighbour(weights: &Weights, neighbours: &NeighbourLists, start: u16, order: &mut [u16]) {
    let mut is_visited = vec![false; order.len()];
    let mut tree = KdTree::new(weights);
    let mut city = start;
    for (visited, place) in order.iter_mut().enumerate() {
        *place = city;
        is_visited[usize::from(city)] = true;
        tree.remove(city);
        if visited + 1 < is_visited.len() {
            // The list is in the order of the tree's answers, so its first free city is that of the tree.
            let near = neighbours.of_city(usize::from(city)).iter().find(|near| !is_visited[usize::from(near.city)]);
            city = match near {
                Some(near) => near.city,
                None => tree.nearest(city).expect("a city is left"),
            };
        }
    }
}

/// The tour of greedy edge: the shortest edge first, each that leaves no city with three edges and closes no tour of fewer cities. Equally
/// long edges are ordered by the places of their cities in a tree, not by chance. Writes it to `order`, city 0 first, its smaller neighbour
/// second.
///
/// Source: Bentley, as for [`nearest_neighbour`].
pub fn greedy(weights: &Weights, order: &mut [u16]) {
    let n_cities = order.len();
    let mut fragments = Fragments::new(n_cities);
    let mut tree = KdTree::new(weights);
    // An edge by its weight and the places of its ends, with the city that asked for it.
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
        let Reverse((_, _, _, asked, other)) = edges.pop().expect("two ends of paths are left");
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

/// Paths that become one tour.
struct Fragments {
    /// The cities beside each, `NOBODY` where there is none yet.
    beside: Vec<[u32; 2]>,
    /// For the end of a path its other end.
    other_ends: Vec<u16>,
}

const NOBODY: u32 = u32::MAX;

impl Fragments {
    fn new(n_cities: usize) -> Self {
        Self { beside: vec![[NOBODY; 2]; n_cities], other_ends: (0..n_cities).map(|city| city as u16).collect() }
    }

    /// Whether a city already has both its edges.
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
