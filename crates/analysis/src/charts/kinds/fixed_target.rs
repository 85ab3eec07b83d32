//! The expected running time to each target, with intervals.

use serde_json::{Value, json};

use super::courses::{Courses, TARGETS};
use crate::charts::{Axis, ChartError, ChartInput, Content, LegendSymbol, rounded};
use crate::metric::ExpectedTime;

/// The number of targets.
const N_TARGETS: usize = 21;

/// The maximum number of bands. More bands would hide each other.
const MOST_BANDS: usize = 4;

/// For each run and each target: the evaluations to the target or the end of the run, and whether the run reached the target.
type Times = Vec<[(u64, bool); N_TARGETS]>;

/// The expected running time against the target.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Content, ChartError> {
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
    let has_bands = division.has_few_series(MOST_BANDS);
    let values = [("has_bands", json!(has_bands))];
    let mut of_series = curves.iter();
    let mut drawings = division.drawings("fixed-target", LegendSymbol::Line, [&x, &y], &values, |name, _| {
        of_series.next().map(|times| rows(name, times, &targets, &y)).unwrap_or_default()
    });
    // Targets become harder to the right.
    drawings.iter_mut().for_each(|drawing| drawing.encoding["x"]["scale"]["reverse"] = json!(true));
    let notes = [
        "The evaluations of all runs until the target, or their end, divided by the number of runs that reached it \
         (ERT). A curve ends where no run reached the target.",
        if has_bands {
            "Bands are bootstrap intervals (95 %) over the runs of these instances."
        } else {
            "Bands are drawn for at most 4 curves."
        },
    ];
    Ok(Content::new("Expected evaluations by target", drawings, remarks.after(notes.map(str::to_owned))))
}

fn rows(name: &str, times: &[ExpectedTime], targets: &[f64], y: &Axis) -> Vec<Value> {
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
