//! Designs: which points of a space are run. A point is computed from its number when it is needed.

mod sampling;

use anyhow::{Result, ensure};
use evogrid_core::settings::Value;
use serde::{Deserialize, Serialize};

use crate::experiment::space::{Dimension, Space, Values};
use sampling::Coordinates;

pub use sampling::{MAX_SEQUENCE_DIMENSIONS, METHODS, SampleMethod};

/// The most points of a design.
pub const MAX_POINTS: u64 = 10_000_000;

/// Points of a space: a sample, or all combinations of its choices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Design {
    /// The space.
    pub space: Space,
    /// The sample; `None` for all combinations: then every dimension is a list of choices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<Sample>,
    /// These points instead, by their places in each dimension, each in `[0, 1)`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<Vec<f64>>,
}

/// A sample of a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// The number of points.
    pub count: u32,
    /// How they are drawn.
    pub method: SampleMethod,
    /// The seed of the sample; runs do not depend on it.
    pub seed: u64,
}

/// A design whose points can be computed.
#[derive(Clone, Debug)]
pub struct DesignPoints {
    design: Design,
    coordinates: Vec<Coordinates>,
}

/// How the points of a design cover a dimension.
#[derive(Clone, Debug, PartialEq)]
pub enum Spread {
    /// The number of points with each choice.
    Choices(Vec<(Value, u64)>),
    /// The range of the points.
    Range {
        /// The number of points with a value.
        n_points: u64,
        /// The smallest and the largest value.
        ends: [Value; 2],
        /// The widest part of the range without a point, as a share of the range on its scale.
        gap: f64,
    },
}

impl Design {
    /// The number of points.
    pub fn n_points(&self) -> u64 {
        if !self.points.is_empty() {
            return self.points.len() as u64;
        }
        let all = || self.lengths().fold(1, u64::saturating_mul);
        self.sample.map_or_else(all, |sample| u64::from(sample.count))
    }

    /// Refuses what cannot be computed, for a design that somebody may have written by hand.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> Result<()> {
        self.space.check()?;
        let is_listed = self.space.dimensions.iter().all(|dimension| matches!(dimension.values, Values::Choices(_)));
        ensure!(self.sample.is_some() || !self.points.is_empty() || is_listed, "a design without a sample has a range");
        let is_point = |point: &Vec<f64>| {
            point.len() == self.space.dimensions.len() && point.iter().all(|place| (0.0..1.0).contains(place))
        };
        ensure!(self.points.iter().all(is_point), "a point of a design lies outside of its space");
        ensure!((1..=MAX_POINTS).contains(&self.n_points()), "a design does not have 1 to {MAX_POINTS} points");
        let is_sequence = |sample: Sample| matches!(sample.method, SampleMethod::Sobol | SampleMethod::Halton);
        let is_too_wide = self.space.dimensions.len() > MAX_SEQUENCE_DIMENSIONS;
        ensure!(!is_too_wide || !self.sample.is_some_and(is_sequence), "a design has too many dimensions");
        Ok(())
    }

    fn lengths(&self) -> impl DoubleEndedIterator<Item = u64> {
        self.space.dimensions.iter().map(|dimension| match &dimension.values {
            Values::Choices(values) => values.len() as u64,
            _ => 0,
        })
    }
}

impl DesignPoints {
    /// The points of a design that is right.
    pub fn new(design: Design) -> Self {
        let n_dimensions = design.space.dimensions.len();
        let coordinates =
            design.sample.map(|Sample { count, method, seed }| method.coordinates(count, seed, n_dimensions));
        Self { coordinates: coordinates.unwrap_or_default(), design }
    }

    /// The design.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// The place of a point in each dimension, in `[0, 1)`.
    pub fn places(&self, mut number: u64) -> Vec<f64> {
        if let Some(point) = self.design.points.get(number as usize) {
            return point.clone();
        }
        if self.design.sample.is_some() {
            return self.coordinates.iter().map(|coordinates| coordinates.at(number)).collect();
        }
        let mut places = vec![0.0; self.design.space.dimensions.len()];
        // The last dimension changes fastest, as in a grid.
        for (place, length) in places.iter_mut().rev().zip(self.design.lengths().rev()) {
            *place = ((number % length) as f64 + 0.5) / length as f64;
            number /= length;
        }
        places
    }

    /// How the points cover each dimension.
    pub fn spreads(&self) -> Vec<Spread> {
        let dimensions = &self.design.space.dimensions;
        let mut places: Vec<Vec<f64>> = vec![Vec::new(); dimensions.len()];
        let mut counts: Vec<Vec<u64>> = self.design.lengths().map(|length| vec![0; length as usize]).collect();
        for number in 0..self.design.n_points() {
            let point = self.places(number);
            for (at, is_active) in self.design.space.active(&point).into_iter().enumerate() {
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

/// The designs of an algorithm, united.
#[derive(Clone, Debug, Default)]
pub struct Designs {
    parts: Vec<DesignPoints>,
    /// The settings that any of them varies, in the order of their first occurrence.
    paths: Vec<String>,
    n_points: u64,
    /// The numbers of the points that count, counted over all designs; `None` if all count.
    counted: Option<Vec<u32>>,
    n_forbidden: u64,
}

impl Designs {
    /// These designs, which are right; every point counts.
    pub fn new(designs: Vec<Design>) -> Self {
        let n_points = designs.iter().map(Design::n_points).fold(0, u64::saturating_add);
        let mut paths: Vec<String> = Vec::new();
        for dimension in designs.iter().flat_map(|design| &design.space.dimensions) {
            if !paths.contains(&dimension.path) {
                paths.push(dimension.path.clone());
            }
        }
        Self { parts: designs.into_iter().map(DesignPoints::new).collect(), paths, n_points, ..Self::default() }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The settings that they vary.
    pub fn paths(&self) -> &[String] {
        &self.paths
    }

    /// Each of them.
    pub fn parts(&self) -> &[DesignPoints] {
        &self.parts
    }

    /// The number of points that an exclusion forbids, and of those that have the values of an earlier point.
    pub(crate) fn n_left_out(&self) -> [u64; 2] {
        [self.n_forbidden, self.n_points - self.len() - self.n_forbidden]
    }

    /// The number of points that count, each a configuration.
    pub fn len(&self) -> u64 {
        self.counted.as_ref().map_or(self.n_points, |counted| counted.len() as u64)
    }

    /// Says which points count, in order, and how many are forbidden.
    pub(crate) fn count_only(&mut self, counted: Vec<u32>, n_forbidden: u64) {
        self.n_forbidden = n_forbidden;
        self.counted = (counted.len() as u64 != self.n_points).then_some(counted);
    }

    /// The design, by number, and the places of a point that counts.
    pub(crate) fn point(&self, configuration: usize) -> (usize, Vec<f64>) {
        let mut number =
            self.counted.as_ref().map_or(configuration as u64, |counted| u64::from(counted[configuration]));
        for (at, part) in self.parts.iter().enumerate() {
            let n_points = part.design.n_points();
            if number < n_points {
                return (at, part.places(number));
            }
            number -= n_points;
        }
        unreachable!("the number of a configuration is below their number")
    }

    /// The number of the design of a point that counts, and of the choice in each of its dimensions.
    pub(crate) fn choices(&self, configuration: usize) -> Vec<usize> {
        let (at, places) = self.point(configuration);
        std::iter::once(at).chain(self.parts[at].design.space.point_of_choices(&places)).collect()
    }

    /// The settings of the design that has a point, and their values; `None` for a setting without effect.
    pub(crate) fn values(&self, configuration: usize) -> impl Iterator<Item = (&str, Option<Value>)> {
        let (at, places) = self.point(configuration);
        let space = &self.parts[at].design.space;
        space.dimensions.iter().map(|dimension| dimension.path.as_str()).zip(space.values(&places))
    }
}
