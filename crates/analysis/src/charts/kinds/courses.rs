//! Courses of runs: at each improvement of a run, the distance from the best value. Tracks: the course of groups of runs. The trace is read
//! run by run, in one pass.

use std::collections::BTreeMap;
use std::path::Path;

use crate::charts::{
    ChartError, ChartInput, Division, DivisionPlan, MOST_IN_PANEL, NO_TRACE, OTHER_TRACE, Remarks, ValueCounts, divide,
    refused,
};
use crate::metric::Metric;
use crate::samples::{Key, Sample, Samples};
use evogrid_results::points::Points;
use evogrid_results::sheet::ReadError;
use evogrid_results::trace::Point;

/// The largest and the smallest target, as distances in per cent.
pub(crate) const TARGETS: [f64; 2] = [100.0, 0.01];

/// The courses of runs, with their division into panels and series.
pub(crate) struct Courses<'a> {
    pub(crate) division: Division<'a>,
    /// The evaluations of the longest run, at least 1.
    pub(crate) longest: u64,
    /// The title of an axis of distances.
    pub(crate) title: &'static str,
    trace: &'a Path,
    samples: &'a Samples,
    /// For each instance and fitness function, the cost at a distance of 0 % and the cost at a distance of 100 %.
    ends: BTreeMap<(usize, usize), [f64; 2]>,
}

impl<'a> Courses<'a> {
    /// Reads the courses of the runs. Each combination of values of the keys `panels` has a panel. If every instance has a best known value
    /// and the fitness is the objective, the distances are gaps. If not, the distance is 0 at the best value of any run on the instance,
    /// and 100 % at the worst first value.
    pub(crate) fn open(input: &ChartInput<'a>, panels: Vec<Key>) -> Result<Self, ChartError> {
        input.need("evaluations")?;
        Metric::Evaluations.check_work(input.samples)?;
        let (samples, trace) = (input.samples, input.trace.ok_or_else(|| refused(NO_TRACE))?);
        let plan = DivisionPlan { panels, ..DivisionPlan::by_settings(samples) };
        let division = divide(input, input.runs(), plan).spread(MOST_IN_PANEL).with_evidence("curves");
        let finished = || samples.runs.iter().filter(|run| !run.outcome.has_failed());
        let is_objective =
            |run: &Sample| run.outcome.objective.is_some_and(|found| run.outcome.best_fitness == Some(found));
        let best_known = |run: &Sample| samples.best_known[run.instance()].filter(|&known| known != 0.0);
        let is_gap = finished().all(|run| is_objective(run) && best_known(run).is_some());
        let mut ends: BTreeMap<(usize, usize), [f64; 2]> = BTreeMap::new();
        let by_number: BTreeMap<u64, &Sample> = finished().map(|run| (run.run, run)).collect();
        each_course(trace, &by_number, best_fitness, |run, course| {
            let direction = samples.direction(run);
            let [first, last] = [0, course.len() - 1].map(|at| direction.cost(course[at].1));
            let end = ends.entry((run.instance(), run.fitness())).or_insert([last, first]);
            *end = [end[0].min(last), end[1].max(first)];
            if let Some(known) = best_known(run).filter(|_| is_gap) {
                *end = [direction.cost(known), direction.cost(known) + known.abs()];
            }
        })?;
        if ends.is_empty() {
            return Err(refused(OTHER_TRACE));
        }
        let longest = division.runs().map(|run| run.outcome.evaluations).max().unwrap_or_default().max(1);
        let title = if is_gap { "gap (%)" } else { "distance to the best value found (%)" };
        Ok(Self { division, longest, title, trace, samples, ends })
    }

    /// Calls `visit` for each run that has a trace, in the order of the file, and then for each failed run. `visit` receives the index of
    /// the series, the run, and the course of the run. The course has the evaluations and the distance in per cent at each improvement; for
    /// a failed run it is empty. Returns the sentences for the chart.
    pub(crate) fn visit(&self, mut visit: impl FnMut(usize, &Sample, &[(u64, f64)])) -> Result<Remarks, ChartError> {
        let runs = self.division.series().enumerate();
        let runs = runs.flat_map(|(series, of)| of.runs.iter().map(move |&run| (run.run, (series, run))));
        let (failed, runs): (BTreeMap<u64, _>, BTreeMap<u64, _>) =
            runs.partition(|(_, (_, run))| run.outcome.has_failed());
        let (mut distances, mut n_traced) = (Vec::new(), 0);
        each_course(self.trace, &runs, best_fitness, |(series, run), course| {
            // The file may have changed, and then it may have more runs.
            let Some(&[zero, whole]) = self.ends.get(&(run.instance(), run.fitness())) else { return };
            let unit = if whole > zero { (whole - zero) / 100.0 } else { 1.0 };
            let direction = self.samples.direction(run);
            let in_time = course.iter().filter(|(at, _)| *at <= run.outcome.evaluations);
            distances.clear();
            distances.extend(in_time.map(|&(at, value)| (at, (direction.cost(value) - zero) / unit)));
            n_traced += 1;
            visit(series, run, &distances);
        })?;
        failed.values().for_each(|&(series, run)| visit(series, run, &[]));
        let scale = match self.title {
            "gap (%)" => "The gap is the distance to the best known value, in per cent of this value.",
            _ => {
                "On each instance, a distance of 0 % means the best value of all runs. Take the first value of each run: a distance of 100 % means the worst of these values."
            }
        };
        let mut remarks = self.division.remarks.clone().after([scale.to_owned()]);
        let n = runs.len();
        let untraced = format!("{} of {n} runs have no trace and are omitted.", n - n_traced);
        remarks.caveats.extend(Some(untraced).filter(|_| n_traced < n));
        Ok(remarks)
    }
}

fn best_fitness(point: Point) -> Option<(u64, f64)> {
    Some((point.evaluations, point.best_fitness))
}

/// Calls `visit` for each run with points in the trace. `value` chooses two numbers of each point, and these pairs are the course that
/// `visit` receives. A course has at least one pair.
fn each_course<T: Copy>(
    trace: &Path,
    runs: &BTreeMap<u64, T>,
    value: impl Fn(Point) -> Option<(u64, f64)>,
    mut visit: impl FnMut(T, &[(u64, f64)]),
) -> Result<(), ReadError> {
    let (mut points, mut course) = (Points::open(trace)?, Vec::new());
    for (&number, &run) in runs {
        course.clear();
        while let Some(point) = points.next_in_run(number)? {
            course.extend(value(point));
        }
        if !course.is_empty() {
            visit(run, &course);
        }
    }
    Ok(())
}

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
pub(crate) fn grid_to(most: u64) -> Vec<u64> {
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
pub(crate) fn read_tracks(
    trace: &Path,
    quantity: Quantity,
    grid: &[u64],
    group_of: &BTreeMap<u64, usize>,
    groups: usize,
) -> Result<(Vec<Vec<TrackPoint>>, Vec<u64>), ReadError> {
    let mut counts = vec![vec![ValueCounts::default(); grid.len()]; groups];
    let mut traced = vec![0; groups];
    let value = |point: Point| match quantity {
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
        assert_eq!(grid_to(5), [1, 2, 3, 4, 5]);
        assert_eq!(grid_to(0), [1]);
        let long = grid_to(1_000_000);
        assert!(long.len() <= MOST_POINTS && long[0] == 1 && long.last() == Some(&1_000_000), "{long:?}");
        assert!(long.windows(2).all(|two| two[0] < two[1]));
    }
}
