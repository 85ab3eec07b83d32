//! `runner space`: the files of other tuners, which call `runner target`.

use crate::test_folder::TestFolder;

/// Numbers on both scales, operators by name and as tables, conditions, forbidden combinations; one instance is for the test.
const EXPERIMENT: &str = r#"[experiment]
name = "test"
title = "A \"title\""
seed = 1
repetitions = 1

[[instances]]
problem = "sudoku"
generate = { size = 4, box = "2x2", givens = "6", count = 2, seed = 1 }

[[instances]]
role = "test"
problem = "sudoku"
generate = { size = 4, box = "2x2", givens = "7", count = 1, seed = 1 }

[algorithms.own]
kind = "genetic"
population = 50
selection = { kind = "ranking", pressure = 1.5 }
crossover = "pmx"
mutation = { kind = "swap-random", gene_rate = 0.2 }
survival = { kind = "generational", elite = 0.02 }
exclude = [
    { population = 10, selection = "tournament" },
    { selection = { kind = "ranking", pressure = 1.5 }, crossover = "order" },
]

[algorithms.own.space]
population = { from = 10, to = 500, scale = "log" }
selection = ["truncation", "tournament", { kind = "ranking", pressure = 1.5 }]
"selection.size" = { from = 2, to = 5 }
crossover = ["pmx", "order"]
crossover_rate = { from = 0.001, to = 1.0, scale = "log" }
"mutation.gene_rate" = { from = 0.1, to = 0.5 }

[budget]
evaluations = 500
"#;

fn spaces() -> TestFolder {
    let folder = TestFolder::empty();
    folder.write("test.toml", EXPERIMENT);
    folder
}

impl TestFolder {
    /// All files for a tuner, each below its name, and what was said; paths of this machine are replaced.
    fn space(&self, words: &str) -> String {
        let words: Vec<&str> = ["space", "test.toml", "--out", "files"].into_iter().chain(words.split(' ')).collect();
        let (said, told) = self.outputs(0, &words);
        let mut files: Vec<_> =
            std::fs::read_dir(self.path("files")).expect("a folder").map(|file| file.expect("a file").path()).collect();
        files.sort();
        let mut all = said + &told;
        for file in files {
            let name = file.file_name().expect("a name").to_string_lossy();
            all += &format!("\n=== {name}\n{}", self.read(&file));
        }
        std::fs::remove_dir_all(self.path("files")).expect("it was written");
        let folder = self.path("").canonicalize().expect("it is there");
        let folder = folder.to_str().expect("it is text").trim_end_matches('/');
        all.replace(folder, "FOLDER").replace(env!("CARGO_BIN_EXE_runner"), "RUNNER")
    }
}

#[cfg(unix)]
#[test]
fn irace_gets_the_space_in_the_form_of_its_version() {
    let folder = spaces();
    let four = folder.space("--style irace --metric evaluations");
    let three = folder.space("--style irace3 --set budget.evaluations=600 --set experiment.repetitions=2");
    insta::assert_snapshot!(format!("{four}\n######\n{three}"));
}

#[cfg(unix)]
#[test]
fn python_packages_get_the_space_with_a_program_that_tunes() {
    let folder = spaces();
    let smac = folder.space("--style configspace --metric evaluations");
    let optuna = folder.space("--style optuna");
    insta::assert_snapshot!(format!("{smac}\n######\n{optuna}"));
}

#[test]
fn without_a_folder_the_space_is_printed_alone() {
    let folder = spaces();
    let printed = |style: &str| folder.outputs(0, &["space", "test.toml", "--style", style]).0;
    let files = folder.space("--style configspace");
    assert!(files.contains(&format!("=== space.json\n{}", printed("configspace"))), "{files}");
    let space: serde_json::Value = serde_json::from_str(&printed("configspace")).expect("JSON");
    assert_eq!(space["hyperparameters"].as_array().map(Vec::len), Some(6));
    assert!(folder.space("--style irace").contains(&format!("=== parameters.txt\n{}", printed("irace"))));
}

#[test]
fn what_is_planned_for_tune_is_what_other_tuners_do() {
    let folder = spaces();
    folder.change("test.toml", |text| {
        format!("{text}\n[algorithms.other]\npreset = \"huke\"\n\n[tune]\nmetric = \"evaluations\"\nbudget = 300\n")
    });
    let files = folder.space("--style irace");
    assert!(files.contains("maxExperiments       = 300\n"), "{files}");
    assert!(files.contains(" --algorithm own --metric evaluations --style irace -- "), "{files}");
}

#[test]
fn a_default_outside_of_the_space_is_told_and_not_the_first_configuration() {
    let folder = spaces();
    folder.change("test.toml", |text| {
        text.replace("population = 50", "population = 1000")
            .replace("mutation = { kind = \"swap-random\", gene_rate = 0.2 }", "mutation = \"swap-random\"")
    });
    let (_, told) = folder.outputs(0, &["space", "test.toml", "--style", "irace"]);
    insta::assert_snapshot!(told, @"note: if you run the experiment without a tuner, the experiment uses a configuration outside the space: `population` is 1000, `mutation.gene_rate` is absent");
    let files = folder.space("--style irace");
    assert!(!files.contains("configurations"), "{files}");
    assert!(
        folder
            .space("--style configspace")
            .contains(r#""population", "lower": 10, "upper": 500, "log": true, "default_value": 69"#)
    );
}

/// What irace and the others hand over to the program that does a run.
#[cfg(unix)]
#[test]
fn every_choice_reaches_the_run() {
    let folder = spaces();
    let run = |style: &str, call: &str| {
        folder.outputs(0, &["space", "test.toml", "--style", style, "--metric", "evaluations", "--out", style]);
        let mut shell = std::process::Command::new("sh");
        // The settings are words of a shell command for irace, and arguments for the others.
        shell.args(["-c", &format!("sh ./{style}/target-runner {call}")]).current_dir(folder.path(""));
        let output = shell.output().expect("a shell");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{call}");
        String::from_utf8(output.stdout).expect("text")
    };
    let parameters = folder.outputs(0, &["space", "test.toml", "--style", "irace"]).0;
    let line = parameters.lines().find(|line| line.starts_with("selection ")).expect("a line").to_owned();
    let ranking = line.split('"').nth(7).expect("the third choice");
    let direct = |setting: &str| {
        let call = "target test.toml --metric evaluations --style irace -- 1 1 5 givens-6-01 --population=10";
        let call: Vec<&str> = call.split(' ').chain([setting]).collect();
        folder.outputs(0, &call).0
    };
    let (ranked, default) =
        (direct("--selection={ kind = \"ranking\", pressure = 1.5 }"), direct("--selection=truncation"));
    assert_ne!(ranked, default);
    assert_eq!(run("irace", &format!("1 1 5 givens-6-01 --population=10 --selection={ranking}")), ranked);
    let space: serde_json::Value =
        serde_json::from_str(&folder.outputs(0, &["space", "test.toml", "--style", "configspace"]).0).expect("JSON");
    let ranking = space["hyperparameters"][1]["choices"][2].as_str().expect("a choice");
    let smac =
        run("configspace", &format!("--instance=givens-6-01 --seed=5 --population=10 \"--selection={ranking}\""));
    assert!(smac.starts_with(&format!("cost={};", ranked.trim())), "{smac} {ranked}");
}

#[test]
fn what_cannot_be_written_is_refused() {
    let folder = spaces();
    folder.write("taken", "");
    let taken = folder.refused(2, &["space", "test.toml", "--style", "optuna", "--out", "taken"]);
    folder.change("test.toml", |text| {
        let (before, after) = text.split_once("[algorithms.own.space]").expect("a space");
        let (_, budget) = after.split_once("[budget]").expect("a budget");
        format!("{}[budget]{budget}", before.replace("exclude", "#").replace("    {", "#").replace("]\n\n", "\n"))
    });
    let none = folder.refused(2, &["space", "test.toml", "--style", "optuna"]);
    insta::assert_snapshot!(taken + &none, @"
    error: `taken` already exists
      choose another folder with `--out`
    error: the algorithm `own` does not declare a space
      in `[algorithms.NAME.space]`, write the settings that may vary, for example `removed = { from = 1, to = 8 }`
    ");
}
