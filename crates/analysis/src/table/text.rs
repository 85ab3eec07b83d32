//! Tables for the terminal: no lines, columns aligned, at most 80 columns wide for a usual table.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement};

use evogrid_results::format::wrapped;

use super::model::{Block, CellStyle, ColumnKind, TENTH, Table};

/// Where the sentences below a table are broken.
const WIDTH: usize = 80;

pub(super) fn render(table: &Table) -> String {
    let mut text = table.stacked(|heading| format!("{heading}\n"), push_block);
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
    let (gap, step) = if is_short { (1, 1.0) } else { (2, TENTH) };
    let style = CellStyle { dash: "-", mark: "*", step, escape: str::to_owned };
    let mut grid = comfy_table::Table::new();
    grid.load_style(NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    grid.set_header(table.columns.iter().map(|column| if is_short { column.short } else { column.name.as_str() }));
    for row in &block.rows {
        grid.add_row(row.iter().map(|cell| cell.shown(&style)));
    }
    for (column, description) in grid.column_iter_mut().zip(&table.columns) {
        column.set_padding((0, gap));
        let is_text = description.kind == ColumnKind::Text;
        column.set_cell_alignment(if is_text { CellAlignment::Left } else { CellAlignment::Right });
    }
    for line in grid.lines() {
        *text += line.trim_end();
        text.push('\n');
    }
}
