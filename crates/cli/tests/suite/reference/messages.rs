//! Messages: what is meant is found where it can be, and nothing is said that is not so.

use std::process::Command;

use crate::test_folder::TestFolder;

#[test]
fn an_option_that_is_not_there_suggests_no_opposite() {
    let folder = TestFolder::new("[20]", 1);
    let told = folder.refused(2, &["run", "test.toml", "--resume"]);
    assert!(told.contains("'--resume'") && !told.contains("--fresh"), "{told}");
    assert!(told.contains("finished runs are never repeated"), "{told}");
    let told = folder.refused(2, &["run", "test.toml", "--repat"]);
    assert!(!told.contains("--fresh"), "{told}");
    assert!(folder.refused(2, &["run", "test.toml", "--frehs"]).contains("'--fresh'"), "a misspelling is still told");
}

#[test]
fn options_and_commands_of_other_programs_are_told_with_what_to_write() {
    let folder = TestFolder::new("[20]", 1);
    for (arguments, tip) in [
        (&["run", "test.toml", "--seed", "3"][..], "`--set experiment.seed=3`"),
        (&["run", "test.toml", "--repetitions=3"], "`--set experiment.seed=3`"),
        (&["solve", "--time", "3"], "`--set budget.seconds=1`"),
        (&["run", "test.toml", "--threads", "4"], "`--jobs N`"),
        (&["run", "test.toml", "-j", "4"], "`--jobs N`"),
        (&["run", "test.toml", "--dry-run"], "the commands `check` and `plan` do not start any run"),
        (&["run", "test.toml", "-o", "there"], "`--out DIR`"),
        (&["test.toml"], "to run this experiment: `runner run test.toml`"),
    ] {
        let told = folder.refused(2, arguments);
        assert!(told.contains(tip) && !told.contains("as a value"), "{arguments:?}: {told}");
    }
}

// Elsewhere a path in a command is quoted, for its `\`.
#[cfg(unix)]
#[test]
fn an_experiment_is_not_read_as_its_results() {
    let folder = TestFolder::new("[20]", 1);
    for command in ["table", "compare", "report", "plot"] {
        let told = folder.refused(2, &[command, "test.toml"]);
        assert!(told.contains("test.toml is an experiment file, not results\n"), "{command}: {told}");
        assert!(
            told.contains("create the results folder results/test with `runner run test.toml`"),
            "{command}: {told}"
        );
    }
}

#[test]
fn a_plan_counts_what_is_done_in_the_results_folder() {
    let folder = TestFolder::new("[20]", 1);
    let planned = |arguments: &[&str]| folder.outputs(0, &[&["plan", "test.toml"], arguments].concat()).0;
    assert!(!planned(&[]).contains("done"), "nothing is there yet");
    folder.run(&[]);
    let told = planned(&[]);
    assert!(told.contains("= 8 runs\n  8 runs are already done, in results/test\n  nothing is left to do\n"), "{told}");
    let told = planned(&["--set", "experiment.repetitions=2"]);
    assert!(told.contains("= 16 runs\n  8 runs are already done, in results/test\n  time left: "), "{told}");
    assert!(!planned(&["--out", "elsewhere"]).contains("done"));
}

#[test]
fn the_plotting_script_says_how_it_is_used() {
    let Ok(output) = Command::new("python3").arg("../../scripts/plot.py").output() else { return };
    let told = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("usage: plot.py") && !told.contains("Traceback"), "{told}");
}

// `script` is that of util-linux.
#[cfg(target_os = "linux")]
#[test]
fn on_a_narrow_terminal_no_line_is_wider_than_it() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--set", "algorithms.huke.grid.population=[10, 20]", "--set", "budget.evaluations=500"]);
    let runner = env!("CARGO_BIN_EXE_runner");
    for arguments in
        ["check test.toml", "list", "table results/test", "table results/test --layout long", "compare results/test"]
    {
        let command = format!("stty rows 40 cols 60; {runner} {arguments}");
        let mut script = Command::new("script");
        script.current_dir(folder.path("")).args(["--quiet", "--return", "--command", &command, "/dev/null"]);
        let Ok(output) = script.output() else { return };
        let told = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(output.status.success() && told.lines().count() > 0, "{arguments}: {told}");
        let widest = told.lines().map(|line| line.trim_end().chars().count()).max();
        assert!(widest <= Some(60), "{arguments}: {widest:?}\n{told}");
    }
}
