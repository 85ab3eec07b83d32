//! What the system does to an experiment: folders that cannot be used, signals at any moment. Nothing finished is lost, and the message
//! says what is safe and how to go on.

use std::fs;

use crate::test_folder::TestFolder;

// The words are those of Unix for what went wrong.
#[cfg(unix)]
#[test]
fn folders_that_cannot_be_used_stop_it_before_any_run() {
    let folder = TestFolder::new("[20]", 1);
    fs::create_dir_all(folder.path("results/test")).expect("a folder");
    // A file where the journal should be opened, and one where the folder should be made.
    folder.write("results/test/journal", "no folder");
    folder.write("file", "no folder");
    insta::assert_snapshot!(folder.run_to(1, &["--out", "results/test"]), @r"
    error: cannot read `results/test/journal`: `results/test/journal` is not a folder: remove it
      no run was started, and no data were lost; make the folder writable, or choose another folder with `--out`
    ");
    insta::assert_snapshot!(folder.run_to(1, &["--out", "file/results"]), @r"
    error: cannot create `file/results`: Not a directory (os error 20)
      no run was started, and no data were lost; make the folder writable, or choose another folder with `--out`
    ");
}

// The words are those of Unix for what went wrong.
#[cfg(unix)]
#[test]
fn files_that_cannot_be_made_leave_the_runs_safe() {
    let folder = TestFolder::new("[20]", 1);
    fs::create_dir_all(folder.path("results/test/runs.csv")).expect("a folder in the way");
    insta::assert_snapshot!(folder.run_to(1, &["--quiet"]), @"
    error: cannot replace `results/test/runs.csv`: Is a directory (os error 21)
      8 finished runs are safe in results/test/journal; make space on the disk or remove the cause of the error, then repeat the command to write the files
    ");
    fs::remove_dir(folder.path("results/test/runs.csv")).expect("it goes");
    let again = folder.run(&[]);
    assert!(again.contains("0 runs done, 8 found in the journal"), "{again}");
}

#[test]
fn a_damaged_line_is_reported_once_and_kept_aside() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&[]);
    let rows = folder.rows("results/test");
    let path = &folder.journals("results/test")[0];
    folder.change(path, |text| text.replacen("\"solved\"", "\"so\u{1b}[31mlved\"", 1));
    let first = folder.run(&["--jobs", "2"]);
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    insta::assert_snapshot!(first.replace(&name, "ATTEMPT.jsonl"), @r"
    warning: results/test/journal/ATTEMPT.jsonl:1: ignored a damaged line: checksum mismatch; the run of this line will be repeated
    copies of the damaged lines are in results/test/damaged
    test: 8 runs on 2 threads
    1 run done, 7 found in the journal; see results/test/runs.csv
    ");
    let aside = fs::read_dir(folder.path("results/test/damaged")).expect("a folder").next().expect("a line");
    let kept = folder.read(aside.expect("a file").path());
    assert!(
        kept.starts_with("{\"run_id\":") && kept.contains("\"so\u{1b}[31mlved\"") && !kept.ends_with('\n'),
        "{kept}"
    );
    let second = folder.run(&[]);
    assert!(second.contains("0 runs done, 8 found") && !second.contains("damaged"), "{second}");
    assert_eq!(folder.rows("results/test"), rows);
}

#[test]
fn a_folder_without_files_says_how_they_are_made() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&[]);
    let rows = folder.rows("results/test");
    for file in ["runs.csv", "summary.csv"] {
        fs::remove_file(folder.path("results/test").join(file)).expect("it goes");
    }
    for arguments in [&["verify", "results/test"][..], &["replay", "results/test", "3"], &["compare", "results/test"]] {
        let messages = folder.refused(2, arguments);
        insta::allow_duplicates! {
            insta::assert_snapshot!(messages, @r"
            error: results/test has no runs.csv
              finish the experiment, or write the files from its finished runs: `runner merge results/test`
            ");
        }
    }
    folder.outputs(0, &["merge", "results/test"]);
    assert_eq!(folder.rows("results/test"), rows);
}

#[cfg(unix)]
mod signals {
    use std::process::{Child, Command};
    use std::thread::sleep;
    use std::time::Duration;

    use super::*;
    use crate::test_folder::{number_before, report, report_at_end, send};

    fn start_and_wait(folder: &TestFolder) -> Child {
        folder.start_until("results/test", 5, &["run", "test.toml"])
    }

    #[test]
    fn every_signal_of_a_scheduler_keeps_what_is_finished() {
        for (signal, status) in [("INT", 130), ("TERM", 143), ("USR1", 143), ("USR2", 143)] {
            let folder = TestFolder::new("[500, 1000]", 200);
            let child = start_and_wait(&folder);
            send("CONT", &child);
            send(signal, &child);
            let (ended, _, messages) = report_at_end(child);
            assert_eq!(ended, Some(status), "{signal}: {messages}");
            let advice = " finished runs are kept; continue with\n  runner run test.toml\n";
            assert!(messages.contains(advice), "{signal}: {messages}");
            assert_eq!(number_before(&messages, " finished runs"), folder.journal_lines("results/test"));
        }
    }

    #[test]
    fn a_second_ctrl_c_ends_it_at_once_and_loses_nothing() {
        let folder = TestFolder::new("[500, 1000]", 10);
        folder.run(&["--out", "whole"]);
        let child = start_and_wait(&folder);
        send("INT", &child);
        send("INT", &child);
        assert_eq!(report_at_end(child).0, Some(130));
        let kept = folder.journal_lines("results/test");
        let messages = folder.run(&[]);
        assert_eq!(number_before(&messages, " found in the journal"), kept, "{messages}");
        assert_eq!(folder.rows("results/test"), folder.rows("whole"));
    }

    #[test]
    fn a_signal_while_files_are_made_leaves_them_whole() {
        let folder = TestFolder::new("[20, 60]", 40);
        folder.run(&[]);
        let rows = folder.rows("results/test");
        for pause in 0..10 {
            let child = folder.start(&["run", "test.toml"]);
            sleep(Duration::from_millis(5 * pause));
            send("TERM", &child);
            let (status, _, messages) = report_at_end(child);
            // It may come before the runner listens, or after it is done.
            assert!(matches!(status, None | Some(0 | 143)), "{messages}");
            assert_eq!(folder.rows("results/test"), rows);
        }
    }

    /// A command under a limit on the size of files, in blocks of 512 bytes.
    fn limited(folder: &TestFolder, blocks: usize, arguments: &str) -> crate::test_folder::Report {
        let limited = format!("ulimit -f {blocks}; exec {} {arguments}", env!("CARGO_BIN_EXE_runner"));
        let mut command = Command::new("sh");
        report(command.args(["-c", &limited]).current_dir(folder.path("")), "")
    }

    #[test]
    fn the_limit_on_the_size_of_files_is_an_error_like_a_full_disk() {
        let folder = TestFolder::new("[20, 60]", 20);
        folder.run(&["--out", "whole"]);
        let (status, _, messages) = limited(&folder, 60, "run test.toml --quiet");
        assert_eq!(status, Some(1), "{messages}");
        assert!(
            messages.contains(
                "File too large (os error 27): the file reached the size limit of this process (`ulimit -f`)\n"
            ),
            "{messages}"
        );
        let safe = number_before(&messages, " finished runs are safe in results/test/journal; ");
        assert_eq!(safe, folder.journal_lines("results/test"));
        let again = folder.run(&[]);
        assert_eq!(number_before(&again, " found in the journal"), safe, "{again}");
        assert_eq!(folder.rows("results/test"), folder.rows("whole"));
    }

    #[test]
    fn whatever_is_written_beyond_the_limit_is_an_error() {
        let folder = TestFolder::new("[20, 60]", 20);
        folder.run(&[]);
        fs::remove_file(folder.path("results/test/runs.csv")).expect("it goes");
        for (blocks, arguments) in [
            (30, "run test.toml --quiet"),
            (30, "merge results/test --out joined --quiet"),
            (30, "merge results/test --quiet"),
        ] {
            let (status, _, messages) = limited(&folder, blocks, arguments);
            assert_eq!(status, Some(1), "{arguments}: {messages}");
            assert!(
                messages.contains(
                    "File too large (os error 27): the file reached the size limit of this process (`ulimit -f`)"
                ),
                "{messages}"
            );
            assert!(!folder.path("results/test/runs.csv").exists(), "no file is half written");
        }
        folder.run(&[]);
        for arguments in ["report results/test --out page.html", "plot results/test --out charts", "list > list.txt"] {
            let (status, _, messages) = limited(&folder, 1, arguments);
            assert_eq!(status, Some(1), "{arguments}: {messages}");
            assert!(
                messages.contains(
                    "File too large (os error 27): the file reached the size limit of this process (`ulimit -f`)\n"
                ),
                "{messages}"
            );
        }
    }
}
