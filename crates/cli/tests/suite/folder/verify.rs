//! `runner verify`: what a folder claims is so, and whoever changes it is found out.

use std::fs;

use crate::test_folder::TestFolder;

fn ran() -> TestFolder {
    let folder = TestFolder::new("[60, 200]", 2);
    folder.run(&[]);
    folder
}

/// Changes the first record that holds some text, and leaves no checksum to tell.
fn forge(folder: &TestFolder, holds: &str, change: impl FnOnce(&str) -> String) {
    folder.change_line(&folder.journals("results/test")[0], holds, change);
    folder.reseal("results/test");
}

/// What it prints where it ends with this status.
fn verified(folder: &TestFolder, status: i32, arguments: &[&str]) -> String {
    folder.outputs(status, &[&["verify", "results/test"], arguments].concat()).0
}

#[test]
fn a_folder_that_nobody_touched_is_right() {
    let told = verified(&ran(), 0, &["--sample", "8", "--seed", "1"]);
    assert!(told.starts_with("32 runs checked: "), "{told}");
    assert!(told.ends_with(" solutions, 8 runs repeated\nnothing is wrong\n"), "{told}");
}

#[test]
fn a_row_that_was_changed_is_found() {
    let folder = ran();
    folder.change_line("results/test/runs.csv", ",false,", |line| line.replacen(",false,", ",true,", 1));
    let told = verified(&folder, 1, &["--sample", "0"]);
    assert!(told.contains(": column `solved` is `true`, expected `false`\n"), "{told}");
}

#[test]
fn a_solution_that_is_none_is_found() {
    let folder = ran();
    forge(&folder, "\"solution\":\"", |line| {
        let (before, rest) = line.split_once("\"solution\":\"").expect("it is there");
        let (solution, after) = rest.split_once('"').expect("it ends");
        let mirrored: String = solution.chars().rev().collect();
        format!("{before}\"solution\":\"{mirrored}\"{after}")
    });
    let told = verified(&folder, 1, &["--sample", "0"]);
    assert!(told.contains("no solution: row 1, column "), "{told}");
}

#[test]
fn a_solution_of_an_unsolved_run_is_kept_and_its_objective_made_anew() {
    let folder = ran();
    let unsolved = "\"solved\":false";
    let recorded = |line: &str| {
        let (_, rest) = line.split_once("\"objective\":").expect("it is there");
        rest.split_once(',').expect("more follows").0.to_owned()
    };
    forge(&folder, unsolved, |line| {
        let objective = recorded(line);
        line.replacen(&format!("\"objective\":{objective}"), "\"objective\":1.0", 1)
    });
    let told = verified(&folder, 1, &["--sample", "0"]);
    assert!(told.contains(" digits missing, not 1\n"), "{told}");
}

#[test]
fn records_older_than_the_objective_are_right_and_agree_with_new_ones() {
    let folder = ran();
    let journal = folder.journals("results/test")[0].clone();
    let text = fs::read_to_string(folder.path(&journal)).expect("it is there");
    let older: Vec<String> = text
        .lines()
        .map(|line| {
            let mut record: serde_json::Value = serde_json::from_str(line).expect("a record");
            let fields = record.as_object_mut().expect("an object");
            fields.remove("crc32").expect("it has one");
            fields.remove("objective").expect("it has one");
            if fields["solved"] == false {
                fields.remove("solution").expect("it has one");
            }
            record.to_string()
        })
        .collect();
    // Beside those of a process that knew the column: the same runs, and no conflict.
    fs::write(folder.path("results/test/journal/older.jsonl"), older.join("\n") + "\n").expect("a journal");
    fs::remove_file(folder.path("results/test/runs.csv")).expect("it is there");
    folder.run(&[]);
    verified(&folder, 0, &["--sample", "32"]);
    fs::remove_file(folder.path(&journal)).expect("it is there");
    fs::remove_file(folder.path("results/test/runs.csv")).expect("it is there");
    let told = folder.run(&[]);
    assert!(told.contains("0 runs done, 32 found"), "{told}");
    verified(&folder, 0, &["--sample", "32"]);
}

#[test]
fn settings_that_are_not_those_of_the_identity_are_found_and_not_tried() {
    let folder = ran();
    let population = "\"population\":60";
    forge(&folder, population, |line| line.replacen(population, "\"population\":10000000", 1));
    let told = verified(&folder, 1, &["--sample", "32"]);
    assert!(told.lines().next().is_some_and(|first| first.ends_with("31 runs repeated")), "{told}");
    assert!(told.contains("the settings, instance and seed of the record match run r"), "{told}");
}

#[test]
fn a_count_that_was_changed_everywhere_is_found_by_doing_the_run_again() {
    let folder = ran();
    forge(&folder, "\"generations\":", |line| line.replacen("\"generations\":", "\"generations\":9", 1));
    // The rows are made from the journal, so they agree with it.
    fs::remove_file(folder.path("results/test/runs.csv")).expect("it is there");
    folder.run(&[]);
    verified(&folder, 0, &["--sample", "0"]);
    let told = verified(&folder, 1, &["--sample", "32"]);
    assert!(told.contains("repeated: generations was recorded as 9"), "{told}");
}

#[test]
fn a_line_that_was_changed_and_not_sealed_anew_is_found() {
    let folder = ran();
    let journal = &folder.journals("results/test")[0];
    folder.change_line(journal, "\"solved\":true", |line| line.replacen("target", "restarts", 1));
    let told = verified(&folder, 1, &[]);
    assert!(told.contains("ignored a damaged line: checksum mismatch"), "{told}");
}

/// Two boards under new names and in new buckets, the one under the name of the other.
fn rename_boards(folder: &TestFolder) {
    folder.change("boards.csv", |text| {
        text.replace("easy-01,easy", "T,any").replace("hard-01,hard", "easy-01,other").replace("T,any", "renamed,any")
    });
}

#[test]
fn after_a_rename_every_run_is_right_and_is_replayed_under_its_new_name() {
    let folder = ran();
    rename_boards(&folder);
    let told = folder.run(&[]);
    assert!(told.contains("0 runs done, 32 found"), "{told}");
    let told = verified(&folder, 0, &["--sample", "32"]);
    assert!(told.contains("note: 8 runs recorded with another name or bucket of their instance"), "{told}");
    assert!(told.ends_with(" 32 runs repeated\n") || told.ends_with("nothing is wrong\n"), "{told}");
    let names = folder.column("results/test", "instance");
    for name in ["renamed", "easy-01"] {
        let run = names.iter().position(|found| found == name).expect("it is there").to_string();
        let (told, _) = folder.outputs(0, &["replay", "results/test", &run]);
        assert!(
            told.contains(&format!("huke on {name}, repetition 0")) && told.contains("the outcome is the same"),
            "{told}"
        );
    }
}

#[test]
fn other_honest_changes_of_an_experiment_are_right_too() {
    let folder = ran();
    // A narrower grid leaves runs in the journal that are not in the plan, and a wider one finds them again.
    folder.write_experiment("[60]", 2);
    folder.run(&[]);
    let told = verified(&folder, 0, &[]);
    assert!(told.contains("note: 16 runs are in the journal but not in the plan"), "{told}");
    folder.write_experiment("[60, 80, 200]", 2);
    folder.run(&[]);
    let told = verified(&folder, 0, &[]);
    assert!(told.starts_with("48 runs checked") && !told.contains("note:"), "{told}");
    // A folder may be older than the file that declares the types of columns.
    fs::remove_file(folder.path("results/test/csv-metadata.json")).expect("it is there");
    verified(&folder, 0, &[]);
    // Another name of the algorithm is not part of a run.
    folder.change("test.toml", |text| text.replace("algorithms.huke", "algorithms.renamed"));
    folder.run(&[]);
    verified(&folder, 0, &[]);
    // What was interrupted is unfinished, and what is merged of shards is right.
    for shard in ["1/2", "2/2"] {
        folder.run(&["--out", "shards", "--shard", shard]);
        let (status, told, _) = folder.report(&["merge", "shards", "--quiet"]);
        assert_eq!(status, Some(if shard == "1/2" { 1 } else { 0 }), "{told}");
        let (status, told, _) = folder.report(&["verify", "shards"]);
        assert_eq!(
            (status, told.contains("wrong: unfinished: 24 of 48 runs")),
            if shard == "1/2" { (Some(1), true) } else { (Some(0), false) },
            "{told}"
        );
    }
}

#[test]
fn a_damaged_line_is_a_fault_until_its_run_is_done_again() {
    let folder = ran();
    let journal = folder.journals("results/test").remove(0);
    folder.change_line(&journal, "\"solved\":true", |line| line.replacen("target", "restarts", 1));
    let told = verified(&folder, 1, &["--sample", "0"]);
    assert!(told.contains("wrong: unfinished: 31 of 32 runs are in the journal\n"), "{told}");
    folder.run(&[]);
    let told = verified(&folder, 0, &["--sample", "0"]);
    assert!(told.contains("ignored a damaged line: checksum mismatch; no run of the plan is missing"), "{told}");
}

#[test]
fn two_flipped_bits_are_damage_and_its_run_is_done_again() {
    let folder = ran();
    let (rows, journal) = (folder.rows("results/test"), folder.journals("results/test").remove(0));
    // One in the name of the checksum, one in a figure: the line has no checksum any more.
    let flip =
        |line: &str| line.replacen("\"crc32\"", "\"brc32\"", 1).replacen("\"evaluations\":", "\"evaluations\":1", 1);
    folder.change_line(&journal, "\"solved\":true", flip);
    fs::remove_file(folder.path("results/test/runs.csv")).expect("it is there");
    let told = folder.run(&[]);
    assert!(told.contains("ignored a damaged line: the line has no checksum"), "{told}");
    assert!(told.contains("1 run done, 31 found"), "{told}");
    assert_eq!(folder.rows("results/test"), rows);
}

#[test]
fn a_folder_of_nothing_is_not_right() {
    let folder = ran();
    fs::create_dir(folder.path("empty")).expect("a folder");
    for (what, results, status) in [("nothing", "empty", 2), ("no folder", "none", 2)] {
        let (found, printed, messages) = folder.report(&["verify", results]);
        assert_eq!(found, Some(status), "{what}: {printed}{messages}");
    }
    for (what, said) in [
        ("manifest.json", "manifest.json` does not exist"),
        ("journal", "unfinished: 0 of 32 runs are in the journal"),
        ("runs.csv", "has no runs.csv"),
        ("summary.csv", "summary.csv is missing"),
    ] {
        let (path, aside) = (folder.path("results/test").join(what), folder.path("aside"));
        fs::rename(&path, &aside).expect("it is there");
        let (status, printed, messages) = folder.report(&["verify", "results/test"]);
        assert!(matches!(status, Some(1 | 2)), "{what}: {printed}");
        assert!([printed, messages].concat().contains(said), "{what}");
        fs::rename(&aside, &path).expect("it goes back");
    }
    // Emptied, as by a cleaner of scratch disks.
    for journal in folder.journals("results/test") {
        folder.write(journal, "");
    }
    assert!(verified(&folder, 1, &[]).contains("unfinished: 0 of 32 runs"));
}

#[test]
fn which_runs_are_done_again_is_known_to_nobody_before() {
    let folder = ran();
    let drawn = |arguments: &[&str]| {
        let told = verified(&folder, 0, &[&["--sample", "4"], arguments].concat());
        told.lines().find(|line| line.contains("were drawn with `--seed ")).map(str::to_owned)
    };
    let (one, other) = (drawn(&[]), drawn(&[]));
    assert!(one.is_some() && one != other, "{one:?} {other:?}");
    assert_eq!(drawn(&["--seed", "1"]), None);
}
