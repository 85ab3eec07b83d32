//! Journal files that are cut, removed or replaced at random moments while a process writes them.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use super::{n_faults, random_stream, report};
use crate::test_folder::TestFolder;

#[test]
fn truncated_under_a_running_process() {
    take("journal truncated under a running process", |file| {
        let length = fs::metadata(file).map_or(0, |metadata| metadata.len());
        let _ = fs::OpenOptions::new().write(true).open(file).and_then(|file| file.set_len(length / 2));
    });
}

#[test]
fn removed_under_a_running_process() {
    take("journal removed under a running process", |file| {
        let _ = fs::remove_file(file);
    });
}

#[test]
fn replaced_under_a_running_process() {
    take("journal replaced under a running process", |file| {
        let copy = file.with_extension("copy");
        let _ = fs::copy(file, &copy).and_then(|_| fs::rename(&copy, file));
    });
}

/// Does harm to the journal of a process at a random moment: if it says that it is done all runs are there, and if not the next one does
/// the rest.
fn take(name: &str, harm: impl Fn(&Path)) {
    let mut random = random_stream(name);
    let folder = TestFolder::new("[100, 200]", 6);
    folder.run(&["--out", "whole"]);
    let (mut stopped, mut done) = (0, 0);
    for fault in 0..n_faults() {
        let results = format!("taken-{fault}");
        let child = folder.start_until(&results, 1, &["run", "test.toml", "--quiet", "--out", &results]);
        sleep(Duration::from_micros(random.below(150_000) as u64));
        folder.journals(&results).iter().for_each(|file| harm(file));
        let output = child.wait_with_output().expect("it ends");
        let told = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => {
                assert_eq!(folder.rows(&results), folder.rows("whole"), "{told}");
                done += 1;
            }
            Some(1) => {
                assert!(told.contains(" safe in ") || told.contains("are missing in "), "{told}");
                assert!(!folder.path(&results).join("runs.csv").exists(), "{told}");
                stopped += 1;
            }
            other => panic!("{other:?}: {told}"),
        }
        // Also where the harm came after the end.
        folder.run(&["--quiet", "--out", &results]);
        assert_eq!(folder.rows(&results), folder.rows("whole"), "{told}");
        folder.outputs(0, &["verify", &results]);
        fs::remove_dir_all(folder.path(&results)).expect("it goes");
    }
    let found = format!(
        "{stopped} commands stopped early, and {done} commands did all runs. After a stop, the next `run` did the \
         missing runs"
    );
    report(name, &format!("{} times", n_faults()), &found);
}
