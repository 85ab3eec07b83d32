//! `runner import`: what other programs found is in our files as they say it themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;

use crate::test_folder::TestFolder;

/// Folders that the logger of IOHprofiler wrote, and what `ioh` itself said of each run.
const IOH: &str = "tests/data/ioh";

/// What is done to a folder.
type Change = Box<dyn Fn(&TestFolder)>;

/// A copy of those folders.
fn folder() -> TestFolder {
    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).expect("a folder");
        for entry in fs::read_dir(from).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            let to = to.join(entry.file_name().expect("a name"));
            if entry.is_dir() { copy(&entry, &to) } else { assert!(fs::copy(&entry, &to).is_ok()) }
        }
    }
    let folder = TestFolder::empty();
    copy(Path::new(IOH), &folder.path("ioh"));
    folder
}

/// The fields of these columns in each row, in any order.
fn rows(text: &str, columns: &[&str]) -> BTreeSet<Vec<String>> {
    let mut lines = csv::Reader::from_reader(text.as_bytes());
    let header = lines.headers().expect("a header").clone();
    let at: Vec<usize> =
        columns.iter().map(|name| header.iter().position(|own| own == *name).expect("the column is there")).collect();
    let row = |row: csv::StringRecord| at.iter().map(|&at| row[at].to_owned()).collect();
    lines.records().map(|record| row(record.expect("a row"))).collect()
}

/// The evaluations and values of each run of a trace.
fn traces(folder: &TestFolder, results: &str) -> BTreeMap<String, Vec<(u64, f64)>> {
    let (bytes, mut text) = (fs::read(folder.path(results).join("trace.csv.gz")).expect("a trace"), String::new());
    GzDecoder::new(&bytes[..]).read_to_string(&mut text).expect("it is compressed text");
    let mut traces: BTreeMap<String, Vec<(u64, f64)>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let point = (fields[1].parse().expect("a count"), fields[3].parse().expect("a number"));
        traces.entry(fields[0].to_owned()).or_default().push(point);
    }
    traces
}

#[test]
fn folders_of_iohprofiler_have_the_figures_that_ioh_says_itself() {
    let folder = folder();
    let (printed, told) = folder.outputs(0, &["import", "ioh/random-search", "ioh/local-search", "--output", "out"]);
    assert_eq!(printed, "");
    insta::assert_snapshot!(told, @"
    note: larger values of 2 functions are better; in the column `fitness`, the name of such a function ends in `(maximised)`
    32 runs of 2 algorithms on 8 instances: out
    ");
    let (facts, runs) = (folder.read("ioh/facts.csv"), folder.read("out/runs.csv"));
    let key = ["algorithm", "instance", "repetition", "evaluations"];
    let ours = |value: &str| rows(&runs, &[&key[..], &[value]].concat());
    let theirs = rows(&facts, &[&key[..], &["y"]].concat());
    assert_eq!(theirs.len(), 32);
    assert_eq!(ours("objective"), theirs);
    assert_eq!(ours("best_fitness"), theirs);
    let is_maximised = |fitness: &str| fitness.ends_with(" (maximised)");
    let ours = rows(&runs, &["algorithm", "instance", "repetition", "fitness"]).into_iter();
    let theirs = rows(&facts, &["algorithm", "instance", "repetition", "optimisation"]).into_iter();
    assert!(ours.zip(theirs).all(|(own, fact)| is_maximised(&own[3]) == (fact[3] == "MAX")));
    insta::assert_snapshot!(runs.lines().step_by(7).collect::<Vec<_>>().join("\n"), @"
    run,algorithm,problem,instance,bucket,repetition,solved,objective,fitness,best_fitness,unit,evaluations,evaluations_to_best
    6,random-search,,f1-Sphere-i2-d3,f1-Sphere-d3,0,,4.109268362827489,Sphere,4.109268362827489,evaluations,40,7
    13,random-search,,f8-Rosenbrock-i1-d3,f8-Rosenbrock-d3,1,,600.8542979945171,Rosenbrock,600.8542979945171,evaluations,40,9
    20,local-search,,f1-Sphere-i1-d3,f1-Sphere-d3,0,,0.34753245041692876,Sphere,0.34753245041692876,evaluations,40,37
    27,local-search,,f2-LeadingOnes-i2-d16,f2-LeadingOnes-d16,1,,0.0,LeadingOnes (maximised),0.0,evaluations,40,1
    ");
}

#[test]
fn a_course_improves_in_the_direction_of_its_function_and_ends_with_the_best() {
    let folder = folder();
    folder.outputs(0, &["import", "ioh", "--out", "out"]);
    let traces = traces(&folder, "out");
    let ends = rows(&folder.read("out/runs.csv"), &["run", "evaluations_to_best", "best_fitness", "fitness"]);
    assert_eq!((traces.len(), ends.len()), (32, 32));
    for run in ends {
        let (points, is_maximised) = (&traces[&run[0]], run[3].ends_with(" (maximised)"));
        assert_eq!(points.last(), Some(&(run[1].parse().expect("a count"), run[2].parse().expect("a number"))));
        assert!(
            points.windows(2).all(|pair| pair[0].0 < pair[1].0 && (pair[0].1 < pair[1].1) == is_maximised),
            "{run:?}"
        );
        assert_eq!(points[0].0, 1);
    }
    folder.outputs(0, &["plot", "out", "--chart", "convergence", "--format", "vega", "--out", "charts"]);
    folder.outputs(0, &["import", "ioh", "--out", "runs.csv"]);
    assert_eq!(folder.read("runs.csv"), folder.read("out/runs.csv"), "a file has the same runs");
}

#[test]
fn an_export_comes_in_again_with_the_same_instances_and_courses() {
    let folder = TestFolder::new("[20, 60]", 3);
    folder.run(&["--out", "own", "--set", "record.trace=improvements", "--set", "budget.generations=40"]);
    folder.outputs(0, &["export", "own", "--format", "ioh", "--out", "ioh"]);
    folder.outputs(0, &["import", "ioh", "--out", "in"]);
    let columns =
        ["instance", "bucket", "problem", "repetition", "solved", "best_fitness", "evaluations", "evaluations_to_best"];
    let [own, imported] = ["own/runs.csv", "in/runs.csv"].map(|file| rows(&folder.read(file), &columns));
    assert_eq!(own.len(), 48);
    assert_eq!(own, imported);
    let names = rows(&folder.read("in/runs.csv"), &["algorithm"]);
    assert_eq!(names.into_iter().flatten().collect::<Vec<_>>(), ["huke, population = 20", "huke, population = 60"]);
    let courses = |results| {
        let mut courses: Vec<_> = traces(&folder, results).into_values().collect();
        courses.sort_by(|one, other| one.partial_cmp(other).expect("numbers"));
        courses
    };
    assert_eq!(courses("own"), courses("in"));
}

#[test]
fn imported_runs_stand_beside_own_ones_in_a_file_of_their_common_columns() {
    let folder = TestFolder::new("[20]", 3);
    folder.run(&["--out", "own", "--set", "budget.generations=4"]);
    folder.outputs(0, &["export", "own", "--format", "ioh", "--out", "ioh"]);
    folder.outputs(0, &["import", "ioh", "--out", "theirs.csv"]);
    folder.change("theirs.csv", |text| text.replace("\"huke, population = 20\"", "theirs"));
    let theirs = folder.read("theirs.csv");
    let header: Vec<&str> = theirs.lines().next().expect("a header").split(',').collect();
    let own = rows(&folder.read("own/runs.csv"), &header).into_iter().map(|row| row.join(",") + "\n");
    folder.write("both.csv", theirs.trim_end().to_owned() + "\n" + &own.collect::<String>());
    let compared = folder.outputs(0, &["compare", "both.csv"]).0;
    assert!(compared.contains("huke") && compared.contains("theirs"), "{compared}");
    assert!(compared.contains("The comparison of theirs and huke is inconclusive: 0 points"), "{compared}");
}

#[test]
fn what_is_not_in_the_format_is_refused_with_its_place_and_leaves_nothing() {
    let json = "ioh/local-search/IOHprofiler_f1_OneMax.json";
    let dat = "ioh/local-search/data_f1_OneMax/IOHprofiler_f1_DIM16.dat";
    let replaced = |file: &'static str, from: &'static str, to: &'static str| {
        move |folder: &TestFolder| folder.change(file, |text| text.replacen(from, to, 1))
    };
    let changes: Vec<(&str, Change)> = vec![
        ("the end is torn off", Box::new(move |folder| folder.change(json, |text| text[..400].to_owned()))),
        ("no description", Box::new(replaced(json, "\"evals\": 40", "\"evals\": -1"))),
        ("a path outside", Box::new(replaced(json, "data_f1_OneMax/", "../../"))),
        ("a better value than the best", Box::new(replaced(dat, "\n1 ", "\n1 9"))),
        ("evaluations out of order", Box::new(replaced(dat, "\n1 ", "\n40 "))),
        ("a value that is no number", Box::new(replaced(dat, "\n1 ", "\n1 x"))),
        (
            "a run too many",
            Box::new(move |folder| folder.change(dat, |text| text.to_owned() + "evaluations raw_y\n1 3\n")),
        ),
        (
            "a run too few",
            Box::new(move |folder| {
                folder.change(dat, |text| {
                    let last = text.rfind("evaluations").expect("a run");
                    text[..last].to_owned()
                });
            }),
        ),
        ("columns of another program", Box::new(replaced(dat, "raw_y", "cost"))),
        ("no course", Box::new(move |folder| fs::remove_file(folder.path(dat)).expect("it was there"))),
    ];
    let mut told = String::new();
    for (what, change) in changes {
        let folder = folder();
        change(&folder);
        let status = if what == "no course" { 1 } else { 2 };
        told += &format!("{what}: {}", folder.refused(status, &["import", "ioh", "--out", "out"]));
        assert!(!folder.path("out").exists(), "{what}");
    }
    let folder = folder();
    ["old", "used", "empty"].iter().for_each(|name| fs::create_dir(folder.path(name)).expect("a folder"));
    folder.write("old/IOHprofiler_f1_OneMax.info", "suite = 'PBO'\n");
    folder.write("used/file", "");
    for (what, folders, out) in [
        ("the older format", &["old"][..], "out"),
        ("nothing", &["empty"][..], "out"),
        ("a folder twice", &["ioh", "ioh/local-search"][..], "out"),
        ("a folder in use", &["ioh"][..], "used"),
        ("a file in use", &["ioh"][..], "ioh/facts.csv"),
    ] {
        told += &format!("{what}: {}", folder.refused(2, &[&["import"], folders, &["--out", out]].concat()));
    }
    insta::assert_snapshot!(told, @"
    the end is torn off: error: ioh/local-search/IOHprofiler_f1_OneMax.json:13:72: EOF while parsing a value; expected a description of runs, as written by IOHprofiler's logger; perhaps the program that wrote this file was killed: add the missing text at the end of the file, or run the program again
    no description: error: ioh/local-search/IOHprofiler_f1_OneMax.json:13:31: invalid value: integer `-1`, expected u64; expected a description of runs, as written by IOHprofiler's logger
    a path outside: error: ioh/local-search/IOHprofiler_f1_OneMax.json: the path `../../IOHprofiler_f1_DIM16.dat` leads outside the folder of this file: expected a path inside the folder
    a better value than the best: error: ioh/local-search/data_f1_OneMax/IOHprofiler_f1_DIM16.dat:2: expected a value that is not better than 16, the best value in the run's description, found `1 99.0000000000`
    evaluations out of order: error: ioh/local-search/data_f1_OneMax/IOHprofiler_f1_DIM16.dat:3: expected a number of evaluations from 41 to 40, and a value, found `2 10.0000000000`
    a value that is no number: error: ioh/local-search/data_f1_OneMax/IOHprofiler_f1_DIM16.dat:2: expected a number of evaluations from 1 to 40, and a value, found `1 x9.0000000000`
    a run too many: error: ioh/local-search/data_f1_OneMax/IOHprofiler_f1_DIM16.dat:46: expected the end of the file, because the description of the file contains no further runs, found `evaluations raw_y`
    a run too few: error: ioh/local-search/data_f1_OneMax/IOHprofiler_f1_DIM16.dat:32: expected a line of column names before the points of each run, with the columns `evaluations` and `raw_y`, found `the end of the file`
    columns of another program: error: ioh/local-search/data_f1_OneMax/IOHprofiler_f1_DIM16.dat:1: expected a line of column names before the points of each run, with the columns `evaluations` and `raw_y`, found `evaluations cost`
    no course: error: cannot read `ioh/local-search/data_f1_OneMax/IOHprofiler_f1_DIM16.dat`: No such file or directory (os error 2)
    the older format: error: old contains no file `IOHprofiler_f*.json`: expected a folder that IOHprofiler's logger wrote; the folder has `.info` files of IOHprofiler before version 0.3: convert the files with IOHanalyzer
    nothing: error: empty contains no file `IOHprofiler_f*.json`: expected a folder that IOHprofiler's logger wrote
    a folder twice: error: ioh/local-search/IOHprofiler_f1_OneMax.json is given twice: name each folder only once, because the runs would count twice
    a folder in use: error: `used` already exists: remove it, or choose another folder with `--out`
    a file in use: error: `ioh/facts.csv` already exists: remove it, or choose another folder with `--out`
    ");
}
