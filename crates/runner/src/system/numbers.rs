//! Writes numbers for messages: `1,200` with a comma between the thousands, or `1,200 runs` with the counted noun. The module also tests
//! whether two fitness values differ only by rounding.

use indicatif::HumanCount;

/// Writes a number with a comma between the thousands: `1,200`.
pub fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

/// Writes a count with its noun: `1 run`, `2 runs`.
pub fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Writes a count with noun and verb: `1 run is`, `2 runs are`.
pub fn counted_are(number: u64, noun: &str) -> String {
    format!("{} {}", counted(number, noun), if number == 1 { "is" } else { "are" })
}

/// Writes a duration for a message: `0.3 s`, `42 s`, `12 min`, `5.1 h`, `3 days`.
pub fn duration(seconds: f64) -> String {
    match seconds {
        ..10.0 => format!("{seconds:.1} s"),
        10.0..100.0 => format!("{seconds:.0} s"),
        100.0..6000.0 => format!("{:.0} min", seconds / 60.0),
        6000.0..172_800.0 => format!("{:.1} h", seconds / 3600.0),
        _ => format!("{} days", grouped((seconds / 86_400.0) as u64)),
    }
}

/// The largest relative difference at which two values of a fitness count as equal. Another order of additions may change the last digits.
const FITNESS_TOLERANCE: f64 = 1e-9;

/// Whether two fitness values differ by no more than rounding errors.
pub fn is_same_fitness(one: f64, other: f64) -> bool {
    (one - other).abs() <= FITNESS_TOLERANCE * one.abs().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
