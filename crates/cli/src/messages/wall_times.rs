//! Notes on wall times: how they were measured, and whether the machine did other work at the same time. Every output that shows wall times
//! shows these notes.

use std::collections::BTreeSet;

use evogrid_analysis::summary::{ALL_BUCKETS, Figure, Summary};
use serde_json::{Value, json};

use super::template::rendered;
use evogrid_runner::engine::timing::each_core;
use evogrid_runner::external::is_program;
use evogrid_runner::system::numbers::counted;

/// If wall time divided by processor time is at least this number, the runs waited for other processes or resources.
const MOST_WALL_A_CPU: f64 = 1.1;

/// A machine counts as loaded if its load average exceeds the number of its cores by this much. The average also counts processes that
/// waited only for a moment.
const EXCESS_LOAD: f64 = 0.5;

/// A machine counts as loaded if more than this share of its processor time was stolen.
const MOST_STOLEN: f64 = 0.01;

/// Notes about the wall times of these runs.
pub(crate) fn notes(summary: &Summary, manifest: Option<&Value>) -> Vec<String> {
    let sessions = sessions(manifest);
    let n_timed = sessions.iter().filter(|session| session["timing"].is_object()).count();
    let is_mixed = 0 < n_timed && n_timed < sessions.len();
    let processors: BTreeSet<&str> = sessions.iter().filter_map(|session| session["processor"].as_str()).collect();
    let ratio = wall_a_cpu(summary, manifest).filter(|&ratio| ratio > MOST_WALL_A_CPU);
    let values = json!({
        "is_all_timed": n_timed > 0 && !is_mixed,
        "has_cpu_times": summary.rows.iter().any(|row| row.figures[Figure::MeanCpuMs].is_some()),
        "is_mixed": is_mixed,
        "done": done(&sessions, true).zip(done(&sessions, false)),
        "processors": processors,
        "evidence": evidence(&sessions),
        "ratio": ratio.map(|ratio| format!("{ratio:.1}")),
        "cores": each_core(timed_cores(&sessions).unwrap_or(1)),
    });
    rendered!("wall_times/notes.txt", values).lines().map(str::to_owned).collect()
}

/// The sessions of a manifest that did runs. A manifest without a list of sessions has the facts of its only session at the top.
fn sessions(manifest: Option<&Value>) -> Vec<&Value> {
    let Some(manifest) = manifest else { return Vec::new() };
    let listed = manifest["sessions"].as_array().filter(|sessions| !sessions.is_empty());
    listed.map_or_else(|| vec![manifest], |sessions| sessions.iter().filter(|one| one["done"] != 0).collect())
}

/// The wall time of all runs divided by their processor time. Runs of external programs do not count, since a program may wait for
/// anything.
fn wall_a_cpu(summary: &Summary, manifest: Option<&Value>) -> Option<f64> {
    let algorithms = manifest.and_then(|manifest| manifest["experiment"]["algorithms"].as_array());
    let programs: Vec<&Value> =
        algorithms.into_iter().flatten().filter(|one| is_program(&one["settings"])).map(|one| &one["name"]).collect();
    let rows = summary
        .rows
        .iter()
        .filter(|row| row.bucket == ALL_BUCKETS && !programs.iter().any(|name| **name == row.algorithm));
    let both = rows.filter_map(|row| row.figures[Figure::WallMsBesideCpu].zip(row.figures[Figure::CpuMsBesideWall]));
    let (wall_ms, cpu_ms) = both.fold((0.0, 0.0), |sum, row| (sum.0 + row.0, sum.1 + row.1));
    (cpu_ms > 0.0).then(|| wall_ms / cpu_ms)
}

/// A sign that a machine was loaded: its strength, and its description.
type Sign = (f64, String);

/// For each kind of sign, the strongest sign that a machine was loaded.
fn evidence(sessions: &[&Value]) -> Vec<String> {
    let signs: [fn(&Value) -> Option<Sign>; 3] = [runs_beside_each_other, load, stolen];
    let worst = signs.into_iter().filter_map(|sign| {
        let found = sessions.iter().filter_map(|session| sign(session));
        found.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, words)| words)
    });
    let mut evidence: Vec<String> = worst.collect();
    let n_loaded = sessions.iter().filter(|session| signs.iter().any(|sign| sign(session).is_some())).count();
    if 0 < n_loaded && n_loaded < sessions.len() {
        evidence.push(format!("in {n_loaded} of {} sessions", sessions.len()));
    }
    evidence
}

/// The sign that there were more simultaneous runs than cores.
fn runs_beside_each_other(session: &Value) -> Option<Sign> {
    let jobs = session["jobs"].as_u64()?;
    let at_a_time = session["done"].as_u64().map_or(jobs, |done| done.min(jobs));
    let (usable, granted) = (session["topology"]["usable_cores"].as_u64(), session["cores"].as_u64());
    let kind = if usable.is_some() { "physical core" } else { "core" };
    let cores = usable.into_iter().chain(granted).min().filter(|&cores| cores > 0)?;
    (at_a_time > cores).then(|| {
        (at_a_time as f64 / cores as f64, format!("{at_a_time} simultaneous runs on {}", counted(cores, kind)))
    })
}

/// The sign that there were more runnable processes than cores. The sign is ignored if there were more simultaneous runs than cores.
fn load(session: &Value) -> Option<Sign> {
    let cores = session["topology"]["cores"].as_u64().filter(|&cores| cores > 0)?;
    let averages = [&session["load_average"], &session["at_end"]["load_average"]].into_iter().filter_map(Value::as_f64);
    let load = averages.reduce(f64::max).filter(|&load| load > cores as f64 + EXCESS_LOAD)?;
    let words = format!("load average {load:.1} on {}", counted(cores, "physical core"));
    runs_beside_each_other(session).is_none().then(|| (load / cores as f64, words))
}

/// The sign that the host of a virtual machine gave processor time to other machines.
fn stolen(session: &Value) -> Option<Sign> {
    let share = session["at_end"]["stolen_share"].as_f64().filter(|&share| share > MOST_STOLEN)?;
    Some((share, format!("other virtual machines used {:.1} % of the processor time", 100.0 * share)))
}

/// The number of runs of the sessions with or without `--timing`; `None` if a session does not record its number.
fn done(sessions: &[&Value], is_timed: bool) -> Option<u64> {
    let mut counts =
        sessions.iter().filter(|one| one["timing"].is_object() == is_timed).map(|one| one["done"].as_u64());
    counts.try_fold(0u64, |sum, done| sum.checked_add(done?))
}

/// The number of cores that timed runs had at the same time, if this number was the same in all sessions.
fn timed_cores(sessions: &[&Value]) -> Option<u64> {
    let first = sessions.first()?;
    let is_same = sessions.iter().all(|one| one["timing"]["pinned"] == true && one["jobs"] == first["jobs"]);
    first["jobs"].as_u64().filter(|_| is_same)
}

#[cfg(test)]
mod tests {
    use evogrid_results::runs::Reader;
    use serde_json::json;

    use super::*;

    /// Two runs of a search and one run of a program, with these wall times in milliseconds. The processor time of each run is 10 ms.
    fn summary(search_ms: f64, program_ms: f64) -> Summary {
        let csv = format!(
            "algorithm,instance,solved,wall_ms,cpu_ms\nsearch,a,true,{search_ms},10\nsearch,b,false,{search_ms},10\nprogram,a,true,{program_ms},10\n"
        );
        Summary::from_runs(Reader::new("runs.csv", csv.as_bytes()).expect("columns")).expect("rows")
    }

    /// The notes on sessions.
    fn said(search_ms: f64, sessions: &Value) -> String {
        let algorithms = &json!([
            { "name": "search", "settings": { "kind": "any" } },
            { "name": "program", "settings": { "kind": "external" } },
        ]);
        let manifest = json!({ "experiment": { "algorithms": algorithms }, "sessions": sessions });
        notes(&summary(search_ms, 500.0), Some(&manifest)).join("\n")
    }

    fn session(jobs: u64, load: &Value, stolen: &Value, timing: &Value) -> Value {
        json!({
            "jobs": jobs, "done": 40, "cores": 8, "topology": { "cores": 4, "usable_cores": 4 }, "timing": timing,
            "load_average": load, "at_end": { "load_average": 1.0, "stolen_share": stolen },
        })
    }

    #[test]
    fn a_loaded_machine_is_named_with_what_shows_it() {
        let calm = || session(4, &json!(4.4), &json!(0.01), &Value::Null);
        let unknown = json!("unknown");
        assert_eq!(said(11.0, &json!([calm()])), "");
        insta::assert_snapshot!(said(18.0, &json!([calm()])), @"Wall time is 1.8 times processor time, because runs waited for other processes or resources: compare processor times (`runner compare --metric cpu_ms`), or measure again with `runner run --timing --fresh`.");
        insta::assert_snapshot!(said(18.0, &json!([session(8, &json!(8.0), &unknown, &Value::Null)])), @"Wall times were measured on a loaded machine (8 simultaneous runs on 4 physical cores; wall time is 1.8 times processor time): compare processor times (`runner compare --metric cpu_ms`), or measure again with `runner run --timing --fresh`.");
        insta::assert_snapshot!(said(10.0, &json!([session(2, &json!(5.72), &unknown, &Value::Null), calm()])), @"Wall times were measured on a loaded machine (load average 5.7 on 4 physical cores; in 1 of 2 sessions): compare processor times (`runner compare --metric cpu_ms`), or measure again with `runner run --timing --fresh`.");
        insta::assert_snapshot!(said(10.0, &json!([session(2, &unknown, &json!(0.034), &Value::Null)])), @"Wall times were measured on a loaded machine (other virtual machines used 3.4 % of the processor time): compare processor times (`runner compare --metric cpu_ms`), or measure again with `runner run --timing --fresh`.");
        let few = json!([{ "jobs": 8, "done": 3, "cores": 4 }]);
        assert_eq!(said(10.0, &few), "", "no more at a time than there are");
    }

    #[test]
    fn how_times_were_measured_is_said() {
        let timed = |load| session(2, &json!(load), &json!(0.0), &json!({ "pinned": true }));
        let other = || session(2, &json!(1.0), &json!(0.0), &Value::Null);
        insta::assert_snapshot!(said(10.0, &json!([timed(1.0), timed(2.0)])), @"Times were measured with `--timing`: one run at a time, on each of 2 physical cores.");
        insta::assert_snapshot!(said(10.0, &json!([timed(6.0)])), @"Wall times were measured on a loaded machine, despite `--timing` (load average 6.0 on 4 physical cores): measure again while the machine does nothing else, or compare processor times (`runner compare --metric cpu_ms`).");
        insta::assert_snapshot!(said(10.0, &json!([timed(1.0), other(), other()])), @"Times were measured in two ways (40 runs with `--timing` and 80 without): repeat all runs with `--fresh` to make them comparable.");
        let [here, there] = ["A 1", "B\u{1b}2"].map(|name| json!({ "processor": name }));
        insta::assert_snapshot!(said(10.0, &json!([here, there, here])), @r"Times were measured on 2 kinds of processors (A 1, B\u{1b}2): repeat all runs on one of them with `--fresh` to make them comparable.");
        let killed = json!({ "jobs": 2, "done": null, "timing": null, "at_end": null });
        insta::assert_snapshot!(said(10.0, &json!([timed(1.0), killed])), @"Times were measured in two ways (some runs with `--timing` and others without): repeat all runs with `--fresh` to make them comparable.");
    }

    #[test]
    fn of_what_lacks_all_that_only_the_runs_speak() {
        let old = json!([{ "jobs": 2, "done": 40, "cores": 2, "started": "2026-01-01T00:00:00Z" }]);
        assert_eq!(said(10.0, &old), "");
        insta::assert_snapshot!(said(10.0, &json!([{ "jobs": 4, "done": 40, "cores": 2 }])), @"Wall times were measured on a loaded machine (4 simultaneous runs on 2 cores): compare processor times (`runner compare --metric cpu_ms`), or measure again with `runner run --timing --fresh`.");
        insta::assert_snapshot!(notes(&summary(18.0, 10.0), None).join("\n"), @"Wall time is 1.5 times processor time, because runs waited for other processes or resources: compare processor times (`runner compare --metric cpu_ms`), or measure again with `runner run --timing --fresh`.");
        assert!(notes(&summary(10.0, 10.0), None).is_empty());
        // The folder of another person may contain anything.
        for strange in [
            json!(7),
            json!([7, null, "x"]),
            json!([{ "jobs": -1, "cores": 0, "topology": [], "timing": "x", "at_end": 5 }]),
        ] {
            assert_eq!(said(10.0, &strange), "");
        }
    }
}
