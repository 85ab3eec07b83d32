//! Scatter plots: two configurations compared instance by instance.

use serde_json::json;

use crate::charts::{
    Axis, ChartError, ChartInput, Content, ExpectedCosts, Filling, LegendSymbol, MOST_COLORS, MOST_PANELS, NO_MEAN,
    NOTHING_SOLVED, Quality, Styles, WIDTH, labels, ordered, refused, rounded, spread, standing,
};
use crate::metric::{Metric, figure_text};
use crate::samples::Key;

/// The minimum number of points of a chart.
const LEAST_INSTANCES: usize = 3;

/// If there are more instances, the points are small.
const MANY_INSTANCES: usize = 100;

/// Every series against the first, instance by instance.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let samples = input.samples;
    let ExpectedCosts { division, blocks } =
        ExpectedCosts::new(input, MOST_PANELS.min(3 * input.columns) + 1, LEAST_INSTANCES)?;
    input.check_points(blocks.len() * (division.full.len() - 1))?;
    let division = division.with_evidence("settings");
    let names = &division.full;
    let costs = || blocks.iter().flat_map(|block| &block.costs).copied();
    let quality = if input.metric == Metric::Solved { None } else { Some(Quality::new(samples, input.metric)?) };
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
            None => Axis::log(&format!("expected {unit}"), costs(), input.unit.format()).with_lane("unsolved"),
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
        ("lane_x", x.shaded_lane("x")),
        ("lane_y", y.shaded_lane("y")),
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
    Ok(Content::new(title, drawings.collect(), division.remarks.clone().after([note])))
}
