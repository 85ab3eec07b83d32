//! The course of a tuning: which candidates there are, and which blocks of runs follow. A function of the seed and of what runs cost.

use std::ops::Range;

use evogrid_analysis::race::Race;
use evogrid_core::settings::Value;

use super::candidates::{ATTEMPTS, Candidate, parent, point_near, spread_points, stream};
use crate::experiment::space::Space;

/// The candidates of the first iteration, the default configuration included.
const FIRST_CANDIDATES: usize = 24;

/// The new candidates of each later iteration.
const NEW_CANDIDATES: usize = 16;

/// So many leaders go on to the next iteration; if no more are left in the race, it begins.
const LEADERS: usize = 4;

/// The blocks of the first iteration, and how many more each later one has: what is left to decide becomes finer.
const FIRST_BLOCKS: u64 = 8;
const MORE_BLOCKS: u64 = 2;

/// A tuning, from its first block to a state between two blocks.
pub struct TuningCourse {
    /// The settings that may vary.
    pub space: Space,
    seed: u64,
    /// Blocks of the race between two decisions.
    blocks_at_a_time: u64,
    /// The race so far.
    pub race: Race,
    /// All candidates, in the order in which they entered.
    pub candidates: Vec<Candidate>,
    /// The number of iterations so far.
    pub iteration: usize,
    /// The first block of the iteration.
    first_block: u64,
    /// The number of runs in all finished blocks.
    pub n_runs: u64,
    /// Whether nothing new could be drawn any more.
    is_exhausted: bool,
}

impl TuningCourse {
    /// A tuning that begins with the default configuration.
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

    /// The block before which the iteration ends at the latest.
    pub fn iteration_end(&self) -> u64 {
        self.first_block + FIRST_BLOCKS + MORE_BLOCKS * self.iteration.saturating_sub(1) as u64
    }

    /// Begins a new iteration if the present one is over. `admit` says whether a point, with its
    /// values, is a configuration that is allowed and new.
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

    /// The blocks that come next, in all of which all candidates in the race have a run; none if nobody is left to be compared.
    pub fn next_blocks(&self) -> Range<u64> {
        let n_blocks = self.race.n_blocks();
        if self.race.n_alive() < 2 { n_blocks..n_blocks } else { n_blocks..n_blocks + self.blocks_at_a_time }
    }

    /// Adds the [next blocks](Self::next_blocks): for each the costs of all candidates in the race. Candidates are dropped after the last
    /// of them.
    pub fn add_blocks(&mut self, blocks: &[Vec<f64>]) {
        self.n_runs += blocks.iter().map(Vec::len).sum::<usize>() as u64;
        self.race.add_blocks(blocks);
    }
}
