//! `runner init`, and `runner` alone: from an empty folder to a report.

use std::fs;

use crate::test_folder::TestFolder;

#[test]
fn the_command_alone_says_how_to_begin() {
    let (status, output, said) = TestFolder::empty().report(&[]);
    assert_eq!((status, output.as_str()), (Some(2), ""));
    insta::assert_snapshot!(said);
}

// Elsewhere a path in a command is quoted, for its `\`.
#[cfg(unix)]
#[test]
fn what_the_command_says_leads_from_an_empty_folder_to_a_report() {
    let folder = TestFolder::empty();
    let (_, _, said) = folder.report(&[]);
    let commands = |text: &str| -> Vec<String> {
        let lines = text.lines().filter_map(|line| line.strip_prefix("  runner "));
        lines.map(|line| line.split("  ").next().unwrap_or_default().to_owned()).collect()
    };
    let mut steps = commands(&said);
    assert_eq!(steps.len(), 3, "{said}");
    let (status, told, said) = folder.report(&["init"]);
    assert_eq!((status, said.as_str()), (Some(0), ""));
    insta::assert_snapshot!(told);
    steps.remove(0);
    for command in steps.into_iter().chain(commands(&told)) {
        let words: Vec<&str> = command.split(' ').collect();
        // Without charts there is no report, and the command says so.
        if words[0] != "report" || cfg!(feature = "charts") {
            let (status, _, said) = folder.report(&words);
            assert_eq!(status, Some(0), "{command}: {said}");
        }
    }
    assert_eq!(folder.path("results/first/report.html").exists(), cfg!(feature = "charts"));
}

#[test]
fn every_family_has_an_experiment_without_remarks_that_can_be_verified() {
    let catalogue = evogrid_cli::catalogue();
    for family in catalogue.families().map(|family| family.declaration().name) {
        // Its programs are servers.
        if family == "external" && !cfg!(target_os = "linux") {
            continue;
        }
        let folder = TestFolder::empty();
        let (status, _, said) = folder.report(&["init", "mine", "--problem", family]);
        assert_eq!((status, said.as_str()), (Some(0), ""), "{family}");
        let (status, _, said) = folder.report(&["check", "mine.toml"]);
        assert_eq!((status, said.contains("note")), (Some(0), false), "{family}: {said}");
        let few = ["--set", "experiment.repetitions=1", "--quiet"];
        let (status, _, said) = folder.report(&[&["run", "mine.toml"], &few[..]].concat());
        assert_eq!((status, said.as_str()), (Some(0), ""), "{family}");
        let (status, _, said) = folder.report(&["verify", "results/mine", "--run-programs"]);
        assert_eq!(status, Some(0), "{family}: {said}");
    }
}

#[test]
fn families_have_a_tuning_that_is_carried_out_to_its_end() {
    let catalogue = evogrid_cli::catalogue();
    let families = catalogue.families().filter(|family| family.first_tuning().is_some());
    for family in families.map(|family| family.declaration().name) {
        let folder = TestFolder::empty();
        let (told, said) = folder.outputs(0, &["init", "mine", "--tune", "--problem", family]);
        assert_eq!(said, "", "{family}");
        assert!(told.contains("runner tune mine.toml"), "{told}");
        let (_, said) = folder.outputs(0, &["check", "mine.toml"]);
        assert!(!said.contains("note"), "{family}: {said}");
        let few = ["--set", "tune.budget=60", "--set", "tune.path=2", "--set", "experiment.repetitions=1", "--quiet"];
        let (_, said) = folder.outputs(0, &[&["tune", "mine.toml"], &few[..]].concat());
        assert_eq!(said, "", "{family}");
        assert!(folder.path("results/mine-tune/race.csv").exists(), "{family}");
    }
    let told = TestFolder::empty().refused(2, &["init", "mine", "--tune", "--problem", "external"]);
    assert!(told.contains("`external` has no example of a tuning"), "{told}");
}

#[test]
fn nothing_that_is_there_is_touched() {
    let folder = TestFolder::empty();
    folder.write("first.toml", "mine");
    let (status, output, said) = folder.report(&["init"]);
    assert_eq!((status, output.as_str()), (Some(2), ""));
    insta::assert_snapshot!(said, @r"
    error: `first.toml` already exists
      nothing was written; choose another name with `runner init NAME`, or use another folder
    ");
    assert_eq!(folder.read("first.toml"), "mine");
    assert!(!folder.path("instances").exists(), "nothing was written");

    assert_eq!(folder.report(&["init", "second"]).0, Some(0));
    folder.change("instances/sudoku.csv", |boards| boards.replace("easy", "light"));
    let (status, _, said) = folder.report(&["init", "third"]);
    assert_eq!((status, said.contains("sudoku.csv` already exists")), (Some(2), true), "{said}");
    assert!(!folder.path("third.toml").exists());

    fs::create_dir_all(folder.path("results/fourth")).expect("a folder");
    let (status, _, said) = folder.report(&["init", "fourth", "--problem", "tsp"]);
    assert_eq!((status, said.contains("fourth` already exists")), (Some(2), true), "{said}");
}

#[test]
fn two_experiments_share_their_instances() {
    let folder = TestFolder::empty();
    for name in ["first", "second.toml"] {
        assert_eq!(folder.report(&["init", name]).0, Some(0), "{name}");
    }
    assert!(folder.read("second.toml").contains("name        = \"second\""));
}

#[test]
fn a_wrong_name_or_family_is_told() {
    let folder = TestFolder::empty();
    let said = |arguments: &[&str]| {
        let (status, _, said) = folder.report(arguments);
        assert_eq!(status, Some(2), "{said}");
        said
    };
    insta::assert_snapshot!(said(&["init", "a/b"]), @r"
    error: `a/b` cannot be the name of an experiment
      expected 1 to 100 letters, digits, `-` or `_`; the experiment's name is also the name of the results folder
    ");
    insta::assert_snapshot!(said(&["init", "--problem", "sudoko"]), @r"
    error: unknown problem `sudoko`
      expected `sudoku`, `flowshop`, `tsp`, `qap` or `external`; did you mean `sudoku`?
    ");
    // The name of the experiment is not the place of the family.
    for name in ["flowshop", "flow-shop", "Flowshp"] {
        let told = said(&["init", name]);
        assert!(told.contains("to choose the problem, use `runner init --problem flowshop`"), "{told}");
    }
    assert_eq!(fs::read_dir(folder.path("")).expect("the folder").count(), 0);
    assert_eq!(folder.report(&["init", "flowshop", "--problem", "flowshop"]).0, Some(0));
}
