//! Convergence: which distance a quarter, half and three quarters of the runs attain within a number of evaluations (empirical
//! attainment); of fitness functions that count what is left to do, the best fitness itself.
//!
//! Source: V. Grunert da Fonseca, C. Fonseca and A. Hall, "Inferential performance assessment of stochastic optimisers and the attainment
//! function", EMO 2001, doi:10.1007/3-540-44719-9_15.

use serde_json::{Value, json};

use super::courses::Courses;
use super::{tracks, trajectory};
use crate::charts::axis::Axis;
use crate::charts::chart::{Chart, ChartInput, ChartKind};
use crate::charts::error::ChartError;
use crate::charts::labels::rounded;
use crate::charts::value_counts::ValueCounts;
use crate::charts::vega::{self, LegendSymbol};
use crate::charts::work_unit::WorkUnit;
use crate::samples::{Key, Sample};
use crate::trace::Quantity;

/// The shares of runs, and the fields of their distances.
const SHARES: [(f64, &str); 3] = [(0.25, "quarter"), (0.5, "half"), (0.75, "most")];

/// More bands than this hide each other.
const MOST_BANDS: usize = 4;

/// The distances that these shares of the runs attain, or their best fitness.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Chart, ChartError> {
    let mut finished = input.samples.runs.iter().filter(|run| !run.outcome.has_failed());
    // Without a best known value, runs that say whether they are solved count down to the fitness of their target.
    let has_distance = |run: &Sample| {
        run.outcome.best_fitness.is_some_and(|best| best != 0.0) && (run.gap.is_some() || run.outcome.solved.is_none())
    };
    let has_units = WorkUnit::Evaluations.check(input.samples).is_ok();
    if has_units && finished.all(has_distance) {
        by_distance(input)
    } else {
        trajectory::chart(input, Quantity::BestFitness)
    }
}

fn by_distance(input: &ChartInput<'_>) -> Result<Chart, ChartError> {
    let courses = Courses::open(input, vec![Key::Bucket])?;
    let division = &courses.division;
    let grid = tracks::grid(courses.longest);
    let mut surfaces = vec![(0u64, vec![ValueCounts::default(); grid.len()]); division.series().count()];
    let remarks = courses.visit(|series, _, steps| {
        let (runs, counts) = &mut surfaces[series];
        *runs += 1;
        for (&at, counts) in grid.iter().zip(counts) {
            let attained = steps[..steps.partition_point(|step| step.0 <= at)].last();
            attained.iter().for_each(|(_, distance)| counts.add(*distance));
        }
    })?;
    let rows = |name: &str, (runs, counts): &(u64, Vec<ValueCounts>)| -> Vec<Value> {
        let row = |(&at, counts): (&u64, &ValueCounts)| {
            let mut row = json!({ "series": name, "x": at });
            for (share, field) in SHARES {
                row[field] = json!(counts.least_of((*runs as f64 * share).ceil() as u64).map(rounded)?);
            }
            Some(row)
        };
        grid.iter().zip(counts).filter_map(row).collect()
    };
    let (mut drawn, mut values) = (Vec::new(), Vec::new());
    for (series, surface) in division.series().zip(&surfaces) {
        let rows = rows(&division.names[series.name], surface);
        values.extend(rows.iter().flat_map(|row| SHARES.iter().filter_map(|(_, field)| row[field].as_f64())));
        drawn.push(rows);
    }
    if values.is_empty() {
        return Err(ChartError::ShortTrace);
    }
    let x = Axis::log(input.work_title(), grid.iter().map(|&at| at as f64), "~s");
    let y = Axis::distances(courses.title, &values);
    let mut band = y.span("y", "quarter", "most");
    let mut half = division.styles(LegendSymbol::Line).dash(json!({ "y": y.encoding("half") }));
    half["tooltip"] = vega::tooltip(&[
        ("series", "series", None),
        ("x", "at", Some(",.6~g")),
        ("quarter", "a quarter of runs", Some(",.4~g")),
        ("half", "half of runs", Some(",.4~g")),
        ("most", "three quarters of runs", Some(",.4~g")),
    ]);
    band["tooltip"] = half["tooltip"].clone();
    let has_bands = division.panels.iter().all(|panel| panel.series.len() <= MOST_BANDS);
    let mut layers = vec![
        json!({ "mark": { "type": "area", "interpolate": "step-after", "opacity": 0.15 }, "encoding": band }),
        json!({ "mark": { "type": "line", "interpolate": "step-after" }, "encoding": half }),
    ];
    if !has_bands {
        layers.remove(0);
    }
    let mut drawn = drawn.into_iter();
    let drawings = division.drawings(LegendSymbol::Line, &x, &layers, |_, _| drawn.next().unwrap_or_default());
    let notes = [
        "Half of the runs attain the curve, or a smaller distance, within the evaluations.".to_owned(),
        if has_bands {
            "Bands extend from what a quarter attains to what three quarters attain.".to_owned()
        } else {
            format!("Bands are drawn for at most {MOST_BANDS} curves in a panel.")
        },
        "At one number of evaluations this is the fixed-budget view.".to_owned(),
    ];
    let title = if courses.title.starts_with("gap") { "Gap during the search" } else { "Distance during the search" };
    Ok(Chart::new(input, ChartKind::Convergence, title, drawings, remarks.after(notes)))
}
