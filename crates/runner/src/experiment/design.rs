//! Designs: a design chooses points of a space. Each point gives a configuration. An experiment does the runs of the configurations that
//! its design gives. A point is computed from its number when it is needed.

mod sampling;

use std::sync::{Arc, OnceLock};

use anyhow::{Result, ensure};
use evogrid_core::settings::Value;
use serde::{Deserialize, Serialize};

use crate::experiment::space::{Dimension, Space, Values};
use sampling::Coordinates;

pub use sampling::{MAX_SEQUENCE_DIMENSIONS, SampleMethod};

/// The maximum number of points of a design.
pub const MAX_POINTS: u64 = 10_000_000;

/// The points of a space that an experiment uses. The points are a sample, listed points, or all combinations of the choices.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Design {
    /// The space.
    pub space: Space,
    /// The sample, or `None` if the design uses all combinations of the choices. If the design uses all combinations, each dimension is a
    /// list of choices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<Sample>,
    /// The listed points, which are used instead of the sample; usually empty. A point has one number in `[0, 1)` for each dimension.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<Vec<f64>>,
    /// The coordinates of the sample, one for each dimension. The coordinates are computed when the first point is needed.
    #[serde(skip)]
    coordinates: Arc<OnceLock<Vec<Coordinates>>>,
}

impl PartialEq for Design {
    fn eq(&self, other: &Self) -> bool {
        (&self.space, &self.sample, &self.points) == (&other.space, &other.sample, &other.points)
    }
}

/// A sample of a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// The number of points.
    pub count: u32,
    /// The method that draws the points.
    pub method: SampleMethod,
    /// The seed from which the sample is drawn. The seeds of runs do not depend on this seed.
    pub seed: u64,
}

/// The values of one dimension at the points of a design.
#[derive(Clone, Debug, PartialEq)]
pub enum Spread {
    /// The number of points for each choice, if the dimension is a list of choices.
    Choices(Vec<(Value, u64)>),
    /// The range of the points' values, if the dimension is a range.
    Range {
        /// The number of points that have a value for this dimension.
        n_points: u64,
        /// The smallest and the largest value that the points have for this dimension.
        ends: [Value; 2],
        /// The width of the widest empty part of the range, divided by the width of the range. A part is empty if it contains no point. If
        /// the scale is logarithmic, the widths of the part and of the range are measured on this scale.
        gap: f64,
    },
}

impl Design {
    /// Creates a design from a sample of a space or from listed points. If there is neither a sample nor a listed point, the design has
    /// all combinations of the choices.
    pub fn new(space: Space, sample: Option<Sample>, points: Vec<Vec<f64>>) -> Self {
        Self { space, sample, points, coordinates: Arc::default() }
    }

    /// The number of points.
    pub fn n_points(&self) -> u64 {
        if !self.points.is_empty() {
            return self.points.len() as u64;
        }
        let all = || self.lengths().fold(1, u64::saturating_mul);
        self.sample.map_or_else(all, |sample| u64::from(sample.count))
    }

    /// Checks that the points of the design can be computed. A user may have edited the design in a manifest.
    ///
    /// # Errors
    /// If the points cannot be computed.
    pub fn check(&self) -> Result<()> {
        self.space.check()?;
        let is_listed = self.space.dimensions.iter().all(|dimension| matches!(dimension.values, Values::Choices(_)));
        let n_dimensions = self.space.dimensions.len();
        let is_point =
            |point: &Vec<f64>| point.len() == n_dimensions && point.iter().all(|place| (0.0..1.0).contains(place));
        let is_sequence = |sample: Sample| matches!(sample.method, SampleMethod::Sobol | SampleMethod::Halton);
        let is_too_wide = n_dimensions > MAX_SEQUENCE_DIMENSIONS && self.sample.is_some_and(is_sequence);
        let has_points = self.sample.is_some() || !self.points.is_empty() || is_listed;
        let is_inside = has_points && !is_too_wide && self.points.iter().all(is_point);
        ensure!(is_inside, "some points of the design are outside the space");
        ensure!((1..=MAX_POINTS).contains(&self.n_points()), "a design must have 1 to {MAX_POINTS} points");
        Ok(())
    }

    fn lengths(&self) -> impl DoubleEndedIterator<Item = u64> {
        self.space.dimensions.iter().map(|dimension| match &dimension.values {
            Values::Choices(values) => values.len() as u64,
            _ => 0,
        })
    }

    /// Returns the coordinates of the point with this number. Each dimension has one coordinate in `[0, 1)`.
    pub fn places(&self, mut number: u64) -> Vec<f64> {
        if let Some(point) = self.points.get(number as usize) {
            return point.clone();
        }
        let n_dimensions = self.space.dimensions.len();
        if let Some(Sample { count, method, seed }) = self.sample {
            let coordinates = self.coordinates.get_or_init(|| method.coordinates(count, seed, n_dimensions));
            return coordinates.iter().map(|coordinates| coordinates.at(number)).collect();
        }
        let mut places = vec![0.0; n_dimensions];
        // The last dimension changes fastest, as in a grid.
        for (place, length) in places.iter_mut().rev().zip(self.lengths().rev()) {
            *place = ((number % length) as f64 + 0.5) / length as f64;
            number /= length;
        }
        places
    }

    /// For each dimension, returns the values that the points of the design have.
    pub fn spreads(&self) -> Vec<Spread> {
        let dimensions = &self.space.dimensions;
        let mut places: Vec<Vec<f64>> = vec![Vec::new(); dimensions.len()];
        let mut counts: Vec<Vec<u64>> = self.lengths().map(|length| vec![0; length as usize]).collect();
        for number in 0..self.n_points() {
            let point = self.places(number);
            for (at, is_active) in self.space.active(&point).into_iter().enumerate() {
                match counts[at].get_mut(dimensions[at].values.choice(point[at])) {
                    _ if !is_active => {}
                    Some(count) => *count += 1,
                    None => places[at].push(point[at]),
                }
            }
        }
        let spread = |((Dimension { values, .. }, counts), mut places): ((&Dimension, Vec<u64>), Vec<f64>)| {
            if let Values::Choices(choices) = values {
                return Spread::Choices(choices.iter().cloned().zip(counts).collect());
            }
            places.sort_unstable_by(f64::total_cmp);
            let ends = [places.first(), places.last()].map(|place| values.at(place.copied().unwrap_or(0.5)));
            let mut gap = places.first().copied().unwrap_or(1.0).max(1.0 - places.last().copied().unwrap_or(0.0));
            places.windows(2).for_each(|pair| gap = gap.max(pair[1] - pair[0]));
            Spread::Range { n_points: places.len() as u64, ends, gap }
        };
        dimensions.iter().zip(counts).zip(places).map(spread).collect()
    }
}
