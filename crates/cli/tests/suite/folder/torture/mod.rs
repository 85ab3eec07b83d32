//! Torture: processes killed at random moments, damaged journals, disks that fill up. Whatever happens, one more `run` makes the files
//! that an undisturbed one makes, to the byte but for the times.
//!
//! `EVOGRID_TORTURE=100` causes so many faults of each kind (`make torture`); without it there are a few. With
//! `EVOGRID_TORTURE_PAGE=FILE` each test writes what it did to the line of that page that has its name. The moments are random and
//! differ every time, for they depend on the machine; what is done with a journal follows from a seed that is printed.
#![allow(clippy::print_stdout, reason = "what was done is printed, and what is skipped")]

mod damage;
#[cfg(target_os = "linux")]
mod disk;
mod kills;
#[cfg(unix)]
mod taken;

use std::fs;
use std::sync::Mutex;

use evogrid_core::random::RandomStream;

/// How many faults of each kind are caused.
fn n_faults() -> usize {
    std::env::var("EVOGRID_TORTURE").map_or(8, |number| number.parse().expect("EVOGRID_TORTURE is a number"))
}

/// A random stream for the choices of a test: another one every time, its seed printed, so that a failure can be repeated.
fn random_stream(test: &str) -> RandomStream {
    let seed = match std::env::var("EVOGRID_TORTURE_SEED") {
        Ok(seed) => seed.parse().expect("EVOGRID_TORTURE_SEED is a number"),
        Err(_) => std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(1, |since| since.as_micros() as u64 % (1 << 53)),
    };
    println!("{test}: EVOGRID_TORTURE_SEED={seed}");
    RandomStream::from_seed(seed)
}

/// Prints what a test did, and writes it to its line of the page that is named: `| name | what was done | what was found |`.
fn report(name: &str, done: &str, found: &str) {
    static PAGE: Mutex<()> = Mutex::new(());
    let row = format!("| {name} | {done} | {found} |");
    println!("{row}");
    let Ok(path) = std::env::var("EVOGRID_TORTURE_PAGE") else { return };
    let _held = PAGE.lock().expect("no test fails while it writes");
    let page = fs::read_to_string(&path).expect("the page is there");
    let start = format!("| {name} |");
    assert!(page.lines().any(|line| line.starts_with(&start)), "{path} has no line for `{name}`");
    let lines = page.lines().map(|line| if line.starts_with(&start) { &row } else { line });
    fs::write(&path, lines.map(|line| format!("{line}\n")).collect::<String>()).expect("the page is written");
}
