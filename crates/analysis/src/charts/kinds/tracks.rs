//! Tracks show the course of groups of runs. Tracks are read from a `trace.csv.gz` in one pass.

use std::collections::BTreeMap;
use std::path::Path;

use super::courses::each_course;
use crate::charts::ValueCounts;
use evogrid_results::sheet::ReadError;

/// The maximum number of points of a track.
const MOST_POINTS: usize = 200;

/// A quantity of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantity {
    /// The best fitness, by number of evaluations.
    BestFitness,
    /// The gene diversity of the population, by number of generations.
    Diversity,
}

/// The quartiles of a group of runs at one number of evaluations or generations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TrackPoint {
    pub(crate) at: u64,
    /// The lower quartile, the median and the upper quartile.
    pub(crate) quartiles: [f64; 3],
    /// The number of runs with a value.
    pub(crate) runs: u64,
}

/// At most [`MOST_POINTS`] whole numbers from 1 to `most`. If there are too many numbers, the chosen numbers have nearly equal ratios.
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

/// Reads the tracks of a quantity, and counts the runs of each group that have a trace. A track has a point for each number of the grid at
/// which a run of the group has a value. `group_of` maps the number of a run to its group; runs without a group are skipped.
pub(crate) fn read(
    trace: &Path,
    quantity: Quantity,
    grid: &[u64],
    group_of: &BTreeMap<u64, usize>,
    groups: usize,
) -> Result<(Vec<Vec<TrackPoint>>, Vec<u64>), ReadError> {
    let mut counts = vec![vec![ValueCounts::default(); grid.len()]; groups];
    let mut traced = vec![0; groups];
    let value = |point: evogrid_results::trace::Point| match quantity {
        Quantity::BestFitness => Some((point.evaluations, point.best_fitness)),
        Quantity::Diversity => Some((point.generation, point.diversity?)),
    };
    each_course(trace, group_of, value, |group, course| {
        add(quantity, grid, course, &mut counts[group]);
        traced[group] += 1;
    })?;
    Ok((counts.into_iter().map(|counts| track(grid, counts)).collect(), traced))
}

/// Adds the values of a run to the counts at each number of the grid. Each value counts until the run has a new value. After the end of the
/// run, the last best fitness still counts, but the last diversity does not.
fn add(quantity: Quantity, grid: &[u64], course: &[(u64, f64)], counts: &mut [ValueCounts]) {
    let place = |at: u64| grid.partition_point(|&point| point < at);
    let mut next = 0;
    for (index, &(at, value)) in course.iter().enumerate() {
        let end = match (course.get(index + 1), quantity) {
            (Some(&(later, _)), _) => place(later),
            (None, Quantity::BestFitness) => grid.len(),
            (None, Quantity::Diversity) => place(at + 1),
        };
        next = next.max(place(at));
        let end = end.max(next);
        counts[next..end].iter_mut().for_each(|counts| counts.add(value));
        next = end;
    }
}

/// The track of a group.
fn track(grid: &[u64], counts: Vec<ValueCounts>) -> Vec<TrackPoint> {
    let point = |(&at, counts): (&u64, ValueCounts)| {
        Some(TrackPoint { at, quartiles: counts.quartiles()?, runs: counts.total() })
    };
    grid.iter().zip(counts).filter_map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The medians of a group, and the numbers of their runs.
    fn medians(quantity: Quantity, grid: &[u64], courses: [&[(u64, f64)]; 2]) -> Vec<(u64, f64, u64)> {
        let mut counts = vec![ValueCounts::default(); grid.len()];
        courses.iter().for_each(|course| add(quantity, grid, course, &mut counts));
        track(grid, counts).iter().map(|point| (point.at, point.quartiles[1], point.runs)).collect()
    }

    #[test]
    fn the_last_best_is_carried_forward_also_after_the_end() {
        let courses: [&[_]; 2] = [&[(2, 10.0), (4, 6.0), (5, 0.0)], &[(1, 8.0), (3, 7.0), (8, 2.0)]];
        let found = medians(Quantity::BestFitness, &[1, 2, 3, 4, 5, 8, 100], courses);
        let expected = [(1, 8.0, 1), (2, 9.0, 2), (3, 8.5, 2), (4, 6.5, 2), (5, 3.5, 2), (8, 1.0, 2), (100, 1.0, 2)];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_population_that_is_no_more_has_no_diversity() {
        let courses: [&[_]; 2] = [&[(1, 0.5), (2, 0.3)], &[(1, 0.4), (2, 0.2), (3, 0.1)]];
        let found = medians(Quantity::Diversity, &[1, 2, 3, 4], courses);
        assert_eq!(found, [(1, 0.45, 2), (2, 0.25, 2), (3, 0.1, 1)]);
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
