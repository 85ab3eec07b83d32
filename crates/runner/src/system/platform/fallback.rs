//! Any system that is not a Unix, such as Windows: what the standard library and the C library's signals can do.

use std::fs::{FileType, Metadata};
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::program_output::{ProgramLimits, ProgramOutput};

/// Ctrl-C.
pub(crate) const INTERRUPTS: &[i32] = &[SIGINT];

/// The close of a console ends the process: what is in the journal stays there.
pub(crate) const HANGUPS: &[i32] = &[];

/// Raised by programs of the same process only: `taskkill` ends it at once.
pub(crate) const TERMINATIONS: &[i32] = &[SIGTERM];

/// This system does not have the limit.
pub fn survive_the_limit_on_file_size() {}

/// Ends the process on a second Ctrl-C, without `end`: no program is in flight here.
pub(crate) fn end_on_second_interrupt(_end: impl FnOnce(i32) + Send + 'static) -> io::Result<()> {
    let is_second = Arc::new(AtomicBool::new(false));
    flag::register_conditional_shutdown(SIGINT, 128 + SIGINT, Arc::clone(&is_second))?;
    flag::register(SIGINT, is_second)?;
    Ok(())
}

/// A process is started with none ignored.
pub(crate) fn is_ignored(_signal: i32) -> bool {
    false
}

/// The name of this machine, as Windows gives it to every process.
pub(crate) fn host() -> Option<String> {
    std::env::var("COMPUTERNAME").ok()
}

/// What a thing is that is neither a file nor a folder is not told.
pub(crate) fn special_file(_kind: FileType) -> Option<&'static str> {
    Some("no file")
}

/// A loop of links is an error as any other.
pub(crate) fn is_loop_of_links(_error: &io::Error) -> bool {
    false
}

/// Whether a file may be executed is not told: any may be tried.
pub(crate) fn may_be_executed(_file: &Metadata) -> bool {
    true
}

/// Limits of a process's memory are not known.
pub(crate) fn memory_limits() -> [Option<u64>; 2] {
    [None; 2]
}

/// The bytes that a command line of Windows may have.
pub(crate) fn command_line_limit() -> usize {
    32 << 10
}

/// Nothing is in flight.
pub fn end_all() {}

/// Nothing is in flight.
pub(crate) fn end_all_and(then: impl FnOnce()) {
    then();
}

/// Whether the processor time and the memory of a process group can be measured.
pub(crate) fn measures_groups() -> bool {
    false
}

/// What programs need that are started for a run: process groups, so that what they start ends with them.
pub(crate) const PROGRAMS_NEED: Option<&str> = Some("Linux, macOS or another Unix");

/// Starts none.
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

/// A program that stays alive; there is none here.
pub(crate) enum Server {}

/// What came of a line to a server.
pub(crate) enum Asked {
    /// What it printed, and the server, if it is alive and can be asked again.
    Answered(ProgramOutput, Option<Box<Server>>),
    /// It ended before it had read anything of the line, with these last words.
    NotReceived(ProgramOutput),
}

impl Server {
    /// Starts none.
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
    ) -> Result<Asked, String> {
        match self {}
    }
}
