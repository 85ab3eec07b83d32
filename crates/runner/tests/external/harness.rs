//! The harness around programs: grids, threads, a second run, replay, verify, solve.

use crate::bench::{Bench, SOLUTION};

/// Solves where the seed and its parameter want it.
fn fickle() -> String {
    format!(
        "if [ $((($1 + $2) % 3)) -eq 0 ]; then echo '{{\"stop\": \"evaluations\", \"best_fitness\": '$2', \"evaluations\": 9}}'\n\
         else echo '{{\"solution\": \"{SOLUTION}\", \"evaluations\": '$(($1 % 90))'}}'; fi"
    )
}

const GRID: &str = "[algorithms.fickle]\nkind = \"external\"\ncommand = \"./fickle {seed} {size}\"\nversion = \"1\"\n\
                    grid.\"parameters.size\" = { from = 1, to = 4, step = 1 }\n";

fn ran() -> Bench {
    let bench = Bench::new(GRID);
    bench.script("fickle", &fickle());
    bench
}

/// The rows of `runs.csv`, but for the times.
fn rows(bench: &Bench, folder: &str) -> Vec<String> {
    let text = bench.read(&format!("{folder}/runs.csv"));
    text.lines().map(|line| line.rsplitn(3, ',').last().expect("a row").to_owned()).collect()
}

#[test]
fn parameters_are_varied_like_any_setting_and_threads_change_no_byte() {
    let bench = ran();
    for (jobs, folder) in [("1", "one"), ("2", "two")] {
        let sets = ["--set", "experiment.repetitions=20", "--jobs", jobs, "--out", folder];
        let output = bench.output(&[&["run", "test.toml"][..], &sets].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let one = rows(&bench, "one");
    assert_eq!(one, rows(&bench, "two"));
    assert_eq!(one.len(), 81);
    assert!(one[0].contains(",parameters.size,"), "{}", one[0]);
    let is_solved = |solved: &str| one.iter().any(|row| row.contains(&format!(",{solved},")));
    assert!(is_solved("true") && is_solved("false"));
}

#[test]
fn another_version_is_another_run_and_a_whole_number_is_one_however_it_is_written() {
    let bench = ran();
    let done = |arguments: &[&str]| {
        let output = bench.output(&[&["run", "test.toml"], arguments].concat());
        String::from_utf8_lossy(&output.stderr).lines().nth(1).unwrap_or_default().to_owned()
    };
    assert!(done(&["--set", "parameters.size=1"]).starts_with("1 run done, 0 found"));
    assert!(done(&["--set", "parameters.size=1.0"]).starts_with("0 runs done, 1 found"));
    assert!(done(&["--set", "parameters.size=1", "--set", "version=2nd"]).starts_with("1 run done, 0 found"));
    assert!(done(&[]).starts_with("3 runs done, 1 found"));
}

#[test]
fn a_run_that_failed_is_tried_again_and_the_others_are_kept() {
    let bench = Bench::of_scripts(&[
        ("first", &format!("echo '{{\"solution\": \"{SOLUTION}\"}}'")),
        ("second", &format!("test -e ready || exit 1\necho '{{\"solution\": \"{SOLUTION}\"}}'")),
    ]);
    let told = bench.run(1);
    assert!(told.contains("2 runs done, 0 found") && told.contains("run again to try these again"), "{told}");
    bench.write("ready", "");
    let told = bench.run(0);
    assert!(told.contains("1 run done, 1 found"), "{told}");
    assert!(rows(&bench, "results/test").iter().skip(1).all(|row| row.contains(",true,")));
}

#[test]
fn runs_are_replayed_and_verified_from_their_folder() {
    let bench = ran();
    bench.run(0);
    let out = |arguments: &[&str]| {
        let output = bench.output(arguments);
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    for number in 0..4 {
        let (status, told) = out(&["replay", "results/test", &number.to_string()]);
        assert!(status == Some(0) && told.contains("the same again"), "{told}");
    }
    let (status, told) = out(&["verify", "results/test"]);
    assert!(status == Some(0) && told.ends_with("nothing is wrong\n"), "{told}");
    // A program that has changed is found out.
    bench.script("fickle", "echo '{\"stop\": \"exhausted\"}'");
    let (status, told) = out(&["verify", "results/test"]);
    assert!(status == Some(1) && told.contains("done again: "), "{told}");
    let (status, told) = out(&["replay", "results/test", "0"]);
    assert!(status == Some(1) && told.contains("now exhausted"), "{told}");
}

#[test]
fn one_board_is_solved_by_a_program_too() {
    let bench = ran();
    let command = "command=./fickle {seed} 2";
    let solve = |seed: &str, command: &str| {
        let arguments = ["solve", "1...............", "--algorithm", "external", "--set", command, "--seed", seed];
        let output = bench.output(&arguments);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (status, told) = solve("2", command);
    assert!(status == Some(0) && told.contains("solved: 2 evaluations"), "{told}");
    let (status, told) = solve("1", "command=sh -c 'exit 3'");
    assert!(
        status == Some(1) && told.contains("error: the search failed: the program ended with exit status 3"),
        "{told}"
    );
    let (status, told) = solve("1", "command=./fickel");
    assert!(status == Some(2) && told.contains("there is no program `./fickel`"), "{told}");
}

#[test]
fn the_processor_time_of_a_program_is_its_own() {
    let bench = Bench::of_scripts(&[(
        "worker",
        &format!("i=0\nwhile [ $i -lt 200000 ]; do i=$((i + 1)); done\necho '{{\"solution\": \"{SOLUTION}\"}}'"),
    )]);
    let record = bench.records().remove("worker").expect("its record");
    // Starting it takes this thread about a millisecond; counting to 200,000 takes a shell many.
    assert!(record.outcome.cpu_ms.is_some_and(|cpu_ms| cpu_ms > 5.0), "{:?}", record.outcome.cpu_ms);
}

#[test]
fn programs_are_listed_with_their_settings() {
    let bench = ran();
    let listed = String::from_utf8_lossy(&bench.output(&["list", "algorithms"]).stdout).into_owned();
    let (_, listed) = listed.split_once("  external: ").expect("it is listed");
    let words: Vec<&str> = listed.split_whitespace().collect();
    let listed = words.join(" ");
    assert!(listed.contains(" text; must be given parameters: "), "{listed}");
    assert!(
        listed.contains(" table of numbers, texts and flags under names of your own; none unless given "),
        "{listed}"
    );
}
