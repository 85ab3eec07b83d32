//! A program that stays alive and answers one run after the other: it reads a line and prints a line.

use std::io::PipeReader;
use std::os::fd::OwnedFd;
use std::time::Instant;

use super::group_usage::{GroupWatch, ProcessTime};
use super::pipes::{End, OUTPUT_LIMIT, Pipes, lost};
use super::program_run::{failure, start};
use super::programs::Program;
use crate::system::platform::program_output::{Asked, ProgramLimits, ProgramOutput, ProgramUsage};

/// A server. Dropping this value ends its processes.
pub(crate) struct Server {
    program: Program,
    pipes: Pipes,
    /// A copy of the reading end of the server's standard input. It shows how many bytes the server has not read.
    unread: PipeReader,
}

impl Server {
    /// Starts a server.
    ///
    /// # Errors
    /// The reason why the server could not be started.
    pub(crate) fn start(words: &[String]) -> Result<Self, String> {
        let failed = |error| format!("the system cannot create a pipe to the server: {error}");
        let (unread, input) = std::io::pipe().map_err(failed)?;
        let stdin = unread.try_clone().map_err(failed)?;
        let (program, mut pipes) = start(words, stdin)?;
        pipes.input = Some(OwnedFd::from(input).into());
        Ok(Self { program, pipes, unread })
    }

    /// Sends a line, and reads the output of the server until a line for which `is_last` returns true, or until a limit.
    ///
    /// # Errors
    /// The reason why the server cannot be read from or measured.
    pub(crate) fn ask(
        mut self,
        line: &str,
        limits: &ProgramLimits,
        is_last: impl Fn(&[u8]) -> bool,
    ) -> Result<Asked<Self>, String> {
        let begun = Instant::now();
        let group = self.program.group();
        // The output that the server printed after its last answer.
        self.pipes.drain().map_err(lost)?;
        let left_over = std::mem::take(&mut self.pipes.output.bytes);
        self.pipes.errors.bytes.clear();
        if !left_over.trim_ascii().is_empty() && !self.program.has_ended() {
            let text = String::from_utf8_lossy(&left_over);
            let text: String = text.trim().chars().take(80).collect();
            return Err(format!("the server printed more than one answer to the previous run: {text}"));
        }
        let before = ProcessTime::of(group);
        let mut watch = GroupWatch::new(group, limits, true)?;
        let (mut open, mut checked) = (line.as_bytes(), 0);
        let end = self.pipes.attend(&self.program, &mut open, begun + limits.time, &mut watch, |pipes, _| {
            let new = &pipes.output.bytes[checked..];
            let Some(length) = new.iter().rposition(|&byte| byte == b'\n') else { return false };
            checked += length + 1;
            has_last(&new[..length], &is_last)
        })?;
        let seen = watch.last();
        if end == End::Done {
            let cpu_ms = ProcessTime::of(group).zip(before).map_or(0.0, |(now, before)| now.since(before));
            let usage = ProgramUsage { cpu_ms, memory: 0 }.max(seen);
            let printed = std::mem::take(&mut self.pipes.output.bytes);
            let errors = self.pipes.errors.bytes.clone();
            let output = ProgramOutput { reached: None, failure: None, printed, errors, usage };
            return Ok(Asked::Answered(output, Some(Box::new(self))));
        }
        let unread = rustix::io::ioctl_fionread(&self.unread).map_err(|error| lost(error.into()))?;
        let is_received = unread + (open.len() as u64) < line.len() as u64;
        let Self { program, mut pipes, unread: _unread } = self;
        let (status, usage) = program.end().map_err(lost)?;
        pipes.drain().map_err(lost)?;
        let cpu_ms = (usage.cpu_ms - before.map_or(0.0, ProcessTime::total_ms)).max(0.0);
        let usage = ProgramUsage { cpu_ms, memory: 0 }.max(seen);
        let printed = &pipes.output.bytes;
        // The server may end right after its answer, before the answer is read.
        let whole = printed.iter().rposition(|&byte| byte == b'\n').map_or(&[][..], |end| &printed[..end]);
        let (reached, failure) = match end {
            End::Limit(reached) => (Some(reached), None),
            _ if printed.len() <= OUTPUT_LIMIT && has_last(whole, &is_last) => (None, None),
            _ => (
                None,
                failure(status, pipes.output.bytes.len())
                    .or_else(|| Some("the server ended without an answer: expected one line of JSON".to_owned())),
            ),
        };
        let (printed, errors) = (pipes.output.bytes, pipes.errors.bytes);
        let output = ProgramOutput { reached, failure, printed, errors, usage };
        Ok(if end == End::Program && !is_received { Asked::NotReceived(output) } else { Asked::Answered(output, None) })
    }
}

/// Whether one of these lines is the last line of an answer.
fn has_last(lines: &[u8], is_last: impl Fn(&[u8]) -> bool) -> bool {
    lines.split(|&byte| byte == b'\n').any(|line| !line.trim_ascii().is_empty() && is_last(line))
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;
    use std::time::Duration;

    use super::*;

    #[test]
    fn an_answer_counts_though_the_server_ends_before_it_is_read() {
        let script = "read -r run; echo first; sleep 0.1; echo last";
        let server = Server::start(&["sh", "-c", script].map(str::to_owned)).unwrap_or_else(|wrong| panic!("{wrong}"));
        let limits = ProgramLimits { time: Duration::from_secs(600), cpu: None, memory: None };
        let is_last = |line: &[u8]| {
            if line == b"first" {
                // The server ends meanwhile.
                sleep(Duration::from_secs(1));
            }
            line == b"last"
        };
        let Ok(Asked::Answered(output, None)) = server.ask("run\n", &limits, is_last) else { panic!("it has ended") };
        assert_eq!((output.printed.as_slice(), output.failure), (&b"first\nlast\n"[..], None));
    }
}
