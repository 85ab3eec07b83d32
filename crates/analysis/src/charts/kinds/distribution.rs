//! Charts of distributions: quartiles and single runs. The values are the costs of solving, or the quality of solutions. Runs without a
//! value appear in a separate lane.

use serde_json::{Value, json};

use crate::charts::{
    Axis, ChartError, ChartInput, Content, DivisionPlan, Filling, MOST_PANELS, N_BEST, NO_MEAN, Quality, Series,
    divide, labels, n_distinct, refused, rounded, spread, thinned,
};
use crate::metric::{figure_text, median_text};
use crate::samples::{Key, Sample, Samples};
use evogrid_results::format::capital;
use evogrid_statistics::quantile;

/// The maximum number of rows in a panel.
const MOST_ROWS: usize = 24;

/// The maximum number of runs that a row shows as points.
const MOST_RUNS: usize = 60;

/// The height of a row in pixels, and the height of a row whose name is above the row.
const ROW: usize = 20;
const NAMED_ROW: usize = 32;

/// The maximum length of a name that is beside its row. A longer name is placed above its row.
const LONGEST_NAME_BESIDE: usize = 16;

/// The quantiles that a row shows: the ends of the whiskers, the ends of the box, and the median.
const SHARES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// The maximum number of rows in a chart that fits a page.
const MOST_ROWS_IN_ALL: usize = 48;

/// The values of runs that are drawn.
struct Distribution<'m> {
    /// The value of a run. An infinite value appears in the lane; `None` is an unknown value.
    value: &'m dyn Fn(&Sample) -> Option<f64>,
    /// The median of a group and the interval of the median, as text.
    median: &'m dyn Fn(&[&Sample]) -> String,
    /// The axis for the finite values.
    axis: &'m dyn Fn(&[f64]) -> Axis,
    /// The label of the lane.
    lane: &'static str,
    caveat: Option<String>,
}

/// The chart of the costs of solving, for each configuration and bucket.
pub(crate) fn of_costs(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let (samples, unit) = (input.samples, input.unit);
    input.check_solved()?;
    let work = input.work_title();
    let title = match work.strip_suffix(" (ms)") {
        Some(time) => format!("{time} to solve (ms)"),
        None => format!("{work} to solve"),
    };
    let distribution = Distribution {
        value: &|run| {
            Some(if run.outcome.is_solved() { unit.work_cost(unit.spent(run) as f64) } else { f64::INFINITY })
        },
        median: &|runs| unit.group_figure(samples, runs),
        axis: &|solved| Axis::log(&title, solved.iter().copied(), unit.work_format()).with_lane("unsolved"),
        lane: "unsolved",
        caveat: None,
    };
    let mut content = chart(input, &title, &distribution)?;
    content.remarks.notes.extend(unit.work_note(input.runs()).into_iter().chain(input.unit_note()));
    Ok(content)
}

/// The chart of the quality of solutions, for each configuration and bucket.
pub(crate) fn of_quality(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let quality = Quality::relative(input.samples, input.metric)?;
    let distribution = Distribution {
        value: &|run| quality.figure(run),
        median: &|runs| median_text(runs.iter().filter_map(|run| quality.figure(run)).collect()),
        axis: &|values| quality.axis_of_runs(values),
        lane: "none",
        caveat: quality.caveat(),
    };
    let words = quality.words();
    let mut content = chart(input, &words.runs_heading, &distribution)?;
    content.remarks.notes.push(words.scale);
    content.remarks.notes.extend(quality.silence());
    Ok(content)
}

fn chart(input: &ChartInput<'_>, title: &str, distribution: &Distribution<'_>) -> Result<Content, ChartError> {
    let samples = input.samples;
    let runs: Vec<&Sample> = input.runs().into_iter().filter(|run| (distribution.value)(run).is_some()).collect();
    let by_settings = DivisionPlan::by_settings(samples);
    let n_panels = n_distinct(samples, &runs, &[Key::Bucket]).clamp(1, MOST_PANELS);
    let most = (MOST_ROWS_IN_ALL / n_panels).clamp(N_BEST, MOST_ROWS);
    let plan = DivisionPlan { panels: vec![Key::Bucket], most_series: most, few_series: most, ..by_settings };
    let mut division = divide(input, runs, plan).with_evidence("rows");
    division.remarks.caveats.extend(distribution.caveat.clone());
    let values: Vec<f64> = division.runs().filter_map(distribution.value).collect();
    let finite: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    if finite.is_empty() {
        return Err(refused(NO_MEAN));
    }
    let mut x = (distribution.axis)(&finite);
    if finite.len() < values.len() && x.lane.is_none() {
        x = x.with_lane(distribution.lane);
    }
    let are_above = division.names.iter().any(|name| name.chars().count() > LONGEST_NAME_BESIDE);
    let row = if are_above { NAMED_ROW } else { ROW };
    x.title.extend(division.legend.iter().map(|legend| format!("rows: {legend}")));
    let mut is_thinned = false;
    let drawings = division.panels.iter().enumerate().map(|(at, panel)| {
        let (mut boxes, mut points) = (Vec::new(), Vec::new());
        for series in &panel.series {
            let name = &division.names[series.name];
            boxes.push(box_row(distribution, name, series, &x));
            let (own, n) = run_rows(samples, distribution, name, series, &x);
            is_thinned |= n > MOST_RUNS;
            points.extend(own);
        }
        // The names appear only beside the left panels.
        let has_labels = at % input.columns == 0 && !are_above;
        let values = [
            ("names", json!(division.names)),
            ("has_labels", json!(has_labels)),
            ("lane", x.lane_ends()),
            ("points", json!(points)),
            ("beside", json!(if are_above { [-0.7, 1.7] } else { [-0.25, 1.25] })),
            ("are_above", json!(are_above)),
        ];
        let filling = Filling { axes: [Some(&x), None], values: &values, ..Filling::default() };
        filling.drawing("distribution", &panel.title, row * division.names.len() + 4, boxes)
    });
    let drawings = drawings.collect();
    let lane = match distribution.lane {
        "unsolved" => {
            " An unsolved run counts as longer than all other runs. The lane at the side shows the number of unsolved runs."
        }
        _ if x.lane.is_some() => {
            " Runs that found no solution are treated as worse than all other runs. The lane at the side shows the number of runs that found no solution."
        }
        _ => "",
    };
    let mut notes =
        vec![format!("Boxes show the quartiles of all runs. Whiskers show the 5 % and 95 % quantiles.{lane}")];
    if is_thinned {
        notes.push(format!(
            "Each row shows {MOST_RUNS} of its runs as points. The shown runs are taken at equal steps from the sorted list of all runs of the row."
        ));
    }
    Ok(Content::new(capital(title), drawings, division.remarks.after(notes)))
}

/// The row of a series: the quantiles as numbers for the drawing, and as text.
fn box_row(distribution: &Distribution<'_>, name: &str, series: &Series<'_>, x: &Axis) -> Value {
    let mut costs: Vec<f64> = series.runs.iter().filter_map(|run| (distribution.value)(run)).collect();
    costs.sort_by(f64::total_cmp);
    let n_failed = series.runs.iter().filter(|run| run.outcome.has_failed()).count();
    let n_unsolved = costs.iter().filter(|cost| cost.is_infinite()).count().saturating_sub(n_failed);
    let quantiles = SHARES.map(|share| quantile(&costs, share).unwrap_or(f64::INFINITY));
    let text = |value: f64| if value.is_finite() { figure_text(value) } else { distribution.lane.to_owned() };
    let [q1, q3] = [quantiles[1], quantiles[3]].map(text);
    let mut row = json!({
        "series": name,
        "middle": (distribution.median)(&series.runs),
        "quartiles": format!("{q1} to {q3}"),
        "ended": match n_failed {
            0 => format!("{n_unsolved} of {}", costs.len()),
            _ => format!("{n_unsolved} of {}, and {n_failed} failed", costs.len()),
        },
    });
    // A line or box that reaches into the lane ends at its edge. If all its quantiles are in the lane, it is not drawn.
    let edge = x.lane.map_or(x.domain[1], |lane| lane.edge);
    let place = |value: f64| if value.is_finite() { x.place(value) } else { edge };
    for (from, to, [low, high]) in [("low", "high", [0, 4]), ("q1", "q3", [1, 3])] {
        if quantiles[low].is_finite() {
            row[from] = json!(place(quantiles[low]));
            row[to] = json!(place(quantiles[high]));
        }
    }
    if quantiles[2].is_finite() {
        row["median"] = json!(x.place(quantiles[2]));
    }
    // The lane shows the unsolved runs first, and then the failed runs.
    let share = |count: usize| match format!("{count}/{}", costs.len()) {
        long if long.len() > if n_failed > 0 { 4 } else { 8 } => {
            match (100.0 * count as f64 / costs.len() as f64).round() {
                0.0 => "<1%".to_owned(),
                100.0 if count < costs.len() => ">99%".to_owned(),
                share => format!("{share}%"),
            }
        }
        text => text,
    };
    let [unsolved_part, failed_part] = if n_failed > 0 { [0.15, 0.85] } else { [0.5; 2] };
    if n_unsolved > 0 {
        row["lane"] = json!(x.place_beside(f64::INFINITY, unsolved_part));
        row["unsolved"] = json!(share(n_unsolved));
    }
    if n_failed > 0 {
        row["crossed"] = json!(x.place_beside(f64::INFINITY, failed_part));
        row["failed"] = json!(format!("×{n_failed}"));
    }
    row
}

/// The points of the runs of a series with finite values, and the number of these runs. If there are many runs, some have no point. The
/// points are slightly displaced from each other.
fn run_rows(
    samples: &Samples,
    distribution: &Distribution<'_>,
    name: &str,
    series: &Series<'_>,
    x: &Axis,
) -> (Vec<Value>, usize) {
    let valued = series.runs.iter().filter_map(|&run| Some(((distribution.value)(run)?, run)));
    let mut runs: Vec<(f64, &Sample)> = valued.filter(|(value, _)| value.is_finite()).collect();
    runs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let row = |(at, (cost, run)): (usize, (f64, &Sample))| {
        let instance = labels::text(samples.value(Key::Instance, run));
        json!({
            "series": name,
            "x": x.place(cost),
            "cost": rounded(cost),
            "beside": rounded(spread(at + 1, 2)),
            "run": format!("{instance}, repetition {}", run.repetition),
        })
    };
    (thinned(&runs, MOST_RUNS).into_iter().enumerate().map(row).collect(), runs.len())
}
