//! Differences between systems: signals, process groups, kinds of files, limits of memory and of command lines, the host's name, the CPUs of a thread. `unix`
//! implements these functions. `fallback` is for all other systems; its comments name the missing functions. docs/portability.md describes
//! the consequences for users.

mod affinity;
#[cfg(not(unix))]
mod fallback;
mod program_output;
#[cfg(unix)]
mod unix;

pub(crate) use affinity::{allowed_cpus, pin_thread};
#[cfg(not(unix))]
pub use fallback::*;
pub(crate) use program_output::{Asked, ProgramLimits, ProgramOutput, ProgramUsage, ReachedLimit};
#[cfg(unix)]
pub use unix::*;
