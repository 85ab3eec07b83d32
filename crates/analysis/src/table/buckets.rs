//! Huke's layout: a block for each algorithm and cell, a row for each bucket.

use super::verdict::{Verdict, notes};
use super::{Block, Cell, Column, Kind, Table};
use crate::published::{Match, Published, PublishedRow};
use evogrid_results::format::{percent, printable, short, shortest};
use evogrid_results::summary::{Figures, Summary, SummaryRow};

const LEGEND: &str = "%: solved; 95 %: its Wilson interval, rounded outwards; pub: published; allow: the \
published % that our runs allow (95 %); ms: mean ms of solved; gen: mean generations of all; ms ab: mean ms of aborted.";

pub(super) fn table(summary: &Summary, published: Option<&Published>) -> Table {
    let keys: Vec<String> =
        std::iter::once("algorithm").chain(summary.varied.iter().map(String::as_str)).map(printed).collect();
    let mut table = Table {
        columns: columns(published.is_some()),
        legend: published.is_some().then_some(LEGEND),
        ..Table::default()
    };
    let mut verdicts = Vec::new();
    for row in &summary.rows {
        let block_keys: Vec<String> = std::iter::once(&row.algorithm).chain(&row.varied).map(printed).collect();
        if table.blocks.last().is_none_or(|block| block.keys != block_keys) {
            table.blocks.push(Block { keys: block_keys, rows: Vec::new() });
        }
        let Some(block) = table.blocks.last_mut() else { continue };
        let cells = match published {
            None => ours(row).into(),
            Some(published) => {
                let found = published.find(&summary.varied, row);
                let verdict = Verdict::of(&row.figures, found);
                let cells = beside(row, found, &verdict);
                verdicts.push((format!("{} at {}", printed(&row.bucket), block.heading(&keys)), verdict));
                cells
            }
        };
        block.rows.push(cells);
    }
    table.notes = published.map(|published| notes(summary, published, &verdicts)).unwrap_or_default();
    table.keys = keys;
    table
}

fn columns(with_published: bool) -> Vec<Column> {
    let ours = [
        Column::new("difficulty", "bucket", Kind::Text),
        Column::new("solved %", "%", Kind::Number),
        Column::new("95 %", "95 %", Kind::Interval),
        Column::new("runs", "runs", Kind::Number),
        Column::new("mean ms", "ms", Kind::Number),
        Column::new("generations", "gen", Kind::Number),
        Column::new("mean ms of aborted", "ms ab", Kind::Number),
    ];
    if !with_published {
        return ours.into();
    }
    let [difficulty, rate, interval, runs, ms, generations, aborted] = ours;
    vec![
        difficulty,
        rate,
        interval,
        runs,
        Column::new("published solved %", "pub", Kind::Number),
        Column::new("allowed %", "allow", Kind::Interval),
        ms,
        Column::new("published mean ms", "pub", Kind::Number),
        generations,
        Column::new("published generations", "pub", Kind::Number),
        aborted,
        Column::new("published mean ms of aborted", "pub", Kind::Number),
    ]
}

/// Our figures, in the order of the columns.
fn ours(row: &SummaryRow) -> [Cell; 7] {
    let figures: &Figures = &row.figures;
    let interval = figures.success_interval();
    [
        Cell::plain(&row.bucket),
        Cell::Plain(percent(figures.success_rate())),
        Cell::Interval(100.0 * interval.low, 100.0 * interval.high),
        Cell::Plain(figures.runs.to_string()),
        Cell::Plain(short(figures.mean_ms_solved)),
        Cell::Plain(short(figures.mean_generations)),
        Cell::Plain(short(figures.mean_ms_unsolved)),
    ]
}

/// Our figures, and beside each the published one as it was printed.
fn beside(row: &SummaryRow, found: Match<'_>, verdict: &Verdict) -> Vec<Cell> {
    let published = |value: fn(&PublishedRow) -> Option<f64>| match found {
        Match::One(published) => Cell::Plain(shortest(value(published))),
        Match::None | Match::Several => Cell::Plain(String::new()),
    };
    let rate = match found {
        Match::One(PublishedRow { success_rate: Some(rate), .. }) => percent(*rate),
        _ => String::new(),
    };
    let [difficulty, solved, interval, runs, ms, generations, aborted] = ours(row);
    vec![
        difficulty,
        solved,
        interval,
        runs,
        if verdict.is_outside() { Cell::Marked(rate) } else { Cell::Plain(rate) },
        verdict.range().map_or(Cell::Plain(String::new()), |(low, high)| Cell::Interval(low, high)),
        ms,
        published(|row| row.mean_ms_solved),
        generations,
        published(|row| row.mean_generations),
        aborted,
        published(|row| row.mean_ms_unsolved),
    ]
}

fn printed(text: impl AsRef<str>) -> String {
    printable(text.as_ref()).into_owned()
}
