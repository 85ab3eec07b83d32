//! Reuse: finished runs of other folders count as done, and everything afterwards is as if they had been done in the folder.

use std::fs;

use serde_json::Value;

use crate::test_folder::{TestFolder, number_before};

/// The manifest of a results folder.
fn manifest(folder: &TestFolder, results: &str) -> Value {
    serde_json::from_str(&folder.read(folder.path(results).join("manifest.json"))).expect("it is JSON")
}

/// Changes the session of the only journal file of a results folder.
fn change_session(folder: &TestFolder, results: &str, change: impl FnOnce(&mut Value)) {
    let path = folder.journals(results)[0].with_extension("session.json");
    let mut session = serde_json::from_str(&folder.read(&path)).expect("it is JSON");
    change(&mut session);
    folder.write(&path, session.to_string());
}

/// What `run --reuse` says that it took, and what not.
fn told(messages: &str) -> String {
    let words = ["reuse", "ignored in", " found in the journal"];
    let lines = messages.lines().filter(|line| words.iter().any(|word| line.contains(word)));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_grid_that_grew_does_only_the_runs_that_no_folder_has() {
    let folder = TestFolder::new("[20]", 2);
    folder.run(&["--out", "small"]);
    folder.write_experiment("[20, 60]", 3);
    folder.run(&["--out", "whole"]);
    folder.run(&["--out", "half", "--shard", "1/2"]);
    let arguments = ["--out", "new", "--reuse", "small", "half"];
    let (plan, _) = folder.outputs(0, &[&["plan", "test.toml"], &arguments[..]].concat());
    let n_of_half = number_before(&folder.run(&["--out", "half", "--shard", "1/2"]), " found in the journal");
    let n_reused = number_before(&plan, " runs to reuse, from small and half");
    let messages = folder.run(&arguments);
    assert_eq!(number_before(&messages, " runs reused from small"), 16, "{messages}");
    assert_eq!(number_before(&messages, " runs reused from half"), n_reused - 16, "{messages}");
    assert!((8..n_of_half).contains(&(n_reused - 16)), "those of the first folder are not taken again: {messages}");
    assert_eq!(number_before(&messages, " found in the journal"), n_reused, "{messages}");
    assert_eq!(folder.journal_lines("new"), 48, "no run is there twice");
    assert_eq!(folder.rows("new"), folder.rows("whole"));
    // The times are those of the folders.
    let times = |results: &str| folder.read(folder.path(results).join("runs.csv"));
    assert_eq!(times("new").lines().nth(1), times("small").lines().nth(1));

    let manifest = manifest(&folder, "new");
    let expected = serde_json::json!([
        { "from": "half", "runs": n_reused - 16, "sessions": 1 }, { "from": "small", "runs": 16, "sessions": 1 },
    ]);
    assert_eq!(manifest["reused"], expected);
    assert_eq!(manifest["sessions"][0]["reused"]["from"], "small");
    let (verified, _) = folder.outputs(0, &["verify", "new", "--sample", "48"]);
    assert!(verified.contains("note: copied from small: 16 runs of 1 session\n"), "{verified}");
    folder.outputs(0, &["merge", "new", "--quiet"]);
    assert_eq!(folder.rows("new"), folder.rows("whole"));
    // A second time there is nothing to take, also from a folder that has the runs from another one.
    let again = folder.run(&arguments);
    assert_eq!(told(&again), "0 runs done, 48 found in the journal; see new/runs.csv");
    let onward = folder.run(&["--out", "third", "--reuse", "new"]);
    assert_eq!(number_before(&onward, " runs reused from new"), 48, "{onward}");
    assert_eq!(folder.read("third/runs.csv"), folder.read("new/runs.csv"), "the times, too");
    folder.outputs(0, &["verify", "third"]);
}

#[test]
fn what_a_manifest_says_of_reused_runs_is_checked() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--out", "small"]);
    folder.run(&["--out", "new", "--reuse", "small"]);
    folder.change("new/manifest.json", |text| {
        text.replacen("\"runs\": 8,\n      \"sessions\"", "\"runs\": 7,\n      \"sessions\"", 1)
    });
    let (verified, _) = folder.outputs(1, &["verify", "new"]);
    let expected = "wrong: manifest.json: `reused` is [{\"from\":\"small\",\"runs\":7,\"sessions\":1}], but should be \
                    [{\"from\":\"small\",\"runs\":8,\"sessions\":1}]\n";
    assert!(verified.contains(expected), "{verified}");
}

#[test]
fn a_plan_tells_what_is_done_reusable_and_left() {
    let folder = TestFolder::new("[20]", 2);
    folder.run(&["--out", "small"]);
    folder.write_experiment("[40]", 1);
    folder.run(&["--out", "new"]);
    folder.write_experiment("[20, 60]", 1);
    let (plan, _) = folder.outputs(0, &["plan", "test.toml", "--out", "new", "--reuse", "small"]);
    let figures = plan.lines().filter(|line| ["reuse", "new", "clean"].iter().any(|word| line.contains(word)));
    insta::assert_snapshot!(figures.collect::<Vec<_>>().join("\n"), @r"
    8 runs to reuse, from small
    8 runs are in new, but not in this file:
      once it has been run, `runner clean` moves them aside
    ");
    assert!(plan.contains("\n  time left: "), "{plan}");
    folder.write_experiment("[20]", 2);
    let (plan, _) = folder.outputs(0, &["plan", "test.toml", "--out", "other", "--reuse", "small"]);
    assert!(plan.ends_with("  16 runs to reuse, from small\n  nothing is left to do\n"), "{plan}");
}

#[test]
fn each_shard_takes_its_own_runs() {
    let folder = TestFolder::new("[20, 60]", 2);
    folder.run(&["--out", "whole"]);
    for shard in ["1/2", "2/2"] {
        let messages = folder.run(&["--out", "new", "--shard", shard, "--reuse", "whole"]);
        assert_eq!(number_before(&messages, " runs reused from whole"), 16, "{messages}");
    }
    assert_eq!(folder.journal_lines("new"), 32);
    folder.outputs(0, &["merge", "new", "--quiet"]);
    assert_eq!(folder.read("new/runs.csv"), folder.read("whole/runs.csv"));
    folder.outputs(0, &["verify", "new"]);
}

#[test]
fn runs_that_failed_or_lack_the_trace_are_done_again() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--out", "whole"]);
    folder.run(&["--out", "small"]);
    folder
        .change_line(&folder.journals("small")[0], "\"solved\":true", |line| line.replace("\"target\"", "\"failed\""));
    folder.reseal("small");
    let messages = folder.run(&["--out", "new", "--reuse", "small"]);
    assert_eq!(told(&messages), "7 runs reused from small\n1 run done, 7 found in the journal; see new/runs.csv");
    assert_eq!(folder.rows("new"), folder.rows("whole"));

    let traced = ["--set", "record.trace=\"improvements\""];
    let messages = folder.run(&[&["--out", "traced", "--reuse", "whole"], &traced[..]].concat());
    insta::assert_snapshot!(told(&messages), @r"
    note: these runs of whole are not reused: 8 runs that do not have the trace that this experiment records
    8 runs done, 0 found in the journal; see traced/runs.csv
    ");
    let messages = folder.run(&[&["--out", "again", "--reuse", "whole", "traced"], &traced[..]].concat());
    assert!(messages.contains("8 runs reused from traced"), "{messages}");
    let trace = |results: &str| fs::read(folder.path(results).join("trace.csv.gz")).expect("a trace");
    assert_eq!(trace("again"), trace("traced"));
}

#[test]
fn runs_that_a_time_limit_can_end_are_reused_on_the_machine_that_did_them() {
    let folder = TestFolder::new("[20]", 1);
    let limited = ["--set", "budget.cpu_seconds=100"];
    folder.run(&[&["--out", "small"], &limited[..]].concat());
    let run = |out: &str| told(&folder.run(&[&["--out", out, "--reuse", "small"], &limited[..]].concat()));
    // Where the processor is unknown, no machine is known to be the same.
    let is_known = manifest(&folder, "small")["processor"].is_string();
    assert_eq!(run("here").starts_with("8 runs reused from small\n"), is_known);
    change_session(&folder, "small", |session| session["processor"] = "another".into());
    insta::assert_snapshot!(run("there"), @r"
    note: these runs of small are not reused: 8 runs of another machine; because of a time limit, the outcomes of these runs depend on the machine
    8 runs done, 0 found in the journal; see there/runs.csv
    ");
    // Without such a limit only the times differ, and tables say so.
    folder.run(&["--out", "small", "--fresh"]);
    change_session(&folder, "small", |session| session["processor"] = "another".into());
    folder.write_experiment("[20, 60]", 1);
    folder.run(&["--out", "mixed", "--reuse", "small"]);
    let (table, _) = folder.outputs(0, &["table", "mixed"]);
    assert_eq!(table.replace('\n', " ").contains("Times were measured on 2 kinds of processors"), is_known, "{table}");
}

#[test]
fn folders_that_cannot_be_reused_are_refused_before_anything_is_written() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--out", "small"]);
    insta::assert_snapshot!(folder.run_to(2, &["--out", "new", "--reuse", "nowhere"]), @r"
    error: cannot reuse runs of nowhere: the folder has no journal
      expected a results folder
    ");
    insta::assert_snapshot!(folder.run_to(2, &["--out", "small", "--fresh", "--reuse", "small/"]), @r"
    error: cannot reuse runs of small/: this folder is the results folder of the experiment itself
      finished runs in the experiment's folder always count; `--reuse` is only for
      other folders
    ");
    assert!(!folder.path("new").exists());
    assert_eq!(folder.journal_lines("small"), 8);
}

#[test]
fn an_analysis_that_was_decided_after_the_reused_runs_is_not_called_planned() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--out", "pilot"]);
    folder.write_experiment("[20, 60]", 2);
    folder.change("test.toml", |text| format!("{text}[analysis]\nmetric = \"solved\"\n"));
    folder.run(&["--out", "new", "--reuse", "pilot"]);
    let (verified, _) = folder.outputs(0, &["verify", "new"]);
    assert!(
        verified.contains("`analysis` was changed after the first run: metric solved (before: not decided)"),
        "{verified}"
    );
    let (compared, _) = folder.outputs(0, &["compare", "new"]);
    let compared = compared.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(compared.contains("Results were visible after 8 runs, before all 32 runs were finished."), "{compared}");
}

#[test]
fn the_session_of_a_killed_process_does_not_make_its_copy_seem_alive() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--out", "small"]);
    change_session(&folder, "small", |session| {
        session["ended"] = Value::Null;
        session["process"]["boot"] = "of another machine".into();
    });
    folder.run(&["--out", "new", "--reuse", "small"]);
    let again = folder.run(&["--out", "new", "--fresh"]);
    assert!(!again.contains("process"), "{again}");
    let (live, _) = folder.outputs(0, &["live", "new", "--once"]);
    assert!(!live.contains("killed") && !live.contains("dead"), "{live}");
}

#[test]
fn lines_without_a_session_or_damaged_are_not_reused() {
    let folder = TestFolder::new("[20]", 2);
    folder.run(&["--out", "whole"]);
    folder.run(&["--out", "small"]);
    let journal = folder.journals("small")[0].clone();
    folder.change(&journal, |text| text.replacen("\"solved\"", "\"salved\"", 1));
    let lines = folder.read(&journal);
    let (first, second) = lines.split_at(lines.match_indices('\n').nth(7).expect("16 lines").0 + 1);
    folder.write(&journal, first);
    folder.write("small/journal/from-elsewhere.jsonl", second);
    let messages = folder.run(&["--out", "new", "--reuse", "small"]);
    insta::assert_snapshot!(told(&messages), @r"
    7 runs reused from small
    note: these runs of small are not reused: 8 runs that are in a journal file without a session file
    warning: ignored in small: 1 damaged journal line
    9 runs done, 7 found in the journal; see new/runs.csv
    ");
    assert_eq!(folder.rows("new"), folder.rows("whole"));
    folder.write(journal.with_extension("session.json"), "[]");
    let messages = folder.run_to(1, &["--out", "other", "--reuse", "small"]);
    assert!(messages.contains("is not a session file of this program: remove it"), "{messages}");
}

#[test]
fn a_folder_with_nothing_to_reuse_is_told() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--out", "small"]);
    folder.change(&folder.journals("small")[0], |text| text.replace("\"solved\"", "\"salved\""));
    let messages = folder.run(&["--out", "new", "--reuse", "small"]);
    insta::assert_snapshot!(told(&messages), @r"
    warning: ignored in small: 8 damaged journal lines
    8 runs done, 0 found in the journal; see new/runs.csv
    ");
}

#[test]
fn whatever_a_journal_file_is_called_its_runs_are_reused() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--out", "whole"]);
    let mut names = vec!["z", "a b", "-part-", "x-part-y-part-z", "é"];
    let long = "l".repeat(200);
    names.push(&long);
    if cfg!(unix) {
        names.extend(["\u{1b}[31m", "..", "a\nb"]);
    }
    for (number, name) in names.into_iter().enumerate() {
        folder.run(&["--out", "small", "--fresh", "--quiet"]);
        let journal = folder.journals("small")[0].clone();
        for suffix in ["jsonl", "session.json"] {
            let path = folder.path(format!("small/journal/{name}.{suffix}"));
            fs::rename(journal.with_extension(suffix), path).expect("it is renamed");
        }
        let out = format!("new-{number}");
        let messages = folder.run(&["--out", &out, "--reuse", "small"]);
        assert_eq!(number_before(&messages, " runs reused from small"), 8, "{name}: {messages}");
        let files = fs::read_dir(folder.path(&out).join("journal")).expect("a folder");
        let names = files.map(|file| file.expect("a file").file_name().into_string().expect("plain text"));
        assert!(
            names.into_iter().all(|name| name.len() < 160 && name.is_ascii() && !name.contains([' ', '\n', '\u{1b}']))
        );
        assert_eq!(folder.rows(&out), folder.rows("whole"), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn no_link_in_a_reused_folder_is_followed() {
    use std::os::unix::fs::symlink;
    for (kind, expected) in [("journal", 1), ("jsonl", 1), ("session.json", 1)] {
        let folder = TestFolder::new("[20]", 1);
        folder.run(&["--out", "small"]);
        let target = match kind {
            "journal" => folder.path("small/journal"),
            suffix => folder.journals("small")[0].with_extension(suffix),
        };
        fs::rename(&target, folder.path("victim")).expect("it is renamed");
        symlink(folder.path("victim"), &target).expect("a link");
        let messages = folder.run_to(expected, &["--out", "new", "--reuse", "small"]);
        assert!(messages.contains("is a link; links "), "{kind}: {messages}");
        assert_eq!(folder.journal_lines("new"), 0, "{kind}");
    }
}

#[test]
fn a_process_that_is_killed_while_it_copies_leaves_whole_files() {
    let folder = TestFolder::new("[20, 60]", 3);
    folder.run(&["--out", "whole"]);
    // Many files, so that there is time to be killed.
    for shard in 1..=24 {
        folder.run(&["--out", "small", "--shard", &format!("{shard}/24"), "--quiet"]);
    }
    folder.outputs(0, &["merge", "small", "--quiet"]);
    let (mut n_before, mut n_partly) = (0, 0);
    for n_files in 1..=24 {
        let mut child = folder.start(&["run", "test.toml", "--out", "new", "--reuse", "small", "--quiet"]);
        while folder.journals("new").len() < n_files {
            if child.try_wait().expect("its state is known").is_some() {
                break;
            }
        }
        // It may have ended.
        let _ = child.kill();
        child.wait().expect("it ends");
        let n_lines = folder.journal_lines("new");
        assert!(n_lines >= n_before, "{n_lines} of {n_before} are left");
        n_partly += usize::from((1..48).contains(&n_lines));
        n_before = n_lines;
    }
    assert!(n_partly > 0, "it was never killed between two files");
    folder.run(&["--out", "new", "--reuse", "small"]);
    assert_eq!(folder.rows("new"), folder.rows("whole"));
    folder.outputs(0, &["verify", "new", "--sample", "48"]);
}
