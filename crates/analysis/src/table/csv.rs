//! Tables for data frames.

use super::model::{Cell, ColumnKind, TENTH, Table, interval_ends};

pub(super) fn render(table: &Table) -> String {
    let mut csv = csv::Writer::from_writer(Vec::new());
    let mut fields: Vec<String> = table.keys.clone();
    for column in &table.columns {
        match column.kind {
            ColumnKind::Text | ColumnKind::Number => fields.push(column.name.clone()),
            ColumnKind::Interval => fields.extend(["low", "high"].map(|end| format!("{} {end}", column.name))),
        }
    }
    let mut write = |fields: &[String]| csv.write_record(fields).expect("rows of equal length, and memory takes all");
    write(&fields);
    for block in &table.blocks {
        for row in &block.rows {
            fields.clone_from(&block.keys);
            for (cell, column) in row.iter().zip(&table.columns) {
                match cell {
                    Cell::Interval(low, high) => fields.extend(interval_ends(*low, *high, TENTH)),
                    Cell::Ends(ends) => fields.extend(ends.iter().cloned()),
                    // An absent interval still has its two columns.
                    Cell::Plain(_) if column.kind == ColumnKind::Interval => fields.extend(["", ""].map(str::to_owned)),
                    Cell::Plain(text) | Cell::Marked(text) => fields.push(text.clone()),
                }
            }
            write(&fields);
        }
    }
    let bytes = csv.into_inner().expect("memory takes all");
    String::from_utf8(bytes).expect("only text was written")
}
