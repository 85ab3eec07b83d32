//! Systems other than Unix, such as Windows. Only the standard library and the signals of the C library are used.

use std::fs::{FileType, Metadata};
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::program_output::{Asked, ProgramLimits, ProgramOutput};

/// Ctrl-C.
pub(crate) const INTERRUPTS: &[i32] = &[SIGINT];

/// No signals: closing a console ends the process, and the journal keeps the runs.
pub(crate) const HANGUPS: &[i32] = &[];

/// Requests to end. Only code in the same process can send this signal: `taskkill` ends the process immediately.
pub(crate) const TERMINATIONS: &[i32] = &[SIGTERM];

/// Does nothing: this system has no limit on file sizes.
pub fn survive_the_limit_on_file_size() {}

/// Ends the process on a second Ctrl-C without calling `end`: there are no external programs on this system.
pub(crate) fn end_on_second_interrupt(_end: impl FnOnce(i32) + Send + 'static) -> io::Result<()> {
    let is_second = Arc::new(AtomicBool::new(false));
    flag::register_conditional_shutdown(SIGINT, 128 + SIGINT, Arc::clone(&is_second))?;
    flag::register(SIGINT, is_second)?;
    Ok(())
}

/// Always false: a process starts without ignored signals.
pub(crate) fn is_ignored(_signal: i32) -> bool {
    false
}

/// The name of this machine, which Windows gives to every process.
pub(crate) fn host() -> Option<String> {
    std::env::var("COMPUTERNAME").ok()
}

/// Always the same text: this system does not report the kind of a special file.
pub(crate) fn special_file(_kind: FileType) -> Option<&'static str> {
    Some("no file")
}

/// Always false: this system does not distinguish a loop of links from other errors.
pub(crate) fn is_loop_of_links(_error: &io::Error) -> bool {
    false
}

/// Always true: this system does not report whether a file is executable.
pub(crate) fn may_be_executed(_file: &Metadata) -> bool {
    true
}

/// No limits: the memory limits of this process are unknown.
pub(crate) fn memory_limits() -> [Option<u64>; 2] {
    [None; 2]
}

/// The maximum number of bytes in a Windows command line.
pub(crate) fn command_line_limit() -> usize {
    32 << 10
}

/// Does nothing: there are no external programs.
pub fn end_all() {}

/// Does nothing: there are no external programs.
pub(crate) fn end_all_and(then: impl FnOnce()) {
    then();
}

/// Whether the processor time and the memory of a process group can be measured.
pub(crate) fn measures_groups() -> bool {
    false
}

/// The systems that external programs need. External programs need process groups, so that their child processes end together with them.
pub(crate) const PROGRAMS_NEED: Option<&str> = Some("Linux, macOS or another Unix");

/// Starts no program.
///
/// # Errors
/// Always.
pub(crate) fn run_program(
    _words: &[String],
    _input: Option<&str>,
    _limits: &ProgramLimits,
) -> Result<ProgramOutput, String> {
    Err(format!("external programs need {}", PROGRAMS_NEED.unwrap_or_default()))
}

/// A program that stays alive. This system does not support programs that stay alive.
pub(crate) enum Server {}

impl Server {
    /// Starts no program.
    ///
    /// # Errors
    /// Always.
    pub(crate) fn start(_words: &[String]) -> Result<Self, String> {
        Err(format!("external programs need {}", PROGRAMS_NEED.unwrap_or_default()))
    }

    /// Is never asked.
    ///
    /// # Errors
    /// Never.
    pub(crate) fn ask(
        self,
        _line: &str,
        _limits: &ProgramLimits,
        _is_last: impl Fn(&[u8]) -> bool,
    ) -> Result<Asked<Self>, String> {
        match self {}
    }
}
