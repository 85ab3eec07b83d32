//! Tables for the terminal. They have aligned columns and no ruled lines, and are not wider than the terminal.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement};

use evogrid_results::format::wrapped;

use super::model::{Block, CellStyle, ColumnKind, TENTH, Table};

/// The maximum width of a line of a sentence, in characters.
const WIDTH: usize = 80;

/// The smallest width of a column of text, in characters.
const MIN_NAME_WIDTH: u16 = 12;

pub(super) fn render(table: &Table, width: Option<usize>) -> String {
    let line_width = width.map_or(WIDTH, |width| width.min(WIDTH));
    let lines = |text: &str| wrapped(text, line_width).into_iter().map(|line| line + "\n").collect::<String>();
    // There is no gap after the last column.
    let room = width.map(|width| width + usize::from(gap(table)));
    let (table, parts) = table.parted(room.map_or(f64::INFINITY, |room| room as f64), least_widths);
    let push_block = |text: &mut String, table: &Table, block: &Block| {
        for (at, part) in parts.iter().enumerate() {
            text.push_str(if at > 0 { "\n" } else { "" });
            for line in grid(table, std::slice::from_ref(block), part, room).lines() {
                *text += line.trim_end();
                text.push('\n');
            }
        }
    };
    let heading = table.heading.iter().map(|heading| lines(heading) + "\n");
    let mut text = heading.collect::<String>() + &table.stacked(lines, push_block);
    let sentences: Vec<&str> =
        table.legend.as_deref().into_iter().chain(table.notes.iter().map(String::as_str)).collect();
    if !sentences.is_empty() {
        text.push('\n');
    }
    sentences.into_iter().fold(text, |text, sentence| text + &lines(sentence))
}

/// The space after a column.
fn gap(table: &Table) -> u16 {
    if table.legend.is_some() { 1 } else { 2 }
}

/// The minimum width of each column, including the space after the column.
fn least_widths(table: &Table) -> Vec<f64> {
    let all: Vec<usize> = (0..table.columns.len()).collect();
    let widths = grid(table, &table.blocks, &all, None).column_max_content_widths();
    let least = |(width, at): (u16, &usize)| match table.columns[*at].kind {
        ColumnKind::Text => width.min(MIN_NAME_WIDTH),
        ColumnKind::Number | ColumnKind::Interval => width,
    };
    widths.into_iter().zip(&all).map(|column| f64::from(least(column) + gap(table))).collect()
}

/// The grid of some columns of these blocks. Text wraps to fit the width.
fn grid(table: &Table, blocks: &[Block], columns: &[usize], room: Option<usize>) -> comfy_table::Table {
    let is_short = table.legend.is_some();
    let style = CellStyle { step: if is_short { 1.0 } else { TENTH }, ..CellStyle::PLAIN };
    let mut grid = comfy_table::Table::new();
    grid.load_style(NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    if let Some(room) = room {
        grid.set_content_arrangement(ContentArrangement::Dynamic).set_width(u16::try_from(room).unwrap_or(u16::MAX));
    }
    let described = || columns.iter().map(|&at| &table.columns[at]);
    grid.set_header(described().map(|column| if is_short { column.short } else { column.name.as_str() }));
    for row in blocks.iter().flat_map(|block| &block.rows) {
        grid.add_row(columns.iter().map(|&at| row[at].shown(&style)));
    }
    for (column, description) in grid.column_iter_mut().zip(described()) {
        column.set_padding((0, gap(table)));
        let is_text = description.kind == ColumnKind::Text;
        column.set_cell_alignment(if is_text { CellAlignment::Left } else { CellAlignment::Right });
        if !is_text {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    grid
}
