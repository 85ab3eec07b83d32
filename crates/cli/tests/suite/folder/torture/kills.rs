//! Processes killed at random moments, alone and several on one folder.

use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use evogrid_core::random::RandomStream;

use super::{n_faults, random_stream, report};
use crate::test_folder::TestFolder;

/// A folder with runs enough for so many kills to interrupt: two configurations on eight boards, some milliseconds each.
fn folder_for(n_kills: usize) -> TestFolder {
    let folder = TestFolder::new("[500, 1000]", 12 + n_kills as u32 / 2);
    folder.run(&["--out", "whole"]);
    folder
}

fn start(folder: &TestFolder, arguments: &[&str]) -> Child {
    let mut command = folder.command(&[&["run", "test.toml"], arguments].concat());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the runner starts")
}

/// Kills a process, and says whether it was still alive.
fn kill(mut child: Child) -> bool {
    let was_alive = child.try_wait().expect("its state is known").is_none();
    child.kill().expect("it can be killed");
    child.wait().expect("it is waited for");
    was_alive
}

fn milliseconds(random: &mut RandomStream, most: usize) -> Duration {
    Duration::from_micros(random.below(1000 * most) as u64)
}

/// The rows are those of the run that nobody disturbed, each once; `verify` agrees.
fn check(folder: &TestFolder, results: &str) {
    assert_eq!(folder.rows(results), folder.rows("whole"));
    folder.outputs(0, &["verify", results]);
}

/// Runs the experiment to its end, and says how many runs were given up on the way since two processes were killed while they were in
/// flight: they are recorded as failed, and tried again by the next `run`.
fn finish(folder: &TestFolder, arguments: &[&str]) -> usize {
    let (status, _, messages) = folder.report(&[&["run", "test.toml"], arguments].concat());
    if status != Some(0) {
        assert!(status == Some(1) && messages.contains("ended abnormally twice"), "{messages}");
        folder.run(arguments);
    }
    let journals = folder.journals(arguments[1]).into_iter().map(|path| folder.read(path));
    journals.map(|text| text.matches("ended abnormally twice").count()).sum()
}

fn n_runs(folder: &TestFolder) -> usize {
    folder.rows("whole").lines().count() - 1
}

#[test]
fn one_process_killed_at_random_moments() {
    let (n_kills, mut random) = (n_faults(), random_stream("kill -9, one process"));
    let folder = folder_for(n_kills);
    let mut killed = 0;
    for _ in 0..n_kills {
        let child = start(&folder, &["--out", "killed"]);
        sleep(milliseconds(&mut random, 150));
        killed += usize::from(kill(child));
    }
    let left = folder.journal_lines("killed");
    let given_up = finish(&folder, &["--out", "killed"]);
    check(&folder, "killed");
    assert_eq!(folder.journal_lines("killed"), n_runs(&folder) + given_up, "no run was done twice");
    let found = format!(
        "before the last command `run`, the journal had {left} lines. The program gave up {given_up} runs, because the \
         process was killed twice during each of these runs. After the last command `run`, the results contain each of \
         the {} runs once",
        n_runs(&folder)
    );
    report("`kill -9`, one process", &format!("{killed} times"), &found);
}

#[test]
fn several_processes_on_one_folder_killed_at_random_moments() {
    let (n_kills, mut random) = (n_faults(), random_stream("kill -9, three processes"));
    let folder = folder_for(n_kills);
    let mut children: Vec<Child> = (0..3).map(|_| start(&folder, &["--out", "killed", "--jobs", "1"])).collect();
    let mut killed = 0;
    for _ in 0..n_kills {
        sleep(milliseconds(&mut random, 150));
        let victim = children.swap_remove(random.below(3));
        killed += usize::from(kill(victim));
        children.push(start(&folder, &["--out", "killed", "--jobs", "1"]));
    }
    killed += children.into_iter().map(kill).filter(|&was_alive| was_alive).count();
    let given_up = finish(&folder, &["--out", "killed"]);
    check(&folder, "killed");
    let twice = folder.journal_lines("killed") - n_runs(&folder) - given_up;
    let found =
        format!("{} runs, each once in `runs.csv`. {twice} runs have several records, which agree", n_runs(&folder));
    report("`kill -9`, three processes on one folder", &format!("{killed} times"), &found);
}

#[test]
fn shards_killed_and_submitted_again_until_nothing_is_missing() {
    let (n_kills, mut random) = (n_faults(), random_stream("kill -9, shards"));
    let folder = folder_for(n_kills);
    let (mut killed, mut rounds) = (0, 0);
    let mut open: Vec<u64> = (1..=4).collect();
    while !open.is_empty() {
        rounds += 1;
        for shard in &open {
            let child = start(&folder, &["--out", "divided", "--shard", &format!("{shard}/4")]);
            if killed < n_kills {
                sleep(milliseconds(&mut random, 300));
                killed += usize::from(kill(child));
            } else {
                // 1: a run was given up after two kills; the merge says so.
                assert!(matches!({ child }.wait().expect("it ends").code(), Some(0 | 1)));
            }
        }
        open = indices(&folder.outputs(0, &["missing", "divided", "--shards", "4"]).0);
    }
    let given_up = finish(&folder, &["--out", "divided"]);
    folder.outputs(0, &["merge", "divided"]);
    check(&folder, "divided");
    assert_eq!(folder.journal_lines("divided"), n_runs(&folder) + given_up, "no run was done twice");
    let found = format!("after {rounds} submissions, the results had each run exactly once");
    report("`kill -9`, four shards; shards named by `missing` are started again", &format!("{killed} times"), &found);
}

/// The numbers in `2,5-7`.
fn indices(text: &str) -> Vec<u64> {
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let ranges = text.trim().split(',').filter(|range| !range.is_empty());
    let range = |range: &str| match range.split_once('-') {
        Some((first, last)) => number(first)..=number(last),
        None => number(range)..=number(range),
    };
    ranges.flat_map(range).collect()
}

#[test]
fn a_process_killed_while_it_makes_the_files() {
    let (n_kills, mut random) = (4 * n_faults(), random_stream("kill -9, making files"));
    // Many runs that take no time, so that making the files does.
    let folder = TestFolder::new("{ from = 10, to = 40, step = 10 }", 100);
    let arguments = ["--out", "killed", "--set", "budget.evaluations=1"];
    folder.run(&["--out", "whole", "--set", "budget.evaluations=1"]);
    let started = Instant::now();
    folder.run(&arguments);
    let once = started.elapsed();
    let whole = std::fs::read(folder.path("killed/runs.csv")).expect("it is there");
    let mut killed = 0;
    for _ in 0..n_kills {
        let child = start(&folder, &arguments);
        sleep(milliseconds(&mut random, once.as_millis() as usize + 1));
        killed += usize::from(kill(child));
        assert!(
            std::fs::read(folder.path("killed/runs.csv")).expect("it is there") == whole,
            "the file is the old or the new one"
        );
    }
    folder.run(&arguments);
    check(&folder, "killed");
    report(
        "`kill -9` while files are made",
        &format!("{killed} times"),
        "after each of these kills, `runs.csv` was complete",
    );
}
