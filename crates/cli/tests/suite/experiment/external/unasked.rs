//! Commands of a results folder, which may be anybody's: nothing starts them but `run`, `solve` and `--run-programs`.

use std::fs;

use super::program_folder::{SOLVED, algorithm, in_both_modes};
use crate::test_folder::TestFolder;

in_both_modes!(
    no_command_starts_what_a_folder_names_unless_it_is_asked_to,
    a_run_that_never_ends_is_given_up_when_the_time_is_over,
    what_would_be_started_is_named_and_cannot_steer_a_terminal,
);

/// A folder whose experiment starts a program that leaves a trace, its experiment file gone.
fn foreign(mode: &str, more: &str) -> TestFolder {
    let program = algorithm(mode, "program", more);
    let folder = TestFolder::with_algorithms(&(program + "[algorithms.plain]\nkind = \"backtracking\"\n"));
    folder.program(mode, "program", &format!("touch executed\n{SOLVED}"));
    folder.run(&[]);
    fs::remove_file(folder.path("executed")).expect("it was started");
    folder
}

fn no_command_starts_what_a_folder_names_unless_it_is_asked_to(mode: &str) {
    let folder = foreign(mode, "");
    let out = folder.path("joined");
    for arguments in [
        &["verify", "results/test"][..],
        &["verify", "results/test", "--sample", "100"],
        &["replay", "results/test", "0"],
        &["table", "results/test"],
        &["compare", "results/test"],
        &["report", "results/test"],
        &["plot", "results/test"],
        &["export", "results/test", "--format", "ioh"],
        &["merge", "results/test", "--out", &out.to_string_lossy()],
        &["missing", "results/test", "--shards", "2"],
        &["check", "test.toml"],
        &["plan", "test.toml"],
        &["plan", "test.toml", "--out", "none"],
    ] {
        folder.report(arguments);
        assert!(!folder.path("executed").exists(), "{arguments:?}");
    }
    for arguments in [
        &["verify", "results/test", "--run-programs"][..],
        &["replay", "results/test", "0", "--run-programs"],
        &["plan", "test.toml", "--out", "none", "--run-programs"],
    ] {
        folder.outputs(0, arguments);
        fs::remove_file(folder.path("executed")).unwrap_or_else(|error| panic!("{arguments:?}: {error}"));
    }
}

fn a_run_that_never_ends_is_given_up_when_the_time_is_over(mode: &str) {
    let folder = foreign(mode, "");
    folder.program(mode, "program", "echo $$ > pid; exec sleep 1000");
    let (told, _) = folder.outputs(2, &["verify", "results/test", "--run-programs", "--seconds", "1"]);
    assert!(told.contains("1 run repeated"), "{told}");
    assert!(told.contains("cannot be repeated here") && told.contains("the run did not finish within 1 s"), "{told}");
    folder.expect_dead("pid");
}

fn what_would_be_started_is_named_and_cannot_steer_a_terminal(mode: &str) {
    let folder = foreign(mode, r" \u001b[31m");
    let shown = if mode == "process" { "./program {instance} {seed} \u{fffd}[31m" } else { "./program \u{fffd}[31m" };
    let (told, _) = folder.outputs(2, &["verify", "results/test"]);
    assert_eq!(
        told,
        format!(
            "\
2 runs checked: 2 solutions, 1 run repeated
1 run not repeated, because they need external programs; `--run-programs` starts these:
  {shown}
nothing is wrong
"
        )
    );
    let told = folder.refused(2, &["replay", "results/test", "0"]);
    assert_eq!(
        told,
        format!(
            "error: the run starts an external program with the command `{shown}`
  if the command is safe, use `--run-programs`
"
        )
    );
    let (told, _) = folder.outputs(0, &["plan", "test.toml", "--out", "none"]);
    assert!(told.contains(shown), "{told}");
    // What is wrong is wrong, whatever was not repeated.
    folder.change("results/test/runs.csv", |text| text.replace(",true,", ",false,"));
    folder.outputs(1, &["verify", "results/test"]);
}
