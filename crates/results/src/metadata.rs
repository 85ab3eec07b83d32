//! Metadata: the types of the columns of `runs.csv` and `summary.csv`, in the form of "CSV on the Web" (W3C, "Metadata Vocabulary for
//! Tabular Data", 2015), so that a reader need not guess them from the first rows, where a column may be empty.

use std::io::{self, Write};

use serde::Serialize;

pub use crate::column_type::ColumnType;
use crate::columns::{BEFORE_SETTINGS, COLUMNS, Column, column_of_setting};
use crate::run::Row;
use crate::summary::{COUNTS, FIGURES, RATE};

/// The columns of a summary that are whole numbers.
const WHOLE: [&str; 5] = ["runs", "solved", "failed", "instances", "judged"];

/// Both tables.
#[derive(Serialize)]
struct TableGroup {
    #[serde(rename = "@context")]
    context: &'static str,
    tables: [TableDescription; 2],
}

#[derive(Serialize)]
struct TableDescription {
    url: &'static str,
    #[serde(rename = "tableSchema")]
    schema: TableSchema,
}

#[derive(Serialize)]
struct TableSchema {
    columns: Vec<ColumnDescription>,
}

#[derive(Serialize)]
struct ColumnDescription {
    /// Its name in the first line of the file.
    titles: String,
    datatype: &'static str,
    #[serde(rename = "dc:description", skip_serializing_if = "str::is_empty")]
    doc: &'static str,
}

/// Writes the metadata of a `runs.csv` and of its summary, one object of JSON; `varied` are the paths of the varied settings with the types
/// of their values.
///
/// ```
/// use evogrid_results::metadata::{self, ColumnType};
///
/// let mut json = Vec::new();
/// metadata::write(&mut json, &[("rate", ColumnType::Real)])?;
/// let json: serde_json::Value = serde_json::from_slice(&json)?;
/// let rate = &json["tables"][0]["tableSchema"]["columns"][3];
/// assert_eq!((&rate["titles"], &rate["datatype"]), (&"rate".into(), &"double".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of `output`.
pub fn write(mut output: impl Write, varied: &[(&str, ColumnType)]) -> io::Result<()> {
    let tables = [("runs.csv", of_runs(varied)), ("summary.csv", of_summary(varied))];
    let tables = tables.map(|(url, columns)| TableDescription { url, schema: TableSchema { columns } });
    serde_json::to_writer_pretty(&mut output, &TableGroup { context: "http://www.w3.org/ns/csvw", tables })?;
    writeln!(output)
}

fn of_runs(varied: &[(&str, ColumnType)]) -> Vec<ColumnDescription> {
    let empty = Row::default();
    let known = |column: &Column| described(column.name, column.get(&empty).into(), column.doc);
    let (before, after) = COLUMNS.split_at(BEFORE_SETTINGS);
    let settings = varied.iter().map(|&(path, kind)| described(&column_of_setting(path), kind, ""));
    before.iter().map(known).chain(settings).chain(after.iter().map(known)).collect()
}

fn of_summary(varied: &[(&str, ColumnType)]) -> Vec<ColumnDescription> {
    let settings = varied.iter().map(|&(path, kind)| described(path, kind, ""));
    let figures = FIGURES.iter().map(|figure| (figure.name, figure.doc));
    let numbers = RATE.iter().copied().chain(figures).chain(COUNTS).map(|(name, doc)| {
        described(name, if WHOLE.contains(&name) { ColumnType::Whole } else { ColumnType::Real }, doc)
    });
    let mut columns = vec![described("algorithm", ColumnType::Text, "the algorithm's name in the experiment")];
    columns.extend(settings);
    columns.push(described("bucket", ColumnType::Text, "the instances' bucket of difficulty, or `all`"));
    columns.extend(numbers);
    columns
}

fn described(name: &str, kind: ColumnType, doc: &'static str) -> ColumnDescription {
    ColumnDescription { titles: name.to_owned(), datatype: datatype(kind), doc }
}

/// Its name in "CSV on the Web".
fn datatype(kind: ColumnType) -> &'static str {
    match kind {
        ColumnType::Whole => "integer",
        ColumnType::Real => "double",
        ColumnType::Truth => "boolean",
        ColumnType::Text => "string",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_has_a_type() {
        let varied = [
            ("population", ColumnType::Whole),
            ("fitness", ColumnType::Text),
            ("sure", ColumnType::Truth),
            ("rate", ColumnType::Real),
        ];
        let mut json = Vec::new();
        write(&mut json, &varied).expect("memory");
        let json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
        let types = |table: usize| {
            let columns = json["tables"][table]["tableSchema"]["columns"].as_array().expect("columns").iter();
            let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
            let named =
                |column: &serde_json::Value| format!("{} {}", text(&column["titles"]), text(&column["datatype"]));
            columns.map(named).collect::<Vec<_>>().join(", ")
        };
        insta::assert_snapshot!(types(0), @"run integer, run_id string, algorithm string, population integer, setting.fitness string, sure boolean, rate double, problem string, instance string, bucket string, repetition integer, seed integer, solved boolean, objective double, best_known double, gap double, fitness string, best_fitness double, unit string, evaluations integer, generations integer, restarts integer, evaluations_to_best integer, stop string, wall_ms double, cpu_ms double");
        insta::assert_snapshot!(types(1), @"algorithm string, population integer, fitness string, sure boolean, rate double, bucket string, runs integer, solved integer, success_rate double, success_low double, success_high double, success_low_here double, success_high_here double, mean_ms_solved double, mean_generations_solved double, mean_generations double, mean_ms_unsolved double, mean_cpu_ms double, median_evaluations_solved double, ert_evaluations double, par10_ms double, mean_best_fitness double, mean_objective double, median_objective double, best_objective double, median_gap double, mean_gap double, gap_low double, gap_high double, best_gap double, mean_generations_to_best double, failed integer, instances integer, effective_runs double, judged integer");
    }
}
