//! Comparisons as a table, for the terminal, a data frame, a page or a paper.

use super::{Comparison, Conclusion, Pair};
use crate::samples::Metric;
use crate::table::{Cell, Column, ColumnKind, Format, Table, write};
use evogrid_results::format::{p_value, percent};

/// The table of a comparison: a row for each pair of settings, and the sentences and notes below it.
#[must_use]
pub fn render(comparison: &Comparison, format: Format, notes: &[String]) -> String {
    let effect = match comparison.metric {
        Metric::Solved => "points",
        _ => "better %",
    };
    let is_text = format == Format::Text;
    let (key, names) = names(comparison);
    let side = |side: &str| if key.is_empty() || is_text { side.to_owned() } else { format!("{side} {key}") };
    let column = |long: &str, short: &'static str, kind| Column::new(if is_text { short } else { long }, short, kind);
    let mut columns = vec![
        column(&side("first"), "first", ColumnKind::Text),
        column(&side("second"), "second", ColumnKind::Text),
        column(effect, effect, ColumnKind::Number),
        column("95 %", "95 %", ColumnKind::Interval),
        column("p (Holm)", "p", ColumnKind::Number),
        column("does better", "better", ColumnKind::Text),
    ];
    let mut rows: Vec<Vec<Cell>> = comparison.pairs.iter().map(|pair| row(&names, pair)).collect();
    let mut sentences = comparison.sentences();
    // What is the same in every row needs no column where there is little room.
    let sizes = |pair: &Pair| (pair.effect.instances, pair.effect.runs);
    let first = comparison.pairs.first().map(sizes);
    match first.filter(|&first| is_text && comparison.pairs.iter().all(|pair| sizes(pair) == first)) {
        Some((instances, [one, two])) if one == two => {
            sentences.push(format!("Every comparison rests on {one} runs of either on {instances} instances."));
        }
        _ => {
            columns.push(column("instances", "inst", ColumnKind::Number));
            columns.push(column("runs", "runs", ColumnKind::Text));
            for (row, pair) in rows.iter_mut().zip(&comparison.pairs) {
                let [one, two] = pair.effect.runs;
                let runs = if one == two { one.to_string() } else { format!("{one}, {two}") };
                row.extend([Cell::Plain(pair.effect.instances.to_string()), Cell::Plain(runs)]);
            }
        }
    }
    sentences.extend_from_slice(notes);
    let pairs = write(&Table::of_rows(columns, rows, sentences), format);
    if format == Format::Csv { pairs } else { groups(comparison, format) + "\n" + &pairs }
}

/// What the settings are, each with its figure.
fn groups(comparison: &Comparison, format: Format) -> String {
    let rows = comparison
        .groups
        .iter()
        .map(|group| vec![Cell::plain(&group.name), Cell::plain(&group.figure), Cell::Plain(group.runs.to_string())]);
    let figure = match comparison.metric {
        Metric::Solved => "solved (95 %)".to_owned(),
        metric => format!("{} (95 %)", metric.name()),
    };
    let columns = vec![
        Column::new("setting", "setting", ColumnKind::Text),
        Column::new(&figure, "figure", ColumnKind::Text),
        Column::new("runs", "runs", ColumnKind::Number),
    ];
    write(&Table::of_rows(columns, rows.collect(), Vec::new()), format)
}

/// What the settings are called in a narrow table: by their values alone, where one key tells them all apart.
fn names(comparison: &Comparison) -> (&str, Vec<&str>) {
    let whole = || comparison.groups.iter().map(|group| group.name.as_str());
    let parted = || whole().filter(|name| !name.contains(", ")).filter_map(|name| name.split_once(" = "));
    match parted().next() {
        Some((key, _)) if parted().filter(|(other, _)| *other == key).count() == comparison.groups.len() => {
            (key, parted().map(|(_, value)| value).collect())
        }
        _ => ("", whole().collect()),
    }
}

fn row(names: &[&str], pair: &Pair) -> Vec<Cell> {
    let [first, second] = [pair.first, pair.second].map(|at| names[at]);
    let effect = &pair.effect;
    let better = match effect.conclusion(pair.p_holm) {
        Conclusion::First => "first",
        Conclusion::Second => "second",
        Conclusion::Alike => "alike",
        Conclusion::Open => "open",
    };
    vec![
        Cell::plain(first),
        Cell::plain(second),
        Cell::Plain(percent(effect.size)),
        Cell::Interval(100.0 * effect.interval.low, 100.0 * effect.interval.high),
        Cell::Plain(p_value(pair.p_holm)),
        Cell::plain(better),
    ]
}
