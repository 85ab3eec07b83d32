//! Instances: cities, the weights between them, and what every run on them needs.

use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

use evogrid_core::family::InstanceError;

use super::numbers;
use super::{MAX_CITIES, MIN_CITIES, NeighbourLists, WeightKind, Weights};
use crate::text::{Fault, fault, number};

/// Length of the neighbour lists from which moves are made.
pub const N_NEIGHBOURS: usize = 10;

/// A symmetric instance of the travelling salesman problem with 3 to 65,535 cities. Copies share everything that was computed.
#[derive(Clone, Debug)]
pub struct TspInstance(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// As they were written; none where there is a matrix.
    coordinates: Vec<f64>,
    weights: Weights,
    neighbours: OnceLock<NeighbourLists>,
}

impl TspInstance {
    /// An instance of cities with coordinates, [`n_coordinates`](WeightKind::n_coordinates) for each.
    ///
    /// # Panics
    /// If the kind has no coordinates, or they are not those of whole cities.
    pub fn from_coordinates(kind: WeightKind, coordinates: Vec<f64>) -> Self {
        let weights = Weights::from_coordinates(kind, &coordinates);
        Self(Arc::new(Shared { coordinates, weights, neighbours: OnceLock::new() }))
    }

    /// An instance of a symmetric matrix, given row by row.
    ///
    /// # Panics
    /// If it is not square.
    pub fn from_matrix(n_cities: usize, matrix: Vec<i32>) -> Self {
        let weights = Weights::from_matrix(n_cities, matrix);
        Self(Arc::new(Shared { coordinates: Vec::new(), weights, neighbours: OnceLock::new() }))
    }

    /// Number of cities.
    pub fn n_cities(&self) -> usize {
        self.0.weights.n_cities()
    }

    /// The weights of its edges.
    pub fn weights(&self) -> &Weights {
        &self.0.weights
    }

    /// The [`N_NEIGHBOURS`] nearest cities of each city; they are computed at the first call, once for all copies.
    pub fn neighbours(&self) -> &NeighbourLists {
        self.0.neighbours.get_or_init(|| NeighbourLists::new(&self.0.weights, N_NEIGHBOURS))
    }

    /// The coordinates of the cities on a map, to the right and up; `None` for an instance given as a matrix.
    pub(super) fn places(&self) -> Option<Vec<[f64; 2]>> {
        let kind = self.weights().kind();
        let cities = match kind.n_coordinates() {
            0 => return None,
            each => self.0.coordinates.chunks_exact(each),
        };
        // Latitude comes first.
        Some(cities.map(|city| if kind == WeightKind::Geo { [city[1], city[0]] } else { [city[0], city[1]] }).collect())
    }

    /// The instance in one line, the same however it was written: the type of its weights, then the coordinates city after city, each in
    /// the shortest form that reads as the same number; or `EXPLICIT`, the cities and the weights above the diagonal, row by row.
    pub fn content(&self) -> String {
        let weights = self.weights();
        let mut content = weights.kind().name().to_owned();
        let mut push = |number: &dyn std::fmt::Display| write!(content, " {number}").expect("a string takes it");
        if weights.kind() == WeightKind::Explicit {
            let n_cities = weights.n_cities();
            push(&n_cities);
            for row in 0..n_cities {
                (row + 1..n_cities).for_each(|column| push(&weights.between(row, column)));
            }
        } else {
            self.0.coordinates.iter().for_each(|coordinate| push(coordinate));
        }
        content
    }

    /// Reads an instance from its [content](Self::content).
    ///
    /// # Errors
    /// The first thing that is wrong, with its place.
    pub fn from_content(content: &str) -> Result<Self, InstanceError> {
        Self::from_words(content.split_whitespace()).map_err(|fault| fault.in_text(content))
    }

    fn from_words<'t>(mut words: impl Iterator<Item = &'t str>) -> Result<Self, Fault<'t>> {
        let name = words.next().ok_or_else(|| fault("", "the instance is empty", "a type of edge weights"))?;
        let kind = WeightKind::named(name)
            .ok_or_else(|| fault(name, format!("`{name}` is not a type of edge weights"), "`EUC_2D`, say"))?;
        if kind == WeightKind::Explicit {
            return Self::from_triangle(name, words);
        }
        let coordinates: Vec<f64> = words.map(numbers::coordinate).collect::<Result<_, _>>()?;
        let each = kind.n_coordinates();
        let n_cities = coordinates.len() / each;
        if !coordinates.len().is_multiple_of(each) || !(MIN_CITIES..=MAX_CITIES).contains(&n_cities) {
            let expected = format!("{each} for each of {MIN_CITIES} to {MAX_CITIES} cities");
            return Err(fault(name, format!("there are {} coordinates", coordinates.len()), expected));
        }
        Ok(Self::from_coordinates(kind, coordinates))
    }

    /// Whether a text looks like a [content](Self::content): it begins with the name of a type.
    pub fn is_content(text: &str) -> bool {
        text.split_whitespace().next().is_some_and(|word| WeightKind::named(word).is_some())
    }

    fn from_triangle<'t>(name: &'t str, mut words: impl Iterator<Item = &'t str>) -> Result<Self, Fault<'t>> {
        let size = words.next().ok_or_else(|| fault(name, "the number of cities is missing", ""))?;
        let expected = || format!("{MIN_CITIES} to {MAX_CITIES}");
        let n_cities: usize = number(size, "number of cities", expected, |n| (MIN_CITIES..=MAX_CITIES).contains(n))?;
        let triangle: Vec<i32> = words.map(numbers::weight).collect::<Result<_, _>>()?;
        let n_expected = n_cities * (n_cities - 1) / 2;
        if triangle.len() != n_expected {
            return Err(fault(size, format!("there are {} weights", triangle.len()), format!("{n_expected}")));
        }
        let mut matrix = vec![0; n_cities * n_cities];
        let mut entries = triangle.into_iter();
        for row in 0..n_cities {
            for column in row + 1..n_cities {
                let weight = entries.next().expect("they were counted");
                matrix[row * n_cities + column] = weight;
                matrix[column * n_cities + row] = weight;
            }
        }
        Ok(Self::from_matrix(n_cities, matrix))
    }
}
