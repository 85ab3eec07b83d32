//! Limits mean the same for programs as for our own searches: processor time and memory of all their processes, limits that grow as numbers.
#![cfg(target_os = "linux")]

use evogrid_core::budget::Stop;

use super::program_folder::SOLVED;
use crate::test_folder::TestFolder;

/// A shell script that keeps a processor busy.
const BUSY: &str = "while :; do :; done";

#[test]
fn a_limit_of_processor_time_is_that_of_all_processes_and_not_the_clock() {
    let folder = TestFolder::with_scripts(&[
        ("busy", &format!("echo '{{\"best_fitness\": 7, \"evaluations\": 3}}'\n{BUSY}")),
        ("two", &format!("({BUSY}) &\n({BUSY}) &\nwait")),
        ("idle", &format!("sleep 1\n{SOLVED}")),
    ]);
    folder.report(&["run", "test.toml", "--set", "budget.cpu_seconds=0.4"]);
    let records: Vec<_> = folder.journal();
    let of = |name: &str| records.iter().find(|record| record.key.algorithm == name).expect("its record");
    for name in ["busy", "two"] {
        let outcome = &of(name).outcome;
        assert_eq!((outcome.stop, outcome.solved), (Stop::Time, Some(false)), "{name}");
        // Never ended before its time; the system counts in steps of 10 ms.
        assert!(outcome.cpu_ms.is_some_and(|ms| ms >= 395.0), "{name}: {outcome:?}");
    }
    assert_eq!((of("busy").outcome.evaluations, of("busy").outcome.best_fitness), (3, Some(7.0)));
    // A second by the clock, and next to no processor time.
    let idle = &of("idle").outcome;
    assert_eq!(idle.stop, Stop::Target);
    assert!(idle.wall_ms >= 1000.0 && idle.cpu_ms.is_some_and(|ms| ms < 400.0), "{idle:?}");
}

#[test]
fn a_program_beyond_its_memory_is_an_outcome_with_what_it_took() {
    let folder = TestFolder::with_scripts(&[
        // A shell that keeps 2^n characters, and one that keeps none.
        ("greedy", "echo '{\"best_fitness\": 5}'\ntext=xxxxxxxxxxxxxxxx\nwhile :; do text=$text$text; done"),
        ("modest", &format!("sleep 0.1\n{SOLVED}")),
    ]);
    folder.report(&["run", "test.toml", "--set", "memory=64"]);
    let records: Vec<_> = folder.journal();
    let of = |name: &str| records.iter().find(|record| record.key.algorithm == name).expect("its record");
    let greedy = of("greedy");
    assert_eq!((greedy.outcome.stop, greedy.outcome.best_fitness), (Stop::Memory, Some(5.0)), "{greedy:?}");
    assert!(greedy.memory_mib.is_some_and(|mib| mib > 64.0), "{greedy:?}");
    let modest = of("modest");
    assert_eq!(modest.outcome.stop, Stop::Target);
    assert!(modest.memory_mib.is_some_and(|mib| mib > 0.0 && mib < 64.0), "{modest:?}");
    // What was not limited was not measured.
    let plain = TestFolder::with_scripts(&[("modest", SOLVED)]);
    assert_eq!(plain.records()["modest"].memory_mib, None);
}

#[test]
fn a_limit_that_grows_reaches_the_program_as_a_number() {
    let folder = TestFolder::with_algorithms(
        "[algorithms.echo]\nkind = \"external\"\ncommand = \"./echo {evaluations} {stagnation} {cpu_seconds}\"\n\n\
         [algorithms.echo.budget]\nevaluations = { per = \"n*n\", times = 10 }\nstagnation = { per = \"n\", times = 2 }\n\
         cpu_seconds = { per = \"n\", times = 0.5 }\n",
    );
    folder.script("echo", &format!("echo \"$*\" > given\n{SOLVED}"));
    folder.run(&[]);
    assert_eq!(folder.read("given").trim(), "160 8 2");
}
