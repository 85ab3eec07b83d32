//! Tables for papers, with the rules of the package `booktabs`.

use super::text::{TENTH, span};
use super::{Block, Cell, Kind, Table};

pub(super) fn render(table: &Table) -> String {
    let alignment: String =
        table.columns.iter().map(|column| if column.kind == Kind::Text { 'l' } else { 'r' }).collect();
    let mut text = format!("\\begin{{tabular}}{{{alignment}}}\n\\toprule\n");
    push_row(&mut text, table.columns.iter().map(|column| escaped(&column.name)));
    for block in &table.blocks {
        push_block(&mut text, table, block);
    }
    text += "\\bottomrule\n\\end{tabular}\n";
    for note in &table.notes {
        text += &format!("\n\\par\\noindent {}\n", escaped(note));
    }
    text
}

fn push_block(text: &mut String, table: &Table, block: &Block) {
    *text += "\\midrule\n";
    if !table.keys.is_empty() {
        let heading = escaped(&block.heading(&table.keys));
        *text += &format!("\\multicolumn{{{}}}{{l}}{{{heading}}} \\\\\n", table.columns.len());
    }
    for row in &block.rows {
        push_row(text, row.iter().map(shown));
    }
}

fn push_row(text: &mut String, cells: impl Iterator<Item = String>) {
    let cells: Vec<String> = cells.collect();
    *text += &format!("{} \\\\\n", cells.join(" & "));
}

fn shown(cell: &Cell) -> String {
    match cell {
        Cell::Plain(text) if text.is_empty() => "--".to_owned(),
        Cell::Plain(text) => escaped(text),
        Cell::Marked(text) => format!("{}$^{{*}}$", escaped(text)),
        Cell::Interval(low, high) => span(*low, *high, TENTH, "--"),
    }
}

/// With all that TeX would take for a command escaped.
fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => shown += "\\textbackslash{}",
            '~' => shown += "\\textasciitilde{}",
            '^' => shown += "\\textasciicircum{}",
            '<' => shown += "\\textless{}",
            '>' => shown += "\\textgreater{}",
            '|' => shown += "\\textbar{}",
            '"' => shown += "\\textquotedbl{}",
            '`' => shown += "\\textasciigrave{}",
            // A row that begins with one would be read as a part of the command before it.
            '[' => shown += "{[}",
            '*' => shown += "{*}",
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => shown.extend(['\\', character]),
            _ => shown.push(character),
        }
    }
    shown
}
