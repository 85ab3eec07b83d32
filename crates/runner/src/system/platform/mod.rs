//! What differs between systems: signals, process groups, kinds of files, limits of memory, the host's name, the CPUs
//! of a thread. `unix` implements it; `fallback` stands for any other system, and says at each function what is missing.
//! docs/portability.md says what that means for users.

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
