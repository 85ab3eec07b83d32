//! Checkers: programs that compute the objective of a solution. A checker is used to check the reports of other programs.

use std::time::Duration;

use evogrid_core::settings::Settings;
use serde_json::{Value, json};

use super::command::CommandLine;
use super::instance::ExternalInstance;
use super::servers::ThreadServer;
use crate::system::platform::ProgramLimits;

/// The time limit of a checker for one solution.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Reads the command of a checker, which has no placeholders.
///
/// # Errors
/// The reason why the command is not valid.
pub(super) fn parse(command: &str) -> Result<CommandLine, String> {
    let command = CommandLine::parse(command).map_err(|wrong| wrong.replace("`command`", "`check`"))?;
    if let Some(name) = command.names().next() {
        return Err(format!(
            "`check` contains the placeholder `{{{name}}}`: expected no placeholders; a checker receives all data in a \
                            line on standard input"
        ));
    }
    Ok(command)
}

/// The objective of a solution, computed by the checker of the instance with this content. If a checker has ended since its last answer, it
/// is started again.
pub(super) fn objective(content: &str, solution: &str) -> Result<f64, String> {
    let instance =
        ExternalInstance::from_content(content).ok_or("the text is not the content of an external instance")?;
    let command = instance.check.as_deref().ok_or("the instance has no checker")?;
    let words = parse(command)?.words(|_| String::new(), &Settings::new());
    let line = json!({"instance": instance.text, "solution": solution}).to_string() + "\n";
    let limits = ProgramLimits { time: TIMEOUT, cpu: None, memory: None };
    let mut server = ThreadServer::of_thread(words, u64::MAX);
    let failed = |wrong: String| format!("the checker `{command}` failed: {wrong}");
    let output = server.ask(&line, &limits).map_err(failed)?;
    if output.reached.is_some() {
        let seconds = TIMEOUT.as_secs();
        return Err(failed(format!(
            "no answer came within {seconds} s; a checker must answer each line at once, and must not wait for the end of \
             its input"
        )));
    }
    if output.printed.trim_ascii().is_empty()
        && let Some(failure) = &output.failure
    {
        return Err(failed(output.explained(failure)));
    }
    let answer = read(output.last_line());
    if answer.is_ok() {
        server.keep();
    }
    match answer {
        Ok(Answer::Objective(objective)) => Ok(objective),
        Ok(Answer::Invalid(why)) => Err(format!("the checker rejects the solution: {why}")),
        Err(wrong) => Err(failed(output.explained(&wrong))),
    }
}

/// The answer of a checker on a solution.
#[derive(Debug, PartialEq)]
enum Answer {
    Objective(f64),
    /// The text is not a valid solution, for this reason.
    Invalid(String),
}

/// Reads the line of an answer.
fn read(line: &[u8]) -> Result<Answer, String> {
    let expected = "expected one line such as {\"objective\": 12.5} or {\"error\": \"the weight is 12, more than 10\"}";
    let value: Value =
        serde_json::from_slice(line).map_err(|error| format!("the answer is not JSON ({error}): {expected}"))?;
    let objective = value.as_f64().or_else(|| value["objective"].as_f64());
    match (objective, value["error"].as_str()) {
        (Some(objective), None) => Ok(Answer::Objective(objective)),
        (None, Some(why)) => Ok(Answer::Invalid(why.to_owned())),
        _ => Err(format!("the answer has no `objective` and no `error`: {expected}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_an_objective_or_an_error() {
        assert_eq!(read(b"12"), Ok(Answer::Objective(12.0)));
        assert_eq!(read(b" {\"objective\": -1.5}\n"), Ok(Answer::Objective(-1.5)));
        assert_eq!(read(b"{\"error\": \"too heavy\"}"), Ok(Answer::Invalid("too heavy".to_owned())));
        for wrong in ["", "heavy", "{}", "\"12\"", "{\"objective\": 1, \"error\": \"x\"}", "{\"objective\": null}"] {
            let message = read(wrong.as_bytes()).expect_err(wrong);
            assert!(message.contains("expected one line such as"), "{message}");
        }
    }
}
