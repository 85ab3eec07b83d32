//! The process of a program: it is started, given its input, read from, and ended in time, whatever it does.

use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::programs::Program;
use crate::system::platform::program_output::ProgramOutput;

/// The most that a program may print, in bytes.
const OUTPUT_LIMIT: usize = 1 << 20;

/// How much of the end of its standard error is kept, in bytes.
const ERRORS_LIMIT: usize = 4096;

/// How much is read, or written, at once. A pipe that is ready accepts that much without waiting.
const CHUNK_SIZE: usize = 4096;

/// The longest and the shortest wait between two checks whether the program has ended.
const WAIT_BOUNDS: [Duration; 2] = [Duration::from_millis(50), Duration::from_micros(100)];

/// Starts a program, writes `input` to it, and reads what it prints until it ends, prints too much, or the time is over. Whatever it
/// started in its process group has ended then, too.
///
/// # Errors
/// Why it could not be started or read from, for a person.
pub(crate) fn run_program(words: &[String], input: Option<&str>, time: Duration) -> Result<ProgramOutput, String> {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
    let started = Instant::now();
    let mut program =
        Program::start(&mut command).map_err(|error| format!("`{}` cannot be started: {error}", words[0]))?;
    let lost = |error| format!("`{}` cannot be read from: {error}", words[0]);
    let (stdin, stdout, stderr) = program.take_pipes();
    let mut pipes = Pipes {
        input: stdin.map(|pipe| (pipe, input.unwrap_or_default().as_bytes())),
        output: PipeEnd::new(stdout, usize::MAX),
        errors: PipeEnd::new(stderr, ERRORS_LIMIT),
    };
    let [longest, shortest] = WAIT_BOUNDS;
    let mut wait = shortest;
    let is_late = loop {
        if program.has_ended() || pipes.output.bytes.len() > OUTPUT_LIMIT {
            break false;
        }
        let left = time.saturating_sub(started.elapsed());
        if left.is_zero() {
            break true;
        }
        wait = if pipes.serve(wait.min(left)).map_err(lost)? { shortest } else { longest.min(2 * wait) };
    };
    let (status, cpu_ms) = program.end().map_err(lost)?;
    // What it printed last. A process that left its group may hold a pipe open and go on for ever.
    for _ in 0..OUTPUT_LIMIT / CHUNK_SIZE {
        if !pipes.serve(Duration::ZERO).map_err(lost)? {
            break;
        }
    }
    let (printed, errors) = (pipes.output.bytes, pipes.errors.bytes);
    Ok(ProgramOutput { is_late, failure: failure(status, printed.len()), printed, errors, cpu_ms })
}

/// How a program ended abnormally.
fn failure(status: ExitStatus, n_printed: usize) -> Option<String> {
    if n_printed > OUTPUT_LIMIT {
        return Some("the program printed over 1 MiB, and was killed: expected one line of JSON".to_owned());
    }
    match (status.code(), status.signal()) {
        (Some(0), _) => None,
        (Some(code), _) => Some(format!("the program ended with exit status {code}")),
        (None, Some(signal)) => Some(format!("the program was killed by signal {signal}")),
        (None, None) => Some(format!("the program ended with {status}")),
    }
}

/// The pipes to and from a program, as far as they are open.
struct Pipes<'i> {
    /// What is still to be written.
    input: Option<(ChildStdin, &'i [u8])>,
    output: PipeEnd,
    errors: PipeEnd,
}

impl Pipes<'_> {
    /// Waits until a pipe is ready, at most this long, and serves all pipes that are. False if none was.
    fn serve(&mut self, longest: Duration) -> std::io::Result<bool> {
        let mut polled = Vec::with_capacity(3);
        polled.extend(self.input.as_ref().map(|(pipe, _)| PollFd::new(pipe, PollFlags::OUT)));
        polled.extend(self.output.pipe.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        polled.extend(self.errors.pipe.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        let longest = Timespec { tv_sec: longest.as_secs() as _, tv_nsec: longest.subsec_nanos() as _ };
        match poll(&mut polled, Some(&longest)) {
            Err(rustix::io::Errno::INTR) => return Ok(false),
            result => result?,
        };
        let ready: Vec<bool> = polled.iter().map(|polled| !polled.revents().is_empty()).collect();
        let mut ready = ready.into_iter();
        if self.input.is_some() && ready.next() == Some(true) {
            self.write()?;
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

    /// Writes a chunk; closes the pipe after the last chunk, or if no process reads it.
    fn write(&mut self) -> std::io::Result<()> {
        let Some((pipe, open)) = &mut self.input else { return Ok(()) };
        let written = match pipe.write(&open[..open.len().min(CHUNK_SIZE)]) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => open.len(),
            Err(error) if error.kind() == ErrorKind::Interrupted => 0,
            result => result?,
        };
        *open = &open[written..];
        if open.is_empty() {
            self.input = None;
        }
        Ok(())
    }
}

/// The reading end of a pipe, and the end of what came from it.
struct PipeEnd {
    pipe: Option<Box<dyn ReadablePipe>>,
    bytes: Vec<u8>,
    /// At least so many bytes are kept.
    n_kept: usize,
}

/// A pipe that can be waited for and read.
trait ReadablePipe: Read + AsFd {}

impl<P: Read + AsFd> ReadablePipe for P {}

impl PipeEnd {
    fn new<P: ReadablePipe + 'static>(pipe: Option<P>, n_kept: usize) -> Self {
        Self { pipe: pipe.map(|pipe| Box::new(pipe) as Box<dyn ReadablePipe>), bytes: Vec::new(), n_kept }
    }

    /// Reads a chunk of a pipe that is ready; closes it at its end.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn output(words: &[&str], input: &str) -> ProgramOutput {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        run_program(&words, Some(input), Duration::from_secs(600)).unwrap_or_else(|wrong| panic!("{wrong}"))
    }

    #[test]
    fn a_long_input_goes_in_while_a_long_output_comes_out() {
        let input: String = (0..100_000).map(|number| format!("{number:08}\n")).collect();
        let output = output(&["cat"], &input);
        assert_eq!((output.is_late, &output.failure), (false, &None));
        assert!(output.printed == input.as_bytes());
    }

    #[test]
    fn an_input_that_is_not_read_holds_up_nothing() {
        let output = output(&["sh", "-c", "echo done"], &"x".repeat(900_000));
        assert_eq!((output.printed.as_slice(), output.failure), (&b"done\n"[..], None));
    }

    #[test]
    fn the_end_of_standard_error_is_kept() {
        let output = output(&["sh", "-c", "cat >&2; echo last >&2"], &"x".repeat(900_000));
        assert!(
            output.errors.ends_with(b"xlast\n") && output.errors.len() < 3 * ERRORS_LIMIT,
            "{}",
            output.errors.len()
        );
    }
}
