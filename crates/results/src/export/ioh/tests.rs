use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use serde_json::Value;
use tempfile::TempDir;

use super::*;
use crate::trace::Trigger;
use crate::trace::tests::{point, written};

const COLUMNS: &str =
    "run,algorithm,population,problem,instance,bucket,seed,solved,best_fitness,evaluations,evaluations_to_best";

/// A folder with runs and, if there are points, a trace.
fn folder(runs: &str, points: &[(u64, u64, f64)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("runs.csv"), runs).expect("it is written");
    if !points.is_empty() {
        let points = points.iter().map(|&(run, evaluations, best_fitness)| (run, [point(evaluations, best_fitness)]));
        let trace = written(Trigger::Improvements, points);
        fs::write(folder.path().join("trace.csv.gz"), trace).expect("it is written");
    }
    folder
}

fn exported(folder: &TempDir) -> Result<IohReport, ConversionError> {
    let trace = folder.path().join("trace.csv.gz");
    export(&Request {
        runs: &folder.path().join("runs.csv"),
        columns: &[],
        trace: trace.is_file().then_some(&trace),
        dimensions: &BTreeMap::from([("a".to_owned(), 51), ("b".to_owned(), 70_000)]),
        out: &folder.path().join("ioh"),
    })
}

/// All files of the export with their text, by their paths in the folder.
fn files(folder: &TempDir) -> BTreeMap<String, String> {
    let root = folder.path().join("ioh");
    let mut found = BTreeMap::new();
    let mut waiting: Vec<PathBuf> = vec![root.clone()];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()));
        } else {
            let name = path.strip_prefix(&root).expect("it is in it").to_string_lossy().into_owned();
            found.insert(name, fs::read_to_string(&path).expect("text"));
        }
    }
    found
}

#[test]
fn a_setting_is_a_folder_and_an_instance_a_function() {
    let runs = format!(
        "{COLUMNS}\n0,huke,100,tour,a,easy,11,true,0,30,30\n1,huke,100,tour,b,easy,12,false,3,50,20\n\
         2,huke,500,tour,a,easy,11,true,0,5,5\n"
    );
    let folder = folder(&runs, &[(0, 1, 43.0), (0, 30, 0.0), (1, 1, 9.0), (1, 20, 3.0), (2, 2, 8.0), (2, 5, 0.0)]);
    let report = exported(&folder).expect("it is exported");
    let expected = IohReport {
        runs: 3,
        settings: 2,
        functions: 2,
        missing: vec![
            "run_id",
            "repetition",
            "objective",
            "best_known",
            "gap",
            "fitness",
            "unit",
            "generations",
            "restarts",
            "stop",
            "wall_ms",
            "cpu_ms",
        ],
        assumed: 1,
        unknown_fitness: vec![44.0],
        without_dimension: 1,
        ..IohReport::default()
    };
    assert_eq!(report, expected);
    let files = files(&folder);
    insta::assert_snapshot!(files.keys().cloned().collect::<Vec<_>>().join("\n"));
    let dat = |name: &str| files[&format!("{name}.dat")].replace("evaluations raw_y\n", "").replace('\n', "; ");
    assert_eq!(dat("1-huke_population_100/data_f1_a/IOHprofiler_f1_DIM51"), "1 43; 30 0; ");
    assert_eq!(dat("1-huke_population_100/data_f2_b/IOHprofiler_f2_DIM1"), "1 9; 20 3; 50 3; ");
    assert_eq!(dat("2-huke_population_500/data_f1_a/IOHprofiler_f1_DIM51"), "1 44; 2 8; 5 0; ");
}

#[test]
fn what_is_maximised_is_written_as_it_is_and_said_to_be_maximised() {
    let runs = "run,algorithm,problem,instance,solved,fitness,best_fitness,evaluations,evaluations_to_best\n\
        0,ga,sack,a,,profit (maximised),90,50,30\n1,ga,tour,b,,length,7,50,20\n2,es,sack,a,,profit (maximised),80,9,9\n\
        3,es,sack,a,,profit (maximised),,9,0\n";
    let folder = folder(runs, &[(0, 1, 43.0), (0, 2, 42.0), (0, 30, 90.0), (1, 1, 9.0), (1, 20, 7.0)]);
    let report = exported(&folder).expect("it is exported");
    let files = files(&folder);
    let is_maximised = |name: &str| {
        let json: Value = serde_json::from_str(&files[&format!("{name}.json")]).expect("JSON");
        (json["maximization"].clone(), json["scenarios"][0]["runs"][0]["best"]["y"].clone())
    };
    assert_eq!(is_maximised("1-ga/IOHprofiler_f1_a"), (true.into(), 90.into()));
    assert_eq!(is_maximised("1-ga/IOHprofiler_f2_b"), (false.into(), 7.into()));
    let dat = |name: &str| files[&format!("{name}.dat")].replace("evaluations raw_y\n", "").replace('\n', "; ");
    assert_eq!(dat("1-ga/data_f1_a/IOHprofiler_f1_DIM51"), "1 43; 30 90; 50 90; ");
    // The trace may be of either: 9 and 7 would be the worst of what is maximised, and 90 of what is minimised.
    assert_eq!(dat("2-es/data_f1_a/IOHprofiler_f1_DIM51"), "1 -91; 9 80; 1 -91; 9 -91; ");
    assert_eq!(report.unknown_fitness, [-91.0]);
}

#[test]
fn rows_in_any_order_end_up_in_the_same_files() {
    let rows =
        ["huke,a,true,0,7,1", "huke,b,false,3,9,1", "other,a,true,0,5,1", "huke,a,false,2,9,1", "huke,b,true,0,4,1"];
    let write = |order: [usize; 5]| {
        let rows: Vec<&str> = order.iter().map(|&at| rows[at]).collect();
        let text = format!("algorithm,instance,solved,best_fitness,evaluations,seed\n{}\n", rows.join("\n"));
        let folder = folder(&text, &[]);
        exported(&folder).expect("it is exported");
        files(&folder)
    };
    assert_eq!(write([0, 1, 2, 3, 4]), write([0, 3, 1, 4, 2]));
}

#[test]
fn hostile_names_stay_in_the_folder_and_apart() {
    let names = ["../x", "..", "/etc/passwd", "a.json", "A.json", "é", "ü", "b\0\n", ""];
    let long = "x".repeat(500);
    let mut text = "algorithm,instance,solved,best_fitness,evaluations\n".to_owned();
    for name in names.into_iter().chain([long.as_str()]) {
        text += &format!("\"{name}\",\"{name}\",true,0,5\n");
    }
    let folder = folder(&text, &[]);
    let report = exported(&folder).expect("it is exported");
    assert_eq!((report.settings, report.functions), (10, 10));
    let files = files(&folder);
    assert_eq!(files.len(), 20);
    for (name, text) in &files {
        let is_plain = |part: &str| {
            part.len() < 100 && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        };
        assert!(name.split('/').all(is_plain) && !name.contains(".."), "{name}");
        assert_eq!(name.ends_with(".json"), serde_json::from_str::<Value>(text).is_ok(), "{text}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2, "nothing else was written");
}

#[test]
fn what_cannot_be_exported_is_said_and_leaves_nothing() {
    let too_many: String = (0..=u16::MAX).map(|at| format!("h,i{at},true,0,5\n")).collect();
    for (text, points, expected) in [
        (
            "algorithm,instance,solved,best_fitness\nh,a,true,0\n".to_owned(),
            vec![],
            "runs.csv has no column `evaluations`; the format of IOHprofiler needs this column",
        ),
        (
            "algorithm,instance,solved,best_fitness,evaluations\nh,a,true,NA,5\n".to_owned(),
            vec![],
            "runs.csv: run 0 is solved, but its `best_fitness` is missing",
        ),
        (
            format!("algorithm,instance,solved,best_fitness,evaluations\n{too_many}"),
            vec![],
            "runs.csv has more than 65535 instances, the limit of IOHprofiler: export the rows of fewer instances",
        ),
        (
            "run,algorithm,instance,solved,best_fitness,evaluations\n5,h,a,true,0,5\n4,h,a,true,0,5\n".to_owned(),
            vec![(4, 1, 3.0)],
            "runs.csv: run 4 comes after run 5: sort the rows of the trace by `run`, or move the trace to another folder",
        ),
    ] {
        let folder = folder(&text, &points);
        let error = exported(&folder).expect_err("it cannot").to_string();
        assert!(error.ends_with(expected), "{error}");
        let mut left = fs::read_dir(folder.path()).expect("a folder");
        assert!(left.all(|entry| entry.expect("an entry").path().is_file()), "{expected}");
    }
}

#[test]
fn without_fitnesses_a_solved_run_has_0_and_another_1() {
    let folder = folder("algorithm,instance,solved,evaluations\nh,a,1,5\nh,a,0,9\n", &[(0, 1, 77.0)]);
    let report = exported(&folder).expect("it is exported");
    assert_eq!((report.untraced, report.assumed, report.unknown_fitness), (2, 2, vec![2.0]));
    let dat = &files(&folder)["1-h/data_f1_a/IOHprofiler_f1_DIM51.dat"];
    assert_eq!(dat, "evaluations raw_y\n1 2\n5 0\nevaluations raw_y\n1 2\n9 1\n");
}

#[test]
fn a_folder_in_use_is_left_alone() {
    let folder = folder("algorithm,instance,solved,evaluations\nh,a,1,5\n", &[]);
    exported(&folder).expect("it is exported");
    let before = files(&folder);
    let refused = exported(&folder).expect_err("it is in use").to_string();
    assert_eq!(refused, ConversionError::exists(&folder.path().join("ioh")).to_string());
    assert_eq!(files(&folder), before);
}

#[test]
fn names_stay_readable() {
    assert_eq!(safe("huke, population = 100"), "huke_population_100");
    assert_eq!(safe("easy-001"), "easy-001");
    assert_eq!(safe("../../etc/passwd.json"), "etc_passwd_json");
    assert_eq!([safe(""), safe(".."), safe("é")], ["unnamed"; 3]);
    assert_eq!(safe(&"x".repeat(1000)).len(), PART_LENGTH);
}

proptest! {
    #[test]
    fn no_name_leaves_its_folder(text in any::<String>()) {
        let name = safe(&text);
        prop_assert!((1..=PART_LENGTH).contains(&name.len()));
        prop_assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)), "{}", name);
    }
}
