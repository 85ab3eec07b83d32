//! The course of a tuning: its candidates, and its next blocks of runs. The course depends only on the seed and on the costs of runs.

use std::ops::Range;

use evogrid_analysis::race::Race;
use evogrid_core::identity::{Fingerprint, run_seed};
use evogrid_core::random::RandomStream;
use evogrid_core::settings::Value;

use crate::experiment::space::{Dimension, Space, Values};

/// The number of candidates of the first iteration, including the default configuration.
const FIRST_CANDIDATES: usize = 24;

/// The number of new candidates of each later iteration.
const NEW_CANDIDATES: usize = 16;

/// The number of leaders that continue in the next iteration. The next iteration begins when no more candidates are left in the race.
const LEADERS: usize = 4;

/// The number of blocks of the first iteration. Each later iteration has `MORE_BLOCKS` more blocks than the iteration before, because its
/// candidates are more similar.
const FIRST_BLOCKS: u64 = 8;

/// The number of additional blocks of each later iteration.
const MORE_BLOCKS: u64 = 2;

/// The maximum number of draws for a candidate: a drawn configuration may be excluded, or may already be a candidate.
const ATTEMPTS: usize = 100;

/// The minimum standard deviation of a coordinate around the parent's coordinate.
const LEAST_DEVIATION: f64 = 1e-3;

/// A configuration that takes part in a race.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The coordinates of the candidate in the unit cube, one per dimension.
    pub point: Vec<f64>,
    /// The value of each dimension. A value is `None` if the dimension has no effect, or if the default configuration does not set the
    /// dimension.
    pub values: Vec<Option<Value>>,
    /// The number of the iteration in which the candidate was drawn, counted from 1. For the default configuration, the number of the
    /// iteration is 0.
    pub iteration: usize,
    /// The number of the parent candidate. The point of this candidate was drawn at random near the point of the parent. The value is
    /// `None` for the default configuration, and for all candidates of the first iteration.
    pub parent: Option<usize>,
}

/// The state of a tuning between two blocks.
pub struct TuningCourse {
    /// The settings that may vary.
    pub space: Space,
    seed: u64,
    /// The number of blocks of the race between two decisions.
    blocks_at_a_time: u64,
    /// The race so far.
    pub race: Race,
    /// All candidates, in the order in which they entered the race.
    pub candidates: Vec<Candidate>,
    /// The number of iterations so far.
    pub iteration: usize,
    /// The first block of the iteration.
    first_block: u64,
    /// The number of runs in all finished blocks.
    pub n_runs: u64,
    /// Whether the last iteration could not draw any new candidate.
    is_exhausted: bool,
}

impl TuningCourse {
    /// Creates a tuning whose first candidate is the default configuration.
    pub fn new(space: Space, seed: u64, blocks_at_a_time: u64, default: Candidate) -> Self {
        let mut race = Race::default();
        race.enter(1);
        Self {
            space,
            seed,
            blocks_at_a_time,
            race,
            candidates: vec![default],
            iteration: 0,
            first_block: 0,
            n_runs: 0,
            is_exhausted: false,
        }
    }

    /// Returns the number of blocks at which the current iteration must end. The number includes the blocks of all earlier iterations.
    pub fn iteration_end(&self) -> u64 {
        self.first_block + FIRST_BLOCKS + MORE_BLOCKS * self.iteration.saturating_sub(1) as u64
    }

    /// Begins a new iteration if the present iteration is over. `admit` says whether a point, with its values, is a configuration that is
    /// allowed and new.
    pub fn prepare(&mut self, mut admit: impl FnMut(&[f64], &[Option<Value>]) -> bool) {
        let n_blocks = self.race.n_blocks();
        let is_over = self.race.n_alive() <= LEADERS || n_blocks >= self.iteration_end();
        if self.is_exhausted || self.iteration > 0 && (n_blocks == self.first_block || !is_over) {
            return;
        }
        if self.iteration > 0 {
            self.race.set_aside_all_but(LEADERS);
        }
        self.iteration += 1;
        self.first_block = self.race.n_blocks();
        let leaders = self.race.standing();
        let n_new = if self.iteration == 1 { FIRST_CANDIDATES - 1 } else { NEW_CANDIDATES };
        let spread = spread_points(&self.space, n_new, &mut stream(self.seed, "first candidates", 0));
        let n_before = self.candidates.len();
        for point in spread {
            let mut random = stream(self.seed, "candidate", self.candidates.len() as u64);
            for attempt in 0..ATTEMPTS {
                let (parent, point) = match self.iteration {
                    1 if attempt == 0 => (None, point.clone()),
                    1 => (None, self.space.dimensions.iter().map(|_| random.unit()).collect()),
                    _ => {
                        let parent = parent(&leaders, &mut random);
                        let near = (&self.space, &self.candidates[parent]);
                        (Some(parent), point_near(near, (self.iteration, n_new), &mut random))
                    }
                };
                let values = self.space.values(&point);
                if admit(&point, &values) {
                    self.candidates.push(Candidate { point, values, iteration: self.iteration, parent });
                    break;
                }
            }
        }
        let n_drawn = self.candidates.len() - n_before;
        self.is_exhausted = n_drawn == 0;
        self.race.enter(n_drawn);
    }

    /// The next blocks. In each block, every candidate in the race has a run. The range is empty if the race has fewer than two candidates.
    pub fn next_blocks(&self) -> Range<u64> {
        let n_blocks = self.race.n_blocks();
        if self.race.n_alive() < 2 { n_blocks..n_blocks } else { n_blocks..n_blocks + self.blocks_at_a_time }
    }

    /// Adds the [next blocks](Self::next_blocks). Each block contains the costs of all candidates in the race. After the last block,
    /// candidates that are shown to be worse are dropped.
    pub fn add_blocks(&mut self, blocks: &[Vec<f64>]) {
        self.n_runs += blocks.iter().map(Vec::len).sum::<usize>() as u64;
        self.race.add_blocks(blocks);
    }
}

/// The random numbers of a tuning for one purpose.
pub(super) fn stream(seed: u64, purpose: &str, number: u64) -> RandomStream {
    RandomStream::from_seed(run_seed(seed, &Fingerprint::of_settings(purpose), number, None))
}

/// Points that are spread evenly over the space: each of the `n` equal intervals of each dimension has one point (M. D. McKay, R. J.
/// Beckman and W. J. Conover, 1979, Latin hypercube sampling).
fn spread_points(space: &Space, n: usize, random: &mut RandomStream) -> Vec<Vec<f64>> {
    let mut points = vec![Vec::new(); n];
    for _ in &space.dimensions {
        let mut intervals: Vec<usize> = (0..n).collect();
        random.shuffle(&mut intervals);
        for (point, interval) in points.iter_mut().zip(intervals) {
            point.push((interval as f64 + random.unit()) / n as f64);
        }
    }
    points
}

/// Draws one of the leaders, which are sorted from the best to the worst. Of `n` leaders, the first has the weight `n`, and the last has
/// the weight 1.
fn parent(leaders: &[usize], random: &mut RandomStream) -> usize {
    let n = leaders.len();
    let mut ticket = random.below(n * (n + 1) / 2);
    let place = (0..n).find(|place| {
        let is_drawn = ticket < n - place;
        ticket = ticket.saturating_sub(n - place);
        is_drawn
    });
    leaders[place.unwrap_or(0)]
}

/// A point near the point of a parent, in an iteration that draws `n_new` candidates and is not the first iteration (M. López-Ibáñez, J.
/// Dubois-Lacoste, L. Pérez Cáceres, M. Birattari and T. Stützle, "The irace package", 2016, section 3.2). A number is drawn around the
/// parent's number. Its standard deviation begins with half the range, and is multiplied by `n_new^(-1/d)` in each iteration; `d` is the
/// number of dimensions. A choice is the parent's choice with the probability `1 - 1/iteration`; in the other cases it is drawn from all
/// choices.
///
/// A number is drawn as a sum of three uniform numbers, because this sum is the same on every machine.
fn point_near(
    (space, parent): (&Space, &Candidate),
    (iteration, n_new): (usize, usize),
    random: &mut RandomStream,
) -> Vec<f64> {
    let shrinking = libm::pow(n_new as f64, -1.0 / space.dimensions.len() as f64);
    let deviation = (1..iteration).fold(0.5, |deviation, _| deviation * shrinking).max(LEAST_DEVIATION);
    let dimensions = space.dimensions.iter().zip(&parent.point).zip(space.active(&parent.point));
    let coordinate = |((dimension, &place), is_active): ((&Dimension, &f64), bool)| match &dimension.values {
        _ if !is_active => random.unit(),
        Values::Choices(_) if random.chance(1.0 / iteration as f64) => random.unit(),
        Values::Choices(_) => place,
        _ => near(place, deviation, random),
    };
    dimensions.map(coordinate).collect()
}

/// A random place in [0, 1) around another place.
fn near(place: f64, deviation: f64, random: &mut RandomStream) -> f64 {
    for _ in 0..ATTEMPTS {
        // The sum of three uniform numbers has the standard deviation 1/2.
        let sum = random.unit() + random.unit() + random.unit();
        let drawn = place + (sum - 1.5) * 2.0 * deviation;
        if (0.0..1.0).contains(&drawn) {
            return drawn;
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space() -> Space {
        let whole = Values::Whole { low: 1, high: 100, is_log: false };
        let choices = Values::Choices((0..4).map(Value::Integer).collect());
        let dimension = |path: &str, values| Dimension { path: path.to_owned(), values, condition: None };
        Space { dimensions: vec![dimension("whole", whole), dimension("choice", choices)], ..Space::default() }
    }

    fn random() -> RandomStream {
        stream(7, "test", 0)
    }

    #[test]
    fn each_interval_of_each_dimension_has_one_point() {
        let points = spread_points(&space(), 10, &mut random());
        for dimension in 0..2 {
            let mut intervals: Vec<usize> = points.iter().map(|point| (point[dimension] * 10.0) as usize).collect();
            intervals.sort_unstable();
            assert!(intervals.into_iter().eq(0..10));
        }
    }

    #[test]
    fn the_first_leader_is_chosen_most() {
        let (mut counts, mut random) = ([0; 3], random());
        for _ in 0..6000 {
            counts[parent(&[0, 1, 2], &mut random)] += 1;
        }
        for (count, expected) in counts.into_iter().zip([3000_i32, 2000, 1000]) {
            assert!((count - expected).abs() < 150, "{counts:?}");
        }
    }

    #[test]
    fn points_come_nearer_from_one_iteration_to_the_next() {
        let near = Candidate { point: vec![0.3, 0.6], values: Vec::new(), iteration: 1, parent: None };
        let mut random = random();
        let mut spread_in = |iteration| {
            let points: Vec<_> =
                (0..2000).map(|_| point_near((&space(), &near), (iteration, 16), &mut random)).collect();
            let square: f64 = points.iter().map(|point| (point[0] - 0.3) * (point[0] - 0.3)).sum();
            let kept = points.iter().filter(|point| point[1] == 0.6).count();
            assert!(points.iter().flatten().all(|place| (0.0..1.0).contains(place)));
            ((square / 2000.0).sqrt(), kept as f64 / 2000.0)
        };
        // 0.5 / 4, then 0.5 / 16.
        let (second, kept) = spread_in(2);
        assert!((second - 0.125).abs() < 0.01 && (kept - 0.5).abs() < 0.05, "{second} {kept}");
        let (third, kept) = spread_in(3);
        assert!((third - 0.03125).abs() < 0.003 && (kept - 2.0 / 3.0).abs() < 0.05, "{third} {kept}");
    }
}
