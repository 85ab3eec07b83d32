//! The long layout. Each row of the summary is a table row with all columns.

use super::buckets::{RateCheck, notes};
use super::model::{Caption, Cell, Column, ColumnKind, Table};
use crate::published::{Match, Published};
use crate::summary::{Summary, SummaryRow};
use evogrid_results::format::{fixed, printable, shortest};

const CAPTION: Caption = Caption { text: "Summary of the runs", label: "summary" };

/// The columns that are added to each row if there are published figures.
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
    let kind = |at: usize| if at < n_names { ColumnKind::Text } else { ColumnKind::Number };
    let mut columns: Vec<Column> =
        summary.columns().iter().enumerate().map(|(at, name)| Column::new(name, "", kind(at))).collect();
    let mut rows: Vec<Vec<Cell>> =
        summary.rows.iter().map(|row| row.fields().iter().map(|field| Cell::plain(field)).collect()).collect();
    let mut checks = Vec::new();
    if let Some(published) = published {
        columns.extend(PUBLISHED.map(|name| Column::new(name, "", ColumnKind::Number)));
        for (row, cells) in summary.rows.iter().zip(&mut rows) {
            let check = RateCheck::new(&row.figures, published.find_row(&summary.varied, row));
            cells.extend(beside(&check));
            checks.push((name(row), check));
        }
    }
    let notes = published.map(|published| notes(&summary.varied, published, &checks)).unwrap_or_default();
    Table::of_rows(CAPTION, columns, rows, notes)
}

fn beside(check: &RateCheck<'_>) -> [Cell; 7] {
    let Match::One(row) = check.published else { return [(); 7].map(|()| Cell::absent()) };
    let rate = fixed(row.success_rate, 4);
    let end = |at: usize| Cell::Plain(fixed(check.allowed_rates().map(|rates| rates[at]), 4));
    [
        Cell::Plain(row.runs.map(|runs| runs.to_string()).unwrap_or_default()),
        Cell::marked_if(check.is_outside(), rate),
        end(0),
        end(1),
        Cell::Plain(shortest(row.mean_ms_solved)),
        Cell::Plain(shortest(row.mean_generations)),
        Cell::Plain(shortest(row.mean_ms_unsolved)),
    ]
}

/// The name of the row, as text.
fn name(row: &SummaryRow) -> String {
    let parts: Vec<&str> = std::iter::once(&row.algorithm).chain(&row.varied).map(String::as_str).collect();
    printable(&format!("{} at {}", row.bucket, parts.join(", "))).into_owned()
}
