//! Tracks: how groups of runs went along, read from a `trace.csv.gz` in one pass.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::Refusal;
use super::counted::Counted;
use evogrid_results::files::FileError;
use evogrid_results::sheet::{NUMBER, ReadError, Sheet, WHOLE};

/// A track has at most so many points.
pub(super) const MOST_POINTS: usize = 200;

/// What is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    /// The best fitness against the evaluations. A run that has ended keeps its last.
    BestFitness,
    /// The gene diversity of the population against the generations. A run that has ended has none.
    Diversity,
}

/// How a group of runs went along: a point for each number of the grid where any of them had a value.
pub(super) type Track = Vec<Point>;

/// A group of runs at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    /// The evaluations or generations.
    pub(super) at: u64,
    /// Both quartiles, with the median between them.
    pub(super) quartiles: [f64; 3],
    /// How many runs they are of.
    pub(super) runs: u64,
}

/// The tracks of groups, and of how many runs of each there is a trace at all.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tracks {
    pub(super) tracks: Vec<Track>,
    pub(super) traced: Vec<u64>,
}

/// Whole numbers from 1 to `most`, at most [`MOST_POINTS`] of them: all, or in steps of equal ratio.
pub(super) fn grid(most: u64) -> Vec<u64> {
    if most <= MOST_POINTS as u64 {
        return (1..=most.max(1)).collect();
    }
    let last = (MOST_POINTS - 1) as f64;
    let step = |at: usize| (most as f64).powf(at as f64 / last).round() as u64;
    let mut grid: Vec<u64> = (0..MOST_POINTS).map(step).collect();
    grid.dedup();
    grid
}

/// Reads the tracks. `group_of` says for the number of a run in which of the groups it is; others are passed over. It keeps the
/// last value of each run, and for each group and number of the grid the values there, counted.
pub(super) fn open(
    path: &Path,
    quantity: Quantity,
    grid: &[u64],
    group_of: &BTreeMap<u64, usize>,
    groups: usize,
) -> Result<Tracks, Refusal> {
    let file = File::open(path).map_err(FileError::from_io("read", path)).map_err(ReadError::from)?;
    read(&path.to_string_lossy(), MultiGzDecoder::new(file), quantity, grid, group_of, groups)
}

fn read(
    name: &str,
    input: impl Read,
    quantity: Quantity,
    grid: &[u64],
    group_of: &BTreeMap<u64, usize>,
    groups: usize,
) -> Result<Tracks, Refusal> {
    let mut sheet = Sheet::open(name, input)?;
    let run = sheet.column("run")?;
    let (along, value) = match quantity {
        Quantity::BestFitness => (sheet.column("evaluations")?, sheet.column("best_fitness")?),
        Quantity::Diversity => (sheet.column("generation")?, sheet.find("diversity").ok_or(Refusal::NoDiversity)?),
    };
    let mut counted = vec![vec![Counted::default(); grid.len()]; groups];
    let mut runs: BTreeMap<u64, Run> = BTreeMap::new();
    while sheet.advance()? {
        let number = sheet.value(run, &WHOLE)?;
        let Some(&group) = group_of.get(&number) else { continue };
        let Some(value) = sheet.optional(value, &NUMBER)? else { continue };
        let at = sheet.value(along, &WHOLE)?;
        let state = runs.entry(number).or_insert(Run { next: 0, at, value, group });
        // What it had before holds up to here.
        state.hold(grid, grid.partition_point(|&point| point < at), &mut counted[group]);
        (state.at, state.value) = (at, value);
    }
    let mut traced = vec![0; groups];
    for state in runs.values_mut() {
        let end = match quantity {
            Quantity::BestFitness => grid.len(),
            Quantity::Diversity => grid.partition_point(|&point| point <= state.at),
        };
        state.hold(grid, end, &mut counted[state.group]);
        traced[state.group] += 1;
    }
    let track = |counted: Vec<Counted>| {
        let points = grid.iter().zip(counted);
        points
            .filter_map(|(&at, counted)| Some(Point { at, quartiles: counted.quartiles()?, runs: counted.total() }))
            .collect()
    };
    Ok(Tracks { tracks: counted.into_iter().map(track).collect(), traced })
}

/// Where a run is.
struct Run {
    /// The first place in the grid at which it has not been counted.
    next: usize,
    /// Where its last value is from.
    at: u64,
    /// Its last value.
    value: f64,
    group: usize,
}

impl Run {
    /// Counts the last value at the places up to an end, from where it is.
    fn hold(&mut self, grid: &[u64], end: usize, counted: &mut [Counted]) {
        self.next = self.next.max(grid.partition_point(|&point| point < self.at));
        while self.next < end {
            counted[self.next].add(self.value);
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
        read("trace.csv", TRACE.as_bytes(), quantity, grid, &BTreeMap::from([(0, 0), (1, 0)]), 1).expect("a trace")
    }

    #[test]
    fn the_last_best_is_carried_forward_also_after_the_end() {
        let found = tracks(Quantity::BestFitness, &[1, 2, 3, 4, 5, 8, 100]);
        let medians: Vec<(u64, f64, u64)> =
            found.tracks[0].iter().map(|point| (point.at, point.quartiles[1], point.runs)).collect();
        let expected = [(1, 8.0, 1), (2, 9.0, 2), (3, 8.5, 2), (4, 6.5, 2), (5, 3.5, 2), (8, 1.0, 2), (100, 1.0, 2)];
        assert_eq!(medians, expected);
        assert_eq!(found.traced, [2]);
    }

    #[test]
    fn a_population_that_is_no_more_has_no_diversity() {
        let found = tracks(Quantity::Diversity, &[1, 2, 3, 4]);
        let medians: Vec<(u64, f64, u64)> =
            found.tracks[0].iter().map(|point| (point.at, point.quartiles[1], point.runs)).collect();
        assert_eq!(medians, [(1, 0.45, 2), (2, 0.25, 2), (3, 0.1, 1)]);
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
