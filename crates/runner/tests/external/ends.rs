//! Ends: programs that crash, hang, flood or are interrupted.

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use evogrid_core::budget::Stop;

use crate::bench::{Bench, SOLUTION};

#[test]
fn a_program_that_fails_is_a_record_with_its_message_and_the_others_go_on() {
    let flood = "i=0\nline=$(printf '%1000s')\nwhile [ $i -lt 100000 ]; do printf '%s' \"$line\"; i=$((i + 1)); done";
    let bench = Bench::of_scripts(&[
        ("crash", "echo first >&2; echo last >&2; exit 3"),
        ("killed", "kill -9 $$"),
        ("rubbish", "echo '{\"solution\": \"1\"'"),
        ("silent", "exit 0"),
        ("flood", flood),
        ("complaint", &format!("({flood}) >&2; echo the end >&2; exit 1")),
        ("good", &format!("echo '{{\"solution\": \"{SOLUTION}\"}}'")),
    ]);
    let records = bench.records();
    let message = |name: &str| {
        let record = &records[name];
        assert_eq!(
            (record.outcome.stop, record.outcome.solved, record.outcome.evaluations),
            (Stop::Failed, false, 0),
            "{name}"
        );
        record.message.clone().expect("a message")
    };
    insta::assert_snapshot!(message("crash"), @"
    the program ended with exit status 3
      on standard error: first
        last
    ");
    insta::assert_snapshot!(message("killed"), @"the program was killed by signal 9");
    insta::assert_snapshot!(message("rubbish"), @r#"
    the reply is no JSON (EOF while parsing an object at line 1 column 16): expected one JSON object, as in {"solution": "...", "evaluations": 100}
      the last line: {"solution": "1"
    "#);
    insta::assert_snapshot!(message("silent"), @"the program printed nothing: expected one line of JSON");
    insta::assert_snapshot!(message("flood"), @"the program printed over 1 MiB, and was killed: expected one line of JSON");
    let complaint = message("complaint");
    assert!(
        complaint.starts_with("the program ended with exit status 1\n") && complaint.ends_with("the end"),
        "{complaint}"
    );
    assert!(complaint.len() < 10_000, "{}", complaint.len());
    assert!(records["good"].outcome.solved);
}

#[test]
fn a_program_that_hangs_is_killed_with_all_that_it_started() {
    let bench =
        Bench::of_scripts(&[("hanger", "sleep 1000 &\necho $! > inner\necho $$ > outer\necho waiting >&2\nwait")]);
    let told = bench.run_with(&["--set", "timeout=3"], 1);
    assert!(told.contains("the program had not answered after 3 s, its `timeout`, and was killed"), "{told}");
    assert!(told.contains("on standard error: waiting"), "{told}");
    bench.expect_dead("inner");
    bench.expect_dead("outer");
}

#[test]
fn what_a_program_leaves_behind_holds_up_nothing_and_ends_with_it() {
    let leaver = format!("sleep 1000 &\necho $! > inner\necho '{{\"solution\": \"{SOLUTION}\"}}'");
    let bench = Bench::of_scripts(&[("leaver", &leaver)]);
    bench.run(0);
    bench.expect_dead("inner");
}

#[test]
fn a_process_that_left_the_group_of_its_program_holds_up_nothing() {
    let has_setsid = Command::new("setsid").arg("true").status().is_ok_and(|status| status.success());
    if !has_setsid {
        let _ = writeln!(std::io::stderr(), "skipped: there is no `setsid` here to leave a process group with");
        return;
    }
    // It holds both pipes open, and says more than anybody reads.
    let leaver = format!(
        "setsid sh -c 'echo $$ > half; mv half inner; while :; do echo noise >&2; done' &\n\
         while [ ! -e inner ]; do sleep 0.01; done\necho '{{\"solution\": \"{SOLUTION}\"}}'"
    );
    let bench = Bench::of_scripts(&[("leaver", &leaver)]);
    bench.run(0);
    let inner = bench.read("inner");
    let _ = Command::new("kill").args(["-9", inner.trim()]).status();
    assert!(bench.records()["leaver"].outcome.solved);
}

#[test]
fn the_end_of_the_budgets_time_is_no_failure_and_the_last_answer_counts() {
    let candidate = r#"echo '{"solution": "1243342121434312", "evaluations": 7, "stop": "time"}'"#;
    let bench = Bench::of_scripts(&[
        ("mute", "echo thinking; sleep 1000"),
        ("cut", "printf '{\"solution\": '; sleep 1000"),
        ("talker", &format!("{candidate}\nprintf '{{'\nsleep 1000")),
        ("solver", &format!("echo '{{\"solution\": \"{SOLUTION}\"}}'\nsleep 1000")),
    ]);
    bench.run_with(&["--set", "budget.seconds=3", "--jobs", "4"], 0);
    for record in bench.journal() {
        let (stop, best_fitness, evaluations) = match record.key.algorithm.as_str() {
            "talker" => (Stop::Time, Some(2.0), 7),
            "solver" => (Stop::Target, Some(0.0), 0),
            _ => (Stop::Time, None, 0),
        };
        let found = (record.outcome.stop, record.outcome.best_fitness, record.outcome.evaluations);
        assert_eq!(found, (stop, best_fitness, evaluations), "{}", record.key.algorithm);
    }
}

#[test]
fn nothing_that_a_program_says_steers_the_terminal() {
    let bench = Bench::of_scripts(&[("painter", "printf '\\033[31mred\\007\\n' >&2; exit 1")]);
    let told = bench.run(1);
    assert!(told.contains("[31mred") && !told.contains(['\x1b', '\x07']), "{told:?}");
}

#[test]
fn a_signal_ends_the_programs_in_flight_and_leaves_no_failure() {
    for (signal, status) in [("INT", 130), ("TERM", 143)] {
        let script = "sleep 1000 &\necho $! > inner-$1\necho $$ > half-$1; mv half-$1 outer-$1\nwait";
        let algorithm = "[algorithms.hanger]\nkind = \"external\"\ncommand = \"./hanger {number}\"\ngrid.\"parameters.number\" = [1, 2, 3]\n";
        let bench = Bench::new(algorithm);
        bench.script("hanger", script);
        let started = || bench.path("outer-1").exists() && bench.path("outer-2").exists();
        assert_eq!(signalled(&bench, &["run", "test.toml", "--jobs", "2"], started, signal), Some(status));
        ["inner-1", "outer-1", "inner-2", "outer-2"].iter().for_each(|name| bench.expect_dead(name));
        assert!(!bench.path("outer-3").exists(), "nothing is started any more");
        assert_eq!(bench.journal(), []);
    }
}

#[test]
fn the_first_failure_ends_the_others_in_flight_where_that_is_asked_for() {
    let bench = Bench::of_scripts(&[
        ("crash", "while [ ! -e outer ]; do sleep 0.01; done; exit 1"),
        ("hanger", "echo $$ > half; mv half outer; exec sleep 1000"),
    ]);
    bench.run_with(&["--jobs", "2", "--fail-fast"], 1);
    bench.expect_dead("outer");
    let names: Vec<String> = bench.journal().into_iter().map(|record| record.key.algorithm).collect();
    assert_eq!(names, ["crash"]);
}

#[test]
fn a_command_that_keeps_nothing_ends_its_programs_too() {
    let bench = Bench::of_scripts(&[("hanger", "echo $$ > half; mv half outer; exec sleep 1000")]);
    assert_eq!(signalled(&bench, &["plan", "test.toml"], || bench.path("outer").exists(), "INT"), Some(130));
    bench.expect_dead("outer");
}

/// The exit status of a command that gets a signal once it has started its programs.
fn signalled(bench: &Bench, arguments: &[&str], started: impl Fn() -> bool, signal: &str) -> Option<i32> {
    let runner = bench.runner(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut runner = runner.expect("the runner starts");
    while !started() {
        sleep(Duration::from_millis(5));
    }
    let kill = Command::new("kill").args([&format!("-{signal}"), &runner.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
    runner.wait().expect("it ends").code()
}
