//! Charts of costs on single instances: performance profiles and scatter plots.
//!
//! A performance profile shows the share of instances that are solved within a multiple of the lowest cost. E. D. Dolan and J. J. Moré,
//! "Benchmarking optimization software with performance profiles", Mathematical Programming 91, 2002, doi:10.1007/s101070100263.

use serde_json::{Value, json};

use crate::charts::{
    Axis, ChartError, ChartInput, Content, ExpectedCosts, Filling, LegendSymbol, MOST_COLORS, MOST_IN_PANEL,
    MOST_PANELS, MOST_SERIES, NO_MEAN, NOTHING_SOLVED, Styles, WIDTH, labels, ordered, refused, rounded, spread,
    standing,
};
use crate::metric::figure_text;
use crate::samples::Key;

/// The maximum number of steps of a curve.
const MOST_STEPS: usize = 250;

/// The minimum number of points of a chart.
const LEAST_INSTANCES: usize = 3;

/// If there are more instances than this, the points are small.
const MANY_INSTANCES: usize = 100;

/// The performance profile: the share of instances that are solved within a multiple of the lowest expected cost.
pub(crate) fn profile(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let ExpectedCosts { division, blocks, .. } = ExpectedCosts::new(input, MOST_SERIES, 2)?;
    let division = division.spread(MOST_IN_PANEL).with_evidence("curves");
    let least = |costs: &[f64]| costs.iter().copied().fold(f64::INFINITY, f64::min);
    let ratio = |costs: &[f64], series: usize| match least(costs) {
        best if best.is_finite() => costs[series] / best,
        _ => f64::INFINITY,
    };
    let ratios: Vec<Vec<f64>> = (0..division.names.len())
        .map(|series| blocks.iter().map(|block| ratio(&block.costs, series)).collect())
        .collect();
    if ratios.iter().flatten().all(|ratio| ratio.is_infinite()) {
        return Err(refused(NOTHING_SOLVED));
    }
    let unsolved = blocks.iter().filter(|block| least(&block.costs).is_infinite()).count();

    let mut x = Axis::log("multiple of the lowest expected cost", ratios.iter().flatten().copied(), "~s");
    x.domain[0] = 1.0;
    let y = Axis::rate("instances solved");
    let titles = ["multiple", ",.3~g", "instances"];
    let drawings = division.steps([&x, &y], false, titles, |name, series| steps(name, &ratios[series.name], &x));
    let mut notes = vec![format!(
        "The profile uses {} instances (Dolan and Moré, 2002). The cost on an instance is the {} of all runs, divided \
         by the number of solved runs. The cost is infinite if no run is solved.",
        blocks.len(),
        input.work_title()
    )];
    if unsolved > 0 {
        notes.push(format!(
            "Instances that no configuration solved: {unsolved}. Therefore the curves cannot reach 100 %."
        ));
    }
    Ok(Content::new("Performance profile", drawings, division.remarks.after(notes)))
}

/// The steps of a curve, from ratio 1 to the end of the axis.
fn steps(name: &str, ratios: &[f64], x: &Axis) -> Vec<Value> {
    let mut finite: Vec<f64> = ratios.iter().copied().filter(|ratio| ratio.is_finite()).collect();
    finite.sort_by(f64::total_cmp);
    let row = |at: f64, within: usize| json!({ "series": name, "x": rounded(at), "share": rounded(within as f64 / ratios.len() as f64) });
    let mut within = 0;
    let mut steps: Vec<(f64, usize)> = vec![(1.0, 0)];
    for equal in finite.chunk_by(|a, b| a == b) {
        within += equal.len();
        if equal[0] == 1.0 {
            steps.clear();
        }
        steps.push((equal[0], within));
    }
    let stride = steps.len().div_ceil(MOST_STEPS);
    let last = steps.len() - 1;
    let kept = steps.iter().enumerate().filter(|(at, _)| at % stride == 0 || *at == last);
    let mut rows: Vec<Value> = kept.map(|(_, &(at, within))| row(at, within)).collect();
    rows.push(row(x.domain[1], within));
    rows
}

/// The scatter plots: the costs of two configurations on each instance.
pub(crate) fn scatter(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let samples = input.samples;
    let ExpectedCosts { division, quality, blocks } =
        ExpectedCosts::new(input, MOST_PANELS.min(3 * input.columns) + 1, LEAST_INSTANCES)?;
    input.check_points(blocks.len() * (division.full.len() - 1))?;
    let division = division.with_evidence("configurations");
    let names = &division.full;
    let costs = || blocks.iter().flat_map(|block| &block.costs).copied();
    if costs().all(f64::is_infinite) {
        return Err(refused(if quality.is_some() { NO_MEAN } else { NOTHING_SOLVED }));
    }
    let buckets = ordered(samples, &input.runs(), Key::Bucket);
    // Many buckets have no colours of their own.
    let has_buckets = buckets.len() <= MOST_COLORS;
    let bucket_names = if has_buckets { labels::values(&buckets) } else { vec!["instance".to_owned()] };
    let bucket = |instance: usize| {
        let own = &samples.roster.instances[instance].bucket;
        let at = buckets.iter().position(|bucket| bucket == own).filter(|_| has_buckets);
        &bucket_names[at.unwrap_or_default()]
    };

    let unit = input.work_title();
    let axis = |whose: &str| {
        let mut axis = match &quality {
            Some(quality) => quality.axis_of_instances(&costs().collect::<Vec<_>>()),
            None => Axis::log(&format!("expected {unit}"), costs(), input.unit.work_format()).with_lane("unsolved"),
        };
        axis.title = labels::lines(whose).into_iter().chain(axis.title).collect();
        axis
    };
    let standing = standing(input);
    let standings = division.series().map(|series| (series.name, standing(&series.runs)));
    let better = |one: &(usize, (f64, f64)), other: &(usize, (f64, f64))| {
        other.1.0.total_cmp(&one.1.0).then(one.1.1.total_cmp(&other.1.1))
    };
    let is_pair = names.len() == 2;
    // Of two configurations, the second is compared with the first. Of several, each is compared with the best.
    let best = if is_pair { 0 } else { standings.min_by(better).map_or(0, |(name, _)| name) };
    let (x, y) = (axis(&names[best]), axis(if is_pair { &names[1] } else { "" }));
    let styles =
        Styles::of_levels(&bucket_names, Some("bucket"), LegendSymbol::Marker, input.columns.min(names.len() - 1));
    let mark = match blocks.len() > MANY_INSTANCES {
        true => json!({ "type": "point", "size": 12, "opacity": 0.5 }),
        false => json!({ "type": "point", "opacity": 0.8 }),
    };
    let [low, high] = [x.domain[0], x.lane.map_or(x.domain[1], |lane| lane.edge)];
    let values = [
        ("lane_x", x.lane_ends()),
        ("lane_y", y.lane_ends()),
        ("diagonal", json!([{ "x": low, "y": low }, { "x": rounded(high), "y": rounded(high) }])),
        ("point", mark),
    ];
    let filling = Filling { axes: [Some(&x), Some(&y)], styles: Some(&styles), values: &values };
    // Three rows of panels of the full height do not fit a page.
    let height = if names.len() - 1 > 2 * input.columns { WIDTH * 3 / 4 } else { WIDTH };
    let drawings = (0..names.len()).filter(|&other| other != best).map(|other| {
        let rows = blocks.iter().enumerate().map(|(at, block)| {
            let [across, up] = [block.costs[best], block.costs[other]];
            json!({
                "series": bucket(block.instance),
                "instance": labels::text(&samples.roster.instances[block.instance].id),
                "x": x.place_beside(across, spread(at + 1, 2)),
                "y": y.place_beside(up, spread(at + 1, 3)),
                "across": figure_text(across),
                "up": figure_text(up),
            })
        });
        filling.drawing("scatter", if is_pair { "" } else { &names[other] }, height, rows.collect())
    });
    let title = if is_pair {
        format!("{} against {}, instance by instance", names[1], names[0])
    } else {
        format!("Each configuration against the best, {}, instance by instance", names[best])
    };
    let upright = if is_pair { "the configuration on the vertical axis" } else { "the configuration above the panel" };
    let note = match &quality {
        Some(quality) => format!(
            "Each point is an instance. The axes show the {} of the runs. If a configuration has no solution on an instance, the point lies in a separate lane. For points below the line, {upright} is better.",
            quality.words().title
        ),
        None => format!(
            "Each point is an instance. The expected cost is the {unit} of all runs, divided by the number of solved \
             runs. For points below the line, {upright} has the lower cost."
        ),
    };
    Ok(Content::new(title, drawings.collect(), division.remarks.clone().after([note])))
}
