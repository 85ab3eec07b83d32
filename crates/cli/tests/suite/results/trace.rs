//! Traces: bounded, the same bytes however a run was done, and never at odds with `runs.csv`.
//!
//! Every test runs the real binary.

use std::fs;
use std::io::Read;

use flate2::read::GzDecoder;

use crate::test_folder::{TestFolder, number_before};

const IMPROVEMENTS: [&str; 2] = ["--set", "record.trace=improvements"];
const EVERY_5: [&str; 2] = ["--set", "record.trace={ every = 5 }"];

/// A row of a trace: its fields by column.
type Row = Vec<String>;

/// `trace.csv.gz` of a results folder, as text.
fn text(folder: &TestFolder, results: &str) -> String {
    let bytes = fs::read(folder.path(results).join("trace.csv.gz")).expect("trace.csv.gz is there");
    let mut text = String::new();
    GzDecoder::new(&bytes[..]).read_to_string(&mut text).expect("it is compressed text");
    text
}

/// The traces of all runs: for each its rows without the run's number, in the order of the plan.
fn traces(folder: &TestFolder, results: &str) -> Vec<Vec<Row>> {
    let mut traces: Vec<Vec<Row>> = Vec::new();
    for line in text(folder, results).lines().skip(1) {
        let (run, rest) = line.split_once(',').expect("a row");
        let run: usize = run.parse().expect("a run's number");
        assert!(run + 1 == traces.len() || run == traces.len(), "runs stand in their order: {line}");
        traces.resize(run + 1, Vec::new());
        traces[run].push(rest.split(',').map(str::to_owned).collect());
    }
    traces
}

fn number(field: &str) -> f64 {
    field.parse().expect("a number")
}

fn run(folder: &TestFolder, out: &str, arguments: &[&[&str]]) -> String {
    folder.run(&[&["--out", out], arguments.concat().as_slice()].concat())
}

#[test]
fn one_thread_and_two_write_the_same_traces() {
    let folder = TestFolder::new("[20, 60]", 3);
    for trace in [IMPROVEMENTS, EVERY_5] {
        run(&folder, "one", &[&trace, &["--jobs", "1", "--fresh"]]);
        run(&folder, "two", &[&trace, &["--jobs", "2", "--fresh"]]);
        let [one, two] = ["one", "two"].map(|out| fs::read(folder.path(out).join("trace.csv.gz")).expect("a trace"));
        assert_eq!(text(&folder, "one"), text(&folder, "two"));
        assert_eq!(one, two, "compressed, too");
        assert_eq!(traces(&folder, "one").len(), 2 * 8 * 3, "every run has one");
    }
}

#[test]
fn recording_a_trace_changes_no_run() {
    let folder = TestFolder::new("[20, 60]", 2);
    folder.run(&["--out", "none"]);
    for trace in [IMPROVEMENTS, EVERY_5] {
        run(&folder, "traced", &[&trace, &["--fresh"]]);
        assert_eq!(folder.rows("none"), folder.rows("traced"));
    }
    assert!(!folder.path("none/trace.csv.gz").exists());
}

#[test]
fn improvements_are_strict_and_end_with_the_best_of_the_run() {
    let folder = TestFolder::new("[20, 60]", 2);
    run(&folder, "out", &[&IMPROVEMENTS]);
    assert!(text(&folder, "out").starts_with("run,evaluations,generation,best_fitness\n0,1,0,"));
    let (best, to_best) = (folder.column("out", "best_fitness"), folder.column("out", "evaluations_to_best"));
    for (run, trace) in traces(&folder, "out").iter().enumerate() {
        for pair in trace.windows(2) {
            assert!(number(&pair[0][0]) < number(&pair[1][0]), "run {run}: evaluations rise");
            assert!(number(&pair[0][2]) > number(&pair[1][2]), "run {run}: fitnesses fall");
        }
        let last = &trace[trace.len() - 1];
        assert_eq!((&last[2], &last[0]), (&best[run], &to_best[run]), "run {run}");
    }
}

#[test]
fn populations_are_described_every_so_many_generations() {
    let folder = TestFolder::new("[20, 60]", 2);
    run(&folder, "out", &[&EVERY_5]);
    let best = folder.column("out", "best_fitness");
    let mut n_described = 0;
    for (run, trace) in traces(&folder, "out").iter().enumerate() {
        let (last, earlier) = trace.split_last().expect("a point");
        assert_eq!(last[2], best[run], "run {run}");
        let is_described = |row: &Row| !row[3].is_empty();
        let described: Vec<&Row> = trace.iter().filter(|row| is_described(row)).collect();
        assert!(earlier.iter().all(is_described), "run {run}: only the last may be an improvement in between");
        for (at, row) in described.iter().enumerate() {
            assert_eq!(number(&row[1]), 5.0 * (at + 1) as f64, "run {run}");
            assert!(number(&row[3]) >= number(&row[2]), "run {run}: the best is at least as good as the mean");
            assert!((0.0..1.0).contains(&number(&row[4])), "run {run}");
        }
        n_described += described.len();
    }
    assert!(n_described > 8);
}

#[test]
fn a_long_run_leaves_no_more_than_a_thousand_points() {
    let folder = TestFolder::new("[10]", 1);
    let long = ["--set", "budget.generations=5000", "--set", "budget.stagnation=5000"];
    run(&folder, "out", &[&long, &["--set", "record.trace.every=1"]]);
    let generations = folder.column("out", "generations");
    let best = folder.column("out", "best_fitness");
    assert!(generations.iter().any(|generations| number(generations) > 2000.0), "some run is long: {generations:?}");
    for (run, trace) in traces(&folder, "out").iter().enumerate() {
        assert!(trace.len() <= 1000, "run {run}: {}", trace.len());
        let n_seen = number(&generations[run]);
        assert!(trace.len() as f64 >= n_seen.min(499.0), "run {run}: {} of {n_seen}", trace.len());
        assert_eq!(trace[trace.len() - 1][2], best[run], "run {run}");
    }
}

#[test]
fn runs_done_without_a_trace_are_reported_and_kept() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--out", "out"]);
    let messages = run(&folder, "out", &[&IMPROVEMENTS]);
    assert_eq!(number_before(&messages, " runs done"), 0, "a trace is not part of a run's identity: {messages}");
    assert!(
        messages.contains(
            "warning: the trace of 8 earlier runs is missing, or was not recorded as this experiment requires"
        ),
        "{messages}"
    );
    assert!(traces(&folder, "out").is_empty());

    let messages = run(&folder, "out", &[&IMPROVEMENTS, &["--fresh"]]);
    assert!(!messages.contains("warning"), "{messages}");
    assert_eq!(traces(&folder, "out").len(), 8);
    let messages = run(&folder, "out", &[&EVERY_5]);
    assert!(
        messages.contains("the trace of 8 earlier runs is missing, or was not recorded as this experiment requires"),
        "another trace is not this one: {messages}"
    );

    folder.run(&["--out", "out"]);
    assert!(!folder.path("out/trace.csv.gz").exists(), "an old one is removed");
    let messages = run(&folder, "out", &[&IMPROVEMENTS]);
    assert!(!messages.contains("warning"), "the journal has kept them: {messages}");
    assert_eq!(traces(&folder, "out").len(), 8);
}

#[test]
fn a_record_table_that_means_nothing_is_refused_before_anything_runs() {
    let folder = TestFolder::new("[20]", 1);
    let experiment = folder.read("test.toml");
    for (lines, place, expected) in [
        ("trace = \"improvement\"", ":17:9", "did you mean `improvements`?"),
        ("trace = true", ":17:9", "`trace` is true or false"),
        ("trace = 10", ":17:9", "`trace` is a whole number"),
        ("trace = {}", ":17:9", "`record.trace.every` is missing"),
        ("trace = { every = 0 }", ":17:19", "expected a whole number of at least 1"),
        ("trace = { every = -3 }", ":17:19", "expected a whole number of at least 1"),
        ("trace = { every = 2.5 }", ":17:19", "expected a whole number of at least 1"),
        ("trace = { evry = 2 }", ":17:11", "did you mean `every`?"),
        ("traces = \"none\"", ":17:1", "did you mean `trace`?"),
    ] {
        folder.write("test.toml", format!("{experiment}\n[record]\n{lines}\n"));
        let messages = folder.run_to(2, &[]);
        assert!(messages.contains(expected) && messages.contains(&format!("test.toml{place}")), "{lines}: {messages}");
        assert!(!folder.path("results").exists(), "{lines}: nothing is written");
    }
    folder.write("test.toml", format!("{experiment}\n[record]\ntrace = \"none\"\n"));
    folder.run(&[]);
    assert!(!folder.path("results/test/trace.csv.gz").exists());
}
