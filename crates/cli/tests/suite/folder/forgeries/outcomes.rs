//! Forgeries of how runs went, sealed again, and with all files made anew of them.

use serde_json::{Value, json};

use super::forger::{Forger, forge, is_solved, is_unsolved, set, set_all};
use super::{
    Forgery,
    Verdict::{Beyond, Found},
};

pub(crate) const FORGERIES: &[Forgery] = &[
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
    ("more evaluations than the budget has", more_evaluations, Found("it made 5001 evaluations of 5000 that it may")),
    ("the end of a trace changed", change_end_of_trace, Found("its trace does not end with its best fitness")),
    ("a trace that goes up", reverse_trace, Found("its trace goes back, or its best fitness up")),
    ("the middle of a trace changed", change_middle_of_trace, Found("done again: trace was ")),
    ("times changed", |forger| set_all(forger, "wall_ms", &json!(0.001)), Beyond("nothing is wrong")),
    ("an unsolved run called failed", call_failed, Beyond("1 run failed: nothing is known of them")),
    (
        "traces removed from unsolved runs",
        remove_traces,
        Beyond("no trace, or one of other moments, was recorded of 12 runs"),
    ),
];

fn call_solved(forger: &Forger) {
    set(forger, "solved", &json!(true));
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
    set(forger, "objective", &json!(1.0));
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
    set(forger, "restarts", &json!(3));
}

fn other_reason(forger: &Forger) {
    set(forger, "stop", &json!("stagnation"));
}

fn more_evaluations(forger: &Forger) {
    set(forger, "evaluations", &json!(5001));
}

fn best_after_end(forger: &Forger) {
    set(forger, "evaluations_to_best", &json!(99_999));
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
