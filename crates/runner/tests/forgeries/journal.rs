//! Forgeries of the journal, sealed again, and with all files made anew of it.

use std::fs;

use serde_json::{Value, json};

use crate::forger::{Forger, is_solved, is_unsolved};
use crate::{
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
    ("an unsolved run called solved", call_solved, Found("`solved` is true, and it stopped for `generations`")),
    (
        "an unsolved run that reached the target",
        call_target,
        Found("no solution: it has 2 digits missing, and a solution 0"),
    ),
    ("a solution of another board", take_solution, Found("no solution: ")),
    ("the right solution, and fewer generations", solve_all_but_the_run, Found("done again: ")),
    ("a solved run called unsolved", call_unsolved, Found("its solution is one, and it is not solved")),
    ("a solution removed", remove_solution, Found("it is solved and has no solution")),
    ("an objective changed", change_objective, Found("its solution has 2 digits missing, not 1")),
    ("a best fitness changed", change_fitness, Found("the fitness of its solution is 4, not 3")),
    ("a solution mirrored", mirror_solution, Found("no solution: ")),
    ("a solution of another run, with its figures", take_outcome, Found("done again: ")),
    ("fewer evaluations", fewer_evaluations, Found("done again: evaluations was ")),
    ("fewer generations", fewer_generations, Found("done again: generations was ")),
    ("more restarts", more_restarts, Found("done again: restarts was 3, now 0")),
    ("another reason to stop", other_reason, Found("done again: stop was stagnation, now generations")),
    ("the best found after the end", best_after_end, Found("it found the best after 99999 of ")),
    ("the end of a trace changed", change_end_of_trace, Found("its trace does not end with its best fitness")),
    ("a trace that goes up", reverse_trace, Found("its trace goes back, or its best fitness up")),
    ("the middle of a trace changed", change_middle_of_trace, Found("done again: trace was ")),
    ("the seed of a record", |forger| set(forger, "seed", json!(7)), Found("its seed is 7, and that of the run ")),
    (
        "the repetition of a record",
        |forger| set(forger, "repetition", json!(1)),
        Found("its repetition is 1, and that of the run 0"),
    ),
    ("the problem of a record", |forger| set(forger, "problem", json!("tour")), Found("its problem is `tour`")),
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
        |forger| set_all(forger, "bucket", json!("easy")),
        Beyond("recorded under another name or bucket"),
    ),
    ("algorithms renamed in records", |forger| set_all(forger, "algorithm", json!("best")), Beyond("nothing is wrong")),
    ("times changed", |forger| set_all(forger, "wall_ms", json!(0.001)), Beyond("nothing is wrong")),
    ("an unsolved run called failed", call_failed, Beyond("1 run failed: nothing is known of them")),
    (
        "traces removed from unsolved runs",
        remove_traces,
        Beyond("no trace, or one of other moments, was recorded of 12 runs"),
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

/// Changes some record, and has all files made of it.
fn forge(forger: &Forger, fits: impl Fn(&Value) -> bool, change: impl FnOnce(&mut Value)) {
    forger.record(fits, change);
    forger.remake();
}

fn set(forger: &Forger, name: &str, value: Value) {
    forge(forger, is_unsolved, |record| record[name] = value);
}

fn set_all(forger: &Forger, name: &str, value: Value) {
    forger.records(|records| records.iter_mut().for_each(|record| record[name] = value.clone()));
    forger.remake();
}

fn call_solved(forger: &Forger) {
    set(forger, "solved", json!(true));
}

fn call_target(forger: &Forger) {
    forge(forger, is_unsolved, |record| {
        (record["solved"], record["stop"], record["objective"]) = (json!(true), json!("target"), json!(2.0));
    });
}

/// A solved run in another cell on the same board.
fn solved_elsewhere(records: &[Value], record: &Value) -> Option<Value> {
    records.iter().find(|other| is_solved(other) && other["instance"] == record["instance"]).cloned()
}

fn take_solution(forger: &Forger) {
    forger.records(|records| {
        let solved = records.iter().find(|record| is_solved(record)).expect("one is").clone();
        let fits = |record: &&mut Value| is_unsolved(record) && record["instance"] != solved["instance"];
        let record = records.iter_mut().find(fits).expect("one is not");
        for name in
            ["solved", "stop", "objective", "best_fitness", "solution", "trace", "evaluations", "evaluations_to_best"]
        {
            record[name] = solved[name].clone();
        }
    });
    forger.remake();
}

/// The record of an unsolved run becomes that of a solved one, with figures that fit, and its own identity.
fn solve_with(records: &mut [Value], solved_of: impl Fn(&[Value], &Value) -> Option<Value>) -> usize {
    let before = records.to_vec();
    let mut n_forged = 0;
    for record in records.iter_mut().filter(|record| is_unsolved(record)) {
        let Some(solved) = solved_of(&before, record) else { continue };
        n_forged += 1;
        for name in [
            "solved",
            "stop",
            "objective",
            "best_fitness",
            "solution",
            "trace",
            "evaluations",
            "evaluations_to_best",
            "generations",
            "restarts",
        ] {
            record[name] = solved[name].clone();
        }
    }
    n_forged
}

fn solve_all_but_the_run(forger: &Forger) {
    forger.records(|records| assert!(solve_with(records, solved_elsewhere) > 1));
    forger.remake();
}

fn call_unsolved(forger: &Forger) {
    forge(forger, is_solved, |record| (record["solved"], record["stop"]) = (json!(false), json!("generations")));
}

fn remove_solution(forger: &Forger) {
    forge(forger, is_solved, |record| drop(record.as_object_mut().expect("an object").remove("solution")));
}

fn change_objective(forger: &Forger) {
    set(forger, "objective", json!(1.0));
}

fn change_fitness(forger: &Forger) {
    forge(forger, is_unsolved, |record| {
        record["best_fitness"] = json!(3.0);
        let points = record["trace"]["points"].as_array_mut().expect("points");
        points.last_mut().expect("a point")[2] = json!(3.0);
    });
}

fn mirror_solution(forger: &Forger) {
    forge(forger, is_solved, |record| {
        let solution: String = record["solution"].as_str().expect("text").chars().rev().collect();
        record["solution"] = json!(solution);
    });
}

fn take_outcome(forger: &Forger) {
    forger.records(|records| {
        let better = |records: &[Value], record: &Value| {
            let fits = |other: &&Value| {
                other["instance"] == record["instance"]
                    && other["algorithm"] == record["algorithm"]
                    && other["objective"].as_f64() < record["objective"].as_f64()
            };
            records.iter().find(fits).cloned()
        };
        assert!(solve_with(records, better) > 0);
    });
    forger.remake();
}

fn fewer_evaluations(forger: &Forger) {
    forge(forger, is_unsolved, |record| {
        record["evaluations"] = json!(record["evaluations"].as_u64().expect("a count") - 1);
    });
}

fn fewer_generations(forger: &Forger) {
    forge(forger, is_unsolved, |record| {
        record["generations"] = json!(record["generations"].as_u64().expect("a count") - 1);
    });
}

fn more_restarts(forger: &Forger) {
    set(forger, "restarts", json!(3));
}

fn other_reason(forger: &Forger) {
    set(forger, "stop", json!("stagnation"));
}

fn best_after_end(forger: &Forger) {
    set(forger, "evaluations_to_best", json!(99_999));
}

fn change_trace(forger: &Forger, change: impl FnOnce(&mut Vec<Value>)) {
    forge(forger, is_unsolved, |record| change(record["trace"]["points"].as_array_mut().expect("points")));
}

fn change_end_of_trace(forger: &Forger) {
    change_trace(forger, |points| drop(points.pop()));
}

fn reverse_trace(forger: &Forger) {
    change_trace(forger, |points| points.reverse());
}

fn change_middle_of_trace(forger: &Forger) {
    change_trace(forger, |points| drop(points.remove(1)));
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
        drop(record["settings"].as_object_mut().expect("an object").remove("population"))
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
    lucky_runs(forger, |record, lucky| record.clone_from(lucky));
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

fn call_failed(forger: &Forger) {
    forge(forger, is_unsolved, |record| {
        let members = record.as_object_mut().expect("an object");
        members.remove("solution");
        members.remove("trace");
        (record["stop"], record["message"]) = (json!("failed"), json!("out of memory"));
        (record["objective"], record["best_fitness"]) = (Value::Null, Value::Null);
    });
}

fn remove_traces(forger: &Forger) {
    forger.records(|records| {
        for record in records.iter_mut().filter(|record| is_unsolved(record)) {
            record.as_object_mut().expect("an object").remove("trace");
        }
    });
    forger.remake();
}
