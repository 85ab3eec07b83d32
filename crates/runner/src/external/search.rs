//! A program as a search: it is started or asked, and its output judged.

use std::collections::BTreeMap;
use std::time::Duration;

use evogrid_core::evaluator::{Evaluator, Outcome};
use evogrid_core::problem::DynProblem;
use evogrid_core::random::RandomStream;
use evogrid_core::search::Search;
use evogrid_core::settings::{Settings, Value};

use super::answer::{Answer, conclude, read_answer};
use super::command::CommandLine;
use super::declaration::{ARGUMENT_LIMIT, PROCESS, SERVER, set_parameters, values};
use super::request;
use super::servers::ThreadServer;
use crate::system::clock::charge_thread;
use crate::system::platform::{ProgramLimits, ProgramOutput, ReachedLimit, run_program};

const MIB: f64 = 1_048_576.0;

/// A program as a search.
pub(super) struct ExternalSearch {
    /// An error where the settings come from a journal, unchecked.
    command: Result<CommandLine, String>,
    settings: Settings,
    values: BTreeMap<String, String>,
    timeout: Duration,
    /// In bytes.
    memory: Option<u64>,
    /// Runs after which a server is started again.
    restart_after: u64,
}

impl ExternalSearch {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            command: CommandLine::parse(settings.name("command")),
            settings: settings.clone(),
            values: values(settings),
            timeout: Duration::from_secs_f64(settings.real("timeout")),
            memory: settings.get("memory").and_then(Value::as_real).map(|mib| (mib * MIB) as u64),
            restart_after: settings.get("restart_after").map_or(u64::MAX, |_| settings.count("restart_after") as u64),
        }
    }

    /// The words of the command on this run.
    fn words(
        &self,
        evaluator: &Evaluator<'_, dyn DynProblem>,
        instance: &str,
        seed: u64,
    ) -> Result<Vec<String>, String> {
        let command = self.command.as_ref().map_err(Clone::clone)?;
        let value = |name: &str| match name {
            "instance" => instance.to_owned(),
            "seed" => seed.to_string(),
            // A limit that grows with the instance is a number in the run's budget.
            other => request::limit_argument(evaluator, other)
                .unwrap_or_else(|| self.values.get(other).cloned().unwrap_or_default()),
        };
        let words = command.words(value, &set_parameters(&self.settings));
        match words.iter().map(String::len).find(|&length| length > ARGUMENT_LIMIT) {
            Some(long) => Err(format!(
                "an argument has {long} bytes; the limit is {ARGUMENT_LIMIT}: remove `{{instance}}` from `command` to \
                 pass the instance on standard input"
            )),
            None => Ok(words),
        }
    }

    /// What the program is given for a run: the words of its command, and its standard input, if it gets any.
    pub(super) fn request(
        &self,
        evaluator: &Evaluator<'_, dyn DynProblem>,
        seed: u64,
    ) -> Result<(Vec<String>, Option<String>), String> {
        let instance = evaluator.problem().content().ok_or("this problem cannot be written as text for a program")?;
        let words = self.words(evaluator, &instance, seed)?;
        let names_instance = || self.command.iter().flat_map(CommandLine::names).any(|name| name == "instance");
        let input = if self.settings.name("mode") != PROCESS {
            Some(request::line(&instance, seed, evaluator, &self.settings))
        } else {
            // Whole lines, for those who read lines.
            let end = if instance.ends_with('\n') { "" } else { "\n" };
            (!names_instance()).then(|| instance + end)
        };
        Ok((words, input))
    }

    /// Starts or asks the program and waits for its answer.
    fn ask(
        &self,
        evaluator: &Evaluator<'_, dyn DynProblem>,
        seed: u64,
        server: &mut Option<ThreadServer>,
    ) -> Result<Answer, String> {
        let (words, input) = self.request(evaluator, seed)?;
        let left = evaluator.seconds_left().map(Duration::from_secs_f64);
        let limits = ProgramLimits {
            time: left.map_or(self.timeout, |left| left.min(self.timeout)),
            cpu: evaluator.cpu_seconds_left().map(Duration::from_secs_f64),
            memory: self.memory,
        };
        let output = match (self.settings.name("mode"), &input) {
            (SERVER, Some(line)) => {
                server.insert(ThreadServer::of_thread(words, self.restart_after)).ask(line, &limits)?
            }
            (_, input) => run_program(&words, input.as_deref(), &limits)?,
        };
        charge_thread(output.usage);
        self.check_timeout(&output, left)?;
        read_answer(&output, seed)
    }

    /// A program that did not answer before its `timeout` has failed, unless the budget ended the run.
    fn check_timeout(&self, output: &ProgramOutput, left: Option<Duration>) -> Result<(), String> {
        if output.reached != Some(ReachedLimit::Time) || left.is_some_and(|left| left <= self.timeout) {
            return Ok(());
        }
        let seconds = self.timeout.as_secs_f64();
        Err(output.explained(&format!("the program did not answer within its `timeout` of {seconds} s and was killed")))
    }
}

impl Search for ExternalSearch {
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, random: &mut RandomStream) -> Outcome {
        let mut server = None;
        let answer = self.ask(&evaluator, random.seed(), &mut server);
        let outcome = conclude(answer, evaluator);
        // After a failure the state of a server is unknown.
        if let Some(server) = server.filter(|_| outcome.failure.is_none()) {
            server.keep();
        }
        outcome
    }
}
