//! What an installation has: two names of one program, its version, its manual and its completions.

use std::process::Command;

use crate::test_folder::TestFolder;

/// The binary by each of its names.
const NAMES: [(&str, &str); 2] = [("runner", env!("CARGO_BIN_EXE_runner")), ("evogrid", env!("CARGO_BIN_EXE_evogrid"))];

/// What the program prints where all goes well.
fn printed(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().expect("it starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it prints text")
}

// On Windows the names end in `.exe`.
#[cfg(unix)]
#[test]
fn both_names_say_what_they_are_and_use_the_name_by_which_they_were_called() {
    for (name, program) in NAMES {
        let short = format!("Evogrid {}", env!("CARGO_PKG_VERSION"));
        assert_eq!(printed(program, &["-V"]), format!("{short}\n"));
        let long = printed(program, &["--version"]);
        let facts = long.strip_prefix(&format!("{short} (")).and_then(|rest| rest.strip_suffix(")\n")).expect(&long);
        let facts: Vec<&str> = facts.split("; ").collect();
        let [revision, rustc, target, features] = facts[..] else { panic!("{long}") };
        assert!(revision.contains("revision"), "{long}");
        assert!(
            rustc.starts_with("rustc ")
                && target.contains('-')
                && features.contains("features") | features.contains("with ")
        );
        let usage = format!("Usage: {name} ");
        assert!(printed(program, &["--help"]).contains(&usage));
        assert!(printed(program, &["completions", "bash"]).contains(&format!("-F _{name} ")));
    }
}

#[test]
fn every_command_has_a_page_of_the_manual() {
    let catalogue = evogrid_cli::catalogue();
    let command = evogrid_cli::arguments::Cli::with_families(&catalogue, None);
    for (name, program) in NAMES {
        let folder = TestFolder::empty();
        let out = folder.path("share/man1");
        let first = printed(program, &["man", "--out", out.to_str().expect("a path")]);
        assert_eq!(first.trim_end(), out.join(format!("{name}.1")).to_str().expect("a path"));
        let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        assert!(names.len() > 20);
        let whole = folder.read(format!("share/man1/{name}.1"));
        for below in names {
            let page = folder.read(format!("share/man1/{name}-{below}.1"));
            let title = format!(".TH {name}-{below} 1  \"Evogrid {}\" Evogrid\n", env!("CARGO_PKG_VERSION"));
            assert!(page.contains(&title), "{page}");
            assert!(whole.contains(&format!("{name}\\-{below}(1)")), "{below}");
        }
    }
}

#[test]
fn a_manual_that_cannot_be_written_is_an_error_with_its_place() {
    let folder = TestFolder::empty();
    folder.write("file", "");
    let (status, _, error) = folder.report(&["man", "--out", "file"]);
    assert_eq!(status, Some(1));
    assert!(error.starts_with("error: cannot make file: "), "{error}");
}
