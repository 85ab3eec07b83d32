//! Neighbour lists: the nearest cities of each city.

use super::{KdTree, Weights};

/// A city near another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// The weight of the edge to it.
    pub weight: i32,
    /// The other city.
    pub city: u16,
}

/// For every city its `k` nearest cities, or all others if there are fewer: by weight and then by number.
#[derive(Clone, Debug)]
pub struct NeighbourLists {
    each: usize,
    neighbours: Vec<Neighbour>,
}

impl NeighbourLists {
    /// The lists of an instance.
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

    /// The number of neighbours in a list.
    pub fn each(&self) -> usize {
        self.each
    }
}

#[cfg(test)]
mod tests {
    use super::super::weights::WeightKind;
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
