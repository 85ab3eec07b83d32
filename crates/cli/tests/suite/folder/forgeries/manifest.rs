//! Forgeries of the manifest, with the journal and all files brought into line wherever that can be done.

use serde_json::{Value, json};

use super::forger::Forger;
use super::{
    Forgery,
    Verdict::{Beyond, Found},
};

pub(crate) const FORGERIES: &[Forgery] = &[
    (
        "another seed",
        |forger| experiment(forger, "/seed", json!(2)),
        Found("unfinished: 0 of 15 runs are in the journal"),
    ),
    ("more repetitions", |forger| experiment(forger, "/repetitions", json!(2)), Found("unfinished: 15 of 30 runs")),
    ("other seeding", |forger| experiment(forger, "/seeding", json!("independent")), Found("unfinished: 0 of 15 runs")),
    ("an easier board under the name of a hard one", ease_board, Found("unfinished: 12 of 15 runs")),
    ("a value of the grid relabelled", relabel, Found("unfinished: 10 of 15 runs are in the journal")),
    (
        "another setting of an algorithm",
        |forger| experiment(forger, "/algorithms/1/base/population", json!(30)),
        Found("unfinished: 10 of 15 runs"),
    ),
    (
        "another budget",
        |forger| experiment(forger, "/algorithms/1/base/budget/generations", json!(20)),
        Found("unfinished: 10 of 15 runs"),
    ),
    (
        "the settings for people",
        describe_otherwise,
        Found("manifest.json: the `settings` of `cerv` are not those of its plan"),
    ),
    (
        "fewer runs planned",
        |forger| fact(forger, "/runs/planned", json!(12)),
        Found("`runs.planned` is 12, and should be 15"),
    ),
    (
        "more runs present",
        |forger| fact(forger, "/runs/present", json!(99)),
        Found("`runs.present` is 99, and should be 15"),
    ),
    (
        "failures said that are none",
        |forger| fact(forger, "/runs/failed", json!(1)),
        Found("`runs.failed` is 1, and should be 0"),
    ),
    (
        "instances said to be unused",
        |forger| fact(forger, "/all_instances_used", json!(false)),
        Found("`all_instances_used` is false, and should be true"),
    ),
    (
        "a dependence on speed",
        |forger| fact(forger, "/depends_on_speed", json!(true)),
        Found("`depends_on_speed` is true, and should be false"),
    ),
    (
        "another build at the top",
        |forger| fact(forger, "/evogrid/build", json!("ab")),
        Found("`evogrid` is not what its last session says"),
    ),
    (
        "another machine in the sessions",
        |forger| fact(forger, "/sessions/0/host", json!("x")),
        Found("it names a session that is not the one beside the journal"),
    ),
    (
        "another processor beside the journal",
        |forger| forger.session(|session| session["processor"] = json!("x")),
        Found("it names a session that is not the one beside the journal"),
    ),
    ("a session added", add_session, Found("it names a session that is not the one beside the journal")),
    (
        "the results of another version",
        |forger| fact(forger, "/evogrid/results_version", json!(99)),
        Found("is of results version 99"),
    ),
    ("no trace asked for, and the file left", leave_trace, Found("trace.csv.gz is there, and no run has a trace")),
    ("build, machine and version, everywhere", rename_build, Beyond("nothing is wrong")),
    ("another title and file", rename_experiment, Beyond("nothing is wrong")),
    ("the names of two boards swapped", swap_names, Beyond("nothing is wrong")),
    ("the buckets of two boards swapped", swap_buckets, Beyond("nothing is wrong")),
    ("the names of two algorithms swapped", swap_algorithms, Beyond("nothing is wrong")),
    ("a board left out, with its runs", leave_board_out, Beyond("nothing is wrong")),
    ("an algorithm left out, with its runs", leave_algorithm_out, Beyond("nothing is wrong")),
    (
        "a value of the grid left out, and its runs left",
        leave_value_out,
        Beyond("5 runs are in the journal and not in the plan"),
    ),
    ("a combination excluded, with its runs", exclude, Beyond("nothing is wrong")),
    ("boards of the data set said to be left out", leave_boards_out, Beyond("nothing is wrong")),
    ("traces that were never asked for", forget_traces, Beyond("nothing is wrong")),
    ("everything made anew with another seed", run_with_another_seed, Beyond("nothing is wrong")),
];

/// Changes the experiment, and has all files made of it.
fn experiment(forger: &Forger, pointer: &str, value: Value) {
    forge(forger, |experiment| *experiment.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value);
}

fn forge(forger: &Forger, change: impl FnOnce(&mut Value)) {
    forger.manifest(|manifest| change(&mut manifest["experiment"]));
    forger.remake();
}

/// Changes what the manifest says beside its experiment.
fn fact(forger: &Forger, pointer: &str, value: Value) {
    forger.manifest(|manifest| *manifest.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value);
}

fn ease_board(forger: &Forger) {
    forge(forger, |experiment| {
        let mut content = experiment["instances"][4]["content"].as_str().expect("text").to_owned();
        // One digit more is given.
        let solution = "3";
        let at = content.rfind('.').expect("a free position");
        content.replace_range(at..=at, solution);
        experiment["instances"][4]["content"] = json!(content);
    });
}

fn leave_boards_out(forger: &Forger) {
    forge(forger, |experiment| experiment["instances_left_out"] = json!(3));
}

fn relabel(forger: &Forger) {
    experiment(forger, "/algorithms/0/varied/0/points/0/0", json!(30));
}

fn describe_otherwise(forger: &Forger) {
    forger.manifest(|manifest| manifest["experiment"]["algorithms"][1]["settings"]["population"] = json!(2000));
}

fn add_session(forger: &Forger) {
    forger.manifest(|manifest| {
        let mut session = manifest["sessions"][0].clone();
        session["host"] = json!("another");
        manifest["sessions"].as_array_mut().expect("a list").insert(0, session);
    });
}

fn leave_trace(forger: &Forger) {
    forger.manifest(|manifest| manifest["experiment"]["record"]["trace"] = json!("none"));
}

fn rename_build(forger: &Forger) {
    for name in ["host", "processor", "toolchain", "started"] {
        forger.session(|session| session[name] = json!("another"));
    }
    forger.session(|session| session["evogrid"]["build"] = json!("another"));
    forger.remake();
}

fn rename_experiment(forger: &Forger) {
    forge(forger, |experiment| {
        (experiment["title"], experiment["file"]) = (json!("Better than all"), json!("other.toml"));
    });
}

fn swap(forger: &Forger, list: &str, [one, other]: [usize; 2], name: &str) {
    forge(forger, |experiment| {
        let values = [one, other].map(|at| experiment[list][at][name].clone());
        (experiment[list][one][name], experiment[list][other][name]) = (values[1].clone(), values[0].clone());
    });
}

/// Brings the names in the records into line with the manifest.
fn rename_records(forger: &Forger, name: &str, [one, other]: [&str; 2]) {
    forger.records(|records| {
        for record in records {
            let swapped = match record[name].as_str() {
                Some(value) if value == one => other,
                Some(value) if value == other => one,
                _ => continue,
            };
            record[name] = json!(swapped);
        }
    });
    forger.remake();
}

fn swap_names(forger: &Forger) {
    swap(forger, "instances", [0, 4], "id");
    rename_records(forger, "instance", ["easy-01", "expert-01"]);
}

fn swap_buckets(forger: &Forger) {
    swap(forger, "instances", [2, 4], "bucket");
    rename_records(forger, "bucket", ["medium", "expert"]);
}

fn swap_algorithms(forger: &Forger) {
    swap(forger, "algorithms", [0, 1], "name");
    rename_records(forger, "algorithm", ["huke", "cerv"]);
}

fn leave_board_out(forger: &Forger) {
    forge(forger, |experiment| drop(experiment["instances"].as_array_mut().expect("a list").remove(4)));
    forger.records(|records| records.retain(|record| record["instance"] != "expert-01"));
    forger.remake();
}

fn leave_algorithm_out(forger: &Forger) {
    forge(forger, |experiment| drop(experiment["algorithms"].as_array_mut().expect("a list").remove(1)));
    forger.records(|records| records.retain(|record| record["algorithm"] != "cerv"));
    forger.remake();
}

fn leave_value_out(forger: &Forger) {
    forge(forger, |experiment| {
        let points = &mut experiment["algorithms"][0]["varied"][0]["points"];
        points.as_array_mut().expect("a list").pop();
    });
}

fn exclude(forger: &Forger) {
    forge(forger, |experiment| experiment["algorithms"][0]["excluded"] = json!([{ "population": 40 }]));
    forger.records(|records| records.retain(|record| record["settings"]["population"] != 40));
    forger.remake();
}

fn forget_traces(forger: &Forger) {
    forge(forger, |experiment| experiment["record"]["trace"] = json!("none"));
    forger.records(|records| {
        for record in records {
            record.as_object_mut().expect("an object").remove("trace");
        }
    });
    forger.remake();
}

fn run_with_another_seed(forger: &Forger) {
    let others = forger.records_of_seed(7);
    forger.records(|records| *records = others);
    experiment(forger, "/seed", json!(7));
}
