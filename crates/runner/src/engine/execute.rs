//! Executes the runs of a plan on all cores. Each finished run is written to the journal at once.

use std::cell::Cell as ThreadCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender};
use std::sync::{Arc, Once};
use std::time::Duration;

use anyhow::{Context, Result};
use evogrid_core::algorithm::Algorithm;
use evogrid_core::budget::Budget;
use evogrid_core::evaluator::Outcome;
use evogrid_core::family::{Family, Instance};
use evogrid_core::observer::Observer;
use evogrid_core::random::RandomStream;
use evogrid_core::settings::Settings;
use evogrid_results::journal::{Index, JournalError, Writer};
use evogrid_results::solution::SOLUTION_IN_LINE_LIMIT;
use evogrid_results::trace::{Trace, Trigger};
use evogrid_results::{Record, RunOutcome};

use crate::engine::abnormal_ends::{self, AbnormalEnds, RunFate};
use crate::engine::experiment_error::ExperimentError;
pub use crate::engine::finished_runs::Tally;
use crate::engine::finished_runs::{self, FinishedBatch, describe_failure};
use crate::engine::forecast::RunTimes;
use crate::engine::progress::Progress;
use crate::engine::queue::{RUNS_PER_BLOCK, RunQueue};
use crate::engine::signals::{Signal, Signals};
use crate::engine::solution_check;
use crate::engine::timing::Timing;
use crate::engine::tracer::Tracer;
use crate::experiment::plan::{Plan, Projection, Run};
use crate::experiment::shard::Shard;
use crate::external;
use crate::system::clock::{Stopwatch, take_program_memory, to_microseconds};

/// The interval at which the main thread checks signals and updates the progress bar while no run finishes.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(100);

/// How the runs of a plan are executed.
#[derive(Clone, Debug)]
pub struct ExecutionOptions {
    /// The number of threads.
    pub jobs: usize,
    /// The shard whose runs are executed. If `None`, the runs of all shards are executed.
    pub shard: Option<Shard>,
    /// Whether the first failed run ends the execution.
    pub is_fail_fast: bool,
    /// The cores on which runs are timed, one for each thread. The value is `None` if times need not be comparable.
    pub timing: Option<Timing>,
}

/// Executes all runs that are missing from the journal. If a shard is given, only the runs of this shard are done. If two processes have
/// ended abnormally while they executed the same run, this run is not tried again.
///
/// If a signal arrives, the function returns immediately. The journal then contains all finished runs. Runs in progress are abandoned, but
/// they can be repeated bit for bit. The function also ends the external programs that are still running.
///
/// # Errors
/// If threads cannot be started. If the journal cannot be written, an [`ExperimentError`] says which runs are in the journal.
pub fn execute(
    plan: &Arc<Plan>,
    done: Index,
    journal: Writer,
    options: &ExecutionOptions,
    signals: &Signals,
    progress: &mut Progress,
) -> Result<Tally> {
    let abnormal_ends = AbnormalEnds::begin(journal.path(), &done).map_err(ExperimentError::before_any_run)?;
    let share = progress.total as f64 / plan.n_runs().max(1) as f64;
    let times = RunTimes::new(plan, plan.spec().instances.len() as u64, share);
    let queue = match &options.timing {
        Some(_) => RunQueue::new(plan.interleaved(options.shard), done, times, true),
        None => RunQueue::new(plan.blocks(options.shard, RUNS_PER_BLOCK), done, times, false),
    };
    execute_queue(plan, queue, (journal, abnormal_ends, true), options, signals, progress)
}

/// Executes the runs of a queue in the same way as [`execute`]. The plan need not contain these runs, but it must have their instances. If
/// `may_forget` is false, abnormal ends are not forgotten. Then runs that were given up stay given up until a later execution.
pub(crate) fn execute_queue(
    plan: &Arc<Plan>,
    queue: RunQueue,
    (mut journal, abnormal_ends, may_forget): (Writer, AbnormalEnds, bool),
    options: &ExecutionOptions,
    signals: &Signals,
    progress: &mut Progress,
) -> Result<Tally> {
    silence_failing_runs();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs).build().context("cannot start threads")?;
    let (abnormal_ends, queue) = (Arc::new(abnormal_ends), Arc::new(queue));
    let (spec, limit) = (plan.spec(), SOLUTION_IN_LINE_LIMIT);
    let has_long_records = spec.trace.is_some() || spec.instances.iter().any(|instance| instance.content.len() > limit);
    let (sender, finished) = finished_runs::channel(has_long_records);
    let worker = (Arc::clone(plan), Arc::clone(&queue), Arc::clone(&abnormal_ends), sender);
    let timing = options.timing.clone();
    pool.spawn_broadcast(move |thread| {
        let (plan, queue, abnormal_ends, sender) = &worker;
        if let Some(timing) = &timing {
            // The result is ignored: the warm-up has already reported whether threads can be pinned.
            timing.pin(thread.index());
        }
        let decide = |run: &Run| abnormal_ends.decide(thread.index(), run.id, run.configuration_number);
        work(plan, queue, decide, sender);
    });

    let mut tally = Tally::default();
    let result = write_records(
        &finished,
        &mut journal,
        |runs, signal| {
            tally.add(runs);
            (tally.found, tally.interrupted) = (queue.n_found(), signal);
            progress.show(&tally, options.jobs, |at_a_time, silent| queue.forecast(at_a_time, silent));
            options.is_fail_fast && tally.failed > 0
        },
        signals,
    );
    let is_given_up = tally.interrupted.is_some() || options.is_fail_fast && tally.failed > 0;
    let known_failures = queue.known_failures();
    tally.found = queue.n_found();
    tally.failed += known_failures.len() as u64;
    if let Some(run) = known_failures.first() {
        let first = || describe_failure(run.id, plan.instance(run).id, abnormal_ends::MESSAGE);
        tally.first_failure.get_or_insert_with(first);
    }
    // The receiver is dropped before external programs are ended, so that their runs do not count as failed.
    drop(finished);
    if result.is_err() || is_given_up {
        external::end_all();
    }
    let folder = journal.path().parent().unwrap_or(Path::new("")).to_owned();
    let result = result.and_then(|()| journal.finish());
    let ended = abnormal_ends.end(may_forget && result.is_ok() && !is_given_up);
    result.map_err(|error| ExperimentError::while_writing(error, &folder))?;
    ended.map_err(|error| ExperimentError::while_making_files(error, &folder))?;
    Ok(tally)
}

/// Writes finished runs to the journal until no more runs come, a signal is received, or `report` returns true. `report` is called for
/// finished runs and for signals.
fn write_records(
    finished: &Receiver<FinishedBatch>,
    journal: &mut Writer,
    mut report: impl FnMut(Tally, Option<Signal>) -> bool,
    signals: &Signals,
) -> Result<(), JournalError> {
    let mut batch = FinishedBatch::default();
    let mut write = |batch: &mut FinishedBatch| {
        journal.append_batch(&batch.lines)?;
        journal.sync_if_due()?;
        batch.error.take().map_or(Ok(()), Err)
    };
    loop {
        let is_over = !finished_runs::take(finished, &mut batch, SIGNAL_INTERVAL);
        write(&mut batch)?;
        let signal = signals.received();
        let is_enough = report(std::mem::take(&mut batch.counts), signal);
        batch.clear();
        if is_over || is_enough || signal.is_some() {
            break;
        }
    }
    // Runs that have finished in the meantime are kept, too.
    finished_runs::take(finished, &mut batch, Duration::ZERO);
    write(&mut batch)?;
    report(batch.counts, signals.received());
    Ok(())
}

/// The work of one thread: takes runs from the queue, does them unless they are given up, and passes on their records.
fn work(plan: &Plan, queue: &RunQueue, decide: impl Fn(&Run) -> RunFate, sender: &SyncSender<FinishedBatch>) {
    while let Some(run) = queue.next() {
        let record = match decide(&run) {
            RunFate::Begun => perform(plan, &run, |budget| budget),
            RunFate::GivenUp => Record {
                key: plan.run_key(&run),
                settings: plan.recorded(&run),
                outcome: failed(plan, &run),
                message: Some(abnormal_ends::MESSAGE.to_owned()),
                ..Record::default()
            },
            RunFate::FailureKnown => {
                queue.report(&run, &failed(plan, &run), true);
                continue;
            }
        };
        queue.report(&run, &record.outcome, false);
        // Sending fails after the execution was given up.
        if sender.send(FinishedBatch::of(&record)).is_err() {
            return;
        }
    }
}

/// The outcome of a failed run: unsolved, unless the run is known to have no target.
fn failed(plan: &Plan, run: &Run) -> RunOutcome {
    RunOutcome::failed(has_target(plan, run).unwrap_or(true))
}

/// Returns true if the budget defines a target, or if the family defines when an instance is solved. Returns `None` if only the problem
/// itself defines when an instance is solved.
pub fn has_target(plan: &Plan, run: &Run) -> Option<bool> {
    if plan.settings(run).table("budget").get("target").is_some() {
        return Some(true);
    }
    let objective = plan.family(run)?.objective(plan.instance(run).content)?;
    Some(objective.solved.is_some())
}

/// Executes one run. `limited` changes the budget of the run, but not the settings in the record. A run that panics is recorded as failed.
pub fn perform(plan: &Plan, run: &Run, limited: impl FnOnce(Budget) -> Budget) -> Record {
    silence_failing_runs();
    let Projection { settings, search, .. } = run.projection();
    let trigger = plan.spec().trace;
    let (measured, times, trace) = match plan.restore(run) {
        Ok((family, instance)) => {
            let instance = instance.as_ref();
            let budget = limited(plan.budget(run, family, instance));
            let content = plan.instance(run).content;
            measure(&Repetition { family, instance, content, settings, search }, &budget, run.seed, trigger)
        }
        Err(error) => (Err(format!("{error:#}").into()), (0.0, Some(0.0)), None),
    };
    let (outcome, solution, message) = match measured {
        Ok((outcome, solution)) => (outcome, solution, None),
        Err(RunFailure { message, evaluations }) => {
            (RunOutcome { evaluations, ..failed(plan, run) }, None, Some(message))
        }
    };
    let (wall_ms, cpu_ms) = times;
    Record {
        key: plan.run_key(run),
        settings: plan.recorded(run),
        outcome: RunOutcome { wall_ms, cpu_ms, ..outcome },
        memory_mib: take_program_memory(),
        trace: trace.filter(|_| message.is_none()),
        solution,
        message,
    }
}

/// All data that is needed to do a run.
pub struct Repetition<'a> {
    /// The family of the instance.
    pub family: &'a dyn Family,
    /// Its instance.
    pub instance: &'a dyn Instance,
    /// The canonical text of the instance.
    pub content: &'a str,
    /// The resolved settings of the run.
    pub settings: &'a Settings,
    /// The algorithm, built from the settings.
    pub search: &'a Algorithm,
}

/// The result of a search: the outcome and the best solution, or the failure; the wall time and the processor time in milliseconds; the
/// trace.
pub(crate) type Measured = (Result<(RunOutcome, Option<String>), RunFailure>, (f64, Option<f64>), Option<Trace>);

/// Runs a search on an instance, and records a trace of the points that `trigger` chooses.
pub(crate) fn measure(run: &Repetition<'_>, budget: &Budget, seed: u64, trigger: Option<Trigger>) -> Measured {
    let direction = run.family.direction(run.content);
    let mut tracer = trigger.map(|trigger| Tracer::new(trigger, direction));
    let mut no_observer = ();
    let observer: &mut dyn Observer = match &mut tracer {
        Some(tracer) => tracer,
        None => &mut no_observer,
    };
    let stopwatch = Stopwatch::start();
    let result = solve(run.instance, run.settings, run.search, budget, seed, observer);
    let (wall_ms, cpu_ms) = (stopwatch.wall_ms(), stopwatch.cpu_ms());
    // The processor time of other threads is unknown if the search failed; it counts as zero.
    let elsewhere = result.as_ref().map_or(Some(Duration::ZERO), |(outcome, _)| outcome.cpu_elsewhere);
    let cpu_ms = cpu_ms.zip(elsewhere).map(|(here, elsewhere)| to_microseconds(here + elsewhere.as_secs_f64() * 1e3));
    let measured = result.and_then(|(outcome, solution)| {
        let content = (run.family, run.content);
        let objective = solution_check::objective(content, run.settings, budget, &outcome, solution.as_deref())?;
        Ok((RunOutcome::from_search(&outcome, objective, direction), solution))
    });
    (measured, (wall_ms, cpu_ms), tracer.map(Tracer::finish))
}

/// The error for a run that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFailure {
    /// The error of the search, or the message of a panic.
    pub message: String,
    /// The number of evaluations that the search reported before it failed.
    pub evaluations: u64,
}

impl From<String> for RunFailure {
    fn from(message: String) -> Self {
        Self { message, evaluations: 0 }
    }
}

/// Executes one search on one instance. Returns the outcome. If the search found a solution, the function also returns the best solution,
/// as a text of one line.
///
/// # Errors
/// If the search fails or panics.
pub fn solve(
    instance: &dyn Instance,
    settings: &Settings,
    search: &Algorithm,
    budget: &Budget,
    seed: u64,
    observer: &mut dyn Observer,
) -> Result<(Outcome, Option<String>), RunFailure> {
    IN_A_RUN.set(true);
    let result = catch_unwind(AssertUnwindSafe(|| {
        let problem = instance.prepare(settings);
        let mut random = RandomStream::from_seed(seed);
        let outcome = problem.solve(search, budget, &mut random, observer);
        let solution = problem.solution(&outcome);
        (outcome, solution)
    }));
    IN_A_RUN.set(false);
    let (mut outcome, solution) = result.map_err(|panic| {
        let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref().map(String::as_str));
        text.unwrap_or("the run panicked without a message").to_owned()
    })?;
    match outcome.failure.take() {
        Some(message) => Err(RunFailure { message, evaluations: outcome.evaluations }),
        None => Ok((outcome, solution)),
    }
}

thread_local! {
    static IN_A_RUN: ThreadCell<bool> = const { ThreadCell::new(false) };
}

/// Prevents the default hook from printing the panics of runs over the progress bars. The message of a panic is in the record of its run.
fn silence_failing_runs() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let default = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !IN_A_RUN.get() {
                default(info);
            }
        }));
    });
}
