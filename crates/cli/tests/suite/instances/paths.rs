//! Paths that lead to no file: what they lead to is said, wherever a file is expected.
// Elsewhere there are no such devices, pipes and links.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::process::{Command, Stdio};

use crate::test_folder::{TestFolder, report};

/// A folder with whatever a path may lead to.
fn folder() -> TestFolder {
    let folder = TestFolder::new("[20]", 1);
    symlink("loop", folder.path("loop")).expect("a link to itself");
    symlink("there", folder.path("here")).expect("half of a loop");
    symlink("here", folder.path("there")).expect("the other half");
    symlink("nowhere", folder.path("dangling")).expect("a link");
    symlink("/dev/zero", folder.path("endless")).expect("a link");
    std::fs::create_dir(folder.path("folder")).expect("a folder");
    drop(UnixListener::bind(folder.path("socket")).expect("a socket"));
    assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().expect("mkfifo runs").success());
    folder
}

const PATHS: [&str; 11] = [
    "/dev/zero",
    "/dev/null",
    "/dev/tty",
    "endless",
    "loop",
    "here",
    "dangling",
    "folder",
    "socket",
    "gone.csv",
    "boards.csv/a",
];

#[test]
fn a_data_set_that_is_no_file_says_what_it_is() {
    let folder = folder();
    let says = |path: &&str| {
        folder.change("test.toml", |text| text.replace("boards.csv", path));
        let said = folder.refused(2, &["check", "test.toml"]);
        folder.change("test.toml", |text| text.replace(&format!("\"{path}\""), "\"boards.csv\""));
        said.lines().filter(|line| !line.contains('|')).map(|line| format!("{line}\n")).collect::<String>()
    };
    let said: String = PATHS.iter().chain(&["pipe"]).map(says).collect();
    insta::assert_snapshot!(said);
}

#[test]
fn an_experiment_that_is_no_file_says_what_it_is() {
    let folder = folder();
    for command in ["check", "run", "plan"] {
        let said: String = PATHS.iter().map(|path| folder.refused(2, &[command, path])).collect();
        insta::allow_duplicates! { insta::assert_snapshot!("an_experiment_that_is_no_file", said); }
    }
}

#[test]
fn an_instance_that_is_no_file_says_what_it_is() {
    let folder = folder();
    for path in ["/dev/zero", "endless", "folder", "socket", "loop", "dangling"] {
        let said = folder.refused(2, &["solve", path]);
        assert!(said.starts_with(&format!("error: `{path}` is a ")), "{said}");
    }
}

#[test]
fn an_experiment_may_come_through_a_pipe() {
    let folder = folder();
    let text = folder.read("test.toml").replace("boards.csv", &folder.path("boards.csv").to_string_lossy());
    let (status, said, messages) = report(&mut folder.command(&["check", "/dev/stdin"]), &text);
    assert_eq!(status, Some(0), "{messages}");
    assert!(said.starts_with("/dev/stdin is valid: "), "{said}");
    let mut through = Command::new("sh");
    folder.write("absolute.toml", &text);
    let line = format!("cat absolute.toml > pipe & exec {} check pipe", env!("CARGO_BIN_EXE_runner"));
    let (status, said, messages) =
        report(through.args(["-c", &line]).current_dir(folder.path("")).stdin(Stdio::null()), "");
    assert_eq!(status, Some(0), "{messages}");
    assert!(said.starts_with("pipe is valid: "), "{said}");
}
