//! Systems without process groups: no program is started there, for it could not be ended.

use std::time::Duration;

use super::output::ProgramOutput;

/// Nothing is in flight.
pub fn end_all() {}

/// Nothing is in flight.
pub(crate) fn end_all_and(then: impl FnOnce()) {
    then();
}

/// # Errors
/// Always.
pub(super) fn run_program(_words: &[String], _input: Option<&str>, _time: Duration) -> Result<ProgramOutput, String> {
    Err("external programs need a Unix system".to_owned())
}
