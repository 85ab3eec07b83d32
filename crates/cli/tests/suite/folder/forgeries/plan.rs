//! Forgeries of what a run should be, which follows from the plan alone: settings as a record spells them, records that say less, names and
//! values of the manifest, and experiments of which a part is unknown.

use serde_json::{Value, json};

use super::Forgery;
use super::Verdict::{Beyond, Found};
use super::forger::{Forger, is_solved, is_unsolved, list};

/// Of the folder with boards.
#[rustfmt::skip]
pub(super) const OF_BOARDS: &[Forgery] = &[
    // A record spells its settings otherwise, and has the same identity.
    ("a limit of time that is none, and a solution that is none", |f| f.unsolved(|record| {
        record["settings"]["budget.seconds"] = json!("none");
        (record["solved"], record["stop"]) = (json!(true), json!("target"));
    }), Found("the recorded solution is not valid: the solution has 2 digits missing")),
    ("a target that is none, and a solution that is none", |f| f.unsolved(|record| {
        record["settings"]["budget.target"] = json!("none");
        (record["solved"], record["stop"]) = (json!(true), json!("target"));
    }), Found("the recorded solution is not valid: the solution has 2 digits missing")),
    ("a limit of time that is none, and fewer generations", |f| f.unsolved(|record| {
        record["settings"]["budget.seconds"] = json!("none");
        record["generations"] = json!(39);
    }), Found("repeated: generations was recorded as 39")),
    ("a limit of processor time that is none, and fewer evaluations", |f| f.unsolved(|record| {
        record["settings"]["budget.cpu_seconds"] = json!("none");
        record["evaluations"] = json!(record["evaluations"].as_u64().expect("a count") - 1);
    }), Found("repeated: evaluations was ")),
    ("a second record with another outcome, both with a limit of time that is none", |f| {
        f.unsolved(|record| record["settings"]["budget.seconds"] = json!("none"));
        f.second(|record| record["evaluations"] = json!(7));
    }, Found(" differ: `evaluations` is ")),

    // A record says less than a run does.
    ("objective and solution taken out", |f| f.unsolved(say_less), Found("the run has a best fitness, but its solution is missing")),
    ("an objective taken out", |f| f.set("objective", Value::Null), Found("the recorded solution has 2 digits missing, but the objective of the run is missing")),
    ("objective, solution, best fitness and trace taken out", |f| f.unsolved(|record| {
        say_less(record);
        record["best_fitness"] = Value::Null;
        drop(record.as_object_mut().expect("an object").remove("trace"));
    }), Found("repeated: best_fitness was recorded as none")),
    ("objectives and solutions removed from unsolved runs, together with the session file", |f| {
        f.sealed(|records| records.iter_mut().filter(|record| is_unsolved(record)).for_each(say_less));
        std::fs::remove_file(f.journal().with_extension("session.json")).expect("it is there");
        f.remake();
    }, Beyond("recorded without solution and objective, as before version 0.2.0")),
    ("a false record with less information, placed before the honest record", |f| f.second_alone("0", say_less), Beyond("that repeat an earlier record of the same run")),
    ("the same false record with a session", |f| {
        std::fs::write(f.journal().with_file_name("0.session.json"), "{}").expect("it is written");
        f.second_alone("0", say_less);
    }, Beyond("that repeat an earlier record of the same run")),
    ("a record before the honest one that says less, and its row", |f| {
        f.second_alone("0", say_less);
        f.field("runs.csv", 1, "objective", "");
    }, Found("runs.csv:2: column `objective` is ``")),

    // Names and values of the manifest.
    ("best known values that were invented", |f| f.experiment(|experiment| {
        let instances = list(&mut experiment["instances"]).iter_mut();
        instances.for_each(|instance| instance["best_known"] = json!({ "status": "best", "value": 30.0 }));
    }), Beyond("the best known value was 30")),
    ("an optimum that was invented", |f| f.experiment(|experiment| {
        experiment["instances"][4]["best_known"] = json!({ "status": "optimal", "value": 30.0 });
    }), Found("below the optimum 30")),
    ("a board twice, under two names", |f| f.experiment(|experiment| double(&mut experiment["instances"], |board| board["id"] = json!("other"))),
        Found(" of `huke` already occurs on line ")),
    ("a value of the grid twice", |f| f.experiment(|experiment| double(&mut experiment["algorithms"][0]["varied"][0]["points"], |_| ())),
        Found(" of `huke` already occurs on line ")),
    ("an algorithm twice", |f| f.experiment(|experiment| double(&mut experiment["algorithms"], |_| ())), Found("two instances or two algorithms have the name `huke`")),
    ("an algorithm repeated under another name", |f| f.experiment(|experiment| {
        double(&mut experiment["algorithms"], |algorithm| algorithm["name"] = json!("other"));
    }), Beyond("nothing is wrong")),
    ("two boards under one name", |f| f.plan("/instances/1/id", json!("easy-01")), Found("two instances or two algorithms have the name `easy-01`")),
    ("two algorithms under one name", |f| f.plan("/algorithms/1/name", json!("huke")), Found("two instances or two algorithms have the name `huke`")),
    ("an axis over another", |f| vary(f, &[("mutation", json!({ "kind": "swap", "other": 0.9 })), ("mutation.other", json!(0.1))]),
        Found("`huke` varies `mutation.other` twice")),
    ("an axis below another", |f| vary(f, &[("mutation.other", json!(0.1)), ("mutation", json!({ "kind": "swap", "other": 0.9 }))]),
        Found("`huke` varies `mutation.other` twice")),
    ("an axis twice", |f| vary(f, &[("population", json!(20))]), Found("`huke` varies `population` twice")),
    ("an operator and its kind", |f| vary(f, &[("mutation", json!("swap")), ("mutation.kind", json!("insertion"))]),
        Found("`huke` varies `mutation.kind` twice")),

    // What says who did the runs.
    ("no sessions in the manifest", |f| f.fact("/sessions", json!([])), Found("the session of ")),
    ("no sessions in the manifest, and another machine", |f| f.manifest(|manifest| {
        (manifest["sessions"], manifest["host"], manifest["processor"]) = (json!([]), json!("cray"), json!("fast"));
    }), Found("does not occur in any session of the manifest")),
    ("no sessions anywhere, and a machine", |f| {
        std::fs::remove_file(f.journal().with_extension("session.json")).expect("it is there");
        f.fact("/sessions", json!([]));
    }, Found("does not occur in any session of the manifest")),

    // A part of the experiment is unknown.
    ("an unknown problem, and a row changed", |f| {
        f.field("runs.csv", 2, "solved", "true");
        f.fact("/experiment/instances/4/problem", json!("tour"));
    }, Found("differs from its record in the journal")),
    ("an unknown algorithm, and a row changed", |f| {
        f.field("runs.csv", 2, "evaluations", "1");
        f.fact("/experiment/algorithms/1/base/kind", json!("best"));
    }, Found("differs from its record in the journal")),
    ("an unknown problem, and a row of no record", |f| {
        f.field("runs.csv", 2, "run_id", "r0123456789abcdef");
        f.fact("/experiment/instances/4/problem", json!("tour"));
    }, Found("the journal has no record of r0123456789abcdef")),
    ("an unknown problem, and a record of a known one changed", |f| {
        f.set("objective", json!(1.0));
        f.fact("/experiment/instances/4/problem", json!("tour"));
    }, Found("the recorded solution has 2 digits missing, not 1")),
    ("an unknown problem, and a row twice", |f| {
        f.rows("runs.csv", |rows| rows.extend_from_within(1..2));
        f.fact("/experiment/instances/4/problem", json!("tour"));
    }, Found("already occurs on line ")),
];

/// Of the folder with flow shops, whose runs have a target by their gap.
#[rustfmt::skip]
pub(super) const OF_SHOPS: &[Forgery] = &[
    ("a target by a gap that was not reached", |f| f.unsolved(|record| (record["solved"], record["stop"]) = (json!(true), json!("target"))),
        Found("the run is recorded as solved, but its fitness is ")),
    ("a target by a gap that was reached", |f| f.solved(|record| (record["solved"], record["stop"]) = (json!(false), json!("evaluations"))),
        Found("the run is recorded as not solved, but its fitness is ")),
    ("a target, and nothing said of it", |f| f.set("solved", Value::Null), Found("the run had a target, but `solved` is missing")),
    ("a lower best known value of unsolved runs", |f| f.plan("/instances/0/best_known/value", json!(900.0)), Found("unfinished: ")),
];

/// Of the folder with tours, whose runs have no target.
#[rustfmt::skip]
pub(super) const OF_TOURS: &[Forgery] = &[
    ("a target that was never set", |f| f.records(|records| {
        (records[0]["solved"], records[0]["stop"]) = (json!(true), json!("target"));
    }), Found("the run had no target, but `solved` has a value")),
    ("a target that was never set, and not reached", |f| f.records(|records| records[0]["solved"] = json!(false)),
        Found("the run had no target, but `solved` has a value")),
    ("a best known value for an instance that had none", |f| f.experiment(|experiment| {
        experiment["instances"][0]["best_known"] = json!({ "status": "best", "value": 1.0 });
    }), Beyond("nothing is wrong")),
];

#[test]
fn what_is_not_known_as_a_whole_is_not_called_right_as_a_whole() {
    let honest = Forger::of(super::forger::BOARDS);
    for (place, value, n_runs) in
        [("/experiment/instances/4/problem", "tour", "12"), ("/experiment/algorithms/1/base/kind", "best", "10")]
    {
        let forger = honest.copy();
        forger.fact(place, json!(value));
        let (status, said) = forger.verified();
        assert!(status == Some(2) && said.starts_with(&format!("{n_runs} runs checked: ")), "{said}");
        assert!(said.ends_with("nothing is wrong in the part that could be checked\n"), "{said}");
        assert!(
            said.contains(&format!(
                "unknown {}",
                place.split('/').next_back().expect("a name").replace("kind", "algorithm")
            )),
            "{said}"
        );
    }
}

fn say_less(record: &mut Value) {
    assert!(!is_solved(record));
    drop(record.as_object_mut().expect("an object").remove("solution"));
    record["objective"] = Value::Null;
}

/// Adds the first of a list again, changed.
fn double(values: &mut Value, change: impl FnOnce(&mut Value)) {
    let mut second = values[0].clone();
    change(&mut second);
    list(values).push(second);
}

/// Adds axes of one point to the first algorithm.
fn vary(forger: &Forger, axes: &[(&str, Value)]) {
    forger.experiment(|experiment| {
        let axes = axes.iter().map(|(path, value)| json!({ "settings": [path], "points": [[value]] }));
        list(&mut experiment["algorithms"][0]["varied"]).extend(axes);
    });
}
