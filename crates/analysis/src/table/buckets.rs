//! Huke's layout: a block for each algorithm and its settings, a row for each bucket.

use super::model::{Block, Cell, Column, ColumnKind, Table};
use super::rate_check::{RateCheck, notes};
use crate::published::{Match, Published, PublishedRow};
use evogrid_results::format::{percent, printable, short, shortest};
use evogrid_results::summary::{Figures, Summary, SummaryRow};

const LEGEND: &str = "%: solved; 95 %: its Wilson interval, rounded outwards; pub: published; allow: the \
published % that our runs allow (95 %); ms: mean ms of solved; gen: mean generations of all; ms ab: mean ms of aborted.";

pub(super) fn table(summary: &Summary, published: Option<&Published>) -> Table {
    let keys: Vec<String> =
        std::iter::once("algorithm").chain(summary.varied.iter().map(String::as_str)).map(printed).collect();
    let mut blocks: Vec<Block> = Vec::new();
    let mut checks = Vec::new();
    for row in &summary.rows {
        let block_keys: Vec<String> = std::iter::once(&row.algorithm).chain(&row.varied).map(printed).collect();
        if blocks.last().is_none_or(|block| block.keys != block_keys) {
            blocks.push(Block { keys: block_keys, rows: Vec::new() });
        }
        let Some(block) = blocks.last_mut() else { continue };
        let Some(published) = published else {
            block.rows.push(ours(row).into());
            continue;
        };
        let check = RateCheck::new(&row.figures, published.find_row(&summary.varied, row));
        block.rows.push(beside(row, &check));
        checks.push((format!("{} at {}", printed(&row.bucket), block.heading(&keys)), check));
    }
    Table {
        columns: columns(published.is_some()),
        legend: published.is_some().then_some(LEGEND),
        notes: published.map(|published| notes(&summary.varied, published, &checks)).unwrap_or_default(),
        keys,
        blocks,
    }
}

fn columns(with_published: bool) -> Vec<Column> {
    const ALL: [(&str, &str, ColumnKind); 12] = [
        ("difficulty", "bucket", ColumnKind::Text),
        ("solved %", "%", ColumnKind::Number),
        ("95 %", "95 %", ColumnKind::Interval),
        ("runs", "runs", ColumnKind::Number),
        ("published solved %", "pub", ColumnKind::Number),
        ("allowed %", "allow", ColumnKind::Interval),
        ("mean ms", "ms", ColumnKind::Number),
        ("published mean ms", "pub", ColumnKind::Number),
        ("generations", "gen", ColumnKind::Number),
        ("published generations", "pub", ColumnKind::Number),
        ("mean ms of aborted", "ms ab", ColumnKind::Number),
        ("published mean ms of aborted", "pub", ColumnKind::Number),
    ];
    let is_shown = |short: &str| with_published || !["pub", "allow"].contains(&short);
    let shown = ALL.into_iter().filter(|(_, short, _)| is_shown(short));
    shown.map(|(name, short, kind)| Column::new(name, short, kind)).collect()
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
fn beside(row: &SummaryRow, check: &RateCheck<'_>) -> Vec<Cell> {
    let published = |value: fn(&PublishedRow) -> Option<f64>| match check.published {
        Match::One(published) => Cell::Plain(shortest(value(published))),
        Match::None | Match::Several => Cell::absent(),
    };
    let rate = match check.published {
        Match::One(PublishedRow { success_rate: Some(rate), .. }) => percent(*rate),
        _ => String::new(),
    };
    let [difficulty, solved, interval, runs, ms, generations, aborted] = ours(row);
    vec![
        difficulty,
        solved,
        interval,
        runs,
        if check.is_outside() { Cell::Marked(rate) } else { Cell::Plain(rate) },
        check.range().map_or(Cell::absent(), |(low, high)| Cell::Interval(low, high)),
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
