//! Limits mean the same for programs as for our own searches: processor time and memory of all their processes, limits that grow as numbers.
#![cfg(target_os = "linux")]

use evogrid_core::budget::Stop;

use super::program_folder::{SOLVED, algorithm, in_both_modes};
use crate::test_folder::TestFolder;

in_both_modes!(
    a_limit_of_processor_time_is_that_of_all_processes_and_not_the_clock,
    a_program_beyond_its_memory_is_an_outcome_with_what_it_took,
    a_limit_that_grows_reaches_the_program_as_a_number,
);

/// A shell script that keeps a processor busy.
const BUSY: &str = "while :; do :; done";

/// Says what was found on the way to an answer. A process may say it as an answer that another follows; the answer of a server is its last
/// line.
fn found(mode: &str, line: &str) -> String {
    let key = if mode == "process" { "" } else { "\"improvement\": true, " };
    format!("echo '{{{key}{line}}}'")
}

fn a_limit_of_processor_time_is_that_of_all_processes_and_not_the_clock(mode: &str) {
    let folder = TestFolder::with_scripts(
        mode,
        &[
            ("busy", &format!("{}\n{BUSY}", found(mode, r#""best_fitness": 7, "evaluations": 3"#))),
            ("two", &format!("({BUSY}) &\n({BUSY}) &\nwait")),
            ("idle", &format!("sleep 1\n{SOLVED}")),
        ],
    );
    // Twice: a server is started again after a run that reached its limit.
    let twice = "experiment.repetitions=2";
    folder.report(&["run", "test.toml", "--set", "budget.cpu_seconds=0.4", "--set", twice, "--jobs", "1"]);
    let records = folder.journal();
    assert_eq!(records.len(), 6);
    for record in records {
        let (name, outcome) = (record.key.algorithm.as_str(), record.outcome);
        if name == "idle" {
            // A second by the clock, and next to no processor time.
            assert_eq!(outcome.stop, Stop::Target);
            assert!(outcome.wall_ms >= 1000.0 && outcome.cpu_ms.is_some_and(|ms| ms < 400.0), "{outcome:?}");
            continue;
        }
        assert_eq!((outcome.stop, outcome.solved), (Stop::Time, Some(false)), "{name}");
        // Never ended before its time; the system counts in steps of 10 ms.
        assert!(outcome.cpu_ms.is_some_and(|ms| ms >= 395.0), "{name}: {outcome:?}");
        if name == "busy" {
            assert_eq!((outcome.evaluations, outcome.best_fitness), (3, Some(7.0)));
        }
    }
}

fn a_program_beyond_its_memory_is_an_outcome_with_what_it_took(mode: &str) {
    let folder = TestFolder::with_scripts(
        mode,
        &[
            // A shell that keeps 2^n characters, and one that keeps none.
            (
                "greedy",
                &format!(
                    "{}\ntext=xxxxxxxxxxxxxxxx\nwhile :; do text=$text$text; done",
                    found(mode, r#""best_fitness": 5"#)
                ),
            ),
            ("modest", &format!("sleep 0.1\n{SOLVED}")),
        ],
    );
    folder.report(&["run", "test.toml", "--set", "memory=64", "--set", "experiment.repetitions=2", "--jobs", "1"]);
    let records = folder.journal();
    assert_eq!(records.len(), 4);
    for record in records {
        if record.key.algorithm == "greedy" {
            assert_eq!((record.outcome.stop, record.outcome.best_fitness), (Stop::Memory, Some(5.0)), "{record:?}");
            assert!(record.memory_mib.is_some_and(|mib| mib > 64.0), "{record:?}");
        } else {
            assert_eq!(record.outcome.stop, Stop::Target);
            assert!(record.memory_mib.is_some_and(|mib| mib > 0.0 && mib < 64.0), "{record:?}");
        }
    }
    // What was not limited was not measured.
    let plain = TestFolder::with_scripts(mode, &[("modest", SOLVED)]);
    assert_eq!(plain.records()["modest"].memory_mib, None);
}

fn a_limit_that_grows_reaches_the_program_as_a_number(mode: &str) {
    // A server reads it in its line.
    let (arguments, told, expected) = match mode {
        "process" => (" {evaluations} {stagnation} {cpu_seconds}", "[$3 $4 $5]", "[160 8 2]"),
        _ => ("", "$run", r#""limits":{"cpu_seconds":2.0,"evaluations":160,"restarts":0,"stagnation":8}"#),
    };
    let algorithm = algorithm(mode, "echo", arguments);
    let folder = TestFolder::with_algorithms(&format!(
        "{algorithm}\n\
         [algorithms.echo.budget]\nevaluations = {{ per = \"n*n\", times = 10 }}\nstagnation = {{ per = \"n\", times = 2 }}\n\
         cpu_seconds = {{ per = \"n\", times = 0.5 }}\n"
    ));
    folder.program(mode, "echo", &format!("echo \"{told}\" > given\n{SOLVED}"));
    folder.run(&[]);
    assert!(folder.read("given").contains(expected), "{}", folder.read("given"));
}
