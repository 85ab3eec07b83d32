//! The long layout: a row for each row of the summary, with all its columns.

use super::verdict::{Verdict, notes};
use super::{Block, Cell, Column, Kind, Table};
use crate::published::{Match, Published};
use evogrid_results::format::{fixed, shortest};
use evogrid_results::summary::{Summary, SummaryRow};

/// What published figures add to each row.
const PUBLISHED: [&str; 7] = [
    "published_runs",
    "published_success_rate",
    "allowed_low",
    "allowed_high",
    "published_mean_ms_solved",
    "published_mean_generations",
    "published_mean_ms_unsolved",
];

pub(super) fn table(summary: &Summary, published: Option<&Published>) -> Table {
    // The algorithm, the varied settings and the bucket are names; all behind them are numbers.
    let n_names = summary.varied.len() + 2;
    let kind = |at: usize| if at < n_names { Kind::Text } else { Kind::Number };
    let mut columns: Vec<Column> =
        summary.columns().iter().enumerate().map(|(at, name)| Column::new(name, "", kind(at))).collect();
    let mut rows: Vec<Vec<Cell>> =
        summary.rows.iter().map(|row| row.fields().iter().map(|field| Cell::plain(field)).collect()).collect();
    let mut verdicts = Vec::new();
    if let Some(published) = published {
        columns.extend(PUBLISHED.map(|name| Column::new(name, "", Kind::Number)));
        for (row, cells) in summary.rows.iter().zip(&mut rows) {
            let found = published.find(&summary.varied, row);
            let verdict = Verdict::of(&row.figures, found);
            cells.extend(beside(found, &verdict));
            verdicts.push((name(row), verdict));
        }
    }
    let notes = published.map(|published| notes(summary, published, &verdicts)).unwrap_or_default();
    Table { columns, blocks: vec![Block { keys: Vec::new(), rows }], notes, ..Table::default() }
}

fn beside(found: Match<'_>, verdict: &Verdict) -> [Cell; 7] {
    let Match::One(row) = found else { return [(); 7].map(|()| Cell::Plain(String::new())) };
    let rate = fixed(row.success_rate, 4);
    let ends = verdict.range().map(|(low, high)| (low / 100.0, high / 100.0));
    [
        Cell::Plain(row.runs.map(|runs| runs.to_string()).unwrap_or_default()),
        if verdict.is_outside() { Cell::Marked(rate) } else { Cell::Plain(rate) },
        Cell::Plain(fixed(ends.map(|(low, _)| low), 4)),
        Cell::Plain(fixed(ends.map(|(_, high)| high), 4)),
        Cell::Plain(shortest(row.mean_ms_solved)),
        Cell::Plain(shortest(row.mean_generations)),
        Cell::Plain(shortest(row.mean_ms_unsolved)),
    ]
}

/// The row in words.
fn name(row: &SummaryRow) -> String {
    let parts: Vec<&str> = std::iter::once(&row.algorithm).chain(&row.varied).map(String::as_str).collect();
    evogrid_results::format::printable(&format!("{} at {}", row.bucket, parts.join(", "))).into_owned()
}
