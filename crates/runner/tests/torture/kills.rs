//! Processes killed at random moments, alone and several on one folder.

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use evogrid_core::random::RandomStream;

use super::workshop::Workshop;
use super::{blows, chance, tell};

/// Repetitions that give a blow something to interrupt: two cells on eight boards, some milliseconds each.
fn workshop(blows: usize) -> Workshop {
    let workshop = Workshop::new("[500, 1000]", 12 + blows as u32 / 2);
    workshop.run(&["--out", "whole"]);
    workshop
}

fn start(workshop: &Workshop, arguments: &[&str]) -> Child {
    let mut command = workshop.command(arguments);
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
fn check(workshop: &Workshop, results: &str) {
    assert_eq!(workshop.rows(results), workshop.rows("whole"));
    let mut verify = Command::new(env!("CARGO_BIN_EXE_runner"));
    let verified = verify.arg("verify").arg(workshop.path(results)).output().expect("the runner runs");
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
}

fn n_runs(workshop: &Workshop) -> usize {
    workshop.rows("whole").lines().count() - 1
}

#[test]
fn one_process_killed_at_random_moments() {
    let (blows, mut random) = (blows(), chance("kill -9, one process"));
    let workshop = workshop(blows);
    let mut killed = 0;
    for _ in 0..blows {
        let child = start(&workshop, &["--out", "killed"]);
        sleep(milliseconds(&mut random, 150));
        killed += usize::from(kill(child));
    }
    let left = workshop.journal_lines("killed");
    workshop.run(&["--out", "killed"]);
    check(&workshop, "killed");
    assert_eq!(workshop.journal_lines("killed"), n_runs(&workshop), "no run was done twice");
    let found =
        format!("{left} of {} runs in the journal before the last `run`, all after it, each once", n_runs(&workshop));
    tell("`kill -9`, one process", &format!("{killed} times"), &found);
}

#[test]
fn several_processes_on_one_folder_killed_at_random_moments() {
    let (blows, mut random) = (blows(), chance("kill -9, three processes"));
    let workshop = workshop(blows);
    let mut children: Vec<Child> = (0..3).map(|_| start(&workshop, &["--out", "killed", "--jobs", "1"])).collect();
    let mut killed = 0;
    for _ in 0..blows {
        sleep(milliseconds(&mut random, 150));
        let victim = children.swap_remove(random.below(3));
        killed += usize::from(kill(victim));
        children.push(start(&workshop, &["--out", "killed", "--jobs", "1"]));
    }
    killed += children.into_iter().map(kill).filter(|&was_alive| was_alive).count();
    workshop.run(&["--out", "killed"]);
    check(&workshop, "killed");
    let twice = workshop.journal_lines("killed") - n_runs(&workshop);
    let found =
        format!("{} runs, each once in `runs.csv`; {twice} were done more than once, and agree", n_runs(&workshop));
    tell("`kill -9`, three processes on one folder", &format!("{killed} times"), &found);
}

#[test]
fn shards_killed_and_submitted_again_until_nothing_is_missing() {
    let (blows, mut random) = (blows(), chance("kill -9, shards"));
    let workshop = workshop(blows);
    let runner = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_runner"));
        command.current_dir(workshop.path("")).args(arguments).output().expect("the runner runs")
    };
    let (mut killed, mut rounds) = (0, 0);
    let mut open: Vec<u64> = (1..=4).collect();
    while !open.is_empty() {
        rounds += 1;
        for shard in &open {
            let child = start(&workshop, &["--out", "dealt", "--shard", &format!("{shard}/4")]);
            if killed < blows {
                sleep(milliseconds(&mut random, 300));
                killed += usize::from(kill(child));
            } else {
                assert!({ child }.wait().expect("it ends").success());
            }
        }
        let missing = runner(&["missing", "dealt", "--shards", "4"]);
        assert!(missing.status.success(), "{}", String::from_utf8_lossy(&missing.stderr));
        open = indices(&String::from_utf8_lossy(&missing.stdout));
    }
    let merged = runner(&["merge", "dealt"]);
    assert!(merged.status.success(), "{}", String::from_utf8_lossy(&merged.stderr));
    check(&workshop, "dealt");
    assert_eq!(workshop.journal_lines("dealt"), n_runs(&workshop), "no run was done twice");
    let found = format!("nothing missing after {rounds} submissions, each run once");
    tell("`kill -9`, four shards, those that `missing` names again", &format!("{killed} times"), &found);
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
    let (blows, mut random) = (4 * blows(), chance("kill -9, making files"));
    // Many runs that take no time, so that making the files does.
    let workshop = Workshop::new("{ from = 10, to = 40, step = 10 }", 100);
    let arguments = ["--out", "killed", "--set", "budget.evaluations=1"];
    workshop.run(&["--out", "whole", "--set", "budget.evaluations=1"]);
    let started = Instant::now();
    workshop.run(&arguments);
    let once = started.elapsed();
    let whole = std::fs::read(workshop.path("killed/runs.csv")).expect("it is there");
    let mut killed = 0;
    for _ in 0..blows {
        let child = start(&workshop, &arguments);
        sleep(milliseconds(&mut random, once.as_millis() as usize + 1));
        killed += usize::from(kill(child));
        assert!(
            std::fs::read(workshop.path("killed/runs.csv")).expect("it is there") == whole,
            "the file is the old or the new one"
        );
    }
    workshop.run(&arguments);
    check(&workshop, "killed");
    tell("`kill -9` while files are made", &format!("{killed} times"), "`runs.csv` was whole each time");
}
