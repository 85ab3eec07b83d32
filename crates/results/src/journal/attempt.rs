//! The names of journal files: the time, the process, and bits that nobody else has.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::format::utc;

/// The file name of an attempt, such as `20160229T235959.123Z-42-00000000000000ab.jsonl`: names sort by time.
pub(super) fn file_name(now: SystemTime, process: u32, bits: u64) -> String {
    format!("{}-{process}-{bits:016x}.jsonl", timestamp(now.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO)))
}

/// The time in UTC, without colons, which some file systems reject.
fn timestamp(since_epoch: Duration) -> String {
    let [year, month, day, hour, minute, second] = utc(since_epoch.as_secs());
    let milliseconds = since_epoch.subsec_millis();
    format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}.{milliseconds:03}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_hold_the_time_in_utc() {
        for (seconds, expected) in [
            (0, "19700101T000000.123Z"),
            (951_782_399, "20000228T235959.123Z"),
            (951_782_400, "20000229T000000.123Z"),
            (1_456_790_399, "20160229T235959.123Z"),
            (1_456_790_400, "20160301T000000.123Z"),
            (1_767_225_599, "20251231T235959.123Z"),
            (4_107_542_400, "21000301T000000.123Z"),
        ] {
            assert_eq!(timestamp(Duration::from_millis(seconds * 1000 + 123)), expected);
        }
        assert_eq!(file_name(UNIX_EPOCH, 42, 0xab), "19700101T000000.000Z-42-00000000000000ab.jsonl");
    }
}
