//! A k-d tree of cities, and the neighbour lists that it makes. Cities can be removed from the tree. The tree finds the nearest cities
//! without examining all cities (Bentley, "K-d trees for semidynamic point sets", SCG 1990).

use super::weights::{WeightKind, Weights};

/// A neighbour of a city.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// The weight of the edge to the neighbour.
    pub weight: i32,
    /// The neighbour.
    pub city: u16,
}

/// The `k` nearest cities of every city. If there are fewer than `k` other cities, the list contains all other cities. The cities in a list
/// are ordered by the weight of the edge, and then by their number.
#[derive(Clone, Debug)]
pub struct NeighbourLists {
    each: usize,
    neighbours: Vec<Neighbour>,
}

impl NeighbourLists {
    /// Computes the lists of an instance.
    pub fn new(weights: &Weights, k: usize) -> Self {
        let n_cities = weights.n_cities();
        let each = k.min(n_cities.saturating_sub(1));
        let mut neighbours = Vec::with_capacity(n_cities * each);
        let (tree, mut nearest) = (KdTree::new(weights), Vec::new());
        for city in 0..n_cities {
            tree.nearest_k(city as u16, each, &mut nearest);
            neighbours.extend(nearest.iter().map(|&(weight, city)| Neighbour { weight: weight as i32, city }));
        }
        Self { each, neighbours }
    }

    /// The neighbours of a city, nearest first.
    #[inline]
    pub(crate) fn of_city(&self, city: usize) -> &[Neighbour] {
        &self.neighbours[city * self.each..][..self.each]
    }

    /// The number of neighbours in the list of each city.
    pub fn each(&self) -> usize {
        self.each
    }
}

/// The maximum number of cities in a leaf.
const LEAF: usize = 8;

/// A limit that is greater than the values of all cities.
const NO_LIMIT: (i64, u16) = (i64::MAX, u16::MAX);

/// A node of the tree: a range of cities in the order of the tree, and the number of cities that are still present.
#[derive(Clone, Copy, Debug)]
struct Node {
    start: u32,
    end: u32,
    n_present: u32,
    /// The smallest number of a present city.
    first: u16,
    axis: u8,
    /// The coordinate that divides the children: coordinates in the left child are not larger, and coordinates in the right child are not
    /// smaller.
    split: f64,
}

/// A tree that divides the cities of an instance by their coordinates. For a matrix, which has no coordinates, the tree is a single leaf.
#[derive(Debug)]
pub(super) struct KdTree<'w> {
    weights: &'w Weights,
    points: Vec<[f64; 3]>,
    /// The nodes as a heap: the children of node `i` are `2i + 1` and `2i + 2`.
    nodes: Vec<Node>,
    order: Vec<u16>,
    /// The place of each city in `order`.
    places: Vec<u16>,
    is_present: Vec<bool>,
    /// The leaf of each city.
    leaves: Vec<u32>,
}

impl<'w> KdTree<'w> {
    /// Creates a tree of all cities.
    pub(super) fn new(weights: &'w Weights) -> Self {
        let n_cities = weights.n_cities();
        let (mut n_nodes, mut largest) = (1, n_cities);
        while largest > LEAF && weights.kind() != WeightKind::Explicit {
            (n_nodes, largest) = (2 * n_nodes + 1, largest.div_ceil(2));
        }
        let nothing = Node { start: 0, end: 0, n_present: 0, first: u16::MAX, axis: 0, split: 0.0 };
        let mut tree = Self {
            weights,
            points: (0..n_cities).map(|city| weights.point(city)).collect(),
            nodes: vec![nothing; n_nodes],
            order: (0..n_cities).map(|city| city as u16).collect(),
            places: vec![0; n_cities],
            is_present: vec![true; n_cities],
            leaves: vec![0; n_cities],
        };
        tree.divide(0, 0, n_cities);
        for (place, &city) in (0..).zip(&tree.order) {
            tree.places[usize::from(city)] = place;
        }
        tree
    }

    /// Removes a city.
    pub(super) fn remove(&mut self, city: u16) {
        if !std::mem::replace(&mut self.is_present[usize::from(city)], false) {
            return;
        }
        let mut node = self.leaves[usize::from(city)] as usize;
        self.nodes[node].first = self.first_of_leaf(node);
        loop {
            self.nodes[node].n_present -= 1;
            if node == 0 {
                return;
            }
            node = (node - 1) / 2;
            self.nodes[node].first = self.nodes[2 * node + 1].first.min(self.nodes[2 * node + 2].first);
        }
    }

    /// The index of a city in the tree: nearby cities have nearby indices.
    pub(super) fn place(&self, city: u16) -> u16 {
        self.places[usize::from(city)]
    }

    /// The nearest present and allowed city, with the weight. Among equally near cities, the result is the city whose [place](Self::place)
    /// comes next, cyclically. So if many cities have the same coordinates, each of these cities finds another city.
    pub(super) fn nearest_allowed(&self, from: u16, is_allowed: impl Fn(u16) -> bool) -> Option<(i64, u16)> {
        let (mut best, mut limit) = (None, NO_LIMIT);
        self.visit(from, Some(self.place(from)), &mut |weight, tie, city| {
            if is_allowed(city) {
                (best, limit) = (Some((weight, city)), (weight, tie));
            }
            limit
        });
        best
    }

    /// Writes the `k` nearest present cities to `nearest`, by weight and then by number, the nearest first.
    pub(super) fn nearest_k(&self, from: u16, k: usize, nearest: &mut Vec<(i64, u16)>) {
        nearest.clear();
        self.visit(from, None, &mut |weight, _, city| {
            nearest.truncate(k - 1);
            let place = nearest.partition_point(|&one| one < (weight, city));
            nearest.insert(place, (weight, city));
            if nearest.len() == k { nearest[k - 1] } else { NO_LIMIT }
        });
    }

    /// Visits all present cities except `from`, in the order of weight and tie-breaking value, up to the last limit that the visitor
    /// returned. The tie-breaking value is the number of a city, or the number of places from the place `tie` to its place, cyclically.
    fn visit(&self, from: u16, tie: Option<u16>, visitor: &mut impl FnMut(i64, u16, u16) -> (i64, u16)) {
        let point = self.points[usize::from(from)];
        Search { tree: self, from, tie, point, limit: NO_LIMIT, visitor }.descend(0);
    }

    /// A lower bound for the tie-breaking values of the present cities in a node.
    fn node_tie(&self, node: usize, tie: Option<u16>) -> u16 {
        let Node { start, end, first, .. } = self.nodes[node];
        match tie {
            None => first,
            // The first place behind `from`, unless all places are before it.
            Some(from) if u32::from(from) + 1 < end => start.saturating_sub(u32::from(from) + 1) as u16,
            Some(from) => (start as u16).wrapping_sub(from).wrapping_sub(1),
        }
    }

    fn first_of_leaf(&self, leaf: usize) -> u16 {
        let Node { start, end, .. } = self.nodes[leaf];
        let cities = self.order[start as usize..end as usize].iter().copied();
        cities.filter(|&city| self.is_present[usize::from(city)]).min().unwrap_or(u16::MAX)
    }

    fn divide(&mut self, node: usize, start: usize, end: usize) {
        let cities = &mut self.order[start..end];
        let points = &self.points;
        let is_leaf = 2 * node + 1 >= self.nodes.len();
        let extent = |axis: usize| {
            let along = || cities.iter().map(|&city| points[usize::from(city)][axis]);
            along().fold(f64::NEG_INFINITY, f64::max) - along().fold(f64::INFINITY, f64::min)
        };
        let axis =
            if is_leaf { 0 } else { (0..3).max_by(|&one, &other| extent(one).total_cmp(&extent(other))).unwrap_or(0) };
        let middle = cities.len() / 2;
        let mut split = 0.0;
        if is_leaf {
            cities.iter().for_each(|&city| self.leaves[usize::from(city)] = node as u32);
        } else {
            let key = |city: u16| points[usize::from(city)][axis];
            cities.select_nth_unstable_by(middle, |&one, &other| key(one).total_cmp(&key(other)).then(one.cmp(&other)));
            split = key(cities[middle]);
        }
        let (first, n_present) = (cities.iter().copied().min().unwrap_or(u16::MAX), cities.len() as u32);
        self.nodes[node] = Node { start: start as u32, end: end as u32, n_present, first, axis: axis as u8, split };
        if !is_leaf {
            self.divide(2 * node + 1, start, start + middle);
            self.divide(2 * node + 2, start + middle, end);
        }
    }
}

/// One search in a tree.
struct Search<'t, V> {
    tree: &'t KdTree<'t>,
    from: u16,
    tie: Option<u16>,
    point: [f64; 3],
    limit: (i64, u16),
    visitor: &'t mut V,
}

impl<V: FnMut(i64, u16, u16) -> (i64, u16)> Search<'_, V> {
    fn descend(&mut self, number: usize) {
        let tree = self.tree;
        let node = tree.nodes[number];
        if node.n_present == 0 {
            return;
        }
        if 2 * number + 1 >= tree.nodes.len() {
            for &city in &tree.order[node.start as usize..node.end as usize] {
                if tree.is_present[usize::from(city)] && city != self.from {
                    let weight = tree.weights.between(usize::from(self.from), usize::from(city));
                    let tie = match self.tie {
                        None => city,
                        Some(from) => tree.place(city).wrapping_sub(from).wrapping_sub(1),
                    };
                    if (weight, tie) < self.limit {
                        self.limit = (self.visitor)(weight, tie, city);
                    }
                }
            }
            return;
        }
        let apart = self.point[usize::from(node.axis)] - node.split;
        let (near, far) = if apart < 0.0 { (1, 2) } else { (2, 1) };
        let bound = |side: usize, weight: i64| (weight, tree.node_tie(2 * number + side, self.tie), 2 * number + side);
        let mut sides = [bound(near, tree.weights.axis_bound(0.0)), bound(far, tree.weights.axis_bound(apart.abs()))];
        // If both children may be equally near, the tie-breaking value decides which child is first.
        sides.sort_unstable();
        for (weight, tie, child) in sides {
            if (weight, tie) < self.limit {
                self.descend(child);
            }
        }
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use evogrid_core::random::RandomStream;

    #[test]
    fn the_lists_hold_the_nearest_cities_of_every_kind_of_weights() {
        let mut random = RandomStream::from_seed(1);
        for &(_, kind) in WeightKind::CHOICES {
            for (n_cities, scale) in [(3, 100.0_f64), (9, 1.0), (40, 5.0), (300, 1000.0), (300, 12.0)] {
                let scale = if kind == WeightKind::Geo { scale.min(90.0) } else { scale };
                let weights = if kind == WeightKind::Explicit {
                    Weights::from_matrix(n_cities, symmetric(n_cities, &mut random))
                } else {
                    // Whole numbers on a small grid: many are equally far.
                    let coordinates =
                        (0..n_cities * kind.n_coordinates()).map(|_| (scale * (random.unit() - 0.5)).round());
                    Weights::from_coordinates(kind, &coordinates.collect::<Vec<_>>())
                };
                let lists = NeighbourLists::new(&weights, 7);
                for city in 0..n_cities {
                    let others = (0..n_cities).filter(|&other| other != city);
                    let mut expected: Vec<_> =
                        others.map(|other| (weights.between(city, other), other as u16)).collect();
                    expected.sort_unstable();
                    expected.truncate(7);
                    let found: Vec<_> = lists.of_city(city).iter().map(|it| (i64::from(it.weight), it.city)).collect();
                    assert_eq!(found, expected, "{kind:?} {n_cities} {city}");
                }
            }
        }
    }

    fn symmetric(n_cities: usize, random: &mut RandomStream) -> Vec<i32> {
        let mut matrix = vec![0; n_cities * n_cities];
        for (row, column) in (0..n_cities).flat_map(|row| (0..row).map(move |column| (row, column))) {
            let weight = random.below(50) as i32 - 10;
            matrix[row * n_cities + column] = weight;
            matrix[column * n_cities + row] = weight;
        }
        matrix
    }
}
