//! A k-d tree of cities, from which cities can be taken away: it finds the nearest ones without looking at all (Bentley, "K-d trees for
//! semidynamic point sets", SCG 1990).

use super::weights::{WeightKind, Weights};

/// Cities in a leaf.
const LEAF: usize = 8;

/// Behind every city: no limit yet.
const NO_LIMIT: (i64, u16) = (i64::MAX, u16::MAX);

/// A place where the tree divides: the cities of a stretch of its order, and how many are still there.
#[derive(Clone, Copy, Debug)]
struct Node {
    start: u32,
    end: u32,
    n_present: u32,
    /// The smallest number of a city that is still there.
    first: u16,
    axis: u8,
    /// The coordinate that divides its children; the left one has no larger, the right one no smaller.
    split: f64,
}

/// A tree of the cities of an instance by their coordinates. For a matrix, whose coordinates are unknown, it is a list.
#[derive(Debug)]
pub(crate) struct KdTree<'w> {
    weights: &'w Weights,
    points: Vec<[f64; 3]>,
    /// Nodes as a heap: the children of `i` are `2i + 1` and `2i + 2`.
    nodes: Vec<Node>,
    order: Vec<u16>,
    /// The place of each city in `order`.
    places: Vec<u16>,
    is_present: Vec<bool>,
    /// The leaf of each city.
    leaves: Vec<u32>,
}

impl<'w> KdTree<'w> {
    /// A tree of all cities.
    pub(super) fn new(weights: &'w Weights) -> Self {
        let n_cities = weights.n_cities();
        let points: Vec<[f64; 3]> = (0..n_cities).map(|city| weights.point(city)).collect();
        let order: Vec<u16> = (0..n_cities).map(|city| city as u16).collect();
        let is_present = vec![true; n_cities];
        let (places, leaves) = (vec![0; n_cities], vec![0; n_cities]);
        let mut tree = Self { weights, points, nodes: Vec::new(), order, places, is_present, leaves };
        tree.build();
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

    /// The nearest present city, by weight and then by number.
    pub(super) fn nearest(&self, from: u16) -> Option<u16> {
        let mut best = None;
        self.visit(from, Tie::Number, &mut |weight, tie, city| {
            best = Some(city);
            (weight, tie)
        });
        best
    }

    /// The nearest city that is present and allowed, with the weight: of those equally far the one whose [place](Self::place) comes next,
    /// after the last the first. So of many cities in one place each has another one.
    pub(super) fn nearest_allowed(&self, from: u16, is_allowed: impl Fn(u16) -> bool) -> Option<(i64, u16)> {
        let (mut best, mut limit) = (None, NO_LIMIT);
        self.visit(from, Tie::Place(self.place(from)), &mut |weight, tie, city| {
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
        self.visit(from, Tie::Number, &mut |weight, _, city| {
            nearest.truncate(k - 1);
            let place = nearest.partition_point(|&one| one < (weight, city));
            nearest.insert(place, (weight, city));
            if nearest.len() == k { nearest[k - 1] } else { NO_LIMIT }
        });
    }

    /// Visits all present cities except `from`, in the order of weight and tie-breaking value, up to the limit that the visitor returned
    /// last.
    fn visit(&self, from: u16, tie: Tie, visitor: &mut impl FnMut(i64, u16, u16) -> (i64, u16)) {
        let point = self.points[usize::from(from)];
        Search { tree: self, from, tie, point, limit: NO_LIMIT, visitor }.descend(0);
    }

    /// A lower bound for the tie-breaking values of the present cities in a node.
    fn node_tie(&self, node: usize, tie: Tie) -> u16 {
        let Node { start, end, first, .. } = self.nodes[node];
        match tie {
            Tie::Number => first,
            // The first place behind `from`, unless all are before it.
            Tie::Place(from) if u32::from(from) + 1 < end => start.saturating_sub(u32::from(from) + 1) as u16,
            Tie::Place(from) => (start as u16).wrapping_sub(from).wrapping_sub(1),
        }
    }

    fn first_of_leaf(&self, leaf: usize) -> u16 {
        let Node { start, end, .. } = self.nodes[leaf];
        let cities = self.order[start as usize..end as usize].iter().copied();
        cities.filter(|&city| self.is_present[usize::from(city)]).min().unwrap_or(u16::MAX)
    }

    fn build(&mut self) {
        let mut n_nodes = 1;
        let mut largest = self.order.len();
        while largest > LEAF && self.weights.kind() != WeightKind::Explicit {
            largest = largest.div_ceil(2);
            n_nodes = 2 * n_nodes + 1;
        }
        let nothing = Node { start: 0, end: 0, n_present: 0, first: u16::MAX, axis: 0, split: 0.0 };
        self.nodes = vec![nothing; n_nodes];
        self.divide(0, 0, self.order.len());
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
        let (start_32, end_32) = (start as u32, end as u32);
        let first = cities.iter().copied().min().unwrap_or(u16::MAX);
        self.nodes[node] =
            Node { start: start_32, end: end_32, n_present: end_32 - start_32, first, axis: axis as u8, split };
        if !is_leaf {
            self.divide(2 * node + 1, start, start + middle);
            self.divide(2 * node + 2, start + middle, end);
        }
    }
}

/// What decides between cities that are equally far.
#[derive(Clone, Copy)]
enum Tie {
    /// The number.
    Number,
    /// The place in the tree, from one on, all round.
    Place(u16),
}

/// One question to a tree.
struct Search<'t, V> {
    tree: &'t KdTree<'t>,
    from: u16,
    tie: Tie,
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
                        Tie::Number => city,
                        Tie::Place(from) => tree.place(city).wrapping_sub(from).wrapping_sub(1),
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
        // Where both may be equally near, the tie says which comes first.
        sides.sort_unstable();
        for (weight, tie, child) in sides {
            if (weight, tie) < self.limit {
                self.descend(child);
            }
        }
    }
}
