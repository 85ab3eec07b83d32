//! The output of a program, and the limits within which it runs.

use std::time::Duration;

/// What ends a program that does not end by itself.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(unix), expect(dead_code, reason = "programs are started on Unix alone"))]
pub(crate) struct ProgramLimits {
    /// Time by the clock, from its start.
    pub(crate) time: Duration,
    /// Processor time of all processes of its group.
    pub(crate) cpu: Option<Duration>,
    /// Resident memory of all processes of its group, in bytes.
    pub(crate) memory: Option<u64>,
}

/// A limit that ended a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(unix), expect(dead_code, reason = "programs are started on Unix alone"))]
pub(crate) enum ReachedLimit {
    Time,
    Cpu,
    Memory,
}

/// What a program printed until it ended, and how it ended.
pub(crate) struct ProgramOutput {
    /// The limit that was reached before it ended by itself.
    pub(crate) reached: Option<ReachedLimit>,
    /// The failure of the program, if it did not end normally.
    pub(crate) failure: Option<String>,
    pub(crate) printed: Vec<u8>,
    /// The last part of its standard error.
    pub(crate) errors: Vec<u8>,
    /// What it took.
    pub(crate) usage: ProgramUsage,
}

/// How a server of type `S` treated a line.
#[cfg_attr(not(unix), expect(dead_code, reason = "no server is started there"))]
pub(crate) enum Asked<S> {
    /// The server answered with this output. It is returned if it is alive and can be asked again.
    Answered(ProgramOutput, Option<Box<S>>),
    /// The server ended before it had read anything of the line. This is its last output.
    NotReceived(ProgramOutput),
}

/// What a program took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ProgramUsage {
    /// Its processor time, with all that it waited for (with a limit of processor time: of its process group), in milliseconds.
    pub(crate) cpu_ms: f64,
    /// The most resident memory in which its process group was seen, in bytes; 0 without a limit of memory.
    pub(crate) memory: u64,
}

impl ProgramUsage {
    /// The larger of both figures: two ways to measure, each of which may miss something.
    #[cfg(unix)]
    pub(crate) fn max(self, other: Self) -> Self {
        Self { cpu_ms: self.cpu_ms.max(other.cpu_ms), memory: self.memory.max(other.memory) }
    }
}
