//! The output of a program, and the limits within which it runs.

use std::time::Duration;

/// The limits that end a program.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(unix), expect(dead_code, reason = "programs are started only on Unix"))]
pub(crate) struct ProgramLimits {
    /// The wall time from the start.
    pub(crate) time: Duration,
    /// The processor time of all processes of the program's group.
    pub(crate) cpu: Option<Duration>,
    /// The resident memory of all processes of the program's group, in bytes.
    pub(crate) memory: Option<u64>,
}

/// A limit that ended a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(unix), expect(dead_code, reason = "programs are started only on Unix"))]
pub(crate) enum ReachedLimit {
    Time,
    Cpu,
    Memory,
}

/// The output of a program until it ended, and how it ended.
pub(crate) struct ProgramOutput {
    /// The limit that was reached before the program ended by itself.
    pub(crate) reached: Option<ReachedLimit>,
    /// The failure of the program, if it did not end normally.
    pub(crate) failure: Option<String>,
    pub(crate) printed: Vec<u8>,
    /// The last part of the program's standard error.
    pub(crate) errors: Vec<u8>,
    /// What it took.
    pub(crate) usage: ProgramUsage,
}

/// The reaction of a server of type `S` to a line.
#[cfg_attr(not(unix), expect(dead_code, reason = "servers are started only on Unix"))]
pub(crate) enum Asked<S> {
    /// The server answered with this output. The server is returned if it is alive and can be asked again.
    Answered(ProgramOutput, Option<Box<S>>),
    /// The server ended before it read any part of the line. The value is the last output of the server.
    NotReceived(ProgramOutput),
}

/// The processor time and the memory that a program used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ProgramUsage {
    /// The processor time of the program and of the processes that it waited for, in milliseconds. If processor time is limited, this is
    /// the time of the whole process group.
    pub(crate) cpu_ms: f64,
    /// The largest measured resident memory of the process group, in bytes; 0 without a limit of memory.
    pub(crate) memory: u64,
}

impl ProgramUsage {
    /// The larger values of two measurements, since each measurement may miss something.
    #[cfg(unix)]
    pub(crate) fn max(self, other: Self) -> Self {
        Self { cpu_ms: self.cpu_ms.max(other.cpu_ms), memory: self.memory.max(other.memory) }
    }
}
