//! Empirical cumulative distributions: the share of runs that are solved within a cost, or that attain a gap. The chart of single instances
//! adds a fitted exponential distribution.
//!
//! Source: R. M. Aiex, M. G. C. Resende and C. C. Ribeiro, "TTT plots: a perl program to create time-to-target plots", Optimization
//! Letters 1, 2007, doi:10.1007/s11590-006-0031-4.

use serde_json::{Value, json};

use crate::charts::{
    Axis, ChartError, ChartInput, Content, Division, DivisionPlan, Filling, HEIGHT, LegendSymbol, MOST_IN_PANEL,
    NO_MEAN, Quality, Series, divide, refused, rounded, runs_of_instances, thinned,
};
use crate::samples::{Key, Sample};
use evogrid_statistics::{EcdfStep, ShiftedExponential, ecdf, shifted_exponential};

/// The maximum number of steps of a curve: one step for each pixel of a panel's width.
const MOST_STEPS: usize = 250;

/// The minimum number of solved runs for a fit to a configuration on an instance.
const LEAST_SOLVED: usize = 5;

/// The number of points of a fitted curve.
const FITTED: usize = 40;

/// The maximum number of curves in a panel, which is the number of colours.
const MOST_CURVES: usize = 7;

/// The explanation of the bands.
const BANDS: &str = "For these instances, a band contains the whole true curve with a probability of 95 % (Dvoretzky, \
                     Kiefer and Wolfowitz; Massart, 1990). For other instances, the bands are too narrow.";

/// An aim, such as a solution. A run either reaches the aim or does not.
struct Reach<'m> {
    /// The work or gap at which a run reached the aim or ended, and whether the run reached the aim.
    of_run: &'m dyn Fn(&Sample) -> (u64, bool),
    /// Converts this work or gap to a value of the axis.
    at: &'m dyn Fn(u64) -> f64,
    /// Whether a curve ends at the end of its longest run.
    ends: bool,
    /// The title of the vertical axis, and the titles of both numbers of a point.
    titles: [&'m str; 3],
}

/// The chart of the share of runs that are solved within an amount of work.
pub(crate) fn of_work(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let unit = input.unit;
    input.check_solved()?;
    let title = if unit.is_time() {
        "Runs solved within a time".to_owned()
    } else {
        format!("Runs solved within a number of {}", input.work_title())
    };
    let note = "100 % means all runs, including the unsolved runs. A curve ends at the end of its longest run.";
    Ok(of_division(input, title, &curves(input, input.runs()), vec![note.to_owned()], false))
}

/// For each series, the share of runs that are solved within an amount of work.
pub(super) fn of_division(
    input: &ChartInput<'_>,
    title: String,
    division: &Division<'_>,
    notes: Vec<String>,
    is_fitted: bool,
) -> Content {
    let unit = input.unit;
    let x = work_axis(input, division);
    let reach = Reach {
        of_run: &|run| (unit.spent(run), run.outcome.is_solved()),
        at: &|spent| x.place(unit.work_cost(spent as f64)),
        ends: true,
        titles: ["runs solved", input.work_title(), "solved"],
    };
    let mut content = chart(title, division, &x, &reach, notes, is_fitted);
    content.remarks.notes.extend(unit.work_note(division.runs()).into_iter().chain(input.unit_note()));
    content
}

/// The axis for the work of the runs. The range of the axis does not depend on failed runs.
pub(super) fn work_axis(input: &ChartInput<'_>, division: &Division<'_>) -> Axis {
    let unit = input.unit;
    let ended = division.runs().filter(|run| !run.outcome.has_failed());
    Axis::log(input.work_title(), ended.map(|run| unit.work_cost(unit.spent(run) as f64)), unit.work_format())
}

/// The chart of the share of runs whose gap is within a limit.
pub(crate) fn of_quality(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let quality = Quality::relative(input.samples, input.metric)?;
    let runs: Vec<&Sample> = input.runs().into_iter().filter(|run| quality.figure(run).is_some()).collect();
    let mut division = curves(input, runs);
    division.remarks.caveats.extend(quality.caveat());
    let mut values: Vec<f64> = division.runs().filter_map(|run| quality.figure(run)).collect();
    values.retain(|value| value.is_finite());
    values.sort_by(f64::total_cmp);
    values.dedup();
    if values.is_empty() {
        return Err(refused(NO_MEAN));
    }
    let x = quality.axis_of_runs(&values);
    let place = |value: &f64| values.binary_search_by(|other| other.total_cmp(value)).ok();
    let reach = Reach {
        of_run: &|run| quality.figure(run).as_ref().and_then(place).map_or((0, false), |at| (at as u64, true)),
        at: &|at| x.place(values[at as usize]),
        ends: false,
        titles: ["runs within", "limit", "runs within"],
    };
    let words = quality.words();
    let title = format!("{}: share within a limit", words.runs_heading);
    let note = "100 % means all runs, including the runs without a solution. The horizontal axis shows the limit. A run without a solution is above every limit.";
    let notes = vec![words.scale, note.to_owned()];
    let mut content = chart(title, &division, &x, &reach, notes, false);
    content.remarks.notes.extend(quality.silence());
    Ok(content)
}

fn curves<'a>(input: &ChartInput<'a>, runs: Vec<&'a Sample>) -> Division<'a> {
    divide(input, runs, DivisionPlan::by_settings(input.samples)).spread(MOST_IN_PANEL).with_evidence("curves")
}

fn chart(
    title: String,
    division: &Division<'_>,
    x: &Axis,
    reach: &Reach<'_>,
    mut notes: Vec<String>,
    is_fitted: bool,
) -> Content {
    let (has_bands, bands) = division.bands(BANDS);
    // A band would hide a fitted curve.
    let has_bands = has_bands && !is_fitted;
    notes.extend(Some(bands).filter(|_| !is_fitted));
    let [title_of_shares, at, share] = reach.titles;
    let y = Axis::rate(title_of_shares);
    let drawings = division
        .steps([x, &y], has_bands, [at, ",.6~g", share], |name, series| steps(name, series, reach, x, has_bands));
    Content::new(title, drawings, division.remarks.clone().after(notes))
}

/// The steps of a series, from the first step to the end of the longest run. If the band is drawn, each step has the ends of the band.
fn steps(name: &str, series: &Series<'_>, reach: &Reach<'_>, x: &Axis, has_band: bool) -> Vec<Value> {
    let counts = runs_of_instances(&series.runs);
    let fewest = counts.values().copied().min().unwrap_or_default();
    // Instances weigh equally. If all instances have the same number of runs, each run weighs 1, and shares are exact.
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
    // If all runs reach the aim, the curve continues to the end of the axis.
    let is_over = series.runs.iter().all(|run| (reach.of_run)(run).1);
    rows.push(row(if is_over { x.domain[1] } else { longest }, ends(last)));
    rows
}

/// The chart of the share of runs on each instance that are solved within a cost.
pub(crate) fn of_instances(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let unit = input.unit;
    input.check_solved()?;
    let plan = DivisionPlan {
        panels: vec![Key::Instance],
        most_series: MOST_CURVES,
        few_series: MOST_CURVES,
        ..DivisionPlan::by_settings(input.samples)
    };
    let division = divide(input, input.runs(), plan);
    let x = work_axis(input, &division);
    let time = |run: &&Sample| (unit.work_cost(unit.spent(run) as f64), run.outcome.is_solved());
    let fitted = division.panels.iter().map(|panel| -> Vec<Value> {
        let fits = panel.series.iter().filter_map(|series| {
            let law = shifted_exponential(&series.runs.iter().map(time).collect::<Vec<_>>())?;
            (law.reached >= LEAST_SOLVED).then(|| points(&division.names[series.name], &law, &x))
        });
        fits.flatten().collect()
    });
    let fitted: Vec<Vec<Value>> = fitted.collect();
    if fitted.iter().all(Vec::is_empty) {
        return Err(refused(format!(
            "a fitted distribution needs {LEAST_SOLVED} solved runs of one configuration on one instance"
        )));
    }
    let what = if unit.is_time() { "a time" } else { "a number of evaluations" };
    let title = format!("Runs solved within {what}, by instance");
    let notes = vec![
        "The steps show the share of runs that are solved within a cost. 100 % means all runs, including the unsolved runs."
            .to_owned(),
        format!(
            "The fine dots show a shifted exponential distribution. The distribution is fitted by maximum likelihood, if at least {LEAST_SOLVED} runs are solved. An unsolved run is a censored value: a solution would cost more than the run has spent. If this distribution fits the runs, restarts cannot reduce the expected cost. `--where instance=NAME` chooses instances."
        ),
    ];
    let mut content = of_division(input, title, &division, notes, true);
    let (y, styles) = (Axis::rate("runs solved"), division.styles(LegendSymbol::Line));
    for (drawing, rows) in content.drawings.iter_mut().zip(fitted) {
        let values = [("points", json!(rows))];
        let filling = Filling { axes: [None, Some(&y)], styles: Some(&styles), values: &values };
        drawing.upper_layers = filling.drawing("fitted", "", HEIGHT, Vec::new()).layers;
    }
    Ok(content)
}

/// The curve of the fitted distribution, from the shift to the end of the axis.
fn points(name: &str, fit: &ShiftedExponential, x: &Axis) -> Vec<Value> {
    let [low, high] = [fit.shift.max(x.domain[0]), x.domain[1]];
    let at = |part: usize| low * (high / low).powf(part as f64 / (FITTED - 1) as f64);
    let row = |part: usize| json!({ "series": name, "x": rounded(at(part)), "share": rounded(fit.share(at(part))) });
    (0..FITTED).map(row).collect()
}
