//! Tables for papers, with the rules of the package `booktabs`.

use super::model::{CellStyle, ColumnKind, TENTH, Table};

const STYLE: CellStyle = CellStyle { dash: "--", mark: "$^{*}$", step: TENTH, escape: escaped };

pub(super) fn render(table: &Table) -> String {
    let alignment: String =
        table.columns.iter().map(|column| if column.kind == ColumnKind::Text { 'l' } else { 'r' }).collect();
    let mut text = format!("\\begin{{tabular}}{{{alignment}}}\n\\toprule\n");
    push_row(&mut text, table.columns.iter().map(|column| escaped(&column.name)));
    for block in &table.blocks {
        text += "\\midrule\n";
        if !table.keys.is_empty() {
            let heading = escaped(&block.heading(&table.keys));
            text += &format!("\\multicolumn{{{}}}{{l}}{{{heading}}} \\\\\n", table.columns.len());
        }
        for row in &block.rows {
            push_row(&mut text, row.iter().map(|cell| cell.shown(&STYLE)));
        }
    }
    text += "\\bottomrule\n\\end{tabular}\n";
    for note in &table.notes {
        text += &format!("\n\\par\\noindent {}\n", escaped(note));
    }
    text
}

fn push_row(text: &mut String, cells: impl Iterator<Item = String>) {
    *text += &format!("{} \\\\\n", cells.collect::<Vec<_>>().join(" & "));
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
