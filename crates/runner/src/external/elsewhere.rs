//! Where there are no process groups, no program is started: it could not be ended.

use std::time::Duration;

use super::said::Said;

/// Nothing is in flight.
pub fn end_all() {}

/// # Errors
/// Always.
pub(super) fn converse(_words: &[String], _input: Option<&str>, _time: Duration) -> Result<Said, String> {
    Err("external programs need a Unix system".to_owned())
}
