//! Forgeries of what stands in the journal and of which run it is, sealed again, and with all files made anew of it.

use std::fs;

use serde_json::{Value, json};

use super::forger::{Forger, forge, is_solved, is_unsolved, set, set_all};
use super::{
    Forgery,
    Verdict::{Beyond, Found},
};

pub(crate) const FORGERIES: &[Forgery] = &[
    (
        "a line changed and not sealed again",
        break_seal,
        Found("left out a damaged line: its checksum is that of other bytes"),
    ),
    ("a line without its seal", remove_seal, Found("left out a damaged line: it has no checksum")),
    ("a record removed", remove_record, Found("unfinished: 14 of 15 runs are in the journal")),
    ("the journal removed", remove_journal, Found("unfinished: 0 of 15 runs are in the journal")),
    ("unsolved runs removed", remove_unsolved, Found("unfinished: 3 of 15 runs are in the journal")),
    ("unsolved runs removed, and the counts", remove_unsolved_and_counts, Found("unfinished: 3 of 15 runs")),
    ("the seed of a record", |forger| set(forger, "seed", &json!(7)), Found("its seed is 7, and that of the run ")),
    (
        "the repetition of a record",
        |forger| set(forger, "repetition", &json!(1)),
        Found("its repetition is 1, and that of the run 0"),
    ),
    ("the problem of a record", |forger| set(forger, "problem", &json!("tour")), Found("its problem is `tour`")),
    ("settings swapped between records", swap_settings, Found("its settings, instance and seed are those of r")),
    ("a setting removed from a record", remove_setting, Found("its settings, instance and seed are those of ")),
    ("a setting added to a record", add_setting, Found("its settings, instance and seed are those of ")),
    ("outcomes swapped between two settings", swap_outcomes, Found("done again: ")),
    ("ids swapped between two records", swap_ids, Found("its settings, instance and seed are those of r")),
    ("runs of other seeds in the place of unsolved ones", take_lucky_runs, Found("unfinished: ")),
    ("runs of other seeds under the ids of unsolved ones", rename_lucky_runs, Found("done again: ")),
    ("runs of other seeds, with ids and no seeds of theirs", reseed_lucky_runs, Found("its seed is ")),
    (
        "a second record with another outcome",
        |forger| add(forger, "evaluations", json!(7)),
        Found(" disagree: `evaluations` is "),
    ),
    (
        "a second record with other settings",
        |forger| add(forger, "settings", json!({})),
        Found(" disagree: `settings` is "),
    ),
    (
        "a second record with another trace",
        |forger| add(forger, "trace", other_trace()),
        Found(" disagree: `trace` is "),
    ),
    (
        "a second record with another problem",
        |forger| add(forger, "problem", json!("tour")),
        Found(" disagree: `problem` is "),
    ),
    ("a forged record before the honest one, in a file of its own", precede, Found(" disagree: `evaluations` is ")),
    ("lucky runs added to the journal", add_lucky_runs, Beyond("are in the journal and not in the plan")),
    (
        "a record repeated under another file",
        repeat_record,
        Beyond("beside the first of their runs, which say the same"),
    ),
    (
        "buckets swapped in records",
        |forger| set_all(forger, "bucket", &json!("easy")),
        Beyond("recorded under another name or bucket"),
    ),
    (
        "algorithms renamed in records",
        |forger| set_all(forger, "algorithm", &json!("best")),
        Beyond("nothing is wrong"),
    ),
];

fn break_seal(forger: &Forger) {
    forger.text(forger.journal(), |text| text.replacen("\"evaluations\":1", "\"evaluations\":2", 1));
}

fn remove_seal(forger: &Forger) {
    forger.text(forger.journal(), |text| {
        let line = text.lines().next().expect("a line");
        let (record, _) = line.rsplit_once(",\"crc32\"").expect("a seal");
        text.replacen(line, &format!("{record}}}").replacen("\"evaluations\":1", "\"evaluations\":", 1), 1)
    });
}

fn remove_record(forger: &Forger) {
    forger.records(|records| drop(records.remove(4)));
    forger.remake();
}

fn remove_journal(forger: &Forger) {
    fs::remove_dir_all(forger.path("journal")).expect("it is there");
}

fn remove_unsolved(forger: &Forger) {
    forger.records(|records| records.retain(is_solved));
    forger.remake();
}

fn remove_unsolved_and_counts(forger: &Forger) {
    remove_unsolved(forger);
    forger.manifest(|manifest| {
        manifest["runs"]["planned"] = json!(3);
        manifest["all_instances_used"] = json!(true);
    });
}

fn swap_settings(forger: &Forger) {
    forger.records(|records| {
        let settings = [0, 5].map(|at| records[at]["settings"].clone());
        assert_ne!(settings[0], settings[1]);
        (records[0]["settings"], records[5]["settings"]) = (settings[1].clone(), settings[0].clone());
    });
    forger.remake();
}

fn remove_setting(forger: &Forger) {
    forge(forger, is_unsolved, |record| {
        drop(record["settings"].as_object_mut().expect("an object").remove("population"));
    });
}

fn add_setting(forger: &Forger) {
    forge(forger, is_unsolved, |record| record["settings"]["budget.target"] = json!(40.0));
}

/// Each keeps the id and the settings of its own run.
fn swap_outcomes(forger: &Forger) {
    forger.records(|records| {
        let (left, right) = records.split_at_mut(5);
        for (one, other) in left.iter_mut().zip(right) {
            assert_eq!(one["instance"], other["instance"]);
            std::mem::swap(one, other);
            for name in ["run_id", "settings", "algorithm", "seed"] {
                let (first, second) = (one[name].take(), other[name].take());
                (one[name], other[name]) = (second, first);
            }
        }
    });
    forger.remake();
}

fn swap_ids(forger: &Forger) {
    forger.records(|records| {
        let ids = [0, 5].map(|at| records[at]["run_id"].clone());
        (records[0]["run_id"], records[5]["run_id"]) = (ids[1].clone(), ids[0].clone());
    });
    forger.remake();
}

/// For each run that is not solved, one of another experiment's seeds that is, if there is one.
fn lucky_runs(forger: &Forger, mut take: impl FnMut(&mut Value, &Value)) {
    let others: Vec<Value> = (2..8).flat_map(|seed| forger.records_of_seed(seed)).collect();
    forger.records(|records| {
        let mut n_forged = 0;
        for record in records.iter_mut().filter(|record| is_unsolved(record)) {
            let fits = |other: &&Value| {
                is_solved(other) && ["instance", "algorithm", "settings"].iter().all(|name| other[name] == record[name])
            };
            if let Some(lucky) = others.iter().find(fits) {
                take(record, lucky);
                n_forged += 1;
            }
        }
        assert!(n_forged > 0, "some run is lucky");
    });
    forger.remake();
}

fn take_lucky_runs(forger: &Forger) {
    lucky_runs(forger, Value::clone_from);
}

fn rename_lucky_runs(forger: &Forger) {
    lucky_runs(forger, |record, lucky| {
        let own = [record["run_id"].take(), record["seed"].take()];
        record.clone_from(lucky);
        [record["run_id"], record["seed"]] = own;
    });
}

fn reseed_lucky_runs(forger: &Forger) {
    lucky_runs(forger, |record, lucky| {
        let own = record["run_id"].take();
        record.clone_from(lucky);
        record["run_id"] = own;
    });
}

fn add_lucky_runs(forger: &Forger) {
    let lucky: Vec<Value> = (2..5).flat_map(|seed| forger.records_of_seed(seed)).filter(is_solved).collect();
    forger.more_records("lucky.jsonl", &lucky);
    forger.remake();
}

/// Adds a second record of a run that differs in one member, with a session of its own.
fn add(forger: &Forger, name: &str, value: Value) {
    let mut second = Value::Null;
    forger.record(is_unsolved, |record| {
        record["wall_ms"] = json!(1.0);
        second = record.clone();
    });
    second[name] = value;
    forger.more_records("second.jsonl", &[second]);
    fs::write(forger.path("journal/second.session.json"), "{}").expect("it is written");
    forger.remake();
}

fn other_trace() -> Value {
    json!({ "trigger": "improvements", "points": [[1, 0, 99.0], [355, 17, 4.0]] })
}

fn precede(forger: &Forger) {
    let mut forged = Value::Null;
    forger.record(is_unsolved, |record| {
        record["wall_ms"] = json!(1.0);
        forged = record.clone();
    });
    forged["evaluations"] = json!(400);
    forger.more_records("0.jsonl", &[forged]);
    forger.remake();
}

fn repeat_record(forger: &Forger) {
    let mut second = Value::Null;
    forger.record(is_unsolved, |record| {
        record["wall_ms"] = json!(1.0);
        second = record.clone();
    });
    forger.more_records("second.jsonl", &[second]);
    forger.remake();
}
