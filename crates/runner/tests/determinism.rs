//! The same experiment leaves the same bytes: at any number of threads, after any interruption, however its grid grew.
//!
//! Every test runs the real binary.

mod workshop;

use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use workshop::Workshop;

#[test]
fn one_thread_and_two_write_the_same_rows() {
    let workshop = Workshop::new("[20, 60]", 3);
    workshop.run(&["--jobs", "1", "--out", "one"]);
    workshop.run(&["--jobs", "2", "--out", "two"]);
    assert_eq!(workshop.rows("one"), workshop.rows("two"));
    assert_eq!(workshop.rows("one").lines().count(), 1 + 2 * 8 * 3);
}

#[test]
fn a_run_killed_in_the_middle_goes_on_where_it_stopped() {
    let workshop = Workshop::new("[500, 1000]", 20);
    workshop.run(&["--out", "whole"]);
    for _ in 0..3 {
        let before = workshop.journal_lines("killed");
        let mut child =
            workshop.command(&["--out", "killed"]).stderr(Stdio::null()).spawn().expect("the runner starts");
        while workshop.journal_lines("killed") < before + 20 {
            assert!(child.try_wait().expect("its state is known").is_none(), "it was to be killed before it ended");
            sleep(Duration::from_millis(1));
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it is waited for");
    }
    let kept = workshop.journal_lines("killed");
    assert!(kept < 2 * 8 * 20, "some runs are left to do");
    let told = workshop.run(&["--out", "killed"]);
    // A line may be torn by the kill, so a few may be done twice, but no more.
    let found = workshop::number_before(&told, " found in the journal");
    assert!(found + 3 >= kept && found <= kept, "{found} of {kept} were found: {told}");
    assert_eq!(workshop.rows("whole"), workshop.rows("killed"));
}

#[test]
fn a_value_added_to_the_grid_and_removed_again_changes_nothing() {
    let workshop = Workshop::new("[20, 60]", 3);
    workshop.run(&[]);
    let before = workshop.rows("results/test");
    workshop.write("[20, 40, 60]", 3);
    let told = workshop.run(&[]);
    assert_eq!(workshop::number_before(&told, " runs done"), 8 * 3, "only the new runs are done: {told}");
    assert_eq!(workshop::number_before(&told, " found in the journal"), 2 * 8 * 3);
    assert_ne!(workshop.rows("results/test"), before);
    workshop.write("[20, 60]", 3);
    let told = workshop.run(&[]);
    assert_eq!(workshop::number_before(&told, " runs done"), 0, "{told}");
    assert_eq!(workshop.rows("results/test"), before);
}

#[test]
fn a_rate_written_as_a_whole_number_is_the_same_rate() {
    let workshop = Workshop::new("[20]", 1);
    workshop.run(&["--set", "mutation_rate=1"]);
    let told = workshop.run(&["--set", "mutation_rate=1.0"]);
    assert_eq!(workshop::number_before(&told, " runs done"), 0, "{told}");
}

#[test]
fn paired_cells_share_their_seeds_and_independent_ones_do_not() {
    let seeds = |workshop: &Workshop, out: &str| -> Vec<(String, String)> {
        let rows = workshop.rows(out);
        let fields = rows.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
        fields.map(|fields| (fields[3].to_owned(), fields[8].to_owned())).collect()
    };
    let workshop = Workshop::new("[20, 60]", 2);
    workshop.run(&["--out", "paired"]);
    workshop.run(&["--out", "independent", "--set", "experiment.seeding=independent"]);
    let of = |out: &str, population: &str| -> Vec<String> {
        seeds(&workshop, out).into_iter().filter(|(cell, _)| cell == population).map(|(_, seed)| seed).collect()
    };
    assert_eq!(of("paired", "20"), of("paired", "60"));
    assert!(of("independent", "20").iter().all(|seed| !of("independent", "60").contains(seed)));
}

#[test]
fn a_fresh_start_does_everything_again_and_keeps_the_old_journal() {
    let workshop = Workshop::new("[20]", 1);
    workshop.run(&[]);
    let before = workshop.rows("results/test");
    let told = workshop.run(&["--fresh"]);
    assert_eq!(workshop::number_before(&told, " runs done"), 8, "{told}");
    assert_eq!(workshop.rows("results/test"), before);
    assert!(workshop.path("results/test/journal.old-1").is_dir());
}

#[cfg(unix)]
#[test]
fn signals_keep_what_is_finished_and_say_how_to_go_on() {
    for (signal, status) in [("INT", 130), ("TERM", 143)] {
        let workshop = Workshop::new("[500, 1000]", 200);
        let child = workshop.command(&[]).stderr(Stdio::piped()).spawn().expect("the runner starts");
        while workshop.journal_lines("results/test") < 20 {
            sleep(Duration::from_millis(1));
        }
        let kill = std::process::Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
        assert!(kill.expect("kill runs").success());
        let output = child.wait_with_output().expect("it ends");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{told}");
        assert!(told.contains("go on with\n  runner run test.toml"), "{told}");
        let kept = workshop::number_before(&told, " finished runs");
        assert_eq!(kept, workshop.journal_lines("results/test"), "{told}");
    }
}

#[test]
fn a_session_that_does_nothing_changes_nothing_of_what_made_the_runs() {
    let workshop = Workshop::new("[20]", 1);
    let sessions = || {
        let text = std::fs::read_to_string(workshop.path("results/test/manifest.json")).expect("a manifest");
        let manifest: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!(
            manifest["started"],
            manifest["sessions"].as_array().and_then(|all| all.last()).expect("one")["started"]
        );
        manifest["sessions"]
            .as_array()
            .expect("sessions")
            .iter()
            .map(|one| one["done"].as_u64().expect("a count"))
            .collect::<Vec<_>>()
    };
    workshop.run(&[]);
    workshop.run(&[]);
    assert_eq!(sessions(), [8]);
    workshop.write("[20, 40]", 1);
    workshop.run(&[]);
    assert_eq!(sessions(), [8, 8]);
    workshop.run(&["--fresh"]);
    assert_eq!(sessions(), [16]);
}
