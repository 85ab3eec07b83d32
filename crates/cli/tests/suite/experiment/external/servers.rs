//! `mode = "server"` and `mode = "json"`: one line a run on standard input, and the same answers in both.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;

use evogrid_core::budget::Stop;

use crate::test_folder::TestFolder;

/// A program in Python that answers lines with the module of this project. Its solution depends on nothing but the run.
const PROGRAM: &str = r#"
import os, random, sys, time
sys.path.insert(0, "MODULE")
from evogrid.program import serve

runs = 0

def solve(instance, seed, limits, settings, report):
    global runs
    runs += 1
    with open("starts", "a") as file:
        file.write("%d %d\n" % (os.getpid(), runs))
    behaviour = settings.get("behaviour", "good")
    print("this goes to standard error")
    if behaviour == "crash" and seed % 2:
        sys.exit(3)
    if behaviour == "hang" and seed % 2:
        time.sleep(1000)
    if behaviour == "wrong" and seed % 2:
        return {"evaluations": 1}
    chance = random.Random(seed)
    evaluations = chance.randrange(1, limits["evaluations"])
    report(1, 9.0)
    report(evaluations, 4.5)
    return {"best_fitness": 4.5, "evaluations": evaluations, "stop": "evaluations"}

serve(solve)
"#;

fn folder(mode: &str, more: &str) -> TestFolder {
    let folder = TestFolder::with_algorithms(&format!(
        "[algorithms.mine]\nkind = \"external\"\ncommand = \"python3 program.py\"\nmode = \"{mode}\"\n{more}\n"
    ));
    let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/src");
    let module = fs::canonicalize(module).expect("the module");
    folder.write("program.py", PROGRAM.replace("MODULE", module.to_str().expect("a path in UTF-8")));
    folder
}

/// The columns of `runs.csv` that a run's outcome decides.
fn outcomes(folder: &TestFolder) -> Vec<Vec<String>> {
    ["seed", "solved", "best_fitness", "evaluations", "evaluations_to_best", "stop"]
        .map(|column| folder.column("results/test", column))
        .to_vec()
}

/// The process and the number of the run in it, for each run that a program began.
fn starts(folder: &TestFolder) -> Vec<(u32, u32)> {
    let text = folder.read("starts");
    let numbers = |line: &str| {
        let (process, run) = line.split_once(' ').expect("two numbers");
        (process.parse().expect("a number"), run.parse().expect("a number"))
    };
    text.lines().map(numbers).collect()
}

#[test]
fn a_server_answers_as_a_process_for_each_run_does() {
    let [json, server] = ["json", "server"].map(|mode| folder(mode, ""));
    for folder in [&json, &server] {
        folder.run(&["--set", "experiment.repetitions=20", "--set", "record.trace=improvements", "--jobs", "2"]);
    }
    assert_eq!(outcomes(&json), outcomes(&server));
    assert!(starts(&json).iter().all(|&(_, run)| run == 1));
    let mut processes: Vec<u32> = starts(&server).iter().map(|&(process, _)| process).collect();
    processes.sort_unstable();
    processes.dedup();
    assert!(processes.len() <= 2, "one for each thread: {processes:?}");
    // The improvements that it reported are the trace.
    let traces: Vec<usize> =
        server.journal().iter().map(|record| record.trace.as_ref().map_or(0, |trace| trace.points.len())).collect();
    assert!(traces.iter().all(|&points| points == 2), "{traces:?}");
}

#[test]
fn a_run_that_ends_hangs_or_spoils_its_server_is_that_run_alone() {
    for (behaviour, message) in [
        ("crash", "the program ended with exit status 3"),
        ("hang", "the program did not answer within its `timeout` of 2 s, and was killed"),
        ("wrong", "contains neither `solution` nor `stop`"),
    ] {
        let folder = folder("server", &format!("parameters = {{ behaviour = \"{behaviour}\" }}\ntimeout = 2"));
        folder.report(&["run", "test.toml", "--set", "experiment.repetitions=6", "--jobs", "2"]);
        for record in folder.journal() {
            let is_odd = record.key.seed % 2 == 1;
            assert_eq!(record.outcome.stop == Stop::Failed, is_odd, "{behaviour}: {record:?}");
            assert_eq!(record.message.is_some_and(|told| told.contains(message)), is_odd, "{behaviour}");
        }
    }
}

#[test]
fn a_server_is_started_again_after_so_many_runs() {
    let folder = folder("server", "restart_after = 3");
    folder.run(&["--set", "experiment.repetitions=7", "--jobs", "1"]);
    let runs: Vec<u32> = starts(&folder).iter().map(|&(_, run)| run).collect();
    assert_eq!(runs, [1, 2, 3, 1, 2, 3, 1]);
}

#[test]
fn a_server_that_ends_between_runs_is_started_again_and_no_run_is_lost() {
    let folder = folder("server", "");
    // It ends after its second answer, before it reads a third line.
    let program = folder
        .read("program.py")
        .replace("serve(solve)", "import itertools\nserve(solve, itertools.islice(iter(sys.stdin.readline, ''), 2))");
    folder.write("program.py", program);
    folder.run(&["--set", "experiment.repetitions=5", "--jobs", "1"]);
    let runs: Vec<u32> = starts(&folder).iter().map(|&(_, run)| run).collect();
    assert_eq!(runs, [1, 2, 1, 2, 1]);
    assert!(folder.journal().iter().all(|record| record.message.is_none()));
}

#[test]
fn an_answer_too_many_is_found() {
    let folder = folder("server", "");
    let program = folder
        .read("program.py")
        .replace("    return {\"best", "    sys.__stdout__.write('{}\\n{}\\n')\n    return {\"best");
    folder.write("program.py", program);
    folder.report(&["run", "test.toml", "--set", "experiment.repetitions=2", "--jobs", "1"]);
    let is_told = |message: String| message.contains("more than one answer");
    let messages: Vec<_> = folder.journal().into_iter().map(|record| record.message).collect();
    assert!(messages.iter().cloned().all(|message| message.is_some_and(is_told)), "{messages:?}");
}

#[test]
fn an_exchange_is_shown_and_its_answer_is_accepted() {
    let folder = folder("json", "parameters = { rate = 0.5 }");
    let shown = folder.outputs(0, &["external", "show", "test.toml"]).0;
    assert!(!folder.path("starts").exists(), "nothing was started");
    let line = |name: &str| {
        let (_, rest) = shown.split_once(name).expect("a line of the answer");
        rest.lines().next().expect("its text").to_owned()
    };
    let run: serde_json::Value = serde_json::from_str(&line("standard input: ")).expect("JSON");
    assert_eq!((&run["limits"]["evaluations"], &run["settings"]["rate"]), (&100.into(), &0.5.into()), "{shown}");
    folder.write("answer", line("a valid answer: "));
    let experiment = folder.read("test.toml").replace("python3 program.py", "cat answer");
    folder.write("test.toml", experiment);
    folder.run(&[]);
    assert!(folder.refused(2, &["external"]).contains("show"), "the help of the command");
    let folder = TestFolder::with_algorithms("[algorithms.own]\nkind = \"random-search\"\n");
    let told = folder.refused(1, &["external", "show", "test.toml"]);
    assert!(told.contains("the experiment has no algorithm with `kind = \"external\"`"), "{told}");
}
