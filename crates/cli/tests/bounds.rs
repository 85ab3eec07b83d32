//! Bounds that docs/RELIABILITY.md states: what memory grows by, as the kernel counts it of real processes.
//!
//! A program of its own, beside `suite`: the kernel counts what a process held before it became another program, so that what the
//! suite holds for its other tests would hide what a command takes.
// The figures are those of Linux.
#![cfg(target_os = "linux")]

#[path = "suite/test_folder.rs"]
#[allow(dead_code, reason = "the suite uses the rest")]
mod test_folder;

use std::fmt::Write;
use std::process::Stdio;

use test_folder::TestFolder;
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
fn a_point_of_a_design_costs_less_than_a_hundred_bytes() {
    const FEW: u64 = 10_000;
    const POINTS: u64 = 210_000;
    let folder = TestFolder::empty();
    folder.write("boards.csv", "id,puzzle\na,1...............\n");
    let peak_of = |count: u64| {
        folder.write(
            "test.toml",
            format!(
                "experiment = {{ name = \"test\", seed = 1, repetitions = 1 }}\n\
                 instances = [{{ problem = \"sudoku\", path = \"boards.csv\" }}]\n[algorithms.huke]\npreset = \"huke\"\n\
                 design.sample = {{ count = {count}, method = \"sobol\" }}\n[algorithms.huke.space]\n\
                 population = {{ from = 10, to = 100 }}\nselection = [\"truncation\", \"sus\", \"tournament\"]\n\
                 crossover_rate = {{ from = 0.1, to = 1 }}\nmutation_rate = {{ from = 0.001, to = 1, scale = \"log\" }}\n"
            ),
        );
        peak(&folder, &["check", "test.toml"])
    };
    let grown = growth(POINTS - FEW, peak_of(FEW), peak_of(POINTS));
    assert!(grown < 100, "{grown} bytes a point");
}
