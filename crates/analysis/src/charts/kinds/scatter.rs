//! Two configurations compared instance by instance.

use serde_json::{Value, json};

use crate::charts::axis::{Axis, spread};
use crate::charts::best::standing;
use crate::charts::chart::{Chart, ChartInput, ChartKind};
use crate::charts::division::{MOST_PANELS, ordered};
use crate::charts::error::ChartError;
use crate::charts::expected_costs::ExpectedCosts;
use crate::charts::labels::{self, rounded};
use crate::charts::quality::Quality;
use crate::charts::vega::{self, Drawing, LegendSymbol, Styles, WIDTH};
use crate::metric::{Metric, figure_text};
use crate::samples::Key;

/// With fewer points than this a chart shows nothing.
const LEAST_INSTANCES: usize = 3;

/// With more instances than this the points are small.
const MANY_INSTANCES: usize = 100;

/// Every series against the first, instance by instance.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Chart, ChartError> {
    let samples = input.samples;
    let ExpectedCosts { division, blocks } =
        ExpectedCosts::new(input, MOST_PANELS.min(3 * input.columns) + 1, LEAST_INSTANCES)?;
    input.check_points(blocks.len() * (division.full.len() - 1))?;
    let division = division.with_evidence("settings");
    let names = &division.full;
    let costs = || blocks.iter().flat_map(|block| &block.costs).copied();
    let quality = if input.metric == Metric::Solved { None } else { Some(Quality::new(input)?) };
    if costs().all(f64::is_infinite) {
        return Err(if quality.is_some() { ChartError::NoMean } else { ChartError::NothingSolved });
    }
    let buckets = ordered(samples, &input.runs(), Key::Bucket);
    // Numbered buckets are many and say what the instance's name says.
    let has_buckets = buckets.len() <= vega::MOST_COLORS;
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
            None => Axis::log(&format!("expected {unit}"), costs(), input.unit.format()).with_lane(),
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
    // Of several, each against the best; of two, the second against the first.
    let best = if is_pair { 0 } else { standings.min_by(better).map_or(0, |(name, _)| name) };
    let (x, y) = (axis(&names[best]), axis(if is_pair { &names[1] } else { "" }));
    let styles =
        Styles::of_levels(&bucket_names, Some("bucket"), LegendSymbol::Marker, input.columns.min(names.len() - 1));
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
        Drawing {
            // Three rows of squares do not fit a page.
            rows: rows.collect(),
            layers: layers(&x, &y, &styles, blocks.len()),
            ..Drawing::new(
                &(if is_pair { String::new() } else { names[other].clone() }),
                if names.len() - 1 > 2 * input.columns { WIDTH * 3 / 4 } else { WIDTH },
            )
        }
    });
    let title = if is_pair {
        format!("{} against {}, instance by instance", names[1], names[0])
    } else {
        format!("Each against the best, {}, instance by instance", names[best])
    };
    let note = match &quality {
        Some(quality) => format!(
            "Each point is an instance. Axes: {} of its runs. At points in the lane, one of the two configurations has \
             no solution. Below the line, the configuration named at the left or above is better.",
            quality.words().heading
        ),
        None => format!(
            "Each point is an instance. Expected cost: {unit} of all runs divided by the number of solved ones. Below \
             the line, the configuration named at the left or above is cheaper."
        ),
    };
    Ok(Chart::new(input, ChartKind::Scatter, &title, drawings.collect(), division.remarks.clone().after([note])))
}

fn layers(x: &Axis, y: &Axis, styles: &Styles, instances: usize) -> Vec<Value> {
    let [low, high] = [x.domain[0], x.lane.map_or(x.domain[1], |lane| lane.edge)];
    let both = || json!({ "x": x.encoding("x"), "y": y.encoding("y") });
    let mut points = styles.shape(styles.color(both()));
    points["tooltip"] = vega::tooltip(&[
        ("instance", "instance", None),
        ("series", "bucket", None),
        ("across", "across", None),
        ("up", "up", None),
    ]);
    let mark = if instances > MANY_INSTANCES {
        json!({ "type": "point", "size": 12, "opacity": 0.5 })
    } else {
        json!({ "type": "point", "opacity": 0.8 })
    };
    vec![
        x.shaded_lane("x"),
        y.shaded_lane("y"),
        json!({
            "data": { "values": [{ "x": low, "y": low }, { "x": rounded(high), "y": rounded(high) }] },
            "mark": { "type": "line", "strokeWidth": 1, "strokeDash": [3, 3], "color": "gray" },
            "encoding": both(),
        }),
        json!({ "mark": mark, "encoding": points }),
    ]
}
