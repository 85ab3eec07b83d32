//! Links, pipes and devices in place of what a command makes or reads: nothing outside the folder is written or read, and nothing hangs.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::test_folder::{TestFolder, report_at_end};

/// Every file below a folder, with its bytes.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.insert(format!("{}/", path.display()), Vec::new());
            found.extend(content(&path));
        } else {
            found.insert(path.display().to_string(), fs::read(&path).expect("a file"));
        }
    }
    found
}

/// A results folder whose part of this name leads to a folder `victim`, which holds what the part did and a chart.
fn led_outside(part: &str) -> TestFolder {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--out", "x", "--quiet"]);
    let (inside, victim) = (folder.path("x").join(part), folder.path("victim"));
    if inside.exists() { fs::rename(&inside, &victim) } else { fs::create_dir(&victim) }.expect("a folder outside");
    folder.write("victim/gap.svg", "precious");
    symlink("../victim", inside).expect("a link");
    folder
}

#[test]
fn no_folder_that_is_a_link_is_written_through() {
    let cases: [(&str, &[&str], i32); 10] = [
        ("journal", &["run", "test.toml", "--out", "x"], 1),
        ("journal", &["run", "test.toml", "--out", "x", "--fresh"], 0),
        ("journal", &["run", "test.toml", "--out", "x", "--set", "experiment.repetitions=2"], 1),
        ("journal", &["merge", "x"], 1),
        ("journal", &["merge", "honest", "--out", "x"], 1),
        ("journal", &["merge", "x", "--out", "y"], 1),
        ("journal", &["verify", "x"], 1),
        ("damaged", &["merge", "x"], 1),
        ("slurm", &["slurm", "test.toml", "--out", "x", "--shards", "2"], 1),
        ("slurm/logs", &["slurm", "test.toml", "--out", "x", "--shards", "2"], 1),
    ];
    let charts: [(&str, &[&str], i32); 1] = [("charts", &["plot", "x"], 1)];
    let charts = if cfg!(feature = "charts") { &charts[..] } else { &[] };
    for &(part, arguments, expected) in cases.iter().chain(charts) {
        let folder = if part == "slurm/logs" {
            let folder = led_outside("slurm");
            fs::remove_file(folder.path("x/slurm")).expect("a link");
            fs::create_dir(folder.path("x/slurm")).expect("a folder");
            symlink("../../victim", folder.path("x/slurm/logs")).expect("a link");
            folder
        } else {
            led_outside(part)
        };
        if arguments.contains(&"honest") {
            folder.run(&["--out", "honest", "--quiet"]);
        }
        if part == "damaged" {
            let journal = folder.journals("x").pop().expect("a journal");
            folder.change(&journal, |text| format!("{text}evil content\n"));
        }
        let outside = content(&folder.path("victim"));
        let (status, printed, said) = folder.report(arguments);
        assert_eq!(content(&folder.path("victim")), outside, "{arguments:?}: {printed}{said}");
        if part != "damaged" && expected != 0 {
            let link = format!(
                "x/{part}` is a link; links in a results folder are not followed: replace the link with the folder"
            );
            assert!(said.contains(&link), "{arguments:?}: {said}");
            assert_eq!(status, Some(expected), "{arguments:?}: {said}");
        }
    }
}

#[test]
fn a_folder_that_the_user_names_may_be_a_link() {
    let folder = TestFolder::new("[20]", 1);
    fs::create_dir(folder.path("scratch")).expect("a folder");
    symlink("scratch", folder.path("x")).expect("a link");
    folder.run(&["--out", "x", "--quiet"]);
    folder.outputs(0, &["verify", "x"]);
    assert!(folder.path("scratch/journal").is_dir());
    if cfg!(feature = "charts") {
        fs::create_dir(folder.path("figures")).expect("a folder");
        symlink("figures", folder.path("linked")).expect("a link");
        folder.outputs(0, &["plot", "x", "--out", "linked", "--chart", "cost"]);
        assert!(folder.path("figures/cost.svg").is_file());
    }
}

#[test]
fn whatever_has_the_manifests_place_a_run_ends() {
    let targets = [Some("gone"), Some("manifest.json"), Some("/dev/zero"), None];
    for (target, overwrites) in targets.iter().flat_map(|target| [(target, false), (target, true)]) {
        let folder = TestFolder::new("[20]", 1);
        fs::create_dir(folder.path("x")).expect("a folder");
        match target {
            Some(target) => symlink(target, folder.path("x/manifest.json")).expect("a link"),
            None => {
                assert!(Command::new("mkfifo").arg(folder.path("x/manifest.json")).status().expect("it is").success());
            }
        }
        let arguments = ["run", "test.toml", "--out", "x", "--quiet", "--overwrite"];
        let child = folder.start(&arguments[..if overwrites { 6 } else { 5 }]);
        let (status, _, said) = report_at_end(child);
        assert_eq!(status, Some(if overwrites { 0 } else { 2 }), "{target:?}: {said}");
        assert!(
            overwrites || said.contains("x contains a manifest that this program cannot use"),
            "{target:?}: {said}"
        );
        assert!(!folder.path("x/gone").exists());
    }
}

#[test]
fn a_first_experiment_is_written_nowhere_else() {
    let folder = TestFolder::empty();
    let pipe = |name: &str| assert!(Command::new("mkfifo").arg(folder.path(name)).status().expect("it is").success());
    pipe("first.toml");
    symlink("/dev/zero", folder.path("second.toml")).expect("a link");
    symlink("nothing", folder.path("third.toml")).expect("a link");
    fs::create_dir(folder.path("results")).expect("a folder");
    symlink("nothing", folder.path("results/fourth")).expect("a link");
    for name in ["first", "second", "third"] {
        let said = folder.refused(2, &["init", name]);
        assert!(said.starts_with(&format!("error: `{name}.toml` already exists")), "{said}");
    }
    let said = folder.refused(2, &["init", "fourth"]);
    assert!(said.starts_with("error: `results/fourth` already exists"), "{said}");
    fs::create_dir(folder.path("victim")).expect("a folder");
    symlink("victim", folder.path("instances")).expect("a link");
    let said = folder.refused(1, &["init", "fifth"]);
    assert!(said.contains("`instances` is a link"), "{said}");
    assert!(!folder.path("fifth.toml").exists() && content(&folder.path("victim")).is_empty());
}
