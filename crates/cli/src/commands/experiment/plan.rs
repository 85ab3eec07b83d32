//! `runner plan`: the number of runs, and an estimate of their duration from a few timed runs.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use evogrid_analysis::compare::{MAX_CONFIGURATIONS, promise};
use evogrid_core::catalogue::Catalogue;
use evogrid_results::format::wrapped;
use evogrid_results::journal::Index;

use crate::arguments::PlanArgs;
use crate::commands::arguments::{jobs, load_spec};
use crate::commands::output::print;
use crate::messages::plan_notes;
use crate::planned_analysis::decisions;
use evogrid_runner::engine::execute::perform;
use evogrid_runner::engine::folder::outputs::Folder;
use evogrid_runner::engine::memory;
use evogrid_runner::engine::signals::Signals;
use evogrid_runner::experiment::diagnostic::in_one_line;
use evogrid_runner::experiment::plan::{Plan, Run};
use evogrid_runner::experiment::spec::Spec;
use evogrid_runner::external::{self, ProgramPolicy};
use evogrid_runner::system::numbers::{counted, counted_are, duration};

/// How long runs are tried for the estimate.
const TRIAL_TIME: Duration = Duration::from_secs(3);

/// From this many bytes of memory on, a plan says how much the runs need.
const NOTABLE_MEMORY: u64 = 100_000_000;

/// The most runs that are tried.
const TRIAL_RUNS: u64 = 200;

/// Prints the plan of an experiment.
pub(crate) fn plan(args: &PlanArgs, catalogue: Catalogue) -> Result<()> {
    Signals::end_process(|| ())?;
    let spec = load_spec(&args.experiment, &catalogue)?;
    let plan = Arc::new(Plan::new(spec, catalogue));
    plan_notes::tell(&plan);
    let need = memory::warn(&plan, jobs(args.jobs));
    let (spec, n_runs) = (plan.spec(), plan.n_runs());
    let folder = Folder::new(args.out.clone().unwrap_or_else(|| Path::new("results").join(&spec.name)));
    let index = Index::read(&folder.journal())?;
    let mut text = format!(
        "{}: {}\n",
        spec.name,
        if spec.title.is_empty() { "untitled".to_owned() } else { in_one_line(&spec.title) }
    );
    for algorithm in &spec.algorithms {
        let algorithm = algorithm.spec();
        let axes: Vec<String> = algorithm
            .axes
            .iter()
            .map(|axis| format!("{} ({})", axis.paths.join(" with "), axis.points.len()))
            .collect();
        let varies = if axes.is_empty() { "nothing varied".to_owned() } else { axes.join(" x ") };
        let excluded = match algorithm.excluded.len() as u64 {
            0 => String::new(),
            n_excluded => format!(", {} excluded", counted(n_excluded, "combination")),
        };
        let _ = writeln!(text, "  {}: {varies}{excluded}", algorithm.name);
    }
    let _ = writeln!(
        text,
        "  {} x {} x {} = {}",
        counted(plan.n_configurations(), "configuration"),
        counted(spec.instances.len() as u64, "instance"),
        counted(spec.repetitions, "repetition"),
        counted(n_runs, "run"),
    );
    text += &comparisons(plan.n_configurations(), spec);
    if let Some(analysis) = &spec.analysis {
        let _ = writeln!(text, "  analysis: {}", in_one_line(&decisions(&serde_json::to_value(analysis)?)));
    }
    let n_done = match count_done(&plan, &index) {
        (0, _) => 0,
        (n_done, is_all) => {
            let at_least = if is_all { "" } else { "at least " };
            let _ = writeln!(
                text,
                "  {at_least}{} already done, in {}",
                counted_are(n_done, "run"),
                folder.path().display()
            );
            n_done
        }
    };
    let n_open = n_runs - n_done;
    if let Some(need) = need.filter(|need| need.at_a_time() >= NOTABLE_MEMORY) {
        let _ = writeln!(text, "  {need}");
    }
    text += &match n_open {
        0 => "  nothing is left to do\n".to_owned(),
        _ => {
            let policy = args.programs.policy();
            estimate(&time_some(&plan, policy)?, n_open, jobs(args.jobs)) + &unasked_programs(&plan, policy)
        }
    };
    Ok(print(&text)?)
}

/// What comparisons of the configurations will be able to show; nothing of a single one.
fn comparisons(n_configurations: u64, spec: &Spec) -> String {
    let (instances, repetitions) = (spec.instances.len(), spec.repetitions);
    let n = usize::try_from(n_configurations).unwrap_or(MAX_CONFIGURATIONS).min(MAX_CONFIGURATIONS);
    if n < 2 || instances == 0 || repetitions == 0 {
        return String::new();
    }
    const WIDTH: usize = 76;
    let analysis = spec.analysis.clone().unwrap_or_default();
    let promise = promise(analysis.n_comparisons(n), instances, repetitions, analysis.criteria().confidence);
    format!("  {}\n", wrapped(&promise, WIDTH).join("\n    "))
}

/// How many runs of the plan the journal has, and whether all were counted: that can take too long for a large plan.
fn count_done(plan: &Arc<Plan>, index: &Index) -> (u64, bool) {
    let (deadline, n_indexed) = (Instant::now() + TRIAL_TIME, index.len() as u64);
    let mut n_done = 0;
    if index.is_empty() {
        return (0, true);
    }
    for (number, run) in plan.runs().enumerate() {
        n_done += u64::from(index.contains(run.id));
        if n_done == n_indexed {
            break;
        }
        if number % 1024 == 1023 && Instant::now() > deadline {
            return (n_done, false);
        }
    }
    (n_done, true)
}

/// What some timed runs took.
#[derive(Default)]
struct Trial {
    /// Those that ended, in seconds each.
    seconds: Vec<f64>,
    /// One that had not ended when the time for the trial was over, and had taken longer than all others by then.
    unfinished: Option<f64>,
}

/// Times a sample of all runs, spread over the plan, in a thread of its own: a run may last for ever, and its budget may not have a limit
/// that stops it. Runs still in flight afterwards end with the process.
fn time_some(plan: &Arc<Plan>, policy: ProgramPolicy) -> Result<Trial> {
    let (sender, receiver) = channel();
    let plan = Arc::clone(plan);
    let time = move || {
        let may_start =
            |run: &Run| policy == ProgramPolicy::Start || external::command(&run.projection().settings).is_none();
        for run in sampled(&plan).filter(may_start) {
            // That it begins, and how long it took.
            if sender.send(None).is_err() || sender.send(Some(perform(&plan, &run).outcome.wall_ms / 1e3)).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("trial".to_owned()).spawn(time).context("cannot start a thread")?;
    let deadline = Instant::now() + TRIAL_TIME;
    let (mut trial, mut begun) = (Trial::default(), None);
    loop {
        match receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(None) => begun = Some(Instant::now()),
            Ok(Some(seconds)) => {
                begun = None;
                trial.seconds.push(seconds);
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                let so_far = begun.map(|begun: Instant| begun.elapsed().as_secs_f64());
                trial.unfinished = so_far.filter(|so_far| trial.seconds.iter().all(|seconds| seconds < so_far));
                break;
            }
        }
    }
    drop(receiver);
    external::end_all();
    Ok(trial)
}

/// A sample of all runs, spread over the plan.
fn sampled(plan: &Plan) -> impl Iterator<Item = Run> {
    let n_runs = plan.n_runs();
    (0..n_runs.min(TRIAL_RUNS)).map_while(move |sample| {
        // Multiples of the golden ratio are spread evenly however many are taken.
        let share = (sample as f64 * 0.618_033_988_749_895).fract();
        plan.run(if n_runs <= TRIAL_RUNS { sample } else { (share * n_runs as f64) as u64 })
    })
}

/// The programs that were not timed, since `--run-programs` was not given.
fn unasked_programs(plan: &Plan, policy: ProgramPolicy) -> String {
    if policy == ProgramPolicy::Start {
        return String::new();
    }
    let line = |run: Run| {
        external::command(&run.projection().settings).map(|command| format!("    {}\n", in_one_line(command)))
    };
    let lines: String = sampled(plan).filter_map(line).collect::<BTreeSet<_>>().into_iter().collect();
    if lines.is_empty() {
        return lines;
    }
    format!("  runs of external programs are not timed unless `--run-programs` is given:\n{lines}")
}

/// Estimates how long the open runs will take, from the runs that were timed.
fn estimate(trial: &Trial, n_open: u64, jobs: usize) -> String {
    let at_a_time = n_open.min(jobs as u64);
    let total = |mean: f64| duration(mean * n_open as f64 / at_a_time as f64);
    let (n, sum) = (trial.seconds.len() as f64, trial.seconds.iter().sum::<f64>());
    let threads = counted(jobs as u64, "thread");
    if let Some(so_far) = trial.unfinished {
        let others = match trial.seconds.len() as u64 {
            0 => String::new(),
            n => format!("{} and ", counted(n, "run")),
        };
        let (total, so_far) = (total((sum + so_far) / (n + 1.0)), duration(so_far));
        return format!(
            "  estimated time: more than {total} on {threads}, from {others}one run that was stopped after {so_far}\n"
        );
    }
    if trial.seconds.is_empty() {
        return "  the duration is unknown: no run could be timed\n".to_owned();
    }
    let mean = sum / n;
    let variance = trial.seconds.iter().map(|time| (time - mean) * (time - mean)).sum::<f64>() / (n - 1.0).max(1.0);
    let spread = 1.96 * (variance / n).sqrt();
    format!(
        "  estimated time: about {} on {threads} ({} to {}), from {}\n",
        total(mean),
        total((mean - spread).max(0.0)),
        total(mean + spread),
        counted(trial.seconds.len() as u64, "run"),
    )
}
