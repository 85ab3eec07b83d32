//! `runner verify`: what a folder claims is so, and whoever changes it is found out.

mod test_folder;

use std::fs;

use test_folder::TestFolder;

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
    let told = verified(&ran(), 0, &["--sample", "8"]);
    assert!(told.starts_with("32 runs checked: "), "{told}");
    assert!(told.ends_with(" solutions, 8 runs done again\nnothing is wrong\n"), "{told}");
}

#[test]
fn a_row_that_was_changed_is_found() {
    let folder = ran();
    folder.change_line("results/test/runs.csv", ",false,", |line| line.replacen(",false,", ",true,", 1));
    let told = verified(&folder, 1, &["--sample", "0"]);
    assert!(told.contains(": column `solved` is `true`, and should be `false`\n"), "{told}");
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
    assert!(told.lines().next().is_some_and(|first| first.ends_with("31 runs done again")), "{told}");
    assert!(told.contains("its settings, instance and seed are those of r"), "{told}");
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
    assert!(told.contains("done again: generations was 9"), "{told}");
}

#[test]
fn a_line_that_was_changed_and_not_sealed_anew_is_found() {
    let folder = ran();
    let journal = &folder.journals("results/test")[0];
    folder.change_line(journal, "\"solved\":true", |line| line.replacen("target", "restarts", 1));
    let told = verified(&folder, 1, &[]);
    assert!(told.contains("left out a damaged line: its checksum is that of other bytes"), "{told}");
}
