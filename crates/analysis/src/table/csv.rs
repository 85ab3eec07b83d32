//! Tables for data frames.

use super::text::{TENTH, ends};
use super::{Cell, Kind, Table};

pub(super) fn render(table: &Table) -> String {
    let mut csv = csv::Writer::from_writer(Vec::new());
    let mut fields: Vec<String> = table.keys.clone();
    for column in &table.columns {
        match column.kind {
            Kind::Text | Kind::Number => fields.push(column.name.clone()),
            Kind::Interval => fields.extend(["low", "high"].map(|end| format!("{} {end}", column.name))),
        }
    }
    let mut write = |fields: &[String]| csv.write_record(fields).expect("rows of equal length, and memory takes all");
    write(&fields);
    for block in &table.blocks {
        for row in &block.rows {
            fields.clone_from(&block.keys);
            for (cell, column) in row.iter().zip(&table.columns) {
                push_cell(&mut fields, cell, column.kind);
            }
            write(&fields);
        }
    }
    let bytes = csv.into_inner().expect("memory takes all");
    String::from_utf8(bytes).expect("only text was written")
}

fn push_cell(fields: &mut Vec<String>, cell: &Cell, kind: Kind) {
    match cell {
        Cell::Interval(low, high) => fields.extend(ends(*low, *high, TENTH)),
        // An absent interval still has its two columns.
        Cell::Plain(_) if kind == Kind::Interval => fields.extend([String::new(), String::new()]),
        Cell::Plain(text) | Cell::Marked(text) => fields.push(text.clone()),
    }
}
