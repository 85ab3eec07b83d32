//! Unix: Linux, macOS and their relatives.

mod group_usage;
mod pipes;
mod program_run;
mod programs;
mod server;
mod signals;

use std::fs::{FileType, Metadata};
use std::io;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};

use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};

pub(crate) use group_usage::measures_groups;
pub(crate) use program_run::run_program;
pub use programs::end_all;
pub(crate) use programs::end_all_and;
pub(crate) use server::Server;
pub use signals::survive_the_limit_on_file_size;
pub(crate) use signals::{HANGUPS, INTERRUPTS, TERMINATIONS, end_on_second_interrupt, is_ignored};

/// The systems that external programs need; `None`, because Unix systems support external programs.
pub(crate) const PROGRAMS_NEED: Option<&str> = None;

/// The name of this machine.
pub(crate) fn host() -> Option<String> {
    Some(rustix::system::uname().nodename().to_string_lossy().into_owned())
}

/// The kind of a path that is neither a file nor a folder; `None` for a pipe, which can be read once.
pub(crate) fn special_file(kind: FileType) -> Option<&'static str> {
    match () {
        () if kind.is_fifo() => None,
        () if kind.is_socket() => Some("a socket"),
        () => Some("a device"),
    }
}

/// Whether a path could not be followed because its links lead back to themselves.
pub(crate) fn is_loop_of_links(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::LOOP.raw_os_error())
}

/// Whether a file may be executed.
pub(crate) fn may_be_executed(file: &Metadata) -> bool {
    file.permissions().mode() & 0o111 != 0
}

/// The limits for the address space (`ulimit -v`) and the data (`ulimit -d`) of this process, in bytes, if they are set.
pub(crate) fn memory_limits() -> [Option<u64>; 2] {
    [Resource::As, Resource::Data].map(|resource| getrlimit(resource).current)
}

/// The maximum number of bytes in the arguments and the environment of a program: on Linux a quarter of the stack, within bounds.
pub(crate) fn command_line_limit() -> usize {
    if !cfg!(target_os = "linux") {
        return 256 << 10;
    }
    let stack = getrlimit(Resource::Stack).current.unwrap_or(u64::MAX);
    (stack / 4).clamp(128 << 10, 6 << 20) as usize
}
