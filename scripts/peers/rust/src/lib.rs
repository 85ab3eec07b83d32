//! What the programs share: processor time, arguments and the line that each prints.

use std::fmt::Display;
use std::str::FromStr;

use rustix::time::{ClockId, clock_gettime};

/// McCaffrey's demo board, `mccaffrey` in `datasets/sudoku/printed.csv`.
pub const BOARD: &str = "006200080008970000004810500000060002070000030600050000002047100003028400050001200";

/// Seconds of processor time of this process, all threads.
#[must_use]
pub fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// The argument at `place`, of the right type.
#[must_use]
pub fn argument<T: FromStr>(place: usize) -> T {
    std::env::args().nth(place).and_then(|text| text.parse().ok()).expect("an argument is missing, or not of its type")
}

/// Work done, processor time, evaluations asked for and seen by the objective, and the best found.
pub fn print(work: u64, seconds: f64, asked: u64, counted: u64, best: impl Display) {
    println!(r#"{{"work": {work}, "seconds": {seconds}, "asked": {asked}, "counted": {counted}, "best": {best}}}"#);
}
