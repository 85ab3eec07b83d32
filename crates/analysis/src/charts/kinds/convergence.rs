//! Convergence: the distances that a quarter, half and three quarters of the runs attain within a number of evaluations (empirical
//! attainment). If the fitness counts down to 0, the chart shows the best fitness.
//!
//! Source: V. Grunert da Fonseca, C. Fonseca and A. Hall, "Inferential performance assessment of stochastic optimisers and the attainment
//! function", EMO 2001, doi:10.1007/3-540-44719-9_15.

use serde_json::{Value, json};

use super::courses::Courses;
use super::{tracks, trajectory};
use crate::charts::{
    Axis, ChartError, ChartInput, Content, LegendSymbol, SHORT_TRACE, ValueCounts, WorkUnit, refused, rounded,
};
use crate::samples::{Key, Sample};

/// The shares of runs, and the fields of their distances.
const SHARES: [(f64, &str); 3] = [(0.25, "quarter"), (0.5, "half"), (0.75, "most")];

/// The maximum number of bands. More bands would hide each other.
const MOST_BANDS: usize = 4;

/// The distances that these shares of the runs attain, or their best fitness.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let mut finished = input.samples.runs.iter().filter(|run| !run.outcome.has_failed());
    // If runs have a target but no best known value, their fitness counts down to the target.
    let has_distance = |run: &Sample| {
        run.outcome.best_fitness.is_some_and(|best| best != 0.0) && (run.gap.is_some() || run.outcome.solved.is_none())
    };
    let has_units = WorkUnit::Evaluations.check(input.samples).is_ok();
    if has_units && finished.all(has_distance) { by_distance(input) } else { trajectory::of_fitness(input) }
}

fn by_distance(input: &ChartInput<'_>) -> Result<Content, ChartError> {
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
        return Err(refused(SHORT_TRACE));
    }
    let x = Axis::log(input.work_title(), grid.iter().map(|&at| at as f64), "~s");
    let y = Axis::distances(courses.title, &values);
    let has_bands = division.has_few_series(MOST_BANDS);
    let values = [("has_bands", json!(has_bands))];
    let mut drawn = drawn.into_iter();
    let drawings = division
        .drawings("convergence", LegendSymbol::Line, [&x, &y], &values, |_, _| drawn.next().unwrap_or_default());
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
    Ok(Content::new(title, drawings, remarks.after(notes)))
}
