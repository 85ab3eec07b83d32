//! This module measures the wall time and the processor time of runs, and reads the date.

use std::cell::Cell;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use evogrid_core::cpu_time;
use evogrid_results::format::utc;

use crate::system::platform::ProgramUsage;

/// A stopwatch. The stopwatch measures the time of the thread that started it. The measured processor time includes the programs for which
/// this thread waits.
pub struct Stopwatch {
    wall: Instant,
    cpu: Option<f64>,
}

impl Stopwatch {
    /// Starts the stopwatch.
    pub fn start() -> Self {
        Self { wall: Instant::now(), cpu: cpu_ms() }
    }

    /// The wall time since the start, in milliseconds with three decimals.
    pub fn wall_ms(&self) -> f64 {
        to_microseconds(self.wall.elapsed().as_secs_f64() * 1e3)
    }

    /// The processor time of this thread and its programs since the start, in milliseconds with three decimals, if the system measures
    /// it.
    pub(crate) fn cpu_ms(&self) -> Option<f64> {
        Some(to_microseconds(cpu_ms()? - self.cpu?))
    }
}

thread_local! {
    static PROGRAM_CPU_MS: Cell<f64> = const { Cell::new(0.0) };
    static PROGRAM_MEMORY: Cell<u64> = const { Cell::new(0) };
}

/// Adds the processor time and the memory that another program used for this thread.
pub(crate) fn charge_thread(usage: ProgramUsage) {
    PROGRAM_CPU_MS.set(PROGRAM_CPU_MS.get() + usage.cpu_ms);
    PROGRAM_MEMORY.set(PROGRAM_MEMORY.get().max(usage.memory));
}

/// The largest memory in MiB that a program used for this thread since the last call, if memory was measured.
pub(crate) fn take_program_memory() -> Option<f64> {
    let bytes = PROGRAM_MEMORY.take();
    (bytes > 0).then(|| (bytes as f64 / 1_048_576.0 * 100.0).round() / 100.0)
}

fn cpu_ms() -> Option<f64> {
    Some(cpu_time::of_this_thread()?.as_secs_f64() * 1e3 + PROGRAM_CPU_MS.get())
}

/// Rounds milliseconds to three decimals.
pub(crate) fn to_microseconds(ms: f64) -> f64 {
    (ms * 1e3).round() / 1e3
}

/// Returns the present time in UTC, for example `2016-11-01T08:00:00Z`.
pub fn utc_now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let [year, month, day, hour, minute, second] = utc(seconds);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Converts a time in the format of [`utc_now`] to seconds since 1970. Returns `None` if the text has another format, or if the time is
/// before 1970.
pub fn seconds_of(utc: &str) -> Option<u64> {
    let (date, time) = utc.strip_suffix('Z')?.split_once('T')?;
    let numbers = |text: &str, separator| -> Option<[i64; 3]> {
        let numbers: Vec<i64> = text.split(separator).map(|part| part.parse().ok()).collect::<Option<_>>()?;
        numbers.try_into().ok()
    };
    let ([year, month, day], [hours, minutes, seconds]) = (numbers(date, '-')?, numbers(time, ':')?);
    let is_date = (1970..10_000).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    let is_time = (0..24).contains(&hours) && (0..60).contains(&minutes) && (0..=60).contains(&seconds);
    if !is_date || !is_time {
        return None;
    }
    // The days of the earlier years, of the earlier months from March on, and of the month (Hinnant, `days_from_civil`).
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - 719_468;
    u64::try_from(days * 86_400 + hours * 3600 + minutes * 60 + seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        let date = |days: u64| utc(86_400 * days)[..3].to_vec();
        assert_eq!([0, 11_016, 17_106].map(date), [[1970, 1, 1], [2000, 2, 29], [2016, 11, 1]]);
    }

    #[test]
    fn a_time_that_was_written_is_read_back() {
        assert_eq!(seconds_of("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(seconds_of("2000-02-29T23:59:59Z"), Some(951_868_799));
        assert_eq!(seconds_of("2016-11-01T08:00:00Z"), Some(17_106 * 86_400 + 8 * 3600));
        for wrong in [
            "",
            "2016-11-01",
            "2016-13-01T00:00:00Z",
            "2016-11-01T08:00Z",
            "1000000000000-11-01T08:00:00Z",
            "2016-11-01T9000000000000000000:00:00Z",
        ] {
            assert_eq!(seconds_of(wrong), None, "{wrong}");
        }
        assert!(seconds_of(&utc_now()).is_some_and(|now| now > 1_700_000_000));
    }
}
