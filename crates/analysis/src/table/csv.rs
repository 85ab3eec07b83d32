//! Tables for data frames.

use evogrid_results::format::align_points;

use super::model::{Cell, ColumnKind, TENTH, Table, interval_ends};

/// Columns of names, which are not formatted.
const NAMES: [&str; 3] = ["algorithm", "bucket", "instance"];

pub(super) fn render(table: &Table) -> String {
    let mut names: Vec<String> = table.keys.clone();
    for column in &table.columns {
        match column.kind {
            ColumnKind::Text | ColumnKind::Number => names.push(column.name.clone()),
            ColumnKind::Interval => names.extend(["low", "high"].map(|end| format!("{} {end}", column.name))),
        }
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    for block in &table.blocks {
        for row in &block.rows {
            let mut fields = block.keys.clone();
            for (cell, column) in row.iter().zip(&table.columns) {
                match cell {
                    Cell::Interval(low, high) => fields.extend(interval_ends(*low, *high, TENTH)),
                    Cell::Ends(ends) => fields.extend(ends.iter().cloned()),
                    // An absent interval still has its two columns.
                    Cell::Plain(_) if column.kind == ColumnKind::Interval => fields.extend(["", ""].map(str::to_owned)),
                    Cell::Plain(text) | Cell::Marked(text) | Cell::Best(text) | Cell::MayBeBest(text) => {
                        fields.push(text.clone());
                    }
                }
            }
            rows.push(fields);
        }
    }
    for at in (0..names.len()).filter(|&at| !NAMES.contains(&names[at].as_str())) {
        align_points(rows.iter_mut().filter_map(|row| row.get_mut(at)));
    }
    let mut csv = csv::Writer::from_writer(Vec::new());
    let mut write = |fields: &[String]| csv.write_record(fields).expect("rows of equal length, and memory takes all");
    write(&names);
    rows.iter().for_each(|row| write(row));
    let bytes = csv.into_inner().expect("memory takes all");
    String::from_utf8(bytes).expect("only text was written")
}
