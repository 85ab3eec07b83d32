//! Two settings instance by instance.

use serde_json::{Value, json};

use super::axis::{Axis, Lane, spread};
use super::cost::lane_of;
use super::division::{MOST_PANELS, ordered};
use super::expected::Expected;
use super::vega::{self, Drawing, Sign, Styles, WIDTH, number};
use super::{Chart, Material, Name, Refusal, labels};
use crate::samples::{Key, Sample, number as in_words};

/// Fewer points than this are no picture.
const LEAST_INSTANCES: usize = 3;

/// With more instances than this the points are small.
const MANY: usize = 100;

/// Every series against the first, instance by instance.
pub(super) fn chart(material: &Material<'_>) -> Result<Chart, Refusal> {
    let samples = material.samples;
    let expected = Expected::of(material, MOST_PANELS + 1, LEAST_INSTANCES)?;
    let names = &expected.division.full;
    let costs = || expected.blocks.iter().flat_map(|block| &block.costs).copied();
    if costs().all(f64::is_infinite) {
        return Err(Refusal::NothingSolved);
    }
    let runs: Vec<&Sample> = samples.runs.iter().collect();
    let buckets = ordered(samples, &runs, Key::Bucket);
    // Numbered buckets are many and say what the instance's name says.
    let has_buckets = buckets.len() <= vega::MOST_COLORS;
    let bucket_names = if has_buckets { labels::values(&buckets) } else { vec!["instance".to_owned()] };
    let bucket = |instance: usize| {
        let own = &samples.roster.instances[instance].bucket;
        let at = buckets.iter().position(|bucket| bucket == own).filter(|_| has_buckets);
        &bucket_names[at.unwrap_or_default()]
    };

    let unit = material.effort.title();
    let axis = |whose: &str| {
        let mut axis = Axis::log("", costs(), material.effort.format()).with_lane();
        axis.title = labels::lines(whose);
        axis.title.push(format!("expected {unit}"));
        axis
    };
    let is_pair = names.len() == 2;
    let (x, y) = (axis(&names[0]), axis(if is_pair { &names[1] } else { "" }));
    let styles = Styles::new(&bucket_names, Some("bucket"), Sign::Marker, !is_pair);
    let drawings = (1..names.len()).map(|other| {
        let rows = expected.blocks.iter().enumerate().map(|(at, block)| {
            let [across, up] = [block.costs[0], block.costs[other]];
            json!({
                "series": bucket(block.instance),
                "instance": Expected::id(material, block),
                "x": x.place_beside(across, spread(at + 1, 2)),
                "y": y.place_beside(up, spread(at + 1, 3)),
                "across": in_words(across),
                "up": in_words(up),
            })
        });
        Drawing {
            title: if is_pair { String::new() } else { names[other].clone() },
            sign: Sign::Marker,
            width: json!(WIDTH),
            height: json!(WIDTH),
            rows: rows.collect(),
            encoding: json!({}),
            layers: layers(&x, &y, &styles, expected.blocks.len()),
        }
    });
    let title = if is_pair {
        format!("{} against {}, instance by instance", names[1], names[0])
    } else {
        format!("All against {}, instance by instance", names[0])
    };
    let mut notes = vec![format!(
        "A point is an instance. Expected cost: {unit} of all runs over the number of solved ones. Below the line the one named \
         at the left or above is cheaper."
    )];
    notes.extend(expected.notes.iter().cloned());
    Ok(Chart { name: Name::Scatter, spec: vega::description(&title, drawings.collect()), title, notes })
}

fn layers(x: &Axis, y: &Axis, styles: &Styles, instances: usize) -> Vec<Value> {
    let Lane { edge, .. } = x.lane.expect("it has one");
    let ends = |[low, high]: [f64; 2]| json!([{ "x": low, "y": low }, { "x": number(high), "y": number(high) }]);
    let both = || json!({ "x": x.encoding("x"), "y": y.encoding("y") });
    let mut points = styles.shape(styles.color(both()));
    points["tooltip"] = vega::tooltip(&[
        ("instance", "instance", None),
        ("series", "bucket", None),
        ("across", "across", None),
        ("up", "up", None),
    ]);
    let mark = if instances > MANY {
        json!({ "type": "point", "size": 12, "opacity": 0.5 })
    } else {
        json!({ "type": "point", "opacity": 0.8 })
    };
    vec![
        lane_of(&json!({ "x": x.encoding("from"), "x2": vega::end("to") }), edge, x.domain[1]),
        lane_of(&json!({ "y": y.encoding("from"), "y2": vega::end("to") }), edge, y.domain[1]),
        json!({
            "data": { "values": ends([x.domain[0], edge]) },
            "mark": { "type": "line", "strokeWidth": 1, "strokeDash": [3, 3], "color": "gray" },
            "encoding": both(),
        }),
        json!({ "mark": mark, "encoding": points }),
    ]
}
