//! Tables for pages, as GitHub writes them.

use super::text::{TENTH, span};
use super::{Block, Cell, Kind, Table};

pub(super) fn render(table: &Table) -> String {
    let mut text = String::new();
    for (at, block) in table.blocks.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        if !table.keys.is_empty() {
            text += &format!("**{}**\n\n", escaped(&block.heading(&table.keys)));
        }
        push_block(&mut text, table, block);
    }
    for note in &table.notes {
        text += &format!("\n{}\n", escaped(note));
    }
    text
}

fn push_block(text: &mut String, table: &Table, block: &Block) {
    let names = table.columns.iter().map(|column| escaped(&column.name));
    push_row(text, names);
    push_row(
        text,
        table.columns.iter().map(|column| if column.kind == Kind::Text { "---" } else { "---:" }.to_owned()),
    );
    for row in &block.rows {
        push_row(text, row.iter().map(shown));
    }
}

fn push_row(text: &mut String, cells: impl Iterator<Item = String>) {
    text.push('|');
    for cell in cells {
        *text += &format!(" {cell} |");
    }
    text.push('\n');
}

fn shown(cell: &Cell) -> String {
    match cell {
        Cell::Plain(text) if text.is_empty() => "-".to_owned(),
        Cell::Plain(text) => escaped(text),
        Cell::Marked(text) => format!("{}\\*", escaped(text)),
        Cell::Interval(low, high) => span(*low, *high, TENTH, "-"),
    }
}

/// With all that Markdown or HTML would take for a sign escaped.
pub(crate) fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '~' | '&') {
            shown.push('\\');
        }
        shown.push(character);
    }
    shown
}
