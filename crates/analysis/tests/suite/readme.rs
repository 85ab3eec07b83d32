//! The tables of columns in `results/README.md` are those of the code. `EVOGRID_BLESS=1` writes them there.

use std::fs;
use std::path::Path;

use evogrid_analysis::summary::{COUNTS, FIGURES, RATE};
use evogrid_results::Row;
use evogrid_results::columns::{BEFORE_SETTINGS, COLUMNS, Value};

/// The columns of `runs.csv`.
fn runs() -> String {
    let row = Row::default();
    let mut lines: Vec<String> = COLUMNS
        .iter()
        .map(|column| format!("| `{}` | {} | {} |", column.name, type_name(column.name, column.get(&row)), column.doc))
        .collect();
    let varied = "| the dotted path of a setting | any | one column for each setting that the experiment varies |";
    lines.insert(BEFORE_SETTINGS, varied.to_owned());
    format!("| column | type | what it says |\n|---|---|---|\n{}\n", lines.join("\n"))
}

/// The columns of `summary.csv` behind the bucket.
fn summary() -> String {
    let figures = FIGURES.iter().filter(|figure| figure.is_column()).map(|figure| (figure.name, figure.doc));
    let columns = RATE.iter().copied().chain(figures).chain(COUNTS.iter().copied());
    let lines: Vec<String> = columns.map(|(name, doc)| format!("| `{name}` | {doc} |")).collect();
    format!("| column | what it says |\n|---|---|\n{}\n", lines.join("\n"))
}

/// The text with this table in its place, which is between two comments.
fn with_table(text: &str, name: &str, table: &str) -> String {
    let begin = format!("<!-- columns of {name}: from the code -->\n");
    let (before, rest) = text.split_once(&begin).unwrap_or_else(|| panic!("no `{begin}`"));
    let (_, after) = rest.split_once("<!-- end -->").expect("the end of the table");
    format!("{before}{begin}\n{table}\n<!-- end -->{after}")
}

#[test]
fn the_columns_of_the_files_are_those_of_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/README.md");
    let text = fs::read_to_string(&path).expect("the page");
    let expected = with_table(&with_table(&text, "runs.csv", &runs()), "summary.csv", &summary());
    if std::env::var_os("EVOGRID_BLESS").is_some() {
        return fs::write(&path, &expected).expect("the page is written");
    }
    assert!(text == expected, "results/README.md is not what the code says: EVOGRID_BLESS=1 rewrites it");
}

/// What values like this one are.
fn type_name(name: &str, value: Value<'_>) -> &'static str {
    match value {
        Value::Text(_) if name == "stop" => "reason",
        Value::Count(_) => "count",
        Value::Real(_) => "real",
        Value::Time(_) => "time",
        Value::Text(_) => "text",
        Value::Truth(_) => "truth",
        Value::Id(_) => "id",
    }
}
