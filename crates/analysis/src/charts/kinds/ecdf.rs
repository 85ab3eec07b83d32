//! How many runs are solved within a number of evaluations: empirical cumulative distributions.

use serde_json::{Value, json};

use crate::charts::axis::{Axis, thinned};
use crate::charts::chart::{Chart, ChartInput, ChartKind};
use crate::charts::division::{Division, DivisionPlan, MOST_IN_PANEL, Series, divide};
use crate::charts::error::ChartError;
use crate::charts::evidence::runs_of_instances;
use crate::charts::labels::rounded;
use crate::charts::quality::Quality;
use crate::charts::vega::{self, LegendSymbol};
use crate::samples::Sample;
use evogrid_statistics::{EcdfStep, ecdf};

/// A curve has at most this many steps: one for every pixel of a panel.
const MOST_STEPS: usize = 250;

/// More bands than this hide each other.
const MOST_BANDS: usize = 4;

/// What a run has to reach, and where that stands on the axis.
struct Reach<'m> {
    /// The work or the place of the value of a run, and whether the run counts as reaching it.
    of_run: &'m dyn Fn(&Sample) -> (u64, bool),
    /// The place on the axis of such a number.
    at: &'m dyn Fn(u64) -> f64,
    /// Whether a curve ends with its longest run.
    ends: bool,
}

/// The share of runs solved within a given amount of work.
pub(crate) fn of_work(input: &ChartInput<'_>) -> Result<Chart, ChartError> {
    let unit = input.unit;
    input.check_work()?;
    let runs = input.runs();
    if !runs.iter().any(|run| run.outcome.is_solved()) {
        return Err(ChartError::NothingSolved);
    }
    let title = if unit.is_time() {
        "Runs solved within a time".to_owned()
    } else {
        format!("Runs solved within a number of {}", input.work_title())
    };
    let notes = ["Unsolved runs count too: a curve ends at its share of solved runs, at the end of its longest run."];
    Ok(of_division(input, (ChartKind::Ecdf, &title), &curves(input, &runs), &notes))
}

/// The share of the runs of each series that are solved within a given amount of work.
pub(super) fn of_division(
    input: &ChartInput<'_>,
    kind: (ChartKind, &str),
    division: &Division<'_>,
    notes: &[&str],
) -> Chart {
    let unit = input.unit;
    let x = work_axis(input, division);
    let reach = Reach {
        of_run: &|run| (unit.spent(run), run.outcome.is_solved()),
        at: &|spent| x.place(unit.cost(spent as f64)),
        ends: true,
    };
    let mut chart = chart(input, kind, (division, &x, ("runs solved", input.work_title(), "solved")), &reach, notes);
    chart.notes.extend(unit.note(division.runs()));
    chart.notes.extend(input.unit_note());
    chart
}

/// The axis of the work of runs that did not fail.
pub(super) fn work_axis(input: &ChartInput<'_>, division: &Division<'_>) -> Axis {
    let unit = input.unit;
    let ended = division.runs().filter(|run| !run.outcome.has_failed());
    Axis::log(input.work_title(), ended.map(|run| unit.cost(unit.spent(run) as f64)), unit.format())
}

/// The share of runs that end within a given gap.
pub(crate) fn of_quality(input: &ChartInput<'_>) -> Result<Chart, ChartError> {
    let quality = Quality::relative(input)?;
    let runs: Vec<&Sample> = input.runs().into_iter().filter(|run| quality.figure(run).is_some()).collect();
    let mut division = curves(input, &runs);
    division.remarks.caveats.extend(quality.caveat());
    let mut values: Vec<f64> = division.runs().filter_map(|run| quality.figure(run)).collect();
    values.retain(|value| value.is_finite());
    values.sort_by(f64::total_cmp);
    values.dedup();
    if values.is_empty() {
        return Err(ChartError::NoMean);
    }
    let x = quality.axis_of_runs(&values);
    let place = |value: &f64| values.binary_search_by(|other| other.total_cmp(value)).ok();
    let reach = Reach {
        of_run: &|run| quality.figure(run).as_ref().and_then(place).map_or((0, false), |at| (at as u64, true)),
        at: &|at| x.place(values[at as usize]),
        ends: false,
    };
    let words = quality.words();
    let title = format!("{}: share within a limit", words.runs_heading);
    let notes = [words.scale, "Runs without a solution count too: they are within no limit."];
    let y = ("runs within", "limit", "runs within");
    let mut chart = chart(input, (ChartKind::GapEcdf, &title), (&division, &x, y), &reach, &notes);
    chart.notes.extend(quality.silence());
    Ok(chart)
}

fn curves<'a>(input: &ChartInput<'a>, runs: &[&'a Sample]) -> Division<'a> {
    divide(input, runs, DivisionPlan::by_settings(input.samples)).spread(MOST_IN_PANEL).with_evidence("curves")
}

fn chart(
    input: &ChartInput<'_>,
    (kind, title): (ChartKind, &str),
    (division, x, (title_of_shares, label, share)): (&Division<'_>, &Axis, (&str, &str, &str)),
    reach: &Reach<'_>,
    notes: &[&str],
) -> Chart {
    let y = Axis::rate(title_of_shares);
    // A fitted curve would be hidden.
    let is_fitted = kind == ChartKind::TimeToTarget;
    let has_bands = !is_fitted && division.panels.iter().all(|panel| panel.series.len() <= MOST_BANDS);
    let mut layers = Vec::new();
    if has_bands {
        let mark = json!({ "type": "area", "interpolate": "step-after", "opacity": 0.15 });
        layers.push(json!({ "mark": mark, "encoding": y.span("y", "low", "high") }));
    }
    layers.push(vega::step_curve(&division.styles(LegendSymbol::Line), &y, (label, ",.6~g"), share));
    let drawings =
        division.drawings(LegendSymbol::Line, x, &layers, |name, series| steps(name, series, reach, x, has_bands));
    let mut notes: Vec<String> = notes.iter().map(|&note| note.to_owned()).collect();
    notes.extend((!is_fitted).then(|| {
        if has_bands {
            "The bands contain the whole true curve of these instances in 95 of 100 cases (Dvoretzky, Kiefer and \
         Wolfowitz; Massart, 1990); for other instances they are too narrow."
                .to_owned()
        } else {
            format!("Bands are drawn for at most {MOST_BANDS} curves.")
        }
    }));
    Chart::new(input, kind, title, drawings, division.remarks.clone().after(notes))
}

/// The steps of a series, from the first to where its longest run ended; with the band if it is drawn.
fn steps(name: &str, series: &Series<'_>, reach: &Reach<'_>, x: &Axis, has_band: bool) -> Vec<Value> {
    let counts = runs_of_instances(&series.runs);
    let fewest = counts.values().copied().min().unwrap_or_default();
    // Instances weigh equally; if they have as many runs, each run weighs 1, and shares are exact.
    let weight = |run: &Sample| fewest as f64 / counts[&run.instance()] as f64;
    let runs = series.runs.iter().map(|run| {
        let (at, is_reached) = (reach.of_run)(run);
        (at, is_reached, weight(run))
    });
    let steps = thinned(&ecdf(&runs.collect::<Vec<_>>()), MOST_STEPS);
    let row = |at: f64, [share, low, high]: [f64; 3]| {
        let mut row = json!({ "series": name, "x": at, "share": rounded(share) });
        if has_band {
            row["low"] = json!(rounded(low));
            row["high"] = json!(rounded(high));
        }
        row
    };
    let ended = series.runs.iter().filter(|run| !run.outcome.has_failed());
    let longest = || ended.map(|run| (reach.of_run)(run).0).max().map_or(x.domain[0], reach.at);
    let longest = if reach.ends { longest() } else { x.domain[1] };
    let Some((first, last)) = steps.first().zip(steps.last()) else {
        return vec![row(x.domain[0], [0.0; 3]), row(longest, [0.0; 3])];
    };
    let ends = |step: &EcdfStep| [step.share, step.low, step.high];
    let mut rows = vec![row((reach.at)(first.evaluations), [0.0; 3])];
    rows.extend(steps.iter().map(|step| row((reach.at)(step.evaluations), ends(step))));
    // Where all have reached it nothing more can happen: the curve reaches the end of the axis.
    let is_over = series.runs.iter().all(|run| (reach.of_run)(run).1);
    rows.push(row(if is_over { x.domain[1] } else { longest }, ends(last)));
    rows
}
