//! Processes that begin at once in an empty folder: each is taken for what it is, a part of the same experiment, and none is refused.
//!
//! `EVOGRID_STARTS=10000` begins so many processes (`make starts`); without it there are a few.
#![allow(clippy::print_stdout, reason = "how many began is printed")]

use std::fs;
use std::thread;

use crate::test_folder::{TestFolder, report_at_end};

/// Processes that begin at once.
const AT_ONCE: usize = 12;

fn tours() -> TestFolder {
    let folder = TestFolder::empty();
    folder.write(
        "test.toml",
        "experiment = { name = \"test\", seed = 3, repetitions = 6 }\n\
         instances = [{ problem = \"tsp\", generate = { size = 30, count = 2, seed = 7 } }]\n\
         algorithms.descent = { kind = \"hill-climbing\" }\nbudget = { evaluations = 100 }\n",
    );
    folder
}

#[test]
fn of_many_shards_that_begin_at_once_none_is_refused() {
    let folder = tours();
    let n_starts = std::env::var("EVOGRID_STARTS").map_or(24, |starts| starts.parse().expect("a number of starts"));
    for round in 0..usize::div_ceil(n_starts, AT_ONCE) {
        let shard = |number| format!("{number}/{AT_ONCE}");
        let start =
            |number| folder.start(&["run", "test.toml", "--out", "o", "--jobs", "1", "--shard", &shard(number)]);
        let children: Vec<_> = (1..=AT_ONCE).map(start).collect();
        for (status, _, told) in children.into_iter().map(report_at_end) {
            assert_eq!(status, Some(0), "round {round}: {told}");
        }
        if round % 100 == 0 {
            folder.outputs(0, &["merge", "o"]);
            folder.outputs(0, &["verify", "o"]);
        }
        fs::remove_dir_all(folder.path("o")).expect("it is there");
    }
    println!("{} shards began, {AT_ONCE} at once, and none was refused", n_starts.next_multiple_of(AT_ONCE));
}

#[test]
fn of_processes_that_each_do_the_whole_at_once_none_is_refused() {
    let folder = tours();
    for arguments in [&[][..], &["--overwrite"]] {
        let all = [&["run", "test.toml", "--out", "o", "--jobs", "1"], arguments].concat();
        let children: Vec<_> = (0..AT_ONCE).map(|_| folder.start(&all)).collect();
        for (status, _, told) in children.into_iter().map(report_at_end) {
            assert_eq!(status, Some(0), "{told}");
        }
        assert!(!folder.path("o/earlier-1").exists(), "nothing in it is a stranger's");
        fs::remove_dir_all(folder.path("o")).expect("it is there");
    }
}

/// The manifest appears and vanishes all the time, as it appears once beside a process that begins with others.
#[test]
fn a_manifest_that_appears_during_the_start_is_no_strangers() {
    for arguments in [&["--shard", "1/2"][..], &["--shard", "1/2", "--overwrite"]] {
        let folder = tours();
        let begin = || folder.report(&[&["run", "test.toml", "--out", "o", "--jobs", "1"], arguments].concat());
        begin();
        let (manifest, aside) = (folder.path("o/manifest.json"), folder.path("aside.json"));
        let reports: Vec<_> = thread::scope(|scope| {
            let begin_anew = |_| {
                fs::remove_dir_all(folder.path("o/journal")).expect("it is there");
                begin()
            };
            let starts = scope.spawn(move || (0..2 * AT_ONCE).map(begin_anew).collect());
            while !starts.is_finished() {
                fs::rename(&manifest, &aside).and_then(|()| fs::rename(&aside, &manifest)).expect("it is there");
            }
            starts.join().expect("every start reports")
        });
        for (status, _, told) in reports {
            assert_eq!(status, Some(0), "{told}");
        }
        assert!(!folder.path("o/earlier-1").exists(), "nothing in it is a stranger's");
    }
}
