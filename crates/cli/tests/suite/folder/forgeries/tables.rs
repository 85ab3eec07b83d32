//! Forgeries of the files that are made of the journal: each is found, whatever stands in it, since it is made anew.

use std::fs;

use super::forger::{Forger, column_of};
use super::{Forgery, Verdict::Found};

pub(crate) const FORGERIES: &[Forgery] = &[
    (
        "algorithms swapped in runs.csv",
        swap_algorithms,
        Found("runs.csv:2: column `algorithm` is `cerv`, and should be `huke`"),
    ),
    ("settings swapped in runs.csv", swap_settings, Found("column `population` is `40`, and should be `20`")),
    ("another instance", |forger| forger.field(1, "instance", "easy-04"), Found("`easy-04`, and should be `easy-01`")),
    (
        "another bucket",
        |forger| forger.field(5, "bucket", "easy"),
        Found("column `bucket` is `easy`, and should be `expert`"),
    ),
    ("another problem", |forger| forger.field(1, "problem", "tour"), Found("column `problem`")),
    ("another wall time", |forger| forger.field(3, "wall_ms", "0.001"), Found("column `wall_ms` is `0.001`")),
    ("another processor time", |forger| forger.field(3, "cpu_ms", "9999.000"), Found("column `cpu_ms` is `9999.000`")),
    ("another number of a run", |forger| forger.field(3, "run", "7"), Found("column `run` is `7`, and should be `2`")),
    ("another id", |forger| forger.field(3, "run_id", "r0123456789abcdef"), Found("column `run_id`")),
    ("another seed", |forger| forger.field(3, "seed", "1"), Found("column `seed` is `1`")),
    ("another repetition", |forger| forger.field(3, "repetition", "1"), Found("column `repetition` is `1`")),
    ("an unsolved run solved", |forger| forger.field(2, "solved", "true"), Found("column `solved` is `true`")),
    ("another objective", |forger| forger.field(2, "objective", "1.0"), Found("column `objective` is `1.0`")),
    ("another fitness", |forger| forger.field(2, "fitness", "missing"), Found("column `fitness` is `missing`")),
    ("another best fitness", |forger| forger.field(2, "best_fitness", "1.0"), Found("column `best_fitness` is `1.0`")),
    ("another unit", |forger| forger.field(2, "unit", "nodes"), Found("column `unit` is `nodes`")),
    ("fewer evaluations", |forger| forger.field(1, "evaluations", "10"), Found("column `evaluations` is `10`")),
    ("fewer generations", |forger| forger.field(1, "generations", "1"), Found("column `generations` is `1`")),
    ("another reason to stop", |forger| forger.field(2, "stop", "failed"), Found("column `stop` is `failed`")),
    ("unsolved rows removed", remove_unsolved_rows, Found("runs.csv:3: column `run` is `2`, and should be `1`")),
    ("the last rows removed", remove_last_rows, Found("runs.csv:15: the file ends before this line")),
    ("all rows removed", remove_rows, Found("runs.csv:2: the file ends before this line")),
    ("rows doubled", double_rows, Found("runs.csv:17: the line should not be there")),
    ("rows in another order", reverse_rows, Found("runs.csv:2: column `run` is `14`")),
    ("a column removed", remove_column, Found("runs.csv:1: its columns are ")),
    ("a column added", add_column, Found("runs.csv:1: its columns are ")),
    ("other line ends", end_lines_otherwise, Found("runs.csv:1: ")),
    ("the summary removed", |forger| remove(forger, "summary.csv"), Found("summary.csv is not there")),
    ("a higher rate in the summary", raise_rate, Found("summary.csv:2: column `solved` is ")),
    ("a narrower interval in the summary", narrow_interval, Found("summary.csv:2: column `success_low` is `0.")),
    ("a row of the summary removed", remove_bucket, Found("summary.csv:2: column `bucket` is ")),
    ("another type of a column", change_type, Found("csv-metadata.json:")),
    ("the trace replaced", replace_trace, Found("trace.csv.gz:1: it cannot be read")),
    ("the trace removed", |forger| remove(forger, "trace.csv.gz"), Found("trace.csv.gz is not there")),
    ("a point of the trace changed", change_point, Found("trace.csv.gz:2: column `best_fitness` is `1.0`")),
    ("points of the trace removed", remove_points, Found("trace.csv.gz:")),
    ("more behind the end of the trace", add_to_trace, Found("it cannot be read")),
];

fn remove(forger: &Forger, name: &str) {
    fs::remove_file(forger.path(name)).expect("it is there");
}

fn swap_algorithms(forger: &Forger) {
    forger.text("runs.csv", |text| text.replace(",huke,", ",T,").replace(",cerv,", ",huke,").replace(",T,", ",cerv,"));
}

fn swap_settings(forger: &Forger) {
    let swap =
        |text: String| text.replace(",huke,20,", ",T,").replace(",huke,40,", ",huke,20,").replace(",T,", ",huke,40,");
    forger.text("runs.csv", swap);
}

fn remove_unsolved_rows(forger: &Forger) {
    forger.rows("runs.csv", |rows| {
        let solved = column_of(rows, "solved");
        rows.retain(|row| row[solved] != "false");
    });
}

fn remove_last_rows(forger: &Forger) {
    forger.rows("runs.csv", |rows| rows.truncate(14));
}

fn remove_rows(forger: &Forger) {
    forger.rows("runs.csv", |rows| rows.truncate(1));
}

fn double_rows(forger: &Forger) {
    forger.rows("runs.csv", |rows| rows.extend_from_within(1..));
}

fn reverse_rows(forger: &Forger) {
    forger.rows("runs.csv", |rows| rows[1..].reverse());
}

fn remove_column(forger: &Forger) {
    forger.rows("runs.csv", |rows| {
        let at = column_of(rows, "fitness");
        rows.iter_mut().for_each(|row| drop(row.remove(at)));
    });
}

fn add_column(forger: &Forger) {
    forger.rows("runs.csv", |rows| {
        rows.iter_mut().enumerate().for_each(|(at, row)| row.push(if at == 0 { "remark" } else { "" }.to_owned()));
    });
}

fn end_lines_otherwise(forger: &Forger) {
    forger.text("runs.csv", |text| text.replace('\n', "\r\n"));
}

fn raise_rate(forger: &Forger) {
    forger.rows("summary.csv", |rows| {
        let at = column_of(rows, "solved");
        "5".clone_into(&mut rows[1][at]);
    });
}

fn narrow_interval(forger: &Forger) {
    forger.rows("summary.csv", |rows| {
        let at = column_of(rows, "success_low");
        "0.399".clone_into(&mut rows[1][at]);
    });
}

fn remove_bucket(forger: &Forger) {
    forger.rows("summary.csv", |rows| drop(rows.remove(1)));
}

fn change_type(forger: &Forger) {
    forger.text("csv-metadata.json", |text| text.replacen("boolean", "string", 1));
}

fn replace_trace(forger: &Forger) {
    fs::write(forger.path("trace.csv.gz"), "x\n").expect("it is written");
}

fn change_point(forger: &Forger) {
    forger.trace(|text| {
        let line = text.lines().nth(1).expect("a point");
        let (before, _) = line.rsplit_once(',').expect("fields");
        text.replacen(line, &format!("{before},1.0"), 1)
    });
}

fn remove_points(forger: &Forger) {
    forger.trace(|text| text.lines().step_by(2).map(|line| format!("{line}\n")).collect());
}

fn add_to_trace(forger: &Forger) {
    let path = forger.path("trace.csv.gz");
    let mut bytes = fs::read(&path).expect("it is there");
    bytes.extend_from_slice(b"more");
    fs::write(path, bytes).expect("it is written");
}
