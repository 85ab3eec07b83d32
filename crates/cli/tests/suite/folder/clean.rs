//! `runner clean`: runs that a plan does not have any more are moved out of the journal, and nothing that was finished is lost.

use std::collections::BTreeSet;
use std::fs;

use crate::test_folder::{TestFolder, number_before};

const TABLES: [&str; 4] = ["runs.csv", "summary.csv", "csv-metadata.json", "manifest.json"];

/// A folder `o` whose journal has the runs of two populations, and whose plan has those of one.
fn shrunk() -> TestFolder {
    let folder = TestFolder::new("[20, 60]", 2);
    folder.run(&["--out", "o"]);
    folder.write_experiment("[60]", 2);
    folder.run(&["--out", "o"]);
    folder
}

/// The files of a results folder that are made from its journal.
fn tables(folder: &TestFolder) -> Vec<String> {
    TABLES.iter().map(|name| folder.read(folder.path("o").join(name))).collect()
}

/// The ids in the lines of the journal of a results folder.
fn ids(folder: &TestFolder, results: &str) -> BTreeSet<String> {
    let id = |line: &str| line.split('"').nth(3).unwrap_or_default().to_owned();
    folder.journals(results).iter().flat_map(|path| folder.read(path).lines().map(id).collect::<Vec<_>>()).collect()
}

#[test]
fn a_grid_that_shrank_has_its_runs_moved_and_gets_them_back() {
    let whole = TestFolder::new("[20, 60]", 2);
    whole.run(&["--out", "whole"]);
    let folder = shrunk();
    let before = (tables(&folder), ids(&folder, "o"));
    insta::assert_snapshot!(folder.refused(2, &["clean", "o"]), @r"
    the journal of o has 16 runs that its plan does not have
    nothing was moved; `runner clean o --yes` moves these runs to o/aside
    ");
    assert!((tables(&folder), ids(&folder, "o")) == before && !folder.path("o/aside").exists());
    insta::assert_snapshot!(folder.outputs(0, &["clean", "o", "--yes"]).1, @r"
    the journal of o has 16 runs that its plan does not have
    16 runs moved to o/aside; `runner run EXPERIMENT.toml --reuse o/aside` uses these runs again
    ");
    assert_eq!(tables(&folder), before.0);
    let (left, moved) = (ids(&folder, "o"), ids(&folder, "o/aside"));
    assert_eq!((left.len(), moved.len(), folder.journal_lines("o")), (16, 16, 16));
    assert_eq!(&left | &moved, before.1);
    folder.outputs(0, &["verify", "o"]);
    folder.outputs(0, &["merge", "o", "--quiet"]);
    assert_eq!(tables(&folder)[..3], before.0[..3], "they are made again to the byte");
    let nothing = "nothing to move: the plan has every run in the journal of o\n";
    assert_eq!(folder.refused(0, &["clean", "o"]), nothing);

    folder.write_experiment("[20, 60]", 2);
    let messages = folder.run(&["--out", "n", "--reuse", "o", "o/aside"]);
    assert!(messages.contains("0 runs done, 32 found in the journal"), "{messages}");
    assert_eq!(folder.rows("n"), whole.rows("whole"));
    // By hand, too.
    for file in fs::read_dir(folder.path("o/aside/journal")).expect("a folder") {
        let path = file.expect("a file").path();
        fs::rename(&path, folder.path("o/journal").join(path.file_name().expect("it has one"))).expect("it is moved");
    }
    let messages = folder.run(&["--out", "o"]);
    assert!(messages.contains("0 runs done, 32 found in the journal"), "{messages}");
    assert_eq!(folder.rows("o"), whole.rows("whole"));
    folder.outputs(0, &["verify", "o"]);
}

#[test]
fn only_lines_of_runs_are_moved_and_every_one_of_them() {
    let folder = shrunk();
    let journal = folder.journals("o")[0].clone();
    let orphan = folder
        .read(&journal)
        .lines()
        .find(|line| line.contains("\"population\":20"))
        .expect("there are some")
        .to_owned();
    // A run that failed first, a damaged line, one that another program wrote, and a line that was never finished.
    let failed = orphan.replace("\"target\"", "\"failed\"").replace("\"stagnation\"", "\"failed\"");
    folder
        .change(&journal, |text| format!("{}damaged\n\n{text}{}", crate::test_folder::sealed(&failed), &orphan[..40]));
    folder.write("o/journal/z.jsonl", format!("{orphan}\n"));
    let before = tables(&folder);
    folder.outputs(0, &["clean", "o", "--yes"]);
    assert_eq!(tables(&folder), before);
    let left = folder.read(&journal);
    assert!(left.starts_with("damaged\n\n{\"run_id\"") && left.ends_with(&format!("\n{}", &orphan[..40])), "{left}");
    assert_eq!(left.lines().filter(|line| line.contains("\"population\":20")).count(), 0);
    assert_eq!(folder.read("o/journal/z.jsonl"), "");
    assert_eq!(folder.journal_lines("o/aside"), 18, "with the failure, and the line of the other program");
    assert_eq!(ids(&folder, "o/aside").len(), 16);
    assert_eq!(folder.refused(0, &["clean", "o"]), "nothing to move: the plan has every run in the journal of o\n");
}

#[test]
fn a_folder_in_which_a_process_works_is_not_cleaned() {
    let folder = shrunk();
    folder.write_experiment("[60]", 100_000);
    let mut child = folder.start_until("o", 40, &["run", "test.toml", "--out", "o", "--quiet", "--jobs", "1"]);
    let before = folder.journals("o").len();
    let messages = folder.refused(1, &["clean", "o", "--yes"]);
    child.kill().expect("it lives");
    child.wait().expect("it ends");
    assert!(messages.starts_with("error: o is in use by process "), "{messages}");
    assert!(messages.contains("; `clean` would replace files of the journal\n"), "{messages}");
    assert_eq!((folder.journals("o").len(), folder.path("o/aside").exists()), (before, false));
    // Its runs stay: the plan has them.
    folder.outputs(0, &["clean", "o", "--yes"]);
    assert_eq!(ids(&folder, "o/aside").len(), 16);
}

#[test]
fn runs_of_the_present_tables_are_not_moved() {
    let folder = TestFolder::new("[20, 60]", 2);
    folder.run(&["--out", "o"]);
    folder.write_experiment("[60]", 2);
    // A shard announces its plan, and leaves the tables to the merge.
    folder.run(&["--out", "o", "--shard", "1/2"]);
    insta::assert_snapshot!(folder.refused(2, &["clean", "o", "--yes"]), @r"
    error: o/runs.csv was written for another plan or for other versions of operators: the file lists 16 runs that `clean` would move out of the journal
      before you use `clean`, write runs.csv again: `runner run` or `runner merge`
    ");
    assert_eq!((ids(&folder, "o").len(), folder.path("o/aside").exists()), (32, false));
    folder.outputs(0, &["merge", "o", "--quiet"]);
    folder.outputs(0, &["clean", "o", "--yes"]);
    assert_eq!(ids(&folder, "o").len(), 16);
}

#[test]
fn what_is_no_results_folder_is_refused() {
    let folder = TestFolder::new("[20]", 1);
    assert_eq!(
        folder.refused(2, &["clean", "nowhere"]),
        "error: nowhere is not a results folder: it has no manifest.json\n"
    );
}

#[cfg(unix)]
#[test]
fn no_link_in_place_of_the_folder_for_moved_runs_is_followed() {
    for part in ["aside", "aside/journal"] {
        let folder = shrunk();
        fs::create_dir(folder.path("victim")).expect("a folder");
        if part == "aside/journal" {
            fs::create_dir(folder.path("o/aside")).expect("a folder");
        }
        std::os::unix::fs::symlink(folder.path("victim"), folder.path("o").join(part)).expect("a link");
        let before = ids(&folder, "o");
        let messages = folder.refused(1, &["clean", "o", "--yes"]);
        assert!(messages.contains("is a link; links in a results folder are not followed"), "{messages}");
        assert_eq!(ids(&folder, "o"), before);
        assert_eq!(fs::read_dir(folder.path("victim")).expect("a folder").count(), 0);
    }
}

#[test]
fn a_process_that_is_killed_while_it_moves_runs_loses_none() {
    let folder = TestFolder::new("[20, 60]", 3);
    folder.run(&["--out", "whole"]);
    for shard in 1..=24 {
        folder.run(&["--out", "o", "--shard", &format!("{shard}/24"), "--quiet"]);
    }
    folder.write_experiment("[60]", 3);
    folder.run(&["--out", "o", "--quiet"]);
    let (before, all) = (tables(&folder), ids(&folder, "o"));
    let mut n_partly = 0;
    for number in 1..=24 {
        let mut child = folder.start(&["clean", "o", "--yes"]);
        while folder.journals("o/aside").len() < number {
            if child.try_wait().expect("its state is known").is_some() {
                break;
            }
        }
        let _ = child.kill();
        child.wait().expect("it ends");
        let (left, moved) = (ids(&folder, "o"), ids(&folder, "o/aside"));
        assert_eq!(&left | &moved, all, "after {number}");
        n_partly += usize::from(left.len() > 24 && !moved.is_empty());
    }
    assert!(n_partly > 0, "it was never killed between two files");
    folder.outputs(0, &["clean", "o", "--yes"]);
    assert_eq!((ids(&folder, "o").len(), folder.journal_lines("o/aside")), (24, 24), "nothing is there twice");
    folder.outputs(0, &["merge", "o", "--quiet"]);
    assert_eq!(tables(&folder)[..3], before[..3]);
    folder.outputs(0, &["verify", "o"]);
    folder.write_experiment("[20, 60]", 3);
    let messages = folder.run(&["--out", "o", "--reuse", "o/aside"]);
    assert_eq!(number_before(&messages, " found in the journal"), 48, "{messages}");
    assert_eq!(folder.rows("o"), folder.rows("whole"));
}

/// At a terminal, which util-linux's `script` is here.
#[cfg(target_os = "linux")]
#[test]
fn at_a_terminal_it_asks() {
    use std::process::Command;

    use crate::test_folder::report;
    let folder = shrunk();
    let ask = |answer: &str| {
        let command = format!("{} clean o", env!("CARGO_BIN_EXE_runner"));
        let mut script = Command::new("script");
        script.current_dir(folder.path("")).args(["--quiet", "--return", "--command", &command, "/dev/null"]);
        let (status, printed, _) = report(&mut script, &format!("{answer}\n"));
        assert!(printed.contains("move them to o/aside? [y/N]"), "{printed}");
        (status, printed)
    };
    for answer in ["", "n", "never", "j"] {
        let (status, printed) = ask(answer);
        assert!(status == Some(0) && printed.contains("nothing was moved"), "{answer}: {printed}");
        assert!(!folder.path("o/aside").exists(), "{answer}");
    }
    assert_eq!(ask("Y").0, Some(0));
    assert_eq!(ids(&folder, "o/aside").len(), 16);
}
