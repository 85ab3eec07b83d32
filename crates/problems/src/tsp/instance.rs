//! Instances: the cities, the weights between them, and the neighbour lists that all runs share.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use evogrid_core::family::InstanceError;

use super::k_d_tree::NeighbourLists;
use super::weights::{MAX_COORDINATE, MAX_WEIGHT, WeightKind, Weights};
use crate::text::{Fault, fault, number};

/// The minimum number of cities in a tour.
pub(super) const MIN_CITIES: usize = 3;

/// The maximum number of cities, which is the maximum length of a gene.
pub(super) const MAX_CITIES: usize = 65_535;

/// The number of cities in each neighbour list. Searches use these lists to make moves.
pub const N_NEIGHBOURS: usize = 10;

/// A symmetric instance of the travelling salesman problem. An instance has 3 to 65,535 cities. All copies of an instance share the
/// computed data.
#[derive(Clone, Debug)]
pub struct TspInstance(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// The coordinates as they were written; empty for a matrix.
    coordinates: Vec<f64>,
    weights: Weights,
    neighbours: OnceLock<NeighbourLists>,
}

impl TspInstance {
    /// Creates an instance from coordinates. Each city has [`n_coordinates`](WeightKind::n_coordinates) coordinates.
    ///
    /// # Panics
    /// Panics if `kind` is `Explicit`, because a matrix of weights needs no coordinates. Panics if the number of coordinates is not a
    /// multiple of `n_coordinates`.
    pub fn from_coordinates(kind: WeightKind, coordinates: Vec<f64>) -> Self {
        let weights = Weights::from_coordinates(kind, &coordinates);
        Self(Arc::new(Shared { coordinates, weights, neighbours: OnceLock::new() }))
    }

    /// Creates an instance from a symmetric matrix. The entries are listed row by row.
    ///
    /// # Panics
    /// Panics if the matrix is not square.
    pub fn from_matrix(n_cities: usize, matrix: Vec<i32>) -> Self {
        let weights = Weights::from_matrix(n_cities, matrix);
        Self(Arc::new(Shared { coordinates: Vec::new(), weights, neighbours: OnceLock::new() }))
    }

    /// The number of cities.
    pub fn n_cities(&self) -> usize {
        self.0.weights.n_cities()
    }

    /// The weights of the edges.
    pub fn weights(&self) -> &Weights {
        &self.0.weights
    }

    /// The [`N_NEIGHBOURS`] nearest cities of each city. The first call of this function computes the lists for all copies of the instance.
    pub fn neighbours(&self) -> &NeighbourLists {
        self.0.neighbours.get_or_init(|| NeighbourLists::new(&self.0.weights, N_NEIGHBOURS))
    }

    /// The coordinates of the cities on a map: first to the right, then upwards. `None` for an instance with a matrix.
    pub(super) fn places(&self) -> Option<Vec<[f64; 2]>> {
        let kind = self.weights().kind();
        let cities = match kind.n_coordinates() {
            0 => return None,
            each => self.0.coordinates.chunks_exact(each),
        };
        // Latitude comes first.
        Some(cities.map(|city| if kind == WeightKind::Geo { [city[1], city[0]] } else { [city[0], city[1]] }).collect())
    }

    /// The canonical text of the instance, in one line. The text contains the type of the weights and then the coordinates, city by city.
    /// Each coordinate is written in the shortest form that gives the same number when it is read. For a matrix, the text begins with
    /// `EXPLICIT` and the number of cities. After this number, the weights above the diagonal follow, row by row.
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
    /// Returns the first fault in the text, and the place of this fault.
    pub fn from_content(content: &str) -> Result<Self, InstanceError> {
        Self::from_words(content.split_whitespace()).map_err(|fault| fault.in_text(content))
    }

    fn from_words<'t>(mut words: impl Iterator<Item = &'t str> + Clone) -> Result<Self, Fault<'t>> {
        let name = words.next().ok_or_else(|| fault("", "the instance is empty", "a type of edge weights"))?;
        let kind = WeightKind::named(name)
            .ok_or_else(|| fault(name, format!("`{name}` is not a type of edge weights"), "a type such as `EUC_2D`"))?;
        if kind == WeightKind::Explicit {
            let size = words.next().ok_or_else(|| fault(name, "the number of cities is missing", ""))?;
            let expected = || format!("{MIN_CITIES} to {MAX_CITIES}");
            let n_cities = number(size, "number of cities", expected, |n| (MIN_CITIES..=MAX_CITIES).contains(n))?;
            return Ok(Self::from_matrix(n_cities, matrix(size, words, n_cities, |row, n| row + 1..n)?));
        }
        let coordinates: Vec<f64> = words.map(coordinate).collect::<Result<_, _>>()?;
        let each = kind.n_coordinates();
        let n_cities = coordinates.len() / each;
        if !coordinates.len().is_multiple_of(each) || !(MIN_CITIES..=MAX_CITIES).contains(&n_cities) {
            let expected = format!("{MIN_CITIES} to {MAX_CITIES} cities, with {each} coordinates per city");
            return Err(fault(name, format!("there are {} coordinates", coordinates.len()), expected));
        }
        Ok(Self::from_coordinates(kind, coordinates))
    }

    /// Returns true if a text is probably the [content](Self::content) of an instance. The content of every instance begins with the name
    /// of a type of weights.
    pub fn is_content(text: &str) -> bool {
        text.split_whitespace().next().is_some_and(|word| WeightKind::named(word).is_some())
    }
}

/// A function of the row and the number of cities. The function returns the columns that a text contains for this row of a matrix.
pub(super) type Columns = fn(usize, usize) -> Range<usize>;

/// Reads a symmetric matrix. `columns` are the columns that the text contains for a row. The diagonal is ignored, and is 0 in the result. A
/// missing weight is a fault of the piece `place`.
pub(super) fn matrix<'t>(
    place: &'t str,
    mut words: impl Iterator<Item = &'t str> + Clone,
    n_cities: usize,
    columns: Columns,
) -> Result<Vec<i32>, Fault<'t>> {
    // The weights are counted before the matrix gets its memory, because a short text may declare many cities.
    let n_expected: usize = (0..n_cities).map(|row| columns(row, n_cities).len()).sum();
    let n_words = words.clone().count();
    if n_words != n_expected {
        return Err(fault(place, format!("the matrix has {n_words} weights"), format!("{n_expected} weights")));
    }
    let is_full = n_expected == n_cities * n_cities;
    let mut matrix = vec![0; n_cities * n_cities];
    for row in 0..n_cities {
        for column in columns(row, n_cities) {
            let word = words.next().expect("the text of the matrix contains one word for each weight");
            let expected = || format!("a whole number from -{MAX_WEIGHT} to {MAX_WEIGHT}");
            let weight = number(word, "weight", expected, |weight| (-MAX_WEIGHT..=MAX_WEIGHT).contains(weight))?;
            let mirrored = matrix[column * n_cities + row];
            if is_full && column < row && weight != mirrored {
                let edge = format!("from city {} to city {} is {weight}", row + 1, column + 1);
                let message = format!("the distance {edge}, but the distance in the other direction is {mirrored}");
                return Err(fault(word, message, "a symmetric matrix"));
            }
            if row != column {
                matrix[row * n_cities + column] = weight;
                matrix[column * n_cities + row] = weight;
            }
        }
    }
    Ok(matrix)
}

/// Reads a coordinate, in any notation for numbers.
pub(super) fn coordinate(word: &str) -> Result<f64, Fault<'_>> {
    let expected = || format!("a number from -{MAX_COORDINATE} to {MAX_COORDINATE}");
    let coordinate = number(word, "coordinate", expected, |number: &f64| number.abs() <= MAX_COORDINATE)?;
    // The addition of zero turns -0 into 0.
    Ok(coordinate + 0.0)
}
