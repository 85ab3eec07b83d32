//! Ends: programs that crash, hang, flood or are interrupted.

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use evogrid_core::budget::Stop;

#[cfg(target_os = "linux")]
use super::program_folder::algorithm;
use super::program_folder::{SOLVED, in_both_modes};
use crate::test_folder::{TestFolder, report_at_end, send};

in_both_modes!(
    a_program_that_fails_is_a_record_with_its_message_and_the_others_go_on,
    a_program_that_hangs_is_killed_with_all_that_it_started,
    what_a_program_leaves_behind_holds_up_nothing_and_ends_with_it,
    a_process_that_left_the_group_of_its_program_holds_up_nothing,
    the_end_of_the_budgets_time_is_no_failure_and_the_last_answer_counts,
    nothing_that_a_program_says_steers_the_terminal,
    the_first_failure_ends_the_others_in_flight_where_that_is_asked_for,
    a_process_that_is_to_outlive_its_terminal_does,
);

// `env --default-signal` is GNU's.
#[cfg(target_os = "linux")]
in_both_modes!(
    a_signal_ends_the_programs_in_flight_and_leaves_no_failure,
    a_command_that_keeps_nothing_ends_its_programs_too,
    however_it_is_asked_to_end_it_takes_its_programs_with_it,
    the_second_ctrl_c_ends_the_programs_of_every_command,
);

fn a_program_that_fails_is_a_record_with_its_message_and_the_others_go_on(mode: &str) {
    let flood = "i=0\nline=$(printf '%1000s')\nwhile [ $i -lt 100000 ]; do printf '%s' \"$line\"; i=$((i + 1)); done";
    let folder = TestFolder::with_scripts(
        mode,
        &[
            ("crash", "echo first >&2; echo last >&2; exit 3"),
            ("killed", "kill -9 $$"),
            ("rubbish", "echo '{\"solution\": \"1\"'"),
            ("silent", "exit 0"),
            ("flood", flood),
            ("complaint", &format!("({flood}) >&2; echo the end >&2; exit 1")),
            ("good", SOLVED),
        ],
    );
    let records = folder.records();
    let message = |name: &str| {
        let record = &records[name];
        assert_eq!(
            (record.outcome.stop, record.outcome.is_solved(), record.outcome.evaluations),
            (Stop::Failed, false, 0),
            "{name}"
        );
        record.message.clone().expect("a message")
    };
    let messages = ["crash", "killed", "rubbish", "silent", "flood"].map(|name| format!("{name}: {}", message(name)));
    // A server that ends without an answer ends too early, whatever its exit status.
    let early = "the server ended without an answer: expected one line of JSON";
    assert_eq!(messages[3].ends_with(early), mode == "server", "{}", messages[3]);
    let told = messages.join("\n").replace(early, "the program printed nothing: expected one line of JSON");
    insta::assert_snapshot!("a_program_that_fails_is_a_record_with_its_message_and_the_others_go_on", told);
    let complaint = message("complaint");
    assert!(
        complaint.starts_with("the program ended with exit status 1\n") && complaint.ends_with("the end"),
        "{complaint}"
    );
    assert!(complaint.len() < 10_000, "{}", complaint.len());
    let shown = folder.outputs(0, &["live", "--once", "results/test"]).0;
    assert!(shown.contains("first failure: ") && !shown.contains('\u{fffd}'), "{shown}");
    assert!(records["good"].outcome.is_solved());
}

fn a_program_that_hangs_is_killed_with_all_that_it_started(mode: &str) {
    let folder = TestFolder::with_scripts(
        mode,
        &[("hanger", "sleep 1000 &\necho $! > inner\necho $$ > outer\necho waiting >&2\nwait")],
    );
    let told = folder.run_to(1, &["--set", "timeout=3"]);
    assert!(told.contains("the program did not answer within its `timeout` of 3 s, and was killed"), "{told}");
    assert!(told.contains("its standard error: waiting"), "{told}");
    folder.expect_dead("inner");
    folder.expect_dead("outer");
}

fn what_a_program_leaves_behind_holds_up_nothing_and_ends_with_it(mode: &str) {
    let leaver = format!("sleep 1000 &\necho $! > inner\n{SOLVED}");
    let folder = TestFolder::with_scripts(mode, &[("leaver", &leaver)]);
    folder.run(&[]);
    folder.expect_dead("inner");
}

fn a_process_that_left_the_group_of_its_program_holds_up_nothing(mode: &str) {
    let has_setsid = Command::new("setsid").arg("true").status().is_ok_and(|status| status.success());
    if !has_setsid {
        let _ = writeln!(std::io::stderr(), "skipped: `setsid`, which leaves a process group, is missing");
        return;
    }
    // It holds both pipes open, and says more than anybody reads.
    let leaver = format!(
        "setsid sh -c 'echo $$ > half; mv half inner; while :; do echo noise >&2; done' &\n\
         while [ ! -e inner ]; do sleep 0.01; done\n{SOLVED}"
    );
    let folder = TestFolder::with_scripts(mode, &[("leaver", &leaver)]);
    folder.run(&[]);
    let inner = folder.read("inner");
    let _ = Command::new("kill").args(["-9", inner.trim()]).status();
    assert!(folder.records()["leaver"].outcome.is_solved());
}

fn the_end_of_the_budgets_time_is_no_failure_and_the_last_answer_counts(mode: &str) {
    let candidate = r#"echo '{"solution": "1243342121434312", "evaluations": 7, "stop": "time"}'"#;
    // What a server prints behind its answer would be a second one.
    let begun = if mode == "process" { "printf '{'" } else { "" };
    let folder = TestFolder::with_scripts(
        mode,
        &[
            // The first line of a server that is no improvement is its answer.
            ("mute", if mode == "process" { "echo thinking; sleep 1000" } else { "sleep 1000" }),
            ("improver", r#"echo '{"improvement": true, "best_fitness": 2, "evaluations": 7}'; sleep 1000"#),
            ("cut", "printf '{\"solution\": '; sleep 1000"),
            ("talker", &format!("{candidate}\n{begun}\nsleep 1000")),
            ("solver", &format!("{SOLVED}\nsleep 1000")),
        ],
    );
    folder.run(&["--set", "budget.seconds=3", "--jobs", "4"]);
    for record in folder.journal() {
        let (stop, best_fitness, evaluations) = match record.key.algorithm.as_str() {
            "talker" | "improver" => (Stop::Time, Some(2.0), 7),
            "solver" => (Stop::Target, Some(0.0), 0),
            _ => (Stop::Time, None, 0),
        };
        let found = (record.outcome.stop, record.outcome.best_fitness, record.outcome.evaluations);
        assert_eq!(found, (stop, best_fitness, evaluations), "{}", record.key.algorithm);
    }
}

fn nothing_that_a_program_says_steers_the_terminal(mode: &str) {
    let folder = TestFolder::with_scripts(mode, &[("painter", "printf '\\033[31mred\\007\\n' >&2; exit 1")]);
    let told = folder.run_to(1, &[]);
    assert!(told.contains("[31mred") && !told.contains(['\x1b', '\x07']), "{told:?}");
}

#[cfg(target_os = "linux")]
fn a_signal_ends_the_programs_in_flight_and_leaves_no_failure(mode: &str) {
    for (signal, status) in [("INT", 130), ("TERM", 143)] {
        let folder = waiting_programs(mode);
        let started = || programs(&folder).len() == 4;
        assert_eq!(signalled(&folder, &["run", "test.toml", "--jobs", "2"], started, signal), Some(status));
        assert_eq!(programs(&folder).len(), 4, "nothing is started any more");
        programs(&folder).iter().for_each(|name| folder.expect_dead(name));
        assert_eq!(folder.journal(), []);
    }
}

fn the_first_failure_ends_the_others_in_flight_where_that_is_asked_for(mode: &str) {
    let folder = TestFolder::with_scripts(
        mode,
        &[
            ("crash", "while [ ! -e outer ]; do sleep 0.01; done; exit 1"),
            ("hanger", "echo $$ > half; mv half outer; exec sleep 1000"),
        ],
    );
    folder.run_to(1, &["--jobs", "2", "--fail-fast"]);
    folder.expect_dead("outer");
    let names: Vec<String> = folder.journal().into_iter().map(|record| record.key.algorithm).collect();
    assert_eq!(names, ["crash"]);
}

#[cfg(target_os = "linux")]
fn a_command_that_keeps_nothing_ends_its_programs_too(mode: &str) {
    let folder = TestFolder::with_scripts(mode, &[("hanger", "echo $$ > half; mv half outer; exec sleep 1000")]);
    assert_eq!(
        signalled(&folder, &["plan", "test.toml", "--run-programs"], || folder.path("outer").exists(), "INT"),
        Some(130)
    );
    folder.expect_dead("outer");
}

/// Three programs that wait, each with a process of its own, of which two are started at once.
#[cfg(target_os = "linux")]
fn waiting_programs(mode: &str) -> TestFolder {
    let algorithm = algorithm(mode, "hanger", " {number}") + "grid.\"parameters.number\" = [1, 2, 3]\n";
    let folder = TestFolder::with_algorithms(&algorithm);
    folder.program(mode, "hanger", "sleep 1000 &\necho $! > inner-$3\necho $$ > half-$3; mv half-$3 outer-$3\nwait");
    folder
}

/// The files with the numbers of these programs and of their processes that have started.
#[cfg(target_os = "linux")]
fn programs(folder: &TestFolder) -> Vec<String> {
    let numbered = ["1", "2", "3"].iter().filter(|number| folder.path(format!("outer-{number}")).exists());
    numbered.flat_map(|number| [format!("inner-{number}"), format!("outer-{number}")]).collect()
}

#[cfg(target_os = "linux")]
fn however_it_is_asked_to_end_it_takes_its_programs_with_it(mode: &str) {
    let asked: [(&[&str], i32); 7] = [
        // The second arrives while the first is dealt with.
        (&["INT", "INT"], 130),
        (&["INT", "INT", "INT"], 130),
        (&["TERM", "INT", "INT"], 130),
        (&["QUIT"], 131),
        (&["INT", "QUIT"], 131),
        (&["HUP"], 129),
        (&["XCPU"], 143),
    ];
    for (signals, status) in asked {
        let folder = waiting_programs(mode);
        let started = || programs(&folder).len() == 4;
        let ended = signalled_often(&folder, &["run", "test.toml", "--jobs", "2"], started, signals);
        // A polite end may be over before the next signal comes.
        assert!(
            ended == Some(status) || signals.len() > 1 && matches!(ended, Some(130 | 143)),
            "{signals:?}: {ended:?}"
        );
        assert_eq!(programs(&folder).len(), 4, "nothing is started any more");
        programs(&folder).iter().for_each(|name| folder.expect_dead(name));
        assert_eq!(folder.journal(), []);
    }
}

#[cfg(target_os = "linux")]
fn the_second_ctrl_c_ends_the_programs_of_every_command(mode: &str) {
    let script = "echo $$ > half; mv half outer; exec sleep 1000";
    let mode_set = format!("mode={mode}");
    let solve: &[&str] =
        &["solve", "1...............", "--algorithm", "external", "--set", "command=./hanger", "--set", &mode_set];
    for arguments in [&["plan", "test.toml", "--run-programs"][..], solve] {
        let folder = TestFolder::with_scripts(mode, &[("hanger", script)]);
        let ended = signalled_often(&folder, arguments, || folder.path("outer").exists(), &["INT", "INT"]);
        assert_eq!(ended, Some(130), "{arguments:?}");
        folder.expect_dead("outer");
    }
}

fn a_process_that_is_to_outlive_its_terminal_does(mode: &str) {
    let folder = TestFolder::with_scripts(
        mode,
        &[("good", &format!("echo > started; while [ ! -e go ]; do sleep 0.01; done; {SOLVED}"))],
    );
    let mut command = Command::new("nohup");
    command.arg(env!("CARGO_BIN_EXE_runner")).args(["run", "test.toml"]).current_dir(folder.path(""));
    let runner = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    while !folder.path("started").exists() {
        sleep(Duration::from_millis(5));
    }
    send("HUP", &runner);
    sleep(Duration::from_millis(300));
    folder.write("go", "");
    let (status, _, messages) = report_at_end(runner);
    assert_eq!(status, Some(0), "{messages}");
}

/// The exit status of a command that gets a signal once it has started its programs.
#[cfg(target_os = "linux")]
fn signalled(folder: &TestFolder, arguments: &[&str], started: impl Fn() -> bool, signal: &str) -> Option<i32> {
    signalled_often(folder, arguments, started, &[signal])
}

/// The same with several signals, one soon after the other.
#[cfg(target_os = "linux")]
fn signalled_often(
    folder: &TestFolder,
    arguments: &[&str],
    started: impl Fn() -> bool,
    signals: &[&str],
) -> Option<i32> {
    // Whoever runs the tests may ignore what a closed terminal sends.
    let mut command = Command::new("env");
    command.arg("--default-signal=HUP").arg(env!("CARGO_BIN_EXE_runner")).args(arguments);
    command.current_dir(folder.path("")).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut runner = command.spawn().expect("it starts");
    while !started() {
        assert!(runner.try_wait().expect("its state is known").is_none(), "it ended before it started them");
        sleep(Duration::from_millis(5));
    }
    let kills: Vec<String> = signals.iter().map(|signal| format!("kill -{signal} {}", runner.id())).collect();
    // Those that come before the process was given the one before would be lost.
    let kills = kills.join("; sleep 0.01; ");
    let _ = Command::new("sh").args(["-c", &kills]).stderr(Stdio::null()).status();
    report_at_end(runner).0
}
