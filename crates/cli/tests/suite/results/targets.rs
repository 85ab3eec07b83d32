//! Targets and limits after the runs: what a trace says of a run is what the run with that target or limit would have been.

use crate::test_folder::TestFolder;

/// A folder with flow shops and an experiment `flow.toml` of two searches.
fn flow_shops() -> TestFolder {
    let folder = TestFolder::empty();
    folder.outputs(0, &["init", "flow", "--problem", "flowshop"]);
    folder
}

fn run(folder: &TestFolder, out: &str, sets: &[&str]) -> String {
    let mut arguments = vec!["run", "flow.toml", "--out", out];
    ["experiment.repetitions=2", "budget.evaluations=3000"]
        .iter()
        .chain(sets)
        .for_each(|set| arguments.extend(["--set", set]));
    folder.outputs(0, &arguments).1
}

/// The columns of a table, without those that are empty.
fn columns(folder: &TestFolder, arguments: &[&str]) -> Vec<Vec<String>> {
    let text = folder.outputs(0, &[&["table", "--format", "csv"], arguments].concat()).0;
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let column = |at: usize| rows.iter().map(|row| row[at].to_owned()).collect::<Vec<_>>();
    (0..rows[0].len()).map(column).filter(|column| column[1..].iter().any(|value| !value.is_empty())).collect()
}

/// Compares what is known of truncated runs with the same figures of runs that ended there. Returns the number of columns.
fn assert_same(folder: &TestFolder, truncated: &[&str], ended: &str) -> usize {
    let (found, expected) = (columns(folder, truncated), columns(folder, &[ended]));
    for column in &found {
        assert!(expected.contains(column), "{truncated:?}: {column:?}");
    }
    found.len()
}

#[test]
fn a_target_set_afterwards_gives_the_figures_of_runs_that_had_it() {
    let folder = flow_shops();
    run(&folder, "plain", &[]);
    for (target, setting) in [("gap=2", "budget.target_gap=2"), ("objective=1300", "budget.target=1300")] {
        run(&folder, "ended", &[setting, "record.trace=none"]);
        assert!(assert_same(&folder, &["plain", "--target", target], "ended") > 10);
        std::fs::remove_dir_all(folder.path("ended")).expect("a folder");
    }
    // Of searches that judge one solution after the other: a group of moves that the limit cuts is judged as a whole.
    folder.change("flow.toml", |text| {
        let (start, rest) = text.split_once("[algorithms.iterated-greedy]").expect("an algorithm");
        let (_, genetic) = rest.split_once("[algorithms.genetic]").expect("another one");
        format!("{start}[algorithms.genetic]{genetic}")
    });
    run(&folder, "genetic", &[]);
    run(&folder, "ended", &["budget.evaluations=500", "record.trace=none"]);
    assert!(assert_same(&folder, &["genetic", "--until-evaluations", "500"], "ended") > 9);
}

#[test]
fn every_command_says_that_the_target_was_set_afterwards() {
    let folder = flow_shops();
    run(&folder, "plain", &[]);
    let said = "The target was set after the runs: a gap of 2 % or less.";
    let unwrapped = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for command in ["table", "compare"] {
        let (printed, _) = folder.outputs(0, &[command, "plain", "--target", "gap=2"]);
        assert!(unwrapped(printed).contains(said), "{command}");
    }
    let charts = ["--chart", "ecdf", "--chart", "targets", "--format", "vega", "--out", "charts"];
    let (_, notes) = folder.outputs(0, &[&["plot", "plain", "--target", "gap=2"][..], &charts].concat());
    assert_eq!(notes.matches(said).count(), 2, "{notes}");
    folder.outputs(0, &["report", "plain", "--target", "gap=2", "--out", "page.html"]);
    assert!(folder.read("page.html").contains("The target was set after the runs"));
    // Times are those of whole runs.
    let (printed, _) = folder.outputs(0, &["table", "plain", "--target", "gap=2", "--format", "csv"]);
    let header: Vec<&str> = printed.lines().next().expect("a header").split(',').collect();
    let at = header.iter().position(|name| *name == "mean ms of solved").expect("a column");
    assert!(printed.lines().skip(1).all(|line| line.split(',').nth(at) == Some("")), "{printed}");
}

#[test]
fn what_cannot_be_judged_is_refused() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--out", "boards", "--set", "record.trace=improvements"]);
    folder.run(&["--out", "untraced"]);
    let refused = |arguments: &[&str]| folder.refused(2, arguments);
    let told = [
        refused(&["table", "boards", "--target", "length=3"]),
        refused(&["table", "untraced", "--target", "fitness=0"]),
        refused(&["table", "boards", "--target", "gap=1"]),
    ]
    .join("\n");
    insta::assert_snapshot!(told);
    // The boards' own target is a fitness of 0, so that nothing changes.
    let [own, afterwards] = [&["table", "boards"][..], &["table", "boards", "--target", "fitness=0"]]
        .map(|arguments| columns(&folder, &arguments[1..]));
    assert!(afterwards.iter().all(|column| own.contains(column)) && afterwards.len() > 6);
}

#[test]
fn improvements_are_recorded_where_no_run_ends_at_a_target() {
    let folder = flow_shops();
    let is_traced = |out: &str| folder.path(out).join("trace.csv.gz").exists();
    run(&folder, "plain", &[]);
    assert!(is_traced("plain"));
    assert!(folder.read("plain/manifest.json").contains("\"trace_by_default\": true"));
    run(&folder, "none", &["record.trace=none"]);
    run(&folder, "ended", &["budget.target_gap=2"]);
    run(&folder, "varied", &["algorithms.genetic.grid={ \"budget.target_gap\" = [1, 2] }"]);
    assert!(!is_traced("none") && !is_traced("ended") && !is_traced("varied"));
    assert_eq!(folder.rows("plain"), folder.rows("none"), "a trace changes no run");

    // What was done without a trace is kept, and nothing is said about it where nobody asked for one.
    let messages = run(&folder, "none", &[]);
    assert!(messages.contains("0 runs done, 48 found in the journal") && !messages.contains("warning"), "{messages}");
    let message = folder.refused(2, &["plot", "none", "--chart", "convergence"]);
    assert!(message.contains("the trace does not contain these runs"), "{message}");
    let (verified, _) = folder.outputs(0, &["verify", "none"]);
    assert!(!verified.contains("the trace is missing"), "{verified}");
}

#[test]
fn many_runs_have_no_trace_unless_it_is_asked_for() {
    let folder = flow_shops();
    // 3 configurations on 8 instances: 20,016 runs, of which a shard does one in ten thousand.
    let traced = |repetitions: &str| {
        let set = format!("experiment.repetitions={repetitions}");
        folder.outputs(0, &["run", "flow.toml", "--out", repetitions, "--shard", "1/10000", "--set", &set]);
        folder.read(format!("{repetitions}/manifest.json")).contains("\"trace\": \"improvements\"")
    };
    assert_eq!([traced("833"), traced("834")], [true, false]);
}
