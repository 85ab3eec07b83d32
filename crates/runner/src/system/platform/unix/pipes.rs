//! The pipes to and from a program. Reading and writing never wait longer than the limits of the program allow.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::group_usage::GroupWatch;
use super::programs::Program;
use crate::system::platform::program_output::ReachedLimit;

/// The maximum output of a program for one run, in bytes.
pub(super) const OUTPUT_LIMIT: usize = 1 << 20;

/// The number of bytes at the end of standard error that are kept.
pub(super) const ERRORS_LIMIT: usize = 4096;

/// The number of bytes that are read or written at once. A ready pipe accepts this number of bytes without waiting.
const CHUNK_SIZE: usize = 4096;

/// The longest and the shortest wait between two checks whether the program has ended.
const WAIT_BOUNDS: [Duration; 2] = [Duration::from_millis(50), Duration::from_micros(100)];

#[expect(clippy::needless_pass_by_value, reason = "the function is used in `map_err`")]
pub(super) fn lost(error: std::io::Error) -> String {
    format!("cannot read the output of the program: {error}")
}

/// The reason why serving the pipes of a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The program ended by itself, or printed too much.
    Program,
    /// The condition of the caller is met.
    Done,
    /// The program reached a limit.
    Limit(ReachedLimit),
}

/// The open pipes to and from a program.
pub(super) struct Pipes {
    pub(super) input: Option<File>,
    pub(super) output: PipeEnd,
    pub(super) errors: PipeEnd,
}

impl Pipes {
    /// The pipes to the standard input and from the standard output and error of a program.
    pub(super) fn new([input, output, errors]: [Option<OwnedFd>; 3]) -> Self {
        let [input, output, errors] = [input, output, errors].map(|pipe| pipe.map(File::from));
        let end = |pipe, n_kept| PipeEnd { pipe, bytes: Vec::new(), n_kept };
        Self { input, output: end(output, usize::MAX), errors: end(errors, ERRORS_LIMIT) }
    }

    /// Writes `open` to a program and reads its output. Ends when the program ends, prints too much or reaches a limit, or when `is_done`
    /// returns true. `is_done` is called after each step.
    ///
    /// # Errors
    /// The reason why the program cannot be read from or measured.
    pub(super) fn attend(
        &mut self,
        program: &Program,
        open: &mut &[u8],
        deadline: Instant,
        watch: &mut GroupWatch,
        mut is_done: impl FnMut(&mut Self, &[u8]) -> bool,
    ) -> Result<End, String> {
        let [longest, shortest] = WAIT_BOUNDS;
        let mut wait = shortest;
        loop {
            if is_done(self, open) {
                return Ok(End::Done);
            }
            if program.has_ended() || self.output.bytes.len() > OUTPUT_LIMIT {
                return Ok(End::Program);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(End::Limit(ReachedLimit::Time));
            }
            if let Some(reached) = watch.look()? {
                return Ok(End::Limit(reached));
            }
            let until_look = watch.wait().unwrap_or(left);
            let is_served = self.serve(open, wait.min(left).min(until_look)).map_err(lost)?;
            wait = if is_served { shortest } else { longest.min(2 * wait) };
        }
    }

    /// Reads the last output of a program that has ended. The amount is limited, since a process that left the group may keep a pipe open
    /// and write for ever.
    pub(super) fn drain(&mut self) -> std::io::Result<()> {
        for _ in 0..OUTPUT_LIMIT / CHUNK_SIZE {
            if !self.serve(&mut &[][..], Duration::ZERO)? {
                break;
            }
        }
        Ok(())
    }

    /// Waits until a pipe is ready, but not longer than this time. Then reads or writes all ready pipes. Returns false if nothing could be
    /// read.
    fn serve(&mut self, open: &mut &[u8], longest: Duration) -> std::io::Result<bool> {
        let mut polled = Vec::with_capacity(3);
        let input = self.input.as_ref().filter(|_| !open.is_empty());
        let has_input = input.is_some();
        polled.extend(input.map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
        polled.extend(self.output.pipe.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        polled.extend(self.errors.pipe.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        let longest = Timespec { tv_sec: longest.as_secs() as _, tv_nsec: longest.subsec_nanos() as _ };
        match poll(&mut polled, Some(&longest)) {
            Err(rustix::io::Errno::INTR) => return Ok(false),
            result => result?,
        };
        let ready: Vec<bool> = polled.iter().map(|polled| !polled.revents().is_empty()).collect();
        let mut ready = ready.into_iter();
        if has_input && ready.next() == Some(true) {
            self.write(open)?;
        }
        let mut is_any = false;
        for end in [&mut self.output, &mut self.errors] {
            if end.pipe.is_some() && ready.next() == Some(true) {
                end.read()?;
                is_any = true;
            }
        }
        Ok(is_any)
    }

    /// Writes a chunk. If no process reads the pipe any more, the rest of the data is dropped.
    fn write(&mut self, open: &mut &[u8]) -> std::io::Result<()> {
        let Some(pipe) = &mut self.input else { return Ok(()) };
        let written = match pipe.write(&open[..open.len().min(CHUNK_SIZE)]) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => open.len(),
            Err(error) if error.kind() == ErrorKind::Interrupted => 0,
            result => result?,
        };
        *open = &open[written..];
        Ok(())
    }
}

/// The reading end of a pipe, and the last bytes that were read.
pub(super) struct PipeEnd {
    pipe: Option<File>,
    pub(super) bytes: Vec<u8>,
    /// The minimum number of bytes that are kept.
    n_kept: usize,
}

impl PipeEnd {
    /// Reads a chunk from a pipe that is ready, and closes the pipe at its end.
    fn read(&mut self) -> std::io::Result<()> {
        let Some(pipe) = &mut self.pipe else { return Ok(()) };
        let mut chunk = [0; CHUNK_SIZE];
        match pipe.read(&mut chunk) {
            Ok(0) => self.pipe = None,
            Ok(n_read) => self.bytes.extend(&chunk[..n_read]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        if self.bytes.len() / 2 > self.n_kept {
            self.bytes.drain(..self.bytes.len() - self.n_kept);
        }
        Ok(())
    }
}
