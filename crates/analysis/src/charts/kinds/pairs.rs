//! Pairs of configurations: for each two their effect, its p-value, and on how many instances either does better.

use serde_json::{Value, json};

use crate::charts::best::{self, N_BEST};
use crate::charts::chart::{Chart, ChartInput, ChartKind, Remarks};
use crate::charts::error::ChartError;
use crate::charts::expected_costs::only_one;
use crate::charts::labels::{self, rounded};
use crate::charts::vega::{self, Drawing};
use crate::compare::{CompareOptions, Effect, compare};
use crate::samples::{Key, Sample};
use evogrid_results::format::p_value;

/// Width and height of a cell in pixels: three lines, of which the longest is a p-value.
const CELL: [usize; 2] = [44, 38];

/// The matrix of pairs.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Chart, ChartError> {
    let metric = input.shown;
    let (samples, runs) = (input.samples, input.runs());
    let asked: Vec<Key> = input.by.iter().copied().filter(|key| key.is_of_configurations()).collect();
    let by: Vec<String> = asked.iter().map(|&key| samples.roster.name(key).to_owned()).collect();
    let keys = if asked.is_empty() { samples.roster.configuration_keys().collect() } else { asked };
    let mut remarks = Remarks::default();
    let best = best::distinct_best(input, &runs, &keys, (N_BEST, N_BEST)).map(|(best, caveat)| {
        remarks.caveats.push(caveat);
        let values = |run: &Sample| -> Vec<&str> { keys.iter().map(|&key| samples.value(key, run)).collect() };
        let runs = runs.iter().filter(|run| best.contains(&values(run))).map(|&run| *run).collect();
        samples.with_runs(runs)
    });
    let options = CompareOptions { by: &by, ..CompareOptions::default() };
    let compared = best.as_ref().unwrap_or(samples);
    if compared.grouped_by(&keys, compared.runs.iter().map(|run| ((), run))).len() < 2 {
        return Err(only_one(input));
    }
    let comparison = compare(compared, metric, options)?;
    let names: Vec<String> = comparison.groups.iter().map(|group| labels::text(&group.name)).collect();
    let numbers: Vec<String> = (1..=names.len()).map(|number| number.to_string()).collect();
    let (mut rows, mut is_of_others) = (Vec::new(), true);
    for pair in &comparison.pairs {
        is_of_others &= pair.effect.like_these.is_some();
        let mirrored = pair.effect.mirrored();
        for (effect, [first, second]) in
            [(&pair.effect, [pair.first, pair.second]), (&mirrored, [pair.second, pair.first])]
        {
            let names = [first, second].map(|at| names[at].as_str());
            rows.push(cell(effect, [first, second].map(|at| numbers[at].as_str()), names));
        }
    }
    let is_of_rates = comparison.pairs.iter().any(|pair| pair.effect.is_of_rates);
    let drawing = drawing(&names, &numbers, rows, is_of_rates);
    let what = if is_of_rates {
        "the difference of the rates of solved runs in points"
    } else {
        "how often, in per cent, a run of the row does better than a run of the column on the same instance (Vargha and \
         Delaney's A12; ties count by half)"
    };
    let whose = if is_of_others { "for instances like these" } else { "for these instances" };
    remarks.notes = vec![
        format!(
            "A cell compares the configuration of its row with that of its column by {}: first {what}.",
            metric.name()
        ),
        format!(
            "Below it stand the p-value {whose}, corrected for all {} pairs (Holm), and the numbers of instances on which \
             the row does better, equally well and worse. Cells with p < 0.05 are coloured.",
            comparison.pairs.len()
        ),
    ];
    Ok(Chart::new(input, ChartKind::Pairs, "Pairs of configurations", vec![drawing], remarks))
}

/// The cell of one configuration against another.
fn cell(effect: &Effect, [row, column]: [&str; 2], [first, second]: [&str; 2]) -> Value {
    let answer = effect.like_these.as_ref().unwrap_or(&effect.these);
    let is_told = answer.p_corrected < effect.criteria.confidence.level();
    let (scale, unit) = if effect.is_of_rates { (1.0, " points") } else { (2.0, " %") };
    let counts = effect.on_instances;
    let size = (1000.0 * effect.size).round() / 10.0;
    let p = p_value(answer.p_corrected);
    json!({
        "x": column,
        "y": row,
        "effect": rounded(scale * (effect.size - effect.none())),
        "colour": if is_told { rounded(scale * (effect.size - effect.none())) } else { 0.0 },
        "size": size.to_string(),
        "p": if p.starts_with('<') { "p<0.0001".to_owned() } else { format!("p {p}") },
        "counts": format!("{}/{}/{}", counts.wins, counts.ties, counts.losses),
        "pair": format!("{first} against {second}"),
        "figure": format!("{size}{unit} on {} instances, {} and {} runs", effect.instances, effect.runs[0], effect.runs[1]),
    })
}

fn drawing(names: &[String], numbers: &[String], rows: Vec<Value>, is_of_rates: bool) -> Drawing {
    let channel = |field: &str, axis: Value| json!({ "field": field, "type": "nominal", "title": field, "scale": { "domain": numbers }, "axis": axis });
    let listed: Vec<String> =
        names.iter().zip(numbers).flat_map(|(name, number)| labels::lines(&format!("{number}: {name}"))).collect();
    let colour = json!({
        "field": "colour", "type": "quantitative", "title": "colour",
        "scale": { "domain": [-1, 1], "range": "diverging" }, "legend": null,
    });
    let tooltip = vega::tooltip(&[
        ("pair", "pair", None),
        ("figure", if is_of_rates { "difference" } else { "does better" }, None),
        ("p", "p", None),
        ("counts", "better equal worse", None),
    ]);
    let line = |field: &str, dy: i32, weight: &str| {
        let mark = json!({ "type": "text", "fontSize": 8, "dy": dy, "fontWeight": weight });
        let text = json!({ "field": field, "type": "nominal", "title": field });
        // Black is not read on the ends of the scale.
        let colour = json!({ "condition": { "test": "abs(datum.colour) > 0.5", "value": "white" }, "value": "black" });
        json!({ "mark": mark, "encoding": { "text": text, "color": colour } })
    };
    Drawing {
        width: json!({ "step": CELL[0] }),
        rows,
        encoding: json!({
            "x": channel("x", json!({ "title": listed, "titleAlign": "left", "titleAnchor": "start", "orient": "bottom" })),
            "y": channel("y", json!({ "title": null })),
        }),
        layers: vec![
            json!({ "mark": "rect", "encoding": { "color": colour, "tooltip": tooltip } }),
            line("size", -10, "bold"),
            line("p", 1, "normal"),
            line("counts", 12, "normal"),
        ],
        ..Drawing::new("", json!({ "step": CELL[1] }))
    }
}
