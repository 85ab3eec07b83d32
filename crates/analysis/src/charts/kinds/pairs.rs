//! Pairs of configurations: the effect and the p-value of each pair, and the numbers of instances on which each configuration is better.

use serde_json::{Value, json};

use crate::charts::{
    ChartError, ChartInput, Content, Drawing, Filling, N_BEST, Remarks, distinct_best, labels, only_one, rounded,
};
use crate::compare::{CompareOptions, Effect, compare};
use crate::samples::{Key, Sample};
use evogrid_results::format::p_value;

/// The width and height of a cell in pixels. A cell has three lines of text, and the line with the p-value is the longest line.
const CELL: [usize; 2] = [44, 38];

/// The chart: a matrix with a cell for each pair of configurations.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let metric = input.shown;
    let (samples, runs) = (input.samples, input.runs());
    let asked: Vec<Key> = input.by.iter().copied().filter(|key| key.is_of_configurations()).collect();
    let by: Vec<String> = asked.iter().map(|&key| samples.roster.name(key).to_owned()).collect();
    let keys = if asked.is_empty() { samples.roster.configuration_keys().collect() } else { asked };
    let mut remarks = Remarks::default();
    let best = distinct_best(input, &runs, &keys, (N_BEST, N_BEST), &mut remarks.caveats);
    let best = best.map(|best| {
        let values = |run: &Sample| -> Vec<&str> { keys.iter().map(|&key| samples.value(key, run)).collect() };
        samples.with_runs(runs.iter().filter(|run| best.contains(&values(run))).map(|&run| *run).collect())
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
        "the difference of the success rates, in percentage points"
    } else {
        "the percentage of cases in which a run of the row beats a run of the column on the same instance (A12 of \
         Vargha and Delaney; a tie counts as half)"
    };
    let whose = if is_of_others { "for instances like these" } else { "for these instances" };
    remarks.notes = vec![
        format!(
            "A cell compares the configurations of its row and its column by {}. The first line of a cell is {what}.",
            metric.name()
        ),
        format!(
            "The second line of a cell is the p-value {whose}, corrected for {} pairs (Holm). The third line of a cell counts the \
             instances on which the row is better, equal and worse. Cells with p < 0.05 are coloured.",
            comparison.pairs.len()
        ),
    ];
    Ok(Content::new("Pairs of configurations", vec![drawing], remarks))
}

/// The cell that compares the configuration of the row with the configuration of the column.
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
    let listed: Vec<String> =
        names.iter().zip(numbers).flat_map(|(name, number)| labels::lines(&format!("{number}: {name}"))).collect();
    let figure = if is_of_rates { "difference" } else { "does better" };
    let tooltip = json!(["pair", format!("figure = {figure}"), "p", "counts = instances (better or equal or worse)"]);
    let values = [("numbers", json!(numbers)), ("names", json!(listed)), ("tooltip", tooltip)];
    let filling = Filling { values: &values, ..Filling::default() };
    Drawing { width: json!({ "step": CELL[0] }), ..filling.drawing("pairs", "", json!({ "step": CELL[1] }), rows) }
}
