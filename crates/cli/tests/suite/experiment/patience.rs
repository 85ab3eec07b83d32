//! Patience: limits of time end foreign solvers, too, and `plan` answers in its own time whatever the runs do.
// `check` refuses external programs elsewhere.
#![cfg(unix)]

use crate::test_folder::TestFolder;

/// A folder with one board and these algorithms and limits.
fn folder(board: &str, rest: &str) -> TestFolder {
    let folder = TestFolder::empty();
    folder.write("boards.csv", format!("id,puzzle\na,{board}\n"));
    let head = "[experiment]\nname = \"test\"\nseed = 1\nrepetitions = 1\n[[instances]]\nproblem = \"sudoku\"\n\
                path = \"boards.csv\"\n";
    folder.write("test.toml", format!("{head}{rest}"));
    folder
}

fn empty_board(n_cells: usize) -> String {
    ".".repeat(n_cells)
}

/// A board that no search can solve, and none but an exact one knows it of.
fn impossible_board() -> String {
    format!("12345678.{}{}", "........9", empty_board(63))
}

/// Runs an experiment whose limit is a second; the column `stop`.
fn limited_run(folder: &TestFolder, arguments: &[&str]) -> Vec<String> {
    folder.run(&[&["--quiet"], arguments].concat());
    folder.column("results/test", "stop")
}

#[test]
fn the_limit_in_seconds_ends_foreign_solvers() {
    for algorithm in [
        "kind = \"milp\"",
        "kind = \"milp\"\npresolve = false",
        "kind = \"sat\"\npresolve = false",
        "kind = \"sat\"\ngrid.presolve = [true, false]",
    ] {
        let folder = folder(&empty_board(625), &format!("[budget]\nseconds = 1\n[algorithms.a]\n{algorithm}\n"));
        let stops = limited_run(&folder, &[]);
        // The satisfiability solver may be done before.
        assert!(stops.iter().all(|stop| stop == "time" || algorithm.contains("sat") && stop == "target"), "{stops:?}");
        folder.outputs(0, &["table", "results/test"]);
    }
}

#[test]
fn a_solver_that_is_given_up_harms_no_other_run() {
    let rest =
        "[algorithms.long]\nkind = \"milp\"\nbudget.seconds = 0.5\n[algorithms.short]\nkind = \"backtracking\"\n";
    let folder = folder(&empty_board(625), rest);
    let stops = limited_run(&folder, &["--jobs", "1"]);
    assert_eq!(stops, ["time", "target"]);
    let cpu: Vec<String> = folder
        .read("results/test/runs.csv")
        .lines()
        .map(|line| line.rsplit(',').next().unwrap_or_default().to_owned())
        .collect();
    assert!(cpu[1].is_empty() && !cpu[2].is_empty(), "what an abandoned solver takes is not known: {cpu:?}");
}

#[test]
fn a_solver_that_ends_in_time_finds_what_it_finds_without_a_limit() {
    let board = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let algorithms = "[algorithms.milp]\nkind = \"milp\"\n[algorithms.sat]\nkind = \"sat\"\n";
    let folder = folder(board, algorithms);
    folder.run(&["--out", "free"]);
    folder.run(&["--out", "limited", "--set", "budget.seconds=60"]);
    let figures = |results| ["solved", "evaluations", "generations", "stop"].map(|name| folder.column(results, name));
    assert_eq!(figures("free"), figures("limited"));
    for results in ["free", "limited"] {
        let text = folder.read(format!("{results}/runs.csv"));
        for row in text.lines().skip(1) {
            let cpu: f64 = row.rsplit(',').next().and_then(|cpu| cpu.parse().ok()).expect("a time");
            assert!(cpu > 0.05, "the processor time of the solver's thread counts: {row}");
        }
    }
}

/// What `plan` says of an experiment.
fn planned(folder: &TestFolder) -> String {
    let (said, messages) = folder.outputs(0, &["plan", "test.toml", "--jobs", "1", "--run-programs"]);
    assert!(!messages.contains("error"), "{messages}");
    said
}

#[test]
fn plan_says_how_long_a_run_lasts_at_least() {
    let huke =
        "[algorithms.a]\npreset = \"huke\"\nbudget.generations = 1000000000000\nbudget.stagnation = 1000000000000\n";
    let both = format!("{huke}[algorithms.b]\nkind = \"backtracking\"\n");
    let milp = "[algorithms.a]\nkind = \"milp\"\n";
    for (board, algorithms, others) in [
        (impossible_board(), huke, ""),
        (impossible_board(), both.as_str(), ""),
        (empty_board(625), milp, ""),
        (empty_board(81), "[algorithms.a]\nkind = \"external\"\ncommand = \"sleep 1000\"\n", ""),
    ] {
        let said = planned(&folder(&board, algorithms));
        let last = said.lines().last().unwrap_or_default();
        let expected = format!(", on 1 thread, from {others}one run that was stopped after ");
        assert!(last.starts_with("  time left: likely at least ") && last.contains(&expected), "{algorithms}: {said}");
    }
}

#[test]
fn plan_takes_the_limits_of_time_where_no_run_ends_soon() {
    let huke = "[algorithms.a]\npreset = \"huke\"\nbudget.generations = 1000000000000\nbudget.stagnation = \"none\"\n\
                budget.seconds = 10\n";
    let folder = folder(&impossible_board(), huke);
    folder.change("test.toml", |text| text.replace("repetitions = 1", "repetitions = 24"));
    let said = planned(&folder);
    let last = said.lines().last().unwrap_or_default();
    let expected = "  time left: at most 4 min, computed from the time limits of the runs, on 1 thread, from one run \
                    that was stopped after ";
    assert!(last.starts_with(expected), "{said}");
}

#[test]
fn plan_ends_the_programs_that_it_started() {
    let folder = folder(&empty_board(81), "[algorithms.a]\nkind = \"external\"\ncommand = \"./hanger\"\n");
    folder.script("hanger", "echo $$ > half; mv half number; exec sleep 1000");
    planned(&folder);
    folder.expect_dead("number");
}

#[test]
fn plan_of_more_runs_than_can_be_counted_answers() {
    let folder = folder(&empty_board(81), "[algorithms.a]\nkind = \"backtracking\"\ngrid.parallel = [false, true]\n");
    folder.run(&["--set", "experiment.repetitions=3"]);
    folder.change("test.toml", |text| text.replace("repetitions = 1", "repetitions = 1_000_000_000"));
    let said = planned(&folder);
    assert!(said.contains("  at least 3 runs are already done, in results/test\n"), "{said}");
    assert!(said.contains(" on 1 thread"), "{said}");
}

#[test]
fn plan_of_short_runs_says_what_it_said() {
    let folder = TestFolder::new("[20]", 3);
    let said = planned(&folder);
    let last = said.lines().last().unwrap_or_default();
    assert!(last.starts_with("  time left: 0.") && last.ends_with(", on 1 thread, from 24 runs"), "{said}");
}
