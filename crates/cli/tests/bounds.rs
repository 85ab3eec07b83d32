//! Bounds that docs/RELIABILITY.md states: what memory grows by, as the kernel counts it of real processes, and what ends in seconds.
#![cfg(unix)]

mod test_folder;

use std::fmt::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

use test_folder::{TestFolder, send};
use wait4::Wait4;

/// The most memory that a command held, in bytes.
fn peak(folder: &TestFolder, arguments: &[&str]) -> u64 {
    let mut command = folder.command(arguments);
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let ended = child.wait4().expect("it ends");
    assert!(ended.status.success(), "{arguments:?}");
    ended.rusage.maxrss
}

/// Bytes that each of `n` more costs.
fn growth(n: u64, peak_of_few: u64, peak_of_all: u64) -> u64 {
    peak_of_all.saturating_sub(peak_of_few) / n
}

/// An experiment of one evaluation on each of so many boards, all different: their digits are those of the number.
fn write_instances(folder: &TestFolder, n: u64) {
    let mut boards = "id,bucket,puzzle\n".to_owned();
    for number in 0..n {
        let mut cells = ["."; 81].map(str::to_owned);
        for place in 0..6 {
            // One digit for each band of boxes, so that none stands twice in a unit.
            cells[place * 13 % 81] = (number / 9u64.pow(place as u32) % 9 + 1).to_string();
        }
        let _ = writeln!(boards, "board-{number:07},{},{}", ["easy", "hard"][(number % 2) as usize], cells.concat());
    }
    folder.write("boards.csv", boards);
    folder.write(
        "test.toml",
        "experiment = { name = \"test\", seed = 1, repetitions = 1 }\n\
         instances = [{ problem = \"sudoku\", path = \"boards.csv\" }]\n\
         algorithms.huke = { preset = \"huke\", population = 10 }\nbudget.evaluations = 1\n",
    );
}

#[test]
fn an_instance_costs_a_few_hundred_bytes() {
    // By then the queues between threads are full.
    const FEW: u64 = 8_000;
    const INSTANCES: u64 = 24_000;
    // With 85 bytes of content `run` took 2,500, and `table` 2,000. A million take 260.
    const MOST: [(&str, u64); 4] = [("run", 600), ("again", 600), ("table", 300), ("verify", 600)];
    let folder = TestFolder::empty();
    let peaks = |out: &str| {
        let run = ["run", "test.toml", "--quiet", "--jobs", "1", "--out", out];
        [&run[..], &run, &["table", out], &["verify", out, "--sample", "1"]].map(|command| peak(&folder, command))
    };
    write_instances(&folder, FEW);
    let of_few = peaks("few");
    write_instances(&folder, INSTANCES);
    let of_all = peaks("all");
    for (((name, most), few), all) in MOST.into_iter().zip(of_few).zip(of_all) {
        let each = growth(INSTANCES - FEW, few, all);
        assert!(each <= most, "`{name}` takes {each} bytes an instance");
    }
}

/// A CSV of another program: four algorithms on so many instances, one run each.
fn write_foreign(folder: &TestFolder, name: &str, instances: u64) {
    let mut text = "algorithm,instance,solved,evaluations,wall_ms\n".to_owned();
    for instance in 0..instances {
        for algorithm in 0..4 {
            let draw = (instance * 7919 + algorithm * 104_729) % 101;
            let _ = writeln!(text, "alg{algorithm},inst{instance},{},{},{draw}.5", draw % 3 != 0, draw * 13 + 1);
        }
    }
    folder.write(name, text);
}

#[test]
fn a_row_of_another_program_costs_a_few_hundred_bytes() {
    const INSTANCES: u64 = 5_000;
    let folder = TestFolder::empty();
    write_foreign(&folder, "few.csv", 100);
    write_foreign(&folder, "many.csv", INSTANCES);
    // It was 2,100 and 1,900.
    for (command, most) in [("compare", 500), ("report", 600), ("table", 150)] {
        let [few, many] = ["few.csv", "many.csv"].map(|file| peak(&folder, &[command, file]));
        let each = growth(4 * INSTANCES, few, many);
        assert!(each <= most, "`{command}` takes {each} bytes a row");
    }
}

#[test]
fn what_is_missing_of_a_thousand_million_runs_is_known_in_seconds() {
    let folder = TestFolder::new("[20, 60]", 1);
    folder.run(&["--out", "results"]);
    // The journal has 16 runs of the wider plan; to count the others takes the hash of each.
    folder.change_line("results/manifest.json", "\"repetitions\": 1", |line| line.replace(": 1", ": 100000000"));
    let started = Instant::now();
    let (shards, messages) = folder.outputs(0, &["missing", "results", "--shards", "1000"]);
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    assert_eq!(shards, "1-1000\n");
    insta::assert_snapshot!(messages, @"at least 1599999984 of 1,600,000,000 runs left to do, in 1,000 shards");
    // And of a journal without any run, at once and to the last.
    std::fs::remove_dir_all(folder.path("results/journal")).expect("the journal goes");
    let (shards, messages) = folder.outputs(0, &["missing", "results", "--shards", "7"]);
    assert_eq!(shards, "1-7\n");
    insta::assert_snapshot!(messages, @"1600000000 of 1,600,000,000 runs left to do, in 7 shards");
}

#[test]
fn a_signal_ends_the_search_for_what_is_missing() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--out", "results", "--shard", "1/2"]);
    folder.change_line("results/manifest.json", "\"repetitions\": 1", |line| line.replace(": 1", ": 100000000"));
    // So many shards that some are long without a run that is known to be left.
    let mut child = folder.start(&["missing", "results", "--shards", "1000000"]);
    std::thread::sleep(Duration::from_millis(500));
    let started = Instant::now();
    send("INT", &child);
    let ended = child.wait().expect("it ends");
    assert_eq!(ended.code(), Some(130));
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}
