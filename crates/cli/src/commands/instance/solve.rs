//! `runner solve`: does one run on one instance. The user can watch the run, or repeat an earlier run.

mod setup;

use std::process::ExitCode;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use console::Term;
use evogrid_core::algorithm::Solve;
use evogrid_core::budget::Stop;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::evaluator::Outcome;
use evogrid_core::family::{Direction, Family, Instance, Marks, Objective, Room};
use evogrid_core::identity::{Fingerprint, RunId};
use evogrid_core::random::RandomStream;
use evogrid_core::settings::Settings;

use crate::arguments::SolveArgs;
use crate::commands::arguments::family_of;
use crate::messages::watch::{Display, FitnessMeasure, StepRecorder, Watcher, locked};
use crate::messages::{
    UsageError, command_line, counted, line, list, nearest, one_of, print_as_it_is, rendered, shell_text, shell_word,
};
use evogrid_runner::engine::signals::Signals;
use evogrid_runner::experiment::data_set::NamedInstance;
use evogrid_runner::experiment::instance_file::{self, Source};
use evogrid_runner::external;
use evogrid_runner::system::clock::Stopwatch;
use serde_json::json;
use setup::Setup;

/// The time between two drawings, and between two checks for signals.
const TICK: Duration = Duration::from_millis(100);

/// Solves an instance.
pub(crate) fn solve(args: &SolveArgs, catalogue: &Catalogue) -> Result<ExitCode> {
    let family = family_of(&args.instances, &args.instance, catalogue)?;
    let name = family.declaration().name;
    let chosen = choose(instance_file::read(&args.instance, family, &args.instances.options)?, args, family.noun())?;
    let instance: Arc<dyn Instance> = Arc::from(chosen.instance);
    let algorithm = match (&args.algorithm, family.presets().first()) {
        (Some(algorithm), _) => algorithm.as_str(),
        (None, Some((preset, _))) => preset,
        (None, None) => {
            let names: Vec<&str> = catalogue.algorithms.declarations().map(|declared| declared.name).collect();
            let help = format!("name an algorithm with --algorithm: {}", list(&names));
            return Err(UsageError(format!("`{name}` has no default algorithm\n  {help}")).into());
        }
    };
    let setup = Setup::new(algorithm, &args.sets, (family, instance.as_ref(), chosen.best_known), catalogue)?;
    let first = catalogue.families().next().map(|first| first.declaration().name);
    let problem = args.instances.problem.as_deref().or(Some(name).filter(|_| first != Some(name)));
    let again = command(args, problem, &chosen.id, instance.as_ref(), algorithm);
    let content = Fingerprint::of_instance(name, &instance.content()).with_versions(&family.declaration().versions());
    let run_id = RunId::new(&catalogue.fingerprint(&setup.settings), &content, args.seed);
    let say = |text: &str| {
        if !args.quiet {
            line(text);
        }
    };
    let notes = setup.note.iter().map(|note| format!("note: {note}"));
    instance.remark().into_iter().chain(notes).for_each(|text| say(&text));
    let signals = Signals::listen()?;
    let problem: Arc<dyn Solve> = Arc::from(instance.prepare(&setup.settings));
    let shared = Arc::new(Mutex::default());
    let title = format!("{algorithm}, {}, seed {}", instance.size(), args.seed);
    let text = instance.content();
    let objective = family.objective(&text);
    let unbounded = objective.as_ref().filter(|objective| objective.solved.is_none());
    let measure = fitness_measure(family, unbounded, &setup.settings);
    let mut display = args.watch.then(|| Display::new(Arc::clone(&shared), &instance, title, measure.clone()));
    let mut steps = StepRecorder::new(args.history.as_deref(), args.steps)?;
    let receiver = {
        let (sender, receiver) = sync_channel(1);
        let (problem, shared, seed) = (Arc::clone(&problem), Arc::clone(&shared), args.seed);
        let pause = args.pace.map(|pace| Duration::from_secs(1) / pace);
        let keeps_improvements = display.as_ref().is_some_and(|display| display.drawing.is_none());
        let search = move || {
            let (started, steps_of_run) = (Instant::now(), &mut steps);
            let mut observer = Watcher { shared, started, keeps_improvements, pause, steps: steps_of_run };
            let stopwatch = Stopwatch::start();
            let outcome =
                problem.solve(&setup.search, &setup.budget, &mut RandomStream::from_seed(seed), &mut observer);
            let _ = sender.send((outcome, stopwatch.wall_ms(), steps.finish()));
        };
        std::thread::Builder::new().name("search".to_owned()).spawn(search).context("cannot start a thread")?;
        receiver
    };
    let finished = loop {
        match receiver.recv_timeout(TICK) {
            Ok(finished) => break Some(finished),
            Err(RecvTimeoutError::Timeout) if signals.received().is_some() => break None,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => bail!("the search failed; the message of the search is above"),
        }
        if let Some(display) = &mut display {
            display.show(&*problem);
        }
    };
    if let Some(display) = display {
        display.finish(&*problem);
    }

    let Some((outcome, wall_ms, n_steps)) = finished else {
        external::end_all();
        let signal = signals.received().expect("a signal ended the wait");
        if let Some((progress, genome)) = locked(&shared).best.clone() {
            print_as_it_is(&drawn(instance.as_ref(), Some(&problem.describe(&genome))))?;
            let evaluations = counted(progress.evaluations, "evaluation");
            line(&format!("interrupted: best {} after {evaluations}", measure.text(progress.best_fitness)));
        }
        line(&format!("to start again from the beginning:\n  {again}"));
        return Ok(ExitCode::from(signal.exit_status()));
    };
    if let Some(failure) = &outcome.failure {
        bail!("the search failed: {failure}");
    }
    // If an exact search finds no solution, only the instance is shown.
    let solution = problem.solution(&outcome);
    let is_solved = is_solved(objective.as_ref(), &text, &outcome, solution.as_deref());
    match solution.as_deref().filter(|_| args.quiet && !instance.draws_whole_solution()) {
        Some(solution) => print_as_it_is(&format!("{solution}\n"))?,
        None => print_as_it_is(&drawn(instance.as_ref(), solution.as_deref()))?,
    }
    let unbounded = unbounded.zip(solution.as_deref());
    let unbounded = unbounded.and_then(|(objective, solution)| unbounded_text(objective, &text, &outcome, solution));
    say(&summary(&outcome, wall_ms, unbounded.as_deref(), is_solved, family.noun()));
    if let Some(path) = &args.history {
        say(&match n_steps? {
            0 => "warning: the history is empty: only a backtracking search has a history (--algorithm arkieva)"
                .to_owned(),
            n_steps => format!("{} in {}", counted(n_steps, "step"), path.display()),
        });
    }
    say(&format!("seed {}, run {run_id}; repeat this run with:\n  {}", args.seed, again));
    Ok(if is_solved || unbounded.is_some() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Whether the solution solves the instance. If the objective defines when an instance is solved, the objective decides. If not, the target
/// of the run decides.
fn is_solved(objective: Option<&Objective>, content: &str, outcome: &Outcome, solution: Option<&str>) -> bool {
    let Some(solution) = solution else { return false };
    let measured = |objective: &Objective| {
        objective.solved?;
        Some(objective.measure(content, solution)?.ok().and_then(|value| objective.is_solved_by(value)))
    };
    objective.and_then(measured).map_or(outcome.stop == Stop::Target, |is_solved| is_solved == Some(true))
}

/// The name of an objective and its value for this solution. The objective does not define when an instance is solved.
fn unbounded_text(objective: &Objective, content: &str, outcome: &Outcome, solution: &str) -> Option<String> {
    let reported = || Ok(objective.direction.value(outcome.best_fitness));
    let value = objective.measure(content, solution).unwrap_or_else(reported).ok()?;
    Some(format!("{} {value}", objective.name))
}

/// The name and direction of the fitness. If the fitness is the objective, the name and the direction are those of the objective. Any other
/// fitness is called `error`.
fn fitness_measure(family: &dyn Family, unbounded: Option<&Objective>, settings: &Settings) -> FitnessMeasure {
    let fitness = family.fitness(settings, unbounded);
    match unbounded.filter(|objective| objective.fitness_name() == fitness) {
        Some(objective) => FitnessMeasure { name: objective.name.to_string(), direction: objective.direction },
        None => FitnessMeasure { name: "error".to_owned(), direction: Direction::Minimise },
    }
}

/// The instance that the arguments name. `noun` is the word for an instance of its family.
fn choose(source: Source, args: &SolveArgs, noun: &str) -> Result<NamedInstance, UsageError> {
    let mut instances = match (source, &args.id) {
        (Source::Argument(instance), None) => {
            return Ok(NamedInstance { id: String::new(), line: 1, bucket: String::new(), best_known: None, instance });
        }
        (Source::Argument(_), Some(_)) => {
            return Err(UsageError(format!(
                "`--id` is for a file, but the command line gives the {noun} itself\n  remove one of the two"
            )));
        }
        (Source::File(instances), _) => instances,
    };
    let names: Vec<&str> = instances.iter().map(|named| named.id.as_str()).collect();
    let file = &args.instance;
    let Some(id) = &args.id else {
        if instances.len() == 1 {
            return Ok(instances.swap_remove(0));
        }
        let first = names.iter().take(3).copied().collect::<Vec<_>>().join(", ");
        return Err(UsageError(format!(
            "{file} contains {} {noun}s: {first}, ...\n  choose one, for example --id {}",
            names.len(),
            shell_text(names[0])
        )));
    };
    if let Some(found) = names.iter().position(|name| name == id) {
        return Ok(instances.swap_remove(found));
    }
    let shown = &names[..names.len().min(12)];
    let help = match nearest(id, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if shown.len() == names.len() => one_of(id, shown),
        None => format!("the file contains {} other instances; the first is `{}`", names.len(), names[0]),
    };
    Err(UsageError(format!("{file} does not contain the {noun} `{id}`\n  {help}")))
}

/// Draws the solution, or the instance if there is no solution. Errors are red if standard output shows colours. If the drawing does not
/// show the whole solution, the solution follows as a line of text.
fn drawn(instance: &dyn Instance, solution: Option<&str>) -> String {
    let is_coloured = Term::stdout().features().colors_supported();
    let marks = if is_coloured { Marks::Colour } else { Marks::None };
    let mut drawn = instance.draw(solution, marks, Room::UNBOUNDED).join("\n") + "\n";
    if let Some(solution) = solution.filter(|_| !instance.draws_whole_solution()) {
        drawn += &format!("{solution}\n");
    }
    drawn
}

/// Describes the outcome of the run in one line. The line contains the objective if nothing defines when an instance is solved.
fn summary(outcome: &Outcome, wall_ms: f64, unbounded: Option<&str>, is_solved: bool, noun: &str) -> String {
    let values = json!({
        "objective": unbounded,
        "is_solved": is_solved,
        "has_solution": !outcome.best_genome.is_empty(),
        "error": outcome.best_fitness.value().to_string(),
        "noun": noun,
        "evaluations": outcome.evaluations,
        "generations": outcome.generations,
        "restarts": outcome.restarts,
        "seconds": format!("{:.3}", wall_ms / 1e3),
        "stop": outcome.stop.to_string(),
    });
    rendered!("solve/summary.txt", values)
}

/// The command that repeats this run.
fn command(args: &SolveArgs, problem: Option<&str>, id: &str, instance: &dyn Instance, algorithm: &str) -> String {
    let instance_words = if args.instance == "-" || id.is_empty() {
        shell_text(&instance.text())
    } else {
        format!("{} --id {}", shell_word(args.instance.as_ref()), shell_text(id))
    };
    let problem = problem.map(|problem| format!("--problem {problem}"));
    let options = instance.options();
    let options = options.iter().map(|(name, value)| format!("--{name} {}", shell_text(value)));
    let algorithm = [format!("--algorithm {}", shell_text(algorithm))];
    let sets = args.sets.iter().map(|set| format!("--set {}", shell_text(set)));
    let seed = [format!("--seed {}", args.seed)];
    command_line(
        "solve",
        [instance_words].into_iter().chain(problem).chain(options).chain(algorithm).chain(sets).chain(seed),
    )
}
