//! The names of journal files: the time, the process, and bits that nobody else has.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The file name of an attempt, such as `20160229T235959.123Z-42-00000000000000ab.jsonl`: names sort by time.
pub(super) fn file_name(now: SystemTime, process: u32, bits: u64) -> String {
    format!("{}-{process}-{bits:016x}.jsonl", timestamp(now.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO)))
}

/// The time in UTC, without colons, which some file systems reject.
fn timestamp(since_epoch: Duration) -> String {
    let (seconds, milliseconds) = (since_epoch.as_secs(), since_epoch.subsec_millis());
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}.{milliseconds:03}Z")
}

/// Year, month and day of a number of days since 1970 (H. Hinnant, "chrono-compatible low-level date algorithms",
/// `civil_from_days`).
fn date(days: u64) -> (u64, u64, u64) {
    // Days since 1 March of the year 0, in eras of 400 years; years begin in March, so that leap days come last.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
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
