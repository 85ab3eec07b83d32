//! Results folders that would have a reader wait for ever, read without end, or give away what lies elsewhere.
// Elsewhere there are no such devices, pipes and links.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use crate::test_folder::{TestFolder, report_at_end, send};

fn ran() -> TestFolder {
    let folder = TestFolder::new("[10]", 1);
    folder.run(&["--set", "record.trace=improvements"]);
    folder
}

fn pipe(folder: &TestFolder, name: &str) {
    assert!(Command::new("mkfifo").arg(folder.path(name)).status().expect("mkfifo is there").success());
}

/// What takes the place of a file.
const THINGS: [(&str, &str); 4] = [
    ("pipe", "it is a device, a pipe or a socket, not a file"),
    ("/dev/zero", "it is a link; links in a results folder are not followed"),
    ("/etc/hostname", "it is a link; links in a results folder are not followed"),
    ("folder", "it is a directory"),
];

fn replace(folder: &TestFolder, name: &str, thing: &str) {
    let path = folder.path(name);
    fs::remove_file(&path).or_else(|_| fs::remove_dir(&path)).ok();
    match thing {
        "pipe" => pipe(folder, name),
        "folder" => fs::create_dir(path).expect("a folder"),
        target => symlink(target, path).expect("a link"),
    }
}

#[test]
fn a_journal_file_that_is_none_ends_every_command_at_once() {
    let folder = ran();
    for (thing, expected) in THINGS {
        replace(&folder, "results/test/journal/x.jsonl", thing);
        for arguments in [
            &["run", "test.toml"][..],
            &["plan", "test.toml"],
            &["merge", "results/test"],
            &["merge", "results/test", "--out", "joined"],
            &["missing", "results/test", "--shards", "2"],
            &["verify", "results/test"],
            &["replay", "results/test", "0"],
        ] {
            let (status, _, messages) = folder.report(arguments);
            assert_eq!(status, Some(1), "{thing}, {arguments:?}: {messages}");
            assert!(messages.contains(expected) && messages.contains("x.jsonl"), "{thing}, {arguments:?}: {messages}");
        }
        assert!(!folder.path("joined/journal/x.jsonl").exists());
    }
}

#[test]
fn a_session_that_is_none_is_not_copied_and_stops_nothing_else() {
    let folder = ran();
    for (thing, expected) in THINGS {
        replace(&folder, "results/test/journal/x.session.json", thing);
        let (status, _, messages) = folder.report(&["merge", "results/test", "--out", "joined"]);
        assert_eq!(status, Some(1), "{thing}: {messages}");
        assert!(messages.contains(expected), "{thing}: {messages}");
        assert!(!folder.path("joined/journal/x.session.json").exists(), "{thing}");
        assert_eq!(folder.report(&["run", "test.toml"]).0, Some(0), "{thing}");
        assert_eq!(folder.report(&["verify", "results/test"]).0, Some(0), "{thing}");
    }
    for (text, expected) in
        [("[1]", "is not a session file of this program"), (&"x".repeat(2 << 20), "is larger than 1 MiB")]
    {
        let path = "results/test/journal/x.session.json";
        fs::remove_dir(folder.path(path)).ok();
        folder.write(path, text);
        let (_, _, messages) = folder.report(&["merge", "results/test", "--out", "joined"]);
        assert!(messages.contains(expected), "{messages}");
    }
}

#[test]
fn other_files_of_a_folder_that_are_none_are_refused_by_every_reader() {
    for name in ["manifest.json", "runs.csv", "trace.csv.gz"] {
        let folder = ran();
        for (thing, expected) in THINGS {
            replace(&folder, &format!("results/test/{name}"), thing);
            let readers: &[&[&str]] = match name {
                "manifest.json" => &[
                    &["merge", "results/test"],
                    &["missing", "results/test", "--shards", "2"],
                    &["table", "results/test"],
                ],
                "runs.csv" => {
                    &[&["table", "results/test"], &["compare", "results/test"], &["replay", "results/test", "0"]]
                }
                _ => &[&["plot", "results/test", "--out", "charts"], &["export", "results/test", "--format", "ioh"]],
            };
            for arguments in readers.iter().chain([&["verify", "results/test"][..], &["report", "results/test"]].iter())
            {
                let (status, printed, messages) = folder.report(arguments);
                assert!(matches!(status, Some(1 | 2)), "{thing}, {arguments:?}: {printed}{messages}");
                assert!([printed, messages].concat().contains(expected), "{thing}, {arguments:?}");
            }
        }
    }
}

#[test]
fn a_journal_folder_that_is_a_link_is_not_merged_into_another() {
    let folder = ran();
    fs::create_dir(folder.path("foreign")).expect("a folder");
    fs::copy(folder.path("results/test/manifest.json"), folder.path("foreign/manifest.json")).expect("it is copied");
    symlink(folder.path("results/test/journal"), folder.path("foreign/journal")).expect("a link");
    let (status, _, messages) = folder.report(&["merge", "foreign", "--out", "joined"]);
    assert_eq!(status, Some(1), "{messages}");
    assert!(messages.contains("`foreign/journal` is a link; links in a results folder are not followed"), "{messages}");
    assert!(!folder.path("joined").exists());
}

#[test]
fn a_manifest_of_more_runs_than_anybody_can_go_through_ends_by_a_bound_or_by_the_first_signal() {
    let folder = ran();
    let journal_lines = folder.journal_lines("results/test");
    for (repetitions, is_refused) in [("1000000000000", true), ("18446744073709551615", true), ("1000000000", false)] {
        folder.change("results/test/manifest.json", |text| {
            let (before, rest) = text.split_once("\"repetitions\": ").expect("it is there");
            let (_, after) = rest.split_once(',').expect("more follows");
            format!("{before}\"repetitions\": {repetitions},{after}")
        });
        let (status, printed, messages) = folder.report(&["verify", "results/test"]);
        assert_eq!(status, Some(1), "{messages}");
        let expected = format!("wrong: unfinished: at most {journal_lines} of 8,000,000,000 runs are in the journal");
        assert!(messages.contains("`repetitions`") || printed.contains(&expected), "{printed}{messages}");
        for arguments in [&["missing", "results/test", "--shards", "2"][..], &["merge", "results/test", "--quiet"]] {
            let child = folder.start(arguments);
            if !is_refused {
                sleep(Duration::from_millis(500));
                send("TERM", &child);
            }
            let (status, _, messages) = report_at_end(child);
            assert_eq!(status, Some(if is_refused { 1 } else { 143 }), "{arguments:?}: {messages}");
        }
    }
}
