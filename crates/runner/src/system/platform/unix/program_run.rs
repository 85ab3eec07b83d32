//! The process of a program: starts it, writes its input, reads its output, and ends it in time.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;

use super::group_usage::GroupWatch;
use super::pipes::{End, OUTPUT_LIMIT, Pipes, lost};
use super::programs::Program;
use crate::system::platform::program_output::{ProgramLimits, ProgramOutput};

/// Starts a program, writes `input` to it, and reads what it prints until it ends, prints too much, or reaches a limit. All processes in
/// its process group are ended, too.
///
/// # Errors
/// The reason why the program could not be started, read from or measured.
pub(crate) fn run_program(
    words: &[String],
    input: Option<&str>,
    limits: &ProgramLimits,
) -> Result<ProgramOutput, String> {
    let started = Instant::now();
    let (program, mut pipes) = start(words, if input.is_some() { Stdio::piped() } else { Stdio::null() })?;
    let mut watch = GroupWatch::new(program.group(), limits, false)?;
    let mut open = input.unwrap_or_default().as_bytes();
    let end = pipes.attend(&program, &mut open, started + limits.time, &mut watch, |pipes, open| {
        if open.is_empty() {
            pipes.input = None;
        }
        false
    })?;
    let seen = watch.last();
    let (status, usage) = program.end().map_err(lost)?;
    pipes.drain().map_err(lost)?;
    let reached = if let End::Limit(reached) = end { Some(reached) } else { None };
    let failure = failure(status, pipes.output.bytes.len());
    let (printed, errors) = (pipes.output.bytes, pipes.errors.bytes);
    Ok(ProgramOutput { reached, failure, printed, errors, usage: usage.max(seen) })
}

/// Starts a program with this standard input. Returns the program with the pipes to and from it.
///
/// # Errors
/// The reason why the program could not be started.
pub(super) fn start(words: &[String], input: impl Into<Stdio>) -> Result<(Program, Pipes), String> {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut program = Program::start(&mut command).map_err(|error| format!("cannot start `{}`: {error}", words[0]))?;
    let pipes = Pipes::new(program.take_pipes());
    Ok((program, pipes))
}

/// A message that says how a program ended abnormally; `None` if it ended normally.
pub(super) fn failure(status: ExitStatus, n_printed: usize) -> Option<String> {
    if n_printed > OUTPUT_LIMIT {
        return Some("the program was killed because it printed more than 1 MiB: expected one line of JSON".to_owned());
    }
    match (status.code(), status.signal()) {
        (Some(0), _) => None,
        (Some(code), _) => Some(format!("the program ended with exit status {code}")),
        (None, Some(signal)) => Some(format!("the program was killed by signal {signal}")),
        (None, None) => Some(format!("the program ended with {status}")),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::pipes::ERRORS_LIMIT;
    use super::*;

    fn output(words: &[&str], input: &str) -> ProgramOutput {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let limits = ProgramLimits { time: Duration::from_secs(600), cpu: None, memory: None };
        run_program(&words, Some(input), &limits).unwrap_or_else(|wrong| panic!("{wrong}"))
    }

    #[test]
    fn a_long_input_goes_in_while_a_long_output_comes_out() {
        let input: String = (0..100_000).map(|number| format!("{number:08}\n")).collect();
        let output = output(&["cat"], &input);
        assert_eq!((output.reached, &output.failure), (None, &None));
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
