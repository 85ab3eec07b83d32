//! Tracks: the course of groups of runs, read from a `trace.csv.gz` in one pass.

use std::collections::BTreeMap;
use std::path::Path;

use crate::charts::error::ChartError;
use crate::charts::value_counts::ValueCounts;
use crate::trace::{self, Quantity};
use evogrid_results::sheet::ReadError;

/// A track has at most this many points.
const MOST_POINTS: usize = 200;

/// A group of runs at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TrackPoint {
    pub(crate) at: u64,
    /// The two quartiles and the median between them.
    pub(crate) quartiles: [f64; 3],
    /// The number of runs behind them.
    pub(crate) runs: u64,
}

/// How a quantity of groups of runs developed, for each group a point for each number of the grid where any of its runs had a value;
/// and of how many runs of each there is a trace at all.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tracks {
    pub(crate) tracks: Vec<Vec<TrackPoint>>,
    pub(crate) traced: Vec<u64>,
}

/// At most [`MOST_POINTS`] whole numbers from 1 to `most`: all of them, or in steps of equal ratio.
pub(crate) fn grid(most: u64) -> Vec<u64> {
    if most <= MOST_POINTS as u64 {
        return (1..=most.max(1)).collect();
    }
    let last = (MOST_POINTS - 1) as f64;
    let step = |at: usize| (most as f64).powf(at as f64 / last).round() as u64;
    let mut grid: Vec<u64> = (0..MOST_POINTS).map(step).collect();
    grid.dedup();
    grid
}

/// Reads the tracks of a quantity: of a run that has ended, the last best fitness holds, and there is no diversity. `group_of` says
/// for the number of a run in which of the groups it is; others are passed over. It keeps the last value of each run, and for each
/// group and number of the grid how often each value stood there.
pub(crate) fn open(
    path: &Path,
    quantity: Quantity,
    grid: &[u64],
    group_of: &BTreeMap<u64, usize>,
    groups: usize,
) -> Result<Tracks, ChartError> {
    let mut reader = TrackReader::new(grid, group_of, groups);
    trace::open(path, quantity, |run, at, value| reader.add(run, at, value)).map_err(|error| match error {
        ReadError::MissingColumn { column: "diversity", .. } => ChartError::NoDiversity,
        error => ChartError::Trace(error),
    })?;
    Ok(reader.finish(quantity))
}

/// The tracks as far as they are read.
struct TrackReader<'a> {
    grid: &'a [u64],
    group_of: &'a BTreeMap<u64, usize>,
    /// For each group and number of the grid.
    counts: Vec<Vec<ValueCounts>>,
    runs: BTreeMap<u64, RunPosition>,
}

/// Where a run is.
struct RunPosition {
    /// The first place in the grid at which it has not been counted.
    next: usize,
    /// Where its last value is from.
    at: u64,
    /// Its last value.
    value: f64,
    group: usize,
}

impl<'a> TrackReader<'a> {
    fn new(grid: &'a [u64], group_of: &'a BTreeMap<u64, usize>, groups: usize) -> Self {
        Self { grid, group_of, counts: vec![vec![ValueCounts::default(); grid.len()]; groups], runs: BTreeMap::new() }
    }

    /// Adds a value of a run.
    fn add(&mut self, run: u64, at: u64, value: f64) {
        let Some(&group) = self.group_of.get(&run) else { return };
        let position = self.runs.entry(run).or_insert(RunPosition { next: 0, at, value, group });
        // What it had before holds up to here.
        position.hold(self.grid, self.grid.partition_point(|&point| point < at), &mut self.counts[group]);
        (position.at, position.value) = (at, value);
    }

    fn finish(mut self, quantity: Quantity) -> Tracks {
        let grid = self.grid;
        let mut traced = vec![0; self.counts.len()];
        for position in self.runs.values_mut() {
            let end = match quantity {
                Quantity::BestFitness => grid.len(),
                Quantity::Diversity => grid.partition_point(|&point| point <= position.at),
            };
            position.hold(grid, end, &mut self.counts[position.group]);
            traced[position.group] += 1;
        }
        let point = |(&at, counts): (&u64, ValueCounts)| {
            Some(TrackPoint { at, quartiles: counts.quartiles()?, runs: counts.total() })
        };
        let track = |counts: Vec<ValueCounts>| grid.iter().zip(counts).filter_map(point).collect();
        Tracks { tracks: self.counts.into_iter().map(track).collect(), traced }
    }
}

impl RunPosition {
    /// Counts the last value from its present position up to an end.
    fn hold(&mut self, grid: &[u64], end: usize, counts: &mut [ValueCounts]) {
        self.next = self.next.max(grid.partition_point(|&point| point < self.at));
        while self.next < end {
            counts[self.next].add(self.value);
            self.next += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "run,evaluations,generation,best_fitness,mean_fitness,diversity\n\
        0,2,1,10,11,0.5\n0,4,2,6,8,0.3\n0,5,2,0,,\n\
        1,1,1,8,9,0.4\n1,3,2,7,9,0.2\n1,8,3,2,4,0.1\n\
        7,1,1,99,99,0.9\n";

    fn tracks(quantity: Quantity, grid: &[u64]) -> Tracks {
        let group_of = BTreeMap::from([(0, 0), (1, 0)]);
        let mut reader = TrackReader::new(grid, &group_of, 1);
        let add = |run, at, value| reader.add(run, at, value);
        trace::read("trace.csv", TRACE.as_bytes(), quantity, add).expect("a trace");
        reader.finish(quantity)
    }

    /// The medians of the only group, and the number of their runs.
    fn medians(found: &Tracks) -> Vec<(u64, f64, u64)> {
        found.tracks[0].iter().map(|point| (point.at, point.quartiles[1], point.runs)).collect()
    }

    #[test]
    fn the_last_best_is_carried_forward_also_after_the_end() {
        let found = tracks(Quantity::BestFitness, &[1, 2, 3, 4, 5, 8, 100]);
        let expected = [(1, 8.0, 1), (2, 9.0, 2), (3, 8.5, 2), (4, 6.5, 2), (5, 3.5, 2), (8, 1.0, 2), (100, 1.0, 2)];
        assert_eq!(medians(&found), expected);
        assert_eq!(found.traced, [2]);
    }

    #[test]
    fn a_population_that_is_no_more_has_no_diversity() {
        let found = tracks(Quantity::Diversity, &[1, 2, 3, 4]);
        assert_eq!(medians(&found), [(1, 0.45, 2), (2, 0.25, 2), (3, 0.1, 1)]);
    }

    #[test]
    fn the_grid_is_whole_and_bounded() {
        assert_eq!(grid(5), [1, 2, 3, 4, 5]);
        assert_eq!(grid(0), [1]);
        let long = grid(1_000_000);
        assert!(long.len() <= MOST_POINTS && long[0] == 1 && long.last() == Some(&1_000_000), "{long:?}");
        assert!(long.windows(2).all(|two| two[0] < two[1]));
    }
}
