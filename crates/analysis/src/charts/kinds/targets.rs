//! Charts of many targets. One chart shows the share of targets that are reached within a number of evaluations. The other chart shows the
//! expected running time to each target, with intervals.
//!
//! Source: M. Lopez-Ibanez, D. Vermetten, J. Dreo and C. Doerr, "Using the empirical attainment function for analyzing single-objective
//! black-box optimization algorithms", IEEE Transactions on Evolutionary Computation, 2025, doi:10.1109/TEVC.2024.3462758.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::courses::{Courses, TARGETS, grid_to};
use crate::charts::{Axis, ChartError, ChartInput, Content, LegendSymbol, rounded, runs_of_instances};
use crate::metric::ExpectedTime;

/// The number of targets.
const N_TARGETS: usize = 21;

/// For each run and each target: the evaluations until the run reached the target or ended, and whether the run reached the target.
type Times = Vec<[(u64, bool); N_TARGETS]>;

/// The curve of a series: the share of targets reached against the evaluations.
#[derive(Clone, Default)]
struct Curve {
    /// How much the share rises at each number of evaluations in the grid.
    rises: Vec<f64>,
    /// The area below the curve.
    area: f64,
    /// The weight of all runs.
    weight: f64,
}

/// The chart of the share of targets that runs reach within a number of evaluations, over all pairs of a run and a target.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let courses = Courses::open(input, Vec::new())?;
    let division = &courses.division;
    let grid = grid_to(courses.longest);
    let counts: Vec<BTreeMap<usize, usize>> = division.series().map(|series| runs_of_instances(&series.runs)).collect();
    let mut curves = vec![Curve { rises: vec![0.0; grid.len()], ..Curve::default() }; counts.len()];
    let remarks = courses.visit(|series, run, steps| {
        // Instances weigh equally.
        let weight = 1.0 / counts[series][&run.instance()] as f64;
        let curve = &mut curves[series];
        curve.weight += weight;
        let mut before = 0.0;
        for &(at, distance) in steps {
            let rise = (share_of_targets(distance) - before).max(0.0);
            if let Some(rises) = curve.rises.get_mut(grid.partition_point(|&point| point < at)) {
                *rises += weight * rise;
            }
            curve.area += weight * rise * remaining(at, courses.longest);
            before += rise;
        }
    })?;
    let areas: Vec<String> = division
        .series()
        .zip(&curves)
        .filter(|(_, curve)| curve.weight > 0.0)
        .map(|(series, curve)| format!("{} {:.3}", division.full[series.name], curve.area / curve.weight))
        .collect();
    let (x, y) = (Axis::log(input.work_title(), grid.iter().map(|&at| at as f64), "~s"), Axis::rate("targets reached"));
    let mut curves = curves.iter();
    let drawings = division.steps([&x, &y], false, [input.work_title(), ",.6~g", "reached"], |name, _| {
        curves.next().map(|curve| rows(name, curve, &grid)).unwrap_or_default()
    });
    let [most, least] = TARGETS;
    let notes = [
        format!(
            "Every distance from {most} % to {least} % is a target (Lopez-Ibanez, Vermetten, Dreo and Doerr, 2025). On a logarithmic scale, all targets have equal weight. A run that has ended reaches no further target."
        ),
        format!(
            "Area under each curve, with a logarithmic axis from 1 to {} evaluations (the largest possible area is 1): {}.",
            courses.longest,
            areas.join("; ")
        ),
    ];
    Ok(Content::new("Targets reached within a number of evaluations", drawings, remarks.after(notes)))
}

/// The share of the targets that are reached at a distance in per cent.
fn share_of_targets(distance: f64) -> f64 {
    let [most, least] = TARGETS.map(f64::ln);
    // The logarithm needs a positive number.
    ((most - distance.max(TARGETS[1]).ln()) / (most - least)).clamp(0.0, 1.0)
}

/// On a logarithmic axis from 1 to `longest`, the share of the axis that follows the position of `at`.
fn remaining(at: u64, longest: u64) -> f64 {
    if longest > 1 { 1.0 - (at.max(1) as f64).ln() / (longest as f64).ln() } else { 1.0 }
}

fn rows(name: &str, curve: &Curve, grid: &[u64]) -> Vec<Value> {
    let mut share = 0.0;
    let row = |(&at, rise): (&u64, &f64)| {
        share += rise / curve.weight;
        json!({ "series": name, "x": at, "share": rounded(share.min(1.0)) })
    };
    let has_runs = curve.weight > 0.0;
    grid.iter().zip(&curve.rises).filter(|_| has_runs).map(row).collect()
}

/// The chart of the expected running time to each target.
pub(crate) fn of_expected_times(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let courses = Courses::open(input, Vec::new())?;
    let division = &courses.division;
    input.check_points(division.runs().count().saturating_mul(N_TARGETS))?;
    let [most, least] = TARGETS;
    let target = |at: usize| most * (least / most).powf(at as f64 / (N_TARGETS - 1) as f64);
    let targets: [f64; N_TARGETS] = std::array::from_fn(target);
    let mut times: Vec<Times> = vec![Times::new(); division.series().count()];
    let remarks = courses.visit(|series, run, steps| {
        times[series].push(targets.map(|target| {
            let hit = steps.iter().find(|(_, distance)| *distance <= target);
            hit.map_or((run.outcome.evaluations, false), |&(at, _)| (at, true))
        }));
    })?;
    let at_target = |times: &Times, at: usize| ExpectedTime::new(&times.iter().map(|run| run[at]).collect::<Vec<_>>());
    let curves: Vec<Vec<ExpectedTime>> =
        times.iter().map(|times| (0..N_TARGETS).map(|at| at_target(times, at)).collect()).collect();
    let reached = curves.iter().flatten().filter_map(|time| time.ert);
    let x = Axis::log(courses.title, targets, ".3~g");
    let y = Axis::log(input.work_title(), reached, "~s");
    let (has_bands, bands) = division.bands("Bands are 95 % bootstrap intervals over the runs of these instances.");
    let values = [("has_bands", json!(has_bands))];
    let mut of_series = curves.iter();
    let mut drawings = division.drawings("fixed-target", LegendSymbol::Line, [&x, &y], &values, |name, _| {
        of_series.next().map(|times| time_rows(name, times, &targets, &y)).unwrap_or_default()
    });
    // Targets become harder to the right.
    drawings.iter_mut().for_each(|drawing| drawing.encoding["x"]["scale"]["reverse"] = json!(true));
    let notes = [
        "The curves show the expected running time (ERT) to a target. The ERT is the number of evaluations of all runs, divided by the \
         number of runs that reached the target. The evaluations of a run are counted until the run reaches the target or ends. A curve ends where no run reached the target.",
        &bands,
    ];
    Ok(Content::new("Expected evaluations by target", drawings, remarks.after(notes.map(str::to_owned))))
}

fn time_rows(name: &str, times: &[ExpectedTime], targets: &[f64], y: &Axis) -> Vec<Value> {
    let row = |(time, &target): (&ExpectedTime, &f64)| {
        Some(json!({
            "series": name,
            "x": rounded(target),
            "ert": rounded(time.ert?),
            "low": y.place(time.interval.low),
            "high": y.place(time.interval.high),
            "reached": format!("{} of {} runs", time.reached, time.runs),
        }))
    };
    times.iter().zip(targets).filter_map(row).collect()
}
