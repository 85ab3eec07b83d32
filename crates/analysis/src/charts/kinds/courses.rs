//! Courses of runs: at each improvement of a run, the distance from the best value. The trace is read run by run.

use std::collections::BTreeMap;
use std::path::Path;

use crate::charts::{
    ChartError, ChartInput, Division, DivisionPlan, MOST_IN_PANEL, NO_TRACE, OTHER_TRACE, Remarks, WorkUnit, divide,
    refused,
};
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
        WorkUnit::Evaluations.check(input.samples)?;
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
            "gap (%)" => "The gap is the distance to the best known value, in per cent.",
            _ => {
                "A distance of 0 is the best value of all runs on the instance. A distance of 100 % is the worst first value of a run."
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
pub(crate) fn each_course<T: Copy>(
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
