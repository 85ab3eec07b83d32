//! Commands on experiments with programs: grids, threads, a second run, replay, verify, solve.

use super::program_folder::{SOLUTION, SOLVED, algorithm, in_both_modes};
use crate::test_folder::TestFolder;

in_both_modes!(
    parameters_are_varied_like_any_setting_and_threads_change_no_byte,
    another_version_is_another_run_and_a_whole_number_is_one_however_it_is_written,
    a_run_that_failed_is_tried_again_and_the_others_are_kept,
    runs_are_replayed_and_verified_from_their_folder,
    one_board_is_solved_by_a_program_too,
    the_processor_time_of_a_program_is_its_own,
    the_latest_message_of_a_failed_run_is_told_and_none_of_a_run_that_was_mended,
);

/// A program that solves the board for some seeds and values of its parameter.
fn sometimes() -> String {
    format!(
        "if [ $((($2 + $3) % 3)) -eq 0 ]; then echo '{{\"stop\": \"evaluations\", \"best_fitness\": '$3', \"evaluations\": 9}}'\n\
         else echo '{{\"solution\": \"{SOLUTION}\", \"evaluations\": '$(($2 % 90))'}}'; fi"
    )
}

const GRID: &str = "version = \"1\"\ngrid.\"parameters.size\" = { from = 1, to = 4, step = 1 }\n";

fn ran(mode: &str) -> TestFolder {
    let folder = TestFolder::with_algorithms(&(algorithm(mode, "sometimes", " {size}") + GRID));
    folder.program(mode, "sometimes", &sometimes());
    folder
}

fn parameters_are_varied_like_any_setting_and_threads_change_no_byte(mode: &str) {
    let folder = ran(mode);
    for (jobs, results) in [("1", "one"), ("2", "two")] {
        folder.run(&["--set", "experiment.repetitions=20", "--jobs", jobs, "--out", results]);
    }
    let rows = folder.rows("one");
    assert_eq!(rows, folder.rows("two"));
    let one: Vec<&str> = rows.lines().collect();
    assert_eq!(one.len(), 81);
    assert!(one[0].contains(",parameters.size,"), "{}", one[0]);
    let is_solved = |solved: &str| one.iter().any(|row| row.contains(&format!(",{solved},")));
    assert!(is_solved("true") && is_solved("false"));
}

fn another_version_is_another_run_and_a_whole_number_is_one_however_it_is_written(mode: &str) {
    let folder = ran(mode);
    let done = |arguments: &[&str]| {
        let told = folder.run(arguments);
        told.lines().find(|line| line.contains(" found in the journal")).unwrap_or_default().to_owned()
    };
    assert!(done(&["--set", "parameters.size=1"]).starts_with("1 run done, 0 found"));
    assert!(done(&["--set", "parameters.size=1.0"]).starts_with("0 runs done, 1 found"));
    assert!(done(&["--set", "parameters.size=1", "--set", "version=2nd"]).starts_with("1 run done, 0 found"));
    assert!(done(&[]).starts_with("3 runs done, 1 found"));
}

fn a_run_that_failed_is_tried_again_and_the_others_are_kept(mode: &str) {
    let folder =
        TestFolder::with_scripts(mode, &[("first", SOLVED), ("second", &format!("test -e ready || exit 1\n{SOLVED}"))]);
    let told = folder.run_to(1, &[]);
    assert!(
        told.contains("2 runs done, 0 found") && told.contains("repeat the command to retry the failed runs"),
        "{told}"
    );
    folder.write("ready", "");
    let told = folder.run(&[]);
    assert!(told.contains("1 run done, 1 found"), "{told}");
    assert!(folder.column("results/test", "solved").iter().all(|solved| solved == "true"));
}

fn runs_are_replayed_and_verified_from_their_folder(mode: &str) {
    let folder = ran(mode);
    folder.run(&[]);
    for number in 0..4 {
        let (told, _) = folder.outputs(0, &["replay", "results/test", &number.to_string(), "--run-programs"]);
        assert!(told.contains("the outcome is the same"), "{told}");
    }
    let (told, _) = folder.outputs(0, &["verify", "results/test", "--run-programs"]);
    assert!(told.ends_with("nothing is wrong\n"), "{told}");
    // A program that has changed is found out.
    folder.program(mode, "sometimes", "echo '{\"stop\": \"exhausted\"}'");
    let (told, _) = folder.outputs(1, &["verify", "results/test", "--run-programs"]);
    assert!(told.contains("repeated: "), "{told}");
    let (told, _) = folder.outputs(1, &["replay", "results/test", "0", "--run-programs"]);
    assert!(told.contains("now exhausted"), "{told}");
    // One that is not here is not a fault of the folder.
    std::fs::remove_file(folder.path("sometimes")).expect("it is there");
    let (told, _) = folder.outputs(2, &["verify", "results/test", "--run-programs"]);
    assert!(told.contains("4 runs cannot be repeated here; the first is r"), "{told}");
    assert!(told.ends_with("command: program `./sometimes` not found\nnothing is wrong\n"), "{told}");
    let told = folder.refused(2, &["replay", "results/test", "0", "--run-programs"]);
    assert_eq!(told, "error: this run cannot be repeated here: command: program `./sometimes` not found\n");
}

fn one_board_is_solved_by_a_program_too(mode: &str) {
    let folder = ran(mode);
    let program = if mode == "process" { "./sometimes {instance} {seed} 2" } else { "./sometimes 2" };
    // A server that ends before it has read the run is started again.
    let broken = if mode == "process" {
        "error: the search failed: the program"
    } else {
        "the line that describes the run (on standard input); the last time, the program"
    };
    for (seed, program, status, expected) in [
        ("2", program, 0, "solved: 2 evaluations"),
        ("1", "sh -c 'exit 3'", 1, &format!("{broken} ended with exit status 3")),
        ("1", "./sometmies", 2, "program `./sometmies` not found"),
    ] {
        let search = [
            "--algorithm",
            "external",
            "--set",
            &format!("command={program}"),
            "--set",
            &format!("mode={mode}"),
            "--seed",
            seed,
        ];
        let (_, told) = folder.outputs(status, &[&["solve", "1..............."], &search[..]].concat());
        assert!(told.contains(expected), "{told}");
    }
}

fn the_processor_time_of_a_program_is_its_own(mode: &str) {
    let folder = TestFolder::with_scripts(
        mode,
        &[("worker", &format!("i=0\nwhile [ $i -lt 200000 ]; do i=$((i + 1)); done\n{SOLVED}"))],
    );
    let record = folder.records().remove("worker").expect("its record");
    // Starting it takes this thread about a millisecond; counting to 200,000 takes a shell many.
    assert!(record.outcome.cpu_ms.is_some_and(|cpu_ms| cpu_ms > 5.0), "{:?}", record.outcome.cpu_ms);
}

#[test]
fn programs_are_listed_with_their_settings() {
    let folder = ran("process");
    let (listed, _) = folder.outputs(0, &["list", "algorithms"]);
    let (_, listed) = listed.split_once("  external: ").expect("it is listed");
    let words: Vec<&str> = listed.split_whitespace().collect();
    let listed = words.join(" ");
    assert!(listed.contains(" text; must be given parameters: "), "{listed}");
    assert!(
        listed.contains(" table of numbers, texts and flags, with names that you choose; none unless given "),
        "{listed}"
    );
}

fn the_latest_message_of_a_failed_run_is_told_and_none_of_a_run_that_was_mended(mode: &str) {
    let folder = TestFolder::with_scripts(mode, &[("mine", "echo first try >&2; exit 3")]);
    let told = folder.run_to(1, &[]);
    assert!(told.contains("first try"), "{told}");
    folder.program(mode, "mine", "echo second try >&2; exit 4");
    let told = folder.run_to(1, &[]);
    assert!(told.contains("second try") && !told.contains("first try"), "{told}");
    let live = || folder.outputs(0, &["live", "--once", "results/test"]).0;
    let shown = live();
    assert!(shown.contains("exit status 4") && !shown.contains("exit status 3"), "{shown}");
    folder.program(mode, "mine", SOLVED);
    folder.run(&[]);
    let shown = live();
    assert!(!shown.contains("exit status"), "{shown}");
}
