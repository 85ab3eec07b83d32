//! `kind = "external"`: a search that is a program in any language. The program gets a command line with its placeholders filled in and
//! prints one line of JSON; the solution in it is evaluated here. `docs/external.md` is the protocol.

mod check;
mod command;
mod output;
mod reply;

use std::collections::BTreeMap;
use std::time::Duration;

use evogrid_core::algorithm::Algorithm;
use evogrid_core::budget::{self, Stop};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::evaluator::{Evaluator, Outcome};
use evogrid_core::fitness::Fitness;
use evogrid_core::parameter::{Declaration, Parameter};
use evogrid_core::problem::DynProblem;
use evogrid_core::random::RandomStream;
use evogrid_core::registry::Member;
use evogrid_core::search::Search;
use evogrid_core::settings::{Settings, Value};

use crate::system::clock::charge_thread;
use crate::system::platform::{ProgramOutput, run_program};
use command::CommandLine;
use reply::Reply;

pub use crate::system::platform::end_all;
pub(crate) use crate::system::platform::end_all_and;
pub use check::faults;

/// The command of a run with these settings, as it is written in them; `None` if it does not start a program.
pub fn command(settings: &Settings) -> Option<&str> {
    (settings.name("kind") == NAME).then(|| settings.name("command"))
}

/// Whether settings from a manifest are those of a program.
pub fn is_program(settings: &serde_json::Value) -> bool {
    settings["kind"] == NAME
}

/// Whether to start a command, which may come from anybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramPolicy {
    /// It is.
    Start,
    /// It is only named.
    Refuse,
}

/// The name in an experiment file.
const NAME: &str = "external";

/// The longest text that an argument may be on Linux, in bytes.
const ARGUMENT_LIMIT: usize = 128 * 1024 - 1;

/// The placeholders for properties of the run, not of the settings.
const RUN_PLACEHOLDERS: [&str; 2] = ["instance", "seed"];

const PARAMETERS: &[Parameter] = &[
    Parameter::text(
        "command",
        "the program and its arguments, started without a shell; {instance}, {seed}, {evaluations} and the other limits, and {NAME} \
         of each of the `parameters` stand for values",
    ),
    Parameter::table("parameters", "settings of the program, each put in the place of its {NAME}"),
    Parameter::optional_text(
        "version",
        "of the program: raise it when the program changes, so that its runs are done again",
    ),
    Parameter::real(
        "timeout",
        0.001,
        1e6,
        3600.0,
        "seconds after which a program without an answer is killed: a failed run",
    ),
];

/// Adds `external` to a catalogue. It ends by itself, or at its timeout, and therefore needs no budget.
pub fn register(catalogue: &mut Catalogue) {
    catalogue.add_self_terminating(Member {
        declaration: Declaration {
            name: NAME,
            doc: "a program in any language, which answers with one line of JSON; its solution is evaluated here",
            source: "docs/external.md",
            version: 1,
            needs: &[],
            parameters: PARAMETERS,
        },
        build: |settings, _| Ok(Box::new(Algorithm::Custom(Box::new(ExternalSearch::new(settings))))),
    });
}

/// A program as a search.
struct ExternalSearch {
    /// An error where the settings come from a journal, unchecked.
    command: Result<CommandLine, String>,
    values: BTreeMap<String, String>,
    timeout: Duration,
}

/// What a program has answered.
struct Answer {
    reply: Reply,
    /// Whether the budget's time was over before it ended by itself.
    is_late: bool,
}

impl ExternalSearch {
    fn new(settings: &Settings) -> Self {
        Self {
            command: CommandLine::parse(settings.name("command")),
            values: values(settings),
            timeout: Duration::from_secs_f64(settings.real("timeout")),
        }
    }

    /// Starts the program and waits for its answer; `None` if the budget's time was over before it came.
    fn ask(&self, evaluator: &Evaluator<'_, dyn DynProblem>, seed: u64) -> Result<Option<Answer>, String> {
        let content = evaluator.problem().content().ok_or("this problem cannot be written as text for a program")?;
        let command = self.command.as_ref().map_err(Clone::clone)?;
        let words = command.words(|name| match name {
            "instance" => content.clone(),
            "seed" => seed.to_string(),
            setting => self.values.get(setting).cloned().unwrap_or_default(),
        });
        if let Some(long) = words.iter().map(String::len).find(|&len| len > ARGUMENT_LIMIT) {
            return Err(format!(
                "an argument has {long} bytes, and may have {ARGUMENT_LIMIT}: without `{{instance}}` in `command`, the \
                 instance is passed on standard input"
            ));
        }
        // A line, for those who read lines.
        let input = if command.names().any(|name| name == "instance") { None } else { Some(content + "\n") };
        let left = evaluator.deadline().left();
        let time = left.map_or(self.timeout, |left| left.min(self.timeout));
        let output = run_program(&words, input.as_deref(), time)?;
        charge_thread(output.cpu_ms);
        if output.is_late && left.is_none_or(|left| left > self.timeout) {
            let seconds = self.timeout.as_secs_f64();
            return Err(output
                .explained(&format!("the program had not answered after {seconds} s, its `timeout`, and was killed")));
        }
        read_answer(&output)
    }
}

impl Search for ExternalSearch {
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, random: &mut RandomStream) -> Outcome {
        let answer = self.ask(&evaluator, random.seed());
        conclude(answer, evaluator)
    }
}

/// The outcome of a run whose program wrote `printed` to standard output, and `errors` to standard error. `is_late` says that the budget's
/// time was over before the program ended; otherwise the program ended normally. Nothing is started, so that a test can check the handling
/// of answers alone.
#[must_use]
pub fn outcome_of_output(
    printed: &[u8],
    errors: &[u8],
    is_late: bool,
    evaluator: Evaluator<'_, dyn DynProblem>,
) -> Outcome {
    let output =
        ProgramOutput { is_late, failure: None, printed: printed.to_vec(), errors: errors.to_vec(), cpu_ms: 0.0 };
    conclude(read_answer(&output), evaluator)
}

/// The answer in a program's output; `None` if the budget's time was over before it came.
fn read_answer(output: &ProgramOutput) -> Result<Option<Answer>, String> {
    if output.is_late {
        // A program may print a better answer whenever it has one: the last that it finished in time counts.
        return Ok(Reply::read(output.last_whole_line()).ok().map(|reply| Answer { reply, is_late: true }));
    }
    if let Some(failure) = &output.failure {
        return Err(output.explained(failure));
    }
    let reply = Reply::read(output.last_line()).map_err(|wrong| output.explained(&wrong))?;
    Ok(Some(Answer { reply, is_late: false }))
}

/// The outcome of a run with this answer, or why the run failed.
fn conclude(answer: Result<Option<Answer>, String>, mut evaluator: Evaluator<'_, dyn DynProblem>) -> Outcome {
    let answer = match answer {
        Ok(Some(answer)) => answer,
        Ok(None) => return evaluator.finish(Stop::Time),
        Err(message) => return evaluator.fail(message),
    };
    match judge(&answer, &mut evaluator) {
        Ok(stop) => {
            let Reply { best_fitness, restarts, evaluations_to_best, .. } = answer.reply;
            let mut outcome = evaluator.finish(stop);
            if outcome.best_genome.is_empty() {
                outcome.best_fitness = best_fitness.map_or(Fitness::WORST, Fitness::new);
            }
            (outcome.restarts, outcome.evaluations_to_best) = (restarts, evaluations_to_best);
            outcome
        }
        Err(message) => evaluator.fail(message),
    }
}

/// Counts the program's work, evaluates its solution, and says why the run stopped. What can be computed is computed, not taken from the
/// reply.
fn judge(answer: &Answer, evaluator: &mut Evaluator<'_, dyn DynProblem>) -> Result<Stop, String> {
    let Answer { reply, is_late } = answer;
    let limit = evaluator.evaluations_left();
    if reply.evaluations > limit {
        return Err(format!(
            "the program made {} evaluations, and the budget allows {limit}: pass it `{{evaluations}}`, and let it stop in time",
            reply.evaluations
        ));
    }
    evaluator.account(reply.evaluations_to_best, reply.generations);
    let reached = match &reply.solution {
        Some(solution) => evaluate(solution, reply.best_fitness, evaluator)?,
        None => None,
    };
    evaluator.account(reply.evaluations - reply.evaluations_to_best, 0);
    if let (None, Some(best), Some(target)) = (&reply.solution, reply.best_fitness, evaluator.target())
        && best <= target.value()
    {
        return Err(format!("the `best_fitness` {best} is a solution's, and the reply has no `solution`"));
    }
    match (reached, is_late, reply.stop) {
        (Some(target), ..) => Ok(target),
        (None, true, _) => Ok(Stop::Time),
        (None, false, Some(stop)) => Ok(stop),
        (None, false, None) => Err(match &reply.solution {
            Some(_) => {
                "the `solution` solves nothing, and the reply does not say why the search stopped: expected `stop`"
                    .to_owned()
            }
            None => {
                "the reply has no `solution`, and does not say why the search stopped: expected `solution` or `stop`"
                    .to_owned()
            }
        }),
    }
}

/// Evaluates a solution; returns the reason to stop the run, if it gives one.
fn evaluate(
    solution: &str,
    claimed: Option<f64>,
    evaluator: &mut Evaluator<'_, dyn DynProblem>,
) -> Result<Option<Stop>, String> {
    let problem = evaluator.problem();
    let genome = problem.read(solution).map_err(|wrong| format!("the `solution` is not valid: {wrong}"))?;
    if !problem.layout().is_valid(&genome) {
        return Err("the `solution` is not valid".to_owned());
    }
    let fitness = problem.fitness(&genome);
    let (claimed, found) = (claimed.unwrap_or(fitness.value()), fitness.value());
    // Another order of additions may change the last digits.
    if (claimed - found).abs() > 1e-9 * found.abs().max(1.0) {
        return Err(format!("the reply's `best_fitness` is {claimed}, and the fitness of its `solution` is {found}"));
    }
    Ok(evaluator.end(fitness, |best| best.copy_from_slice(&genome)).err())
}

/// The values of the placeholders for settings: the limits that are set, and the parameters.
fn values(settings: &Settings) -> BTreeMap<String, String> {
    let table = |name: &str| match settings.get(name) {
        Some(Value::Table(table)) => table.iter().map(|(name, value)| (name.to_owned(), argument(value))).collect(),
        _ => Vec::new(),
    };
    table("budget").into_iter().chain(table("parameters")).collect()
}

/// The names that a placeholder of limits may have.
fn limits() -> impl Iterator<Item = &'static str> {
    budget::DECLARATION.parameters.iter().map(|limit| limit.name)
}

/// A value as an argument: numbers in their shortest form, whole ones without a decimal point.
fn argument(value: &Value) -> String {
    match value {
        Value::Real(real) if real.fract() == 0.0 && real.abs() < 1e15 => format!("{real:.0}"),
        Value::Real(real) => format!("{real:?}"),
        other => other.to_string(),
    }
}
