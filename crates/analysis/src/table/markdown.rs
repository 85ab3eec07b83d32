//! Tables for pages, in GitHub's Markdown.

use super::model::{Block, CellStyle, ColumnKind, TENTH, Table};

const STYLE: CellStyle =
    CellStyle { dash: "-", mark: "\\*", best: ["**", "**"], may_be_best: "\\~", step: TENTH, escape: escaped };

pub(super) fn render(table: &Table) -> String {
    let heading = table.heading.iter().map(|heading| format!("{}\n\n", escaped(heading)));
    let mut text = heading.collect::<String>();
    text += &table.stacked(|heading| format!("**{}**\n\n", escaped(heading)), push_block);
    for note in &table.notes {
        text += &format!("\n{}\n", escaped(note));
    }
    text
}

fn push_block(text: &mut String, table: &Table, block: &Block) {
    push_row(text, table.columns.iter().map(|column| escaped(&column.name)));
    let rule = |kind| if kind == ColumnKind::Text { "---" } else { "---:" };
    push_row(text, table.columns.iter().map(|column| rule(column.kind).to_owned()));
    for row in &block.rows {
        push_row(text, row.iter().map(|cell| cell.shown(&STYLE)));
    }
}

/// Adds a row. The cells must be escaped.
fn push_row(text: &mut String, cells: impl Iterator<Item = String>) {
    text.push('|');
    for cell in cells {
        *text += &format!(" {cell} |");
    }
    text.push('\n');
}

/// Escapes all characters that have a meaning in Markdown or HTML.
pub fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '~' | '&') {
            shown.push('\\');
        }
        shown.push(character);
    }
    shown
}
