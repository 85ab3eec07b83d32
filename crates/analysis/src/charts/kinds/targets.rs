//! Targets reached within a number of evaluations: empirical cumulative distributions over runs and targets.
//!
//! Source: M. Lopez-Ibanez, D. Vermetten, J. Dreo and C. Doerr, "Using the empirical attainment function for analyzing single-objective
//! black-box optimization algorithms", IEEE Transactions on Evolutionary Computation, 2025, doi:10.1109/TEVC.2024.3462758.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::courses::{Courses, TARGETS};
use super::tracks;
use crate::charts::{Axis, ChartError, ChartInput, Content, LegendSymbol, rounded, runs_of_instances};

/// The curve of a series.
#[derive(Clone, Default)]
struct Curve {
    /// The rise of the share at each number of the grid.
    rises: Vec<f64>,
    /// The area below the curve.
    area: f64,
    /// The weight of all runs.
    weight: f64,
}

/// The share of pairs of a run and a target that are reached within a number of evaluations.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let courses = Courses::open(input, Vec::new())?;
    let division = &courses.division;
    let grid = tracks::grid(courses.longest);
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
    let tooltip = json!(["series", format!("x = {} | ,.6~g", input.work_title()), "share = reached | .1%"]);
    let values = [("has_bands", json!(false)), ("tooltip", tooltip)];
    let mut curves = curves.iter();
    let drawings = division.drawings("steps", LegendSymbol::Line, [&x, &y], &values, |name, _| {
        curves.next().map(|curve| rows(name, curve, &grid)).unwrap_or_default()
    });
    let [most, least] = TARGETS;
    let notes = [
        format!(
            "The targets are all distances from {most} % to {least} %, spaced evenly by logarithm: the limit of many \
             targets (Lopez-Ibanez, Vermetten, Dreo and Doerr, 2025). A run reaches no target after its end."
        ),
        format!(
            "Area under each curve over the logarithm of evaluations, from 1 to {}, where 1 is the largest: {}.",
            courses.longest,
            areas.join("; ")
        ),
    ];
    Ok(Content::new("Targets reached within a number of evaluations", drawings, remarks.after(notes)))
}

/// The share of the targets that a distance in per cent reaches.
fn share_of_targets(distance: f64) -> f64 {
    let [most, least] = TARGETS.map(f64::ln);
    // The logarithm needs a positive number.
    ((most - distance.max(TARGETS[1]).ln()) / (most - least)).clamp(0.0, 1.0)
}

/// The share of the logarithmic axis from 1 to `longest` that is after these evaluations.
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
