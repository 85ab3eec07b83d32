//! What a results folder holds already: another experiment is not replaced unasked, no table is lost, and runs of another build are
//! said to be.

use crate::test_folder::TestFolder;

#[test]
fn a_folder_of_another_experiment_is_refused_unless_it_may_be_overwritten() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--out", "results/shared"]);
    let runs = folder.read("results/shared/runs.csv");
    for (line, new, difference) in [
        ("name = \"test\"", "name = \"other\"", "`test`, and this is `other`"),
        ("seed = 1", "seed = 2", "the seed is 1, but the seed of this experiment is 2"),
    ] {
        folder.change("test.toml", |text| text.replacen(line, new, 1));
        for arguments in [&["--out", "results/shared"][..], &["--out", "results/shared", "--shard", "1/2"]] {
            let told = folder.refused(2, &[&["run", "test.toml"], arguments].concat());
            assert!(
                told.contains(&format!("error: results/shared contains another experiment: {difference}\n")),
                "{told}"
            );
            assert!(told.contains("`--out`") && told.contains("`--overwrite`"), "{told}");
        }
        assert_eq!(folder.read("results/shared/runs.csv"), runs);
        folder.change("test.toml", |text| text.replacen(new, line, 1));
    }
    folder.change("test.toml", |text| text.replacen("seed = 1", "seed = 2", 1));
    let told = folder.run(&["--out", "results/shared", "--overwrite"]);
    assert!(told.contains("the earlier tables, with 8 runs that this plan does not contain, were copied to"), "{told}");
    assert_eq!(folder.read("results/shared/earlier-1/runs.csv"), runs);
    assert_ne!(folder.read("results/shared/runs.csv"), runs);
}

#[test]
fn a_narrower_grid_keeps_the_tables_of_the_wider_one() {
    let folder = TestFolder::new("[20, 60]", 1);
    folder.run(&[]);
    let (runs, summary) = (folder.read("results/test/runs.csv"), folder.read("results/test/summary.csv"));
    assert!(!folder.run(&[]).contains("earlier tables"), "nothing changes");
    let told = folder.run(&["--set", "population=20"]);
    let expected =
        "the earlier tables, with 8 runs that this plan does not contain, were copied to results/test/earlier-1\n";
    assert!(told.contains(expected), "{told}");
    assert_eq!(folder.read("results/test/earlier-1/runs.csv"), runs);
    assert_eq!(folder.read("results/test/earlier-1/summary.csv"), summary);
    // A wider one loses nothing.
    assert!(!folder.run(&[]).contains("earlier tables"));
    assert!(!folder.path("results/test/earlier-2").exists());
}

#[test]
fn tables_whose_manifest_is_missing_are_not_replaced_without_a_word() {
    let folder = TestFolder::new("[20, 60]", 1);
    folder.run(&["--out", "o"]);
    let runs = folder.read("o/runs.csv");
    std::fs::remove_file(folder.path("o/manifest.json")).expect("it is there");
    // Another seed, another name with other settings: no run of the tables is in the plan.
    for other in [&["--set", "experiment.seed=2"][..], &["--set", "experiment.name=other", "--set", "population=30"]] {
        let told = folder.refused(2, &[&["run", "test.toml", "--out", "o"], other].concat());
        assert!(told.contains("o contains a `runs.csv` of another experiment, whose manifest is missing"), "{told}");
        assert!(told.contains("`--out`") && told.contains("`--overwrite`"), "{told}");
    }
    assert_eq!(folder.read("o/runs.csv"), runs);
    // Of a narrower plan some are: the tables are kept.
    let told = folder.run(&["--out", "o", "--set", "population=20"]);
    assert!(
        told.contains("the tables of another plan, whose manifest is missing, were copied to o/earlier-1"),
        "{told}"
    );
    assert_eq!(folder.read("o/earlier-1/runs.csv"), runs);
    // Of the same plan all are: they are made again.
    folder.run(&["--out", "o"]);
    std::fs::remove_file(folder.path("o/manifest.json")).expect("it is there");
    let told = folder.run(&["--out", "o"]);
    assert!(told.contains("0 runs done") && !folder.path("o/earlier-2").exists(), "{told}");
    assert_eq!(folder.read("o/runs.csv"), runs);
    // A summary alone cannot be told to be of this plan.
    for file in ["manifest.json", "runs.csv"] {
        std::fs::remove_file(folder.path("o").join(file)).expect("it is there");
    }
    let told = folder.run(&["--out", "o"]);
    assert!(
        told.contains("the tables of another plan, whose manifest is missing, were copied to o/earlier-2"),
        "{told}"
    );
}

#[test]
fn a_run_that_continues_what_another_build_did_says_so() {
    let folder = TestFolder::new("[20]", 1);
    let build = |folder: &TestFolder| {
        let manifest: serde_json::Value =
            serde_json::from_str(&folder.read("results/test/manifest.json")).expect("it is JSON");
        manifest["sessions"][0]["evogrid"]["build"].as_str().map(str::to_owned)
    };
    folder.run(&[]);
    let id = build(&folder).expect("the session names its build");
    let told = folder.run(&["--set", "experiment.repetitions=2"]);
    assert!(!told.contains("another build"), "{told}");
    let journals = std::fs::read_dir(folder.path("results/test/journal")).expect("it is there");
    for entry in journals.map(|entry| entry.expect("an entry").path()) {
        if entry.to_string_lossy().ends_with(".session.json") {
            folder.change(&entry, |text| text.replace(&id, "0123456789abcdef"));
        }
    }
    let told = folder.run(&["--set", "experiment.repetitions=3"]);
    assert_eq!(told.matches("note: another build of this program did the earlier runs").count(), 1, "{told}");
    assert_eq!(build(&folder).as_deref(), Some("0123456789abcdef"), "what did the runs stays known");
}
