//! A program as a search: starts or asks the program, and judges its output. The program gets the data of a run as values for placeholders
//! of its command. The program may also get one line of JSON.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use evogrid_core::algorithm::Algorithm;
use evogrid_core::budget::{Budget, Stop};
use evogrid_core::evaluator::{Evaluator, Outcome};
use evogrid_core::family::Instance;
use evogrid_core::problem::DynProblem;
use evogrid_core::random::RandomStream;
use evogrid_core::search::Search;
use evogrid_core::settings::{Settings, Value};
use serde_json::{Map, Value as Json, json};

use super::answer::{Answer, conclude, read_answer};
use super::command::CommandLine;
use super::declaration::{ARGUMENT_LIMIT, PROCESS, SERVER, argument, limits, set_parameters, values};
use super::servers::ThreadServer;
use crate::system::clock::charge_thread;
use crate::system::platform::{ProgramLimits, ReachedLimit, run_program};

const MIB: f64 = 1_048_576.0;

/// A program as a search.
pub(super) struct ExternalSearch {
    /// The command, or an error if the settings come from a journal and are not valid.
    command: Result<CommandLine, String>,
    settings: Settings,
    values: BTreeMap<String, String>,
    timeout: Duration,
    /// In bytes.
    memory: Option<u64>,
    /// The number of runs after which a server is started again.
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

    /// The words of the command for a run, and the standard input of the program, if the program gets input.
    fn request(
        &self,
        evaluator: &Evaluator<'_, dyn DynProblem>,
        seed: u64,
    ) -> Result<(Vec<String>, Option<String>), String> {
        let instance =
            evaluator.problem().content().ok_or("instances of this problem cannot be passed to a program as text")?;
        let command = self.command.as_ref().map_err(Clone::clone)?;
        let value = |name: &str| match (name, limit(evaluator, name)) {
            ("instance", _) => instance.clone(),
            ("seed", _) => seed.to_string(),
            // A limit that grows with the instance is a number in the run's budget.
            (_, Some(Json::Number(number))) if number.is_f64() => {
                argument(&Value::Real(number.as_f64().unwrap_or(0.0)))
            }
            (_, Some(limit)) => limit.to_string(),
            (other, None) => self.values.get(other).cloned().unwrap_or_default(),
        };
        let parameters = set_parameters(&self.settings);
        let words = command.words(value, &parameters);
        if let Some(long) = words.iter().map(String::len).find(|&length| length > ARGUMENT_LIMIT) {
            return Err(format!(
                "an argument has {long} bytes, but at most {ARGUMENT_LIMIT} bytes are allowed: if you remove \
                 `{{instance}}` from `command`, the program receives the instance on standard input"
            ));
        }
        if self.settings.name("mode") != PROCESS {
            let limits = limits().filter_map(|name| Some((name.to_owned(), limit(evaluator, name)?)));
            let parameters = parameters.iter().map(|(name, value)| (name.to_owned(), json_of(value)));
            let (limits, settings): (Map<_, _>, Map<_, _>) = (limits.collect(), parameters.collect());
            let line = json!({"instance": instance, "seed": seed, "limits": limits, "settings": settings});
            return Ok((words, Some(line.to_string() + "\n")));
        }
        // The input ends with a line break, for programs that read lines.
        let end = if instance.ends_with('\n') { "" } else { "\n" };
        let names_instance = command.names().any(|name| name == "instance");
        Ok((words, (!names_instance).then(|| instance + end)))
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
        if output.reached == Some(ReachedLimit::Time) && left.is_none_or(|left| left > self.timeout) {
            let seconds = self.timeout.as_secs_f64();
            let failure = format!("the program did not answer within its `timeout` of {seconds} s, and was killed");
            return Err(output.explained(&failure));
        }
        read_answer(&output, seed)
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

/// A limit of the run's budget. Limits that grow with the instance are already resolved to numbers.
fn limit(evaluator: &Evaluator<'_, dyn DynProblem>, name: &str) -> Option<Json> {
    let (budget, problem) = (evaluator.budget(), evaluator.problem());
    match name {
        "evaluations" => budget.evaluations.map(Json::from),
        "generations" => budget.generations.map(Json::from),
        "stagnation" => budget.stagnation.map(Json::from),
        "restarts" => Some(Json::from(budget.restarts)),
        "seconds" => budget.seconds.map(Json::from),
        "cpu_seconds" => budget.cpu_seconds.map(Json::from),
        "target" => {
            // Programs on the built-in families need no target: their solutions are evaluated here.
            let own = || evaluator.target().filter(|_| !problem.has_genomes());
            budget.target.or_else(own).map(|target| problem.direction().value(target)).map(Json::from)
        }
        _ => None,
    }
}

fn json_of(value: &Value) -> Json {
    match value {
        Value::Integer(integer) => Json::from(*integer),
        Value::Real(real) => Json::from(*real),
        Value::Flag(flag) => Json::from(*flag),
        other => Json::from(other.to_string()),
    }
}

/// What a run sends to its program: the command and the input. An example of a valid answer is included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The text that the program receives on standard input, or `None` without input.
    pub input: Option<String>,
    /// An example of a line that the program may print as its answer. The solution in this example is random.
    pub answer: String,
}

/// Returns what a run with these settings would send to its external program. The function does not start the program.
///
/// # Errors
/// If the data of the run cannot be sent to the program. The error says why the data cannot be sent.
pub fn exchange(settings: &Settings, instance: &dyn Instance, budget: &Budget, seed: u64) -> Result<Exchange, String> {
    let shown = Arc::new(Mutex::new(None));
    let search = ShownSearch { search: ExternalSearch::new(settings), shown: Arc::clone(&shown) };
    let (algorithm, mut random) = (Algorithm::Custom(Box::new(search)), RandomStream::from_seed(seed));
    instance.prepare(settings).solve(&algorithm, budget, &mut random, &mut ());
    let shown = shown.lock().unwrap_or_else(PoisonError::into_inner).take();
    shown.unwrap_or_else(|| Err("the problem does not support external programs".to_owned()))
}

/// A search that records the exchange instead of starting its program.
struct ShownSearch {
    search: ExternalSearch,
    shown: Arc<Mutex<Option<Result<Exchange, String>>>>,
}

impl Search for ShownSearch {
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, random: &mut RandomStream) -> Outcome {
        let exchange = self.search.request(&evaluator, random.seed()).map(|(words, input)| {
            let problem = evaluator.problem();
            let mut answer = json!({ "solution": "...", "objective": 0, "evaluations": 1 });
            let mut fitness = problem.direction().fitness(0.0);
            if problem.has_genomes() {
                let mut genome = vec![0; problem.layout().genome_len()];
                problem.randomise(&mut genome, random);
                fitness = problem.fitness(&genome);
                let best = problem.direction().value(fitness);
                answer = json!({ "solution": problem.describe(&genome), "best_fitness": best, "evaluations": 1 });
            }
            if evaluator.target().is_none_or(|target| fitness > target) {
                answer["stop"] = Stop::Evaluations.name().into();
            }
            Exchange { words, input, answer: answer.to_string() }
        });
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = Some(exchange);
        evaluator.finish(Stop::Evaluations)
    }
}
