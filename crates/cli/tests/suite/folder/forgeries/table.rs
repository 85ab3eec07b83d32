//! The forgeries, one a row: its name, what is changed, and what `verify` says then.

use serde_json::{Value, json};

use super::Forgery;
use super::Verdict::{Beyond, Found};
use super::forger::{column_of, is_solved, is_unsolved, list, solve_with, swap};

const NO_SESSION: &str = "manifest.json names a session that has no file next to the journal";

#[rustfmt::skip]
pub(super) const FORGERIES: &[Forgery] = &[
    // The files that are made of the journal: each is found, whatever stands in it, since it is rebuilt.
    ("algorithms swapped in runs.csv", |f| f.text("runs.csv", |text| swapped(&text, ",huke,", ",cerv,")),
        Found("runs.csv:2: column `algorithm` is `cerv`, expected `huke`")),
    ("settings swapped in runs.csv", |f| f.text("runs.csv", |text| swapped(&text, ",huke,20,", ",huke,40,")),
        Found("column `population` is `40`, expected `20`")),
    ("another instance", |f| f.field("runs.csv", 1, "instance", "easy-04"), Found("`easy-04`, expected `easy-01`")),
    ("another bucket", |f| f.field("runs.csv", 5, "bucket", "easy"), Found("column `bucket` is `easy`, expected `expert`")),
    ("another problem", |f| f.field("runs.csv", 1, "problem", "tour"), Found("column `problem`")),
    ("another wall time", |f| f.field("runs.csv", 3, "wall_ms", "0.001"), Found("column `wall_ms` is `0.001`")),
    ("another processor time", |f| f.field("runs.csv", 3, "cpu_ms", "9999.000"), Found("column `cpu_ms` is `9999.000`")),
    ("another number of a run", |f| f.field("runs.csv", 3, "run", "7"), Found("column `run` is `7`, expected `2`")),
    ("another id", |f| f.field("runs.csv", 3, "run_id", "r0123456789abcdef"), Found("column `run_id`")),
    ("another seed", |f| f.field("runs.csv", 3, "seed", "1"), Found("column `seed` is `1`")),
    ("another repetition", |f| f.field("runs.csv", 3, "repetition", "1"), Found("column `repetition` is `1`")),
    ("an unsolved run solved", |f| f.field("runs.csv", 2, "solved", "true"), Found("column `solved` is `true`")),
    ("another objective", |f| f.field("runs.csv", 2, "objective", "1.0"), Found("column `objective` is `1.0`")),
    ("another fitness", |f| f.field("runs.csv", 2, "fitness", "missing"), Found("column `fitness` is `missing`")),
    ("another best fitness", |f| f.field("runs.csv", 2, "best_fitness", "1.0"), Found("column `best_fitness` is `1.0`")),
    ("another unit", |f| f.field("runs.csv", 2, "unit", "nodes"), Found("column `unit` is `nodes`")),
    ("fewer evaluations", |f| f.field("runs.csv", 1, "evaluations", "10"), Found("column `evaluations` is `10`")),
    ("fewer generations", |f| f.field("runs.csv", 1, "generations", "1"), Found("column `generations` is `1`")),
    ("another reason to stop", |f| f.field("runs.csv", 2, "stop", "failed"), Found("column `stop` is `failed`")),
    ("unsolved rows removed", |f| f.rows("runs.csv", |rows| {
        let solved = column_of(rows, "solved");
        rows.retain(|row| row[solved] != "false");
    }), Found("runs.csv:3: column `run` is `2`, expected `1`")),
    ("the last rows removed", |f| f.rows("runs.csv", |rows| rows.truncate(14)), Found("runs.csv:15: the file \
        ends before this line")),
    ("all rows removed", |f| f.rows("runs.csv", |rows| rows.truncate(1)), Found("runs.csv:2: the file ends before \
        this line")),
    ("rows doubled", |f| f.rows("runs.csv", |rows| rows.extend_from_within(1..)), Found("runs.csv:17: unexpected line")),
    ("rows in another order", |f| f.rows("runs.csv", |rows| rows[1..].reverse()), Found("runs.csv:2: column `run` is `14`")),
    ("a column removed", |f| f.rows("runs.csv", |rows| {
        let fitness = column_of(rows, "fitness");
        rows.iter_mut().for_each(|row| drop(row.remove(fitness)));
    }), Found("runs.csv:1: the columns are ")),
    ("a column added", |f| f.rows("runs.csv", |rows| {
        rows.iter_mut().enumerate().for_each(|(at, row)| row.push(["remark", ""][at.min(1)].to_owned()));
    }), Found("runs.csv:1: the columns are ")),
    ("other line ends", |f| f.text("runs.csv", |text| text.replace('\n', "\r\n")), Found("runs.csv:1: ")),
    ("the summary removed", |f| f.remove("summary.csv"), Found("summary.csv is missing")),
    ("a higher rate in the summary", |f| f.field("summary.csv", 1, "solved", "5"), Found("summary.csv:2: column `solved` is ")),
    ("a narrower interval in the summary", |f| f.field("summary.csv", 1, "success_low", "0.399"),
        Found("summary.csv:2: column `success_low` is `0.")),
    ("a row of the summary removed", |f| f.rows("summary.csv", |rows| drop(rows.remove(1))), Found("summary.csv:2: column `bucket` is ")),
    ("another type of a column", |f| f.text("csv-metadata.json", |text| text.replacen("boolean", "string", 1)), Found("csv-metadata.json:")),
    ("the trace replaced", |f| f.bytes("trace.csv.gz", |bytes| *bytes = b"x\n".to_vec()), Found("trace.csv.gz:1: cannot read the line")),
    ("the trace removed", |f| f.remove("trace.csv.gz"), Found("trace.csv.gz is missing")),
    ("a point of the trace changed", |f| f.trace(|rows| "1.0".clone_into(rows[1].last_mut().expect("a field"))),
        Found("trace.csv.gz:2: column `best_fitness` is `1.0`")),
    ("points of the trace removed", |f| f.trace(|rows| *rows = rows.iter().step_by(2).cloned().collect()), Found("trace.csv.gz:")),
    ("more behind the end of the trace", |f| f.bytes("trace.csv.gz", |bytes| bytes.extend(b"more")), Found("cannot read the line")),

    // What stands in the journal and of which run it is, sealed again, and with all files rebuilt from it.
    ("a line changed and not sealed again", |f| f.text(f.journal(), |text| text.replacen("\"evaluations\":1", "\"evaluations\":2", 1)),
        Found("ignored a damaged line: checksum mismatch")),
    ("a line without its seal", |f| f.text(f.journal(), |text| unsealed(&text)), Found("ignored a damaged line: the line has no checksum")),
    ("a record removed", |f| f.records(|records| drop(records.remove(4))), Found("unfinished: 14 of 15 runs are in the journal")),
    ("the journal removed", |f| f.remove("journal"), Found("unfinished: 0 of 15 runs are in the journal")),
    ("unsolved runs removed", |f| f.records(|records| records.retain(is_solved)), Found("unfinished: 3 of 15 runs are in the journal")),
    ("unsolved runs removed, and the counts", |f| {
        f.records(|records| records.retain(is_solved));
        f.manifest(|manifest| (manifest["runs"]["planned"], manifest["all_instances_used"]) = (json!(3), json!(true)));
    }, Found("unfinished: 3 of 15 runs")),
    ("the seed of a record", |f| f.set("seed", json!(7)), Found("the seed is 7, but the planned run has ")),
    ("the repetition of a record", |f| f.set("repetition", json!(1)), Found("the repetition is 1, but the planned run has 0")),
    ("the problem of a record", |f| f.set("problem", json!("tour")), Found("the problem is `tour`")),
    ("settings swapped between records", |f| f.records(|records| swap(records, 0, 5, "settings")),
        Found("the settings, instance and seed of the record match run r")),
    ("a setting removed from a record", |f| f.unsolved(|record| remove(&mut record["settings"], "population")),
        Found("the settings, instance and seed of the record match ")),
    ("a setting added to a record", |f| f.unsolved(|record| record["settings"]["budget.target"] = json!(40.0)),
        Found("the settings, instance and seed of the record match ")),
    // Each keeps the id and the settings of its own run.
    ("outcomes swapped between two settings", |f| f.records(|records| (0..5).for_each(|at| {
        assert_eq!(records[at]["instance"], records[at + 5]["instance"]);
        records.swap(at, at + 5);
        ["run_id", "settings", "algorithm", "seed"].iter().for_each(|name| swap(records, at, at + 5, name));
    })), Found("repeated: ")),
    ("ids swapped between two records", |f| f.records(|records| swap(records, 0, 5, "run_id")),
        Found("the settings, instance and seed of the record match run r")),
    ("runs of other seeds in the place of unsolved ones", |f| f.lucky(&[]), Found("unfinished: ")),
    ("runs of other seeds under the ids of unsolved ones", |f| f.lucky(&["run_id", "seed"]), Found("repeated: ")),
    ("runs of other seeds, with ids and no seeds of theirs", |f| f.lucky(&["run_id"]), Found("the seed is ")),
    ("a second record with another outcome", |f| f.second(|record| record["evaluations"] = json!(7)),
        Found(" differ: `evaluations` is ")),
    ("a second record with other settings", |f| f.second(|record| record["settings"] = json!({})),
        Found(" differ: `settings` is ")),
    ("a second record with another trace", |f| f.second(|record| {
        record["trace"] = json!({ "trigger": "improvements", "points": [[1, 0, 99.0], [355, 17, 4.0]] });
    }), Found(" differ: `trace` is ")),
    ("a second record with another problem", |f| f.second(|record| record["problem"] = json!("tour")),
        Found(" differ: `problem` is ")),
    ("a forged record before the honest one, in a file of its own", |f| f.second_alone("0", |record| record["evaluations"] = json!(400)),
        Found(" differ: `evaluations` is ")),
    ("lucky runs added to the journal", |f| f.add("lucky", f.records_of_seeds(2..5).into_iter().filter(is_solved)),
        Beyond("are in the journal but not in the plan")),
    ("a record that was copied to another journal file", |f| f.second_alone("second", |_| ()), Beyond("that repeat an earlier record of the same run")),
    ("buckets swapped in records", |f| f.each(|record| record["bucket"] = json!("easy")), Beyond("recorded with another name or bucket")),
    ("algorithms renamed in records", |f| f.each(|record| record["algorithm"] = json!("best")), Beyond("nothing is wrong")),

    // How runs went, sealed again, and with all files rebuilt from them.
    ("an unsolved run called solved", |f| f.set("solved", json!(true)), Found("`solved` is true, but the stop reason is `generations`")),
    ("an unsolved run that reached the target", |f| f.unsolved(|record| {
        (record["solved"], record["stop"], record["objective"]) = (json!(true), json!("target"), json!(2.0));
    }), Found("the recorded solution is not valid: the solution has 2 digits missing; valid solutions have 0")),
    ("a solution of another board", |f| f.records(|records| {
        let solved = records.iter().find(|record| is_solved(record)).expect("one is").clone();
        let fits = |record: &&mut Value| is_unsolved(record) && record["instance"] != solved["instance"];
        let record = records.iter_mut().find(fits).expect("one is not");
        ["solved", "stop", "objective", "best_fitness", "solution", "trace", "evaluations", "evaluations_to_best"]
            .iter().for_each(|name| record[name] = solved[name].clone());
    }), Found("no solution: ")),
    ("the right solution, and fewer generations", |f| f.records(|records| {
        let n_forged = solve_with(records, |record, other| is_solved(other) && other["instance"] == record["instance"]);
        assert!(n_forged > 1);
    }), Found("repeated: ")),
    ("a solved run called unsolved", |f| f.solved(|record| (record["solved"], record["stop"]) = (json!(false), json!("generations"))),
        Found("the run is recorded as not solved, but its solution is valid")),
    ("a solution removed", |f| f.solved(|record| remove(record, "solution")), Found("the run is solved, but its solution is missing")),
    ("an objective changed", |f| f.set("objective", json!(1.0)), Found("the recorded solution has 2 digits missing, not 1")),
    ("a best fitness changed", |f| f.unsolved(|record| {
        record["best_fitness"] = json!(3.0);
        points(record).last_mut().expect("a point")[2] = json!(3.0);
    }), Found("the fitness of the recorded solution is 4, not 3")),
    ("a solution mirrored", |f| f.solved(|record| {
        record["solution"] = json!(record["solution"].as_str().expect("text").chars().rev().collect::<String>());
    }), Found("no solution: ")),
    ("a solution of another run, with its figures", |f| f.records(|records| {
        let n_forged = solve_with(records, |record, other| {
            ["instance", "algorithm"].iter().all(|name| other[name] == record[name])
                && other["objective"].as_f64() < record["objective"].as_f64()
        });
        assert!(n_forged > 0);
    }), Found("repeated: ")),
    ("fewer evaluations", |f| f.unsolved(|record| one_less(&mut record["evaluations"])), Found("repeated: evaluations was ")),
    ("fewer generations", |f| f.unsolved(|record| one_less(&mut record["generations"])), Found("repeated: generations was ")),
    ("more restarts", |f| f.set("restarts", json!(3)), Found("repeated: restarts was recorded as 3 and is now 0")),
    ("another reason to stop", |f| f.set("stop", json!("stagnation")), Found("repeated: stop was recorded as stagnation and is now generations")),
    ("the best found after the end", |f| f.set("evaluations_to_best", json!(99_999)), Found("`evaluations_to_best` is 99999, but the run made only ")),
    ("more evaluations than the budget has", |f| f.set("evaluations", json!(5001)), Found("the run made 5001 evaluations, but its budget allows 5000")),
    ("the end of a trace changed", |f| f.unsolved(|record| drop(points(record).pop())),
        Found("the last point of the trace does not match the run")),
    ("a trace that goes up", |f| f.unsolved(|record| points(record).reverse()), Found("in the trace, evaluations or generations decrease")),
    ("the middle of a trace changed", |f| f.unsolved(|record| drop(points(record).remove(1))), Found("repeated: trace was ")),
    ("changed times", |f| f.each(|record| record["wall_ms"] = json!(0.001)), Beyond("nothing is wrong")),
    ("the record of an unsolved run says that the run failed", |f| f.unsolved(|record| {
        ["solution", "trace"].iter().for_each(|name| remove(record, name));
        (record["stop"], record["message"]) = (json!("failed"), json!("out of memory"));
        (record["objective"], record["best_fitness"]) = (Value::Null, Value::Null);
    }), Beyond("1 run failed: they have no result")),
    ("traces removed from unsolved runs", |f| f.records(|records| {
        records.iter_mut().filter(|record| is_unsolved(record)).for_each(|record| remove(record, "trace"));
    }), Beyond("for 12 runs, the trace is missing")),

    // The manifest, with the journal and all files brought into line wherever that can be done.
    ("another seed", |f| f.plan("/seed", json!(2)), Found("unfinished: 0 of 15 runs are in the journal")),
    ("more repetitions", |f| f.plan("/repetitions", json!(2)), Found("unfinished: 15 of 30 runs")),
    ("other seeding", |f| f.plan("/seeding", json!("independent")), Found("unfinished: 0 of 15 runs")),
    // One digit more is given.
    ("an easier board under the name of a hard one", |f| f.experiment(|experiment| {
        let content = &mut experiment["instances"][4]["content"];
        let (before, after) = content.as_str().expect("text").rsplit_once('.').expect("a free position");
        *content = json!(format!("{before}3{after}"));
    }), Found("unfinished: 12 of 15 runs")),
    ("a value of the grid relabelled", |f| f.plan("/algorithms/0/varied/0/points/0/0", json!(30)),
        Found("unfinished: 10 of 15 runs are in the journal")),
    ("another setting of an algorithm", |f| f.plan("/algorithms/1/base/population", json!(30)), Found("unfinished: 10 of 15 runs")),
    ("another budget", |f| f.plan("/algorithms/1/base/budget/generations", json!(20)), Found("unfinished: 10 of 15 runs")),
    ("the settings for people", |f| f.fact("/experiment/algorithms/1/settings/population", json!(2000)),
        Found("manifest.json: the `settings` of `cerv` differ from the settings in the plan")),
    ("fewer runs planned", |f| f.fact("/runs/planned", json!(12)), Found("`runs.planned` is 12, but should be 15")),
    ("more runs present", |f| f.fact("/runs/present", json!(99)), Found("`runs.present` is 99, but should be 15")),
    ("failures said that are none", |f| f.fact("/runs/failed", json!(1)), Found("`runs.failed` is 1, but should be 0")),
    ("instances said to be unused", |f| f.fact("/all_instances_used", json!(false)), Found("`all_instances_used` is false, but should be true")),
    ("a dependence on speed", |f| f.fact("/depends_on_speed", json!(true)), Found("`depends_on_speed` is true, but should be false")),
    ("another build at the top", |f| f.fact("/evogrid/build", json!("ab")), Found("`evogrid` differs from its value in the last session")),
    ("another machine in the sessions", |f| f.fact("/sessions/0/host", json!("x")), Found(NO_SESSION)),
    ("another processor beside the journal", |f| f.session("/processor", json!("x")), Found(NO_SESSION)),
    ("a session added", |f| f.manifest(|manifest| {
        let mut session = manifest["sessions"][0].clone();
        session["host"] = json!("another");
        list(&mut manifest["sessions"]).insert(0, session);
    }), Found(NO_SESSION)),
    ("the results of another version", |f| f.fact("/evogrid/results_version", json!(99)), Found("has results version 99")),
    ("no trace asked for, and the file left", |f| f.fact("/experiment/record/trace", json!("none")),
        Found("trace.csv.gz exists, but no run of the journal has a trace")),
    ("build, machine and version changed in all places", |f| {
        ["/host", "/processor", "/toolchain", "/started", "/evogrid/build"].iter().for_each(|fact| f.session(fact, json!("another")));
        f.remake();
    }, Beyond("nothing is wrong")),
    ("another title and file name", |f| f.experiment(|experiment| {
        (experiment["title"], experiment["file"]) = (json!("Better than all"), json!("other.toml"));
    }), Beyond("nothing is wrong")),
    ("the names of two boards swapped", |f| f.swap_names("instances", [0, 4], "id", "instance"), Beyond("nothing is wrong")),
    ("the buckets of two boards swapped", |f| f.swap_names("instances", [2, 4], "bucket", "bucket"), Beyond("nothing is wrong")),
    ("the names of two algorithms swapped", |f| f.swap_names("algorithms", [0, 1], "name", "algorithm"), Beyond("nothing is wrong")),
    ("a board left out together with its runs", |f| {
        f.experiment(|experiment| drop(list(&mut experiment["instances"]).remove(4)));
        f.records(|records| records.retain(|record| record["instance"] != "expert-01"));
    }, Beyond("nothing is wrong")),
    ("an algorithm left out together with its runs", |f| {
        f.experiment(|experiment| drop(list(&mut experiment["algorithms"]).remove(1)));
        f.records(|records| records.retain(|record| record["algorithm"] != "cerv"));
    }, Beyond("nothing is wrong")),
    ("a value that was removed from the grid, although the journal still has the runs with this value",
        |f| f.experiment(|experiment| drop(list(&mut experiment["algorithms"][0]["varied"][0]["points"]).pop())),
        Beyond("5 runs are in the journal but not in the plan")),
    ("a combination excluded together with its runs", |f| {
        f.experiment(|experiment| experiment["algorithms"][0]["excluded"] = json!([{ "population": 40 }]));
        f.records(|records| records.retain(|record| record["settings"]["population"] != 40));
    }, Beyond("nothing is wrong")),
    ("a manifest that wrongly says that boards of the data set were left out", |f| f.experiment(|experiment| experiment["instances_left_out"] = json!(3)),
        Beyond("nothing is wrong")),
    ("added traces, although the experiment does not ask for traces", |f| {
        f.plan("/record/trace", json!("none"));
        f.each(|record| remove(record, "trace"));
    }, Beyond("nothing is wrong")),
    ("all runs and files made again with another seed", |f| {
        f.sealed(|records| *records = f.records_of_seeds(7..8));
        f.plan("/seed", json!(7));
    }, Beyond("nothing is wrong")),
];

fn swapped(text: &str, one: &str, other: &str) -> String {
    text.replace(one, ",T,").replace(other, one).replace(",T,", other)
}

/// A journal whose first line has no checksum, and says something else.
fn unsealed(text: &str) -> String {
    let line = text.lines().next().expect("a line");
    let (record, _) = line.rsplit_once(",\"crc32\"").expect("a seal");
    text.replacen(line, &format!("{record}}}").replacen("\"evaluations\":1", "\"evaluations\":", 1), 1)
}

fn remove(value: &mut Value, name: &str) {
    drop(value.as_object_mut().expect("an object").remove(name));
}

fn points(record: &mut Value) -> &mut Vec<Value> {
    list(&mut record["trace"]["points"])
}

fn one_less(count: &mut Value) {
    *count = json!(count.as_u64().expect("a count") - 1);
}
