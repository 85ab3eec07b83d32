//! `runner export`: other programs find in it what our summary says.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::test_folder::{TestFolder, report};

/// For an algorithm with its settings and an instance: the success rate and the expected running time, as `summary.csv` writes
/// them.
type Figures = BTreeMap<(String, String), (String, String)>;

/// What it says on standard error when all is well.
fn exported(folder: &TestFolder, arguments: &[&str]) -> String {
    let (printed, told) = folder.outputs(0, &[&["export"], arguments].concat());
    assert_eq!(printed, "", "{told}");
    told
}

/// Runs with and without success, each of those without of the same evaluations; every board is a bucket of its own.
fn ran(trace: &str) -> TestFolder {
    let folder = TestFolder::new("[20, 60]", 6);
    let by_id = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let bucket = if fields[0] == "id" { "bucket" } else { fields[0] };
        [fields[0], bucket, fields[2]].join(",")
    };
    folder.change("boards.csv", |boards| boards.lines().map(by_id).collect::<Vec<_>>().join("\n"));
    let budget = ["--set", "budget.evaluations=4000", "--set", "budget.stagnation=100000"];
    let more = ["--set", "budget.generations=100000", "--set", trace];
    folder.run(&[budget, more].concat());
    folder
}

/// The figures of `summary.csv`.
fn ours(folder: &TestFolder) -> Figures {
    let text = folder.read("results/test/summary.csv");
    let mut rows = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let columns = rows.next().expect("columns");
    let at = |name: &str| columns.iter().position(|column| column == name).expect("the column is there");
    let [algorithm, population, bucket, rate, ert] =
        ["algorithm", "population", "bucket", "success_rate", "ert_evaluations"].map(at);
    let figures = rows.filter(|row| row[bucket] != "all").map(|row| {
        let setting = format!("{}, population = {}", row[algorithm], row[population]);
        ((setting, row[bucket].clone()), (row[rate].clone(), row[ert].clone()))
    });
    figures.collect()
}

/// A rate and an expected running time in the form of `summary.csv`.
fn written(rate: f64, ert: f64) -> (String, String) {
    (format!("{rate:.4}"), if ert.is_finite() { format!("{ert:.3}") } else { String::new() })
}

/// The JSON files of an export with the dat files that they name.
fn datasets(root: &Path) -> Vec<(Value, String)> {
    let mut found = Vec::new();
    for setting in fs::read_dir(root).expect("a folder") {
        let setting = setting.expect("an entry").path();
        for entry in fs::read_dir(&setting).expect("a folder for each setting") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "json") {
                let json: Value = serde_json::from_slice(&fs::read(&path).expect("a file")).expect("JSON");
                let dat = json["scenarios"][0]["path"].as_str().expect("a path");
                let dat = fs::read_to_string(setting.join(dat)).expect("the dat file is there");
                found.push((json, dat));
            }
        }
    }
    found
}

#[test]
fn the_files_hold_the_figures_of_the_summary() {
    let folder = ran("record.trace=improvements");
    let told = exported(&folder, &["results/test", "--format", "ioh"]);
    assert_eq!(told, "96 runs of 2 settings on 8 instances: results/test/ioh\n");
    let mut figures = Figures::new();
    for (json, dat) in datasets(&folder.path("results/test/ioh")) {
        let name = |value: &Value| value.as_str().expect("a name").to_owned();
        let runs = json["scenarios"][0]["runs"].as_array().expect("runs");
        let courses: Vec<Vec<(u64, f64)>> = dat.split("evaluations raw_y\n").skip(1).map(course).collect();
        assert_eq!(runs.len(), courses.len());
        let (mut evaluations, mut solved) = (0, 0);
        for (run, course) in runs.iter().zip(&courses) {
            let (evals, best) =
                (run["evals"].as_u64().expect("a number"), run["best"]["y"].as_f64().expect("a number"));
            assert_eq!((course[0].0, course[course.len() - 1]), (1, (evals, best)));
            let found = course.iter().find(|(_, y)| *y == best).expect("the best is a row");
            assert_eq!(Some(found.0), run["best"]["evals"].as_u64());
            assert_eq!(run["solved"], u64::from(best == 0.0));
            evaluations += evals;
            solved += u64::from(best == 0.0);
        }
        let figure = written(solved as f64 / runs.len() as f64, evaluations as f64 / solved as f64);
        figures.insert((name(&json["algorithm"]["name"]), name(&json["function_name"])), figure);
    }
    let ours = ours(&folder);
    assert_eq!(figures, ours);
    let rates: Vec<&str> = ours.values().map(|(rate, _)| rate.as_str()).collect();
    assert!(rates.iter().any(|&rate| rate != "0.0000" && rate != "1.0000"), "the figures tell something: {rates:?}");
}

/// The rows of a run in a dat file.
fn course(text: &str) -> Vec<(u64, f64)> {
    let rows = text.lines().map(|row| {
        let (evaluations, y) = row.split_once(' ').expect("two numbers");
        (evaluations.parse().expect("a number"), y.parse().expect("a number"))
    });
    rows.collect()
}

/// What python prints, where it has these modules.
fn python(modules: &str, arguments: &[&str]) -> Option<String> {
    let imported = Command::new("python3").args(["-c", &format!("import {modules}")]).output();
    if !imported.is_ok_and(|output| output.status.success()) {
        // Past what the harness captures, so that it is seen.
        let _ = writeln!(std::io::stderr(), "skipped: python3 has no {modules}");
        return None;
    }
    let (status, printed, messages) = report(Command::new("python3").args(arguments), "");
    assert_eq!(status, Some(0), "{messages}");
    Some(printed)
}

#[test]
fn iohinspector_finds_the_figures_of_the_summary() {
    let folder = ran("record.trace=improvements");
    exported(&folder, &["results/test", "--format", "ioh"]);
    let exports = folder.path("results/test/ioh").display().to_string();
    let Some(table) = python("iohinspector", &["../../scripts/read_ioh.py", &exports]) else { return };
    let (mut listed, mut courses) = (Figures::new(), Figures::new());
    let mut lines = table.lines();
    let columns = "algorithm_name,function_id,function_name,dimension,runs,success_ratio,ert,course_ratio,course_ert";
    assert_eq!(lines.next(), Some(columns));
    for line in lines {
        // The algorithm's name has a comma, and is quoted.
        let (algorithm, rest) = line[1..].split_once("\",").expect("a quoted name");
        let fields: Vec<&str> = rest.split(',').collect();
        let number = |at: usize| fields[at].parse::<f64>().expect("a number");
        let key = (algorithm.to_owned(), fields[1].to_owned());
        listed.insert(key.clone(), written(number(4), number(5)));
        courses.insert(key, written(number(6), number(7)));
    }
    let ours = ours(&folder);
    assert_eq!(listed, ours);
    assert_eq!(courses, ours);
}

#[test]
fn the_dimension_is_the_number_of_free_cells() {
    let folder = ran("record.trace=none");
    exported(&folder, &["results/test", "--format", "ioh", "--out", "out"]);
    let boards = folder.read("boards.csv");
    let free: BTreeMap<&str, usize> = boards
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect::<Vec<_>>())
        .map(|fields| (fields[0], fields[2].matches('.').count()))
        .collect();
    let found = datasets(&folder.path("out"));
    assert_eq!(found.len(), 16);
    for (json, _) in found {
        let id = json["function_name"].as_str().expect("a name");
        assert_eq!(json["scenarios"][0]["dimension"], free[id], "{id}");
    }
}

#[test]
fn without_a_trace_the_ends_are_given_and_that_is_said() {
    let folder = ran("record.trace=none");
    let told = exported(&folder, &["results/test", "--format", "ioh"]);
    insta::assert_snapshot!(told, @r#"
    note: without a trace, the export contains only the first, the best and the last evaluation of each run
      `[record] trace = "improvements"` records all improvements
    note: the fitness at evaluation 1 is unknown for 96 runs; the export writes 39, worse than all others
    96 runs of 2 settings on 8 instances: results/test/ioh
    "#);
    let every = ran("record.trace={ every = 10 }");
    let told = exported(&every, &["results/test", "--format", "ioh"]);
    insta::assert_snapshot!(told, @"
    note: the trace has generations: the export places an improvement at the end of the next recorded generation
    note: the fitness at evaluation 1 is unknown for 96 runs; the export writes 59, worse than all others
    96 runs of 2 settings on 8 instances: results/test/ioh
    ");
}

#[test]
fn a_foreign_csv_is_exported_with_what_it_has() {
    let folder = TestFolder::empty();
    let text = "algorithm,instance,solved,evaluations\neaSimple,s1,True,900\neaSimple,s1,False,5000\n";
    folder.write("deap.csv", text);
    insta::assert_snapshot!(exported(&folder, &["deap.csv", "--format", "ioh"]));
    assert_eq!(datasets(&folder.path("deap-ioh")).len(), 1);
}

#[test]
fn what_cannot_be_exported_is_said_before_anything_is_written() {
    let folder = TestFolder::empty();
    folder.write("few.csv", "algorithm,instance,solved\na,b,1\n");
    folder.write("runs.csv", "algorithm,instance,solved,evaluations\na,b,1,5\n");
    fs::create_dir(folder.path("full")).expect("it is made");
    folder.write("full/file", "text");
    for (file, out, expected) in [
        ("few.csv", "out", "few.csv has no column `evaluations`; the format of IOHprofiler needs this column"),
        ("none.csv", "out", "`none.csv` does not exist\n  expected a results folder or a CSV file"),
        ("runs.csv", "full", "`full` already exists: remove it, or choose another folder"),
        ("runs.csv", "..", "`..` cannot be the name of a new folder"),
    ] {
        let told = folder.refused(2, &["export", file, "--format", "ioh", "--out", out]);
        assert!(told.contains(expected), "{told}");
        assert!(!folder.path("out").exists());
    }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_runner_without_parquet_says_how_to_build_one() {
    let folder = TestFolder::empty();
    folder.write("runs.csv", "algorithm,instance,solved\na,b,1\n");
    let told = folder.refused(2, &["export", "runs.csv", "--format", "parquet"]);
    assert_eq!(
        told,
        "error: this runner was built without Parquet\n  build a runner with Parquet: cargo build --release --features parquet\n"
    );
}

#[cfg(feature = "parquet")]
#[test]
fn a_data_frame_has_the_rows_of_the_csv() {
    let folder = ran("record.trace={ every = 10 }");
    let told = exported(&folder, &["results/test", "--format", "parquet"]);
    assert!(told.starts_with("96 runs and ") && told.ends_with(" points: results/test/parquet\n"), "{told}");
    let script = "import sys, pandas\n\
                  for name, csv in [('runs', 'runs.csv'), ('trace', 'trace.csv.gz')]:\n    \
                      ours = pandas.read_parquet(f'{sys.argv[1]}/parquet/{name}.parquet')\n    \
                      pandas.testing.assert_frame_equal(ours, pandas.read_csv(f'{sys.argv[1]}/{csv}', dtype={'best_fitness': float}))\n";
    python("pandas, pyarrow", &["-c", script, &folder.path("results/test").display().to_string()]);
}
