//! Tables for the terminal: no lines, columns aligned, at most 80 columns wide for a usual table.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement};

use super::{Block, Cell, Kind, Table};
use evogrid_results::format::{shortest, wrapped};

/// Where the sentences below a table are broken.
const WIDTH: usize = 80;

pub(super) fn render(table: &Table) -> String {
    let mut text = String::new();
    for (at, block) in table.blocks.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        if !table.keys.is_empty() {
            text += &block.heading(&table.keys);
            text.push('\n');
        }
        push_block(&mut text, table, block);
    }
    let sentences: Vec<&str> = table.legend.into_iter().chain(table.notes.iter().map(String::as_str)).collect();
    if !sentences.is_empty() {
        text.push('\n');
    }
    for line in sentences.iter().flat_map(|sentence| wrapped(sentence, WIDTH)) {
        text += &line;
        text.push('\n');
    }
    text
}

fn push_block(text: &mut String, table: &Table, block: &Block) {
    let is_short = table.legend.is_some();
    let mut grid = comfy_table::Table::new();
    grid.load_style(NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    let names = table.columns.iter().map(|column| if is_short { column.short } else { column.name.as_str() });
    grid.set_header(names);
    for row in &block.rows {
        grid.add_row(row.iter().map(|cell| shown(cell, is_short)));
    }
    let gap = if is_short { 1 } else { 2 };
    for (column, description) in grid.column_iter_mut().zip(&table.columns) {
        column.set_padding((0, gap));
        let is_text = description.kind == Kind::Text;
        column.set_cell_alignment(if is_text { CellAlignment::Left } else { CellAlignment::Right });
    }
    for line in grid.lines() {
        *text += line.trim_end();
        text.push('\n');
    }
}

fn shown(cell: &Cell, is_short: bool) -> String {
    match cell {
        Cell::Plain(text) if text.is_empty() => "-".to_owned(),
        Cell::Plain(text) => text.clone(),
        Cell::Marked(text) => format!("{text}*"),
        Cell::Interval(low, high) => span(*low, *high, if is_short { 1.0 } else { TENTH }, "-"),
    }
}

/// One decimal of a percentage.
pub(super) const TENTH: f64 = 0.1;

/// The ends of an interval in such steps, rounded outwards: no end looks like a certainty that it is not.
pub(super) fn ends(low: f64, high: f64, step: f64) -> [String; 2] {
    // What lies a hair beside a step is a rounding error.
    let steps = [(low / step + 1e-6).floor(), (high / step - 1e-6).ceil()];
    steps.map(|steps| shortest(Some((steps * step * 10.0).round() / 10.0)))
}

/// The ends of an interval with a dash between them, or a word where a dash would look like a sign.
pub(super) fn span(low: f64, high: f64, step: f64, dash: &str) -> String {
    ends(low, high, step).join(if low < 0.0 { " to " } else { dash })
}
