//! `runner plan`: prints the number of runs, and estimates their duration from a few timed runs.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use evogrid_analysis::compare::{MAX_CONFIGURATIONS, promise};
use evogrid_core::catalogue::Catalogue;
use evogrid_results::journal::Index;

use crate::arguments::PlanArgs;
use crate::commands::arguments::{jobs, load_plan, print_plan_notes, results_folder};
use crate::messages::{counted, counted_are, duration, grouped, line, print, rendered};
use crate::planned_analysis::decisions;
use evogrid_runner::engine::execute::perform;
use evogrid_runner::engine::folder::outputs::Folder;
use evogrid_runner::engine::folder::reuse::Reuse;
use evogrid_runner::engine::forecast::{Forecast, RunTimes};
use evogrid_runner::engine::memory;
use evogrid_runner::engine::signals::Signals;
use evogrid_runner::experiment::design::{Design, Spread};
use evogrid_runner::experiment::plan::{Plan, Run};
use evogrid_runner::experiment::space::Dimension;
use evogrid_runner::experiment::spec::Spec;
use evogrid_runner::external::{self, ProgramPolicy};
use serde_json::json;

/// Runs are timed for this long.
const TRIAL_TIME: Duration = Duration::from_secs(3);

/// If the runs need at least this many bytes of memory, the plan shows this number.
const NOTABLE_MEMORY: u64 = 100_000_000;

/// At most this many runs are timed.
const TRIAL_RUNS: u64 = 200;

/// Prints the plan of an experiment.
pub(crate) fn plan(args: &PlanArgs, catalogue: Catalogue) -> Result<()> {
    Signals::end_process(|| ())?;
    let plan = load_plan(&args.experiment, catalogue)?;
    print_plan_notes(&plan);
    let need = memory::warn(&plan, jobs(args.jobs));
    let (spec, n_runs) = (plan.spec(), plan.n_runs());
    let folder = Folder::new(results_folder(args.out.as_deref(), &spec.name));
    let index = Index::read(&folder.journal())?;
    let algorithms = spec.algorithms.iter().map(|algorithm| {
        let algorithm = algorithm.spec();
        let axes: Vec<_> = algorithm.axes.iter().map(|axis| (&axis.paths, axis.points.len())).collect();
        let designs: Vec<_> = algorithm.designs.iter().map(coverage).collect();
        json!({ "name": algorithm.name, "axes": axes, "n_excluded": algorithm.excluded.len(), "designs": designs })
    });
    let mut times = RunTimes::new(&plan, spec.instances.len() as u64, 1.0);
    let mut reuse = Reuse::open(&args.reuse, folder.path(), &Signals::default())?;
    let (n_done, n_reusable, n_orphans) = finished(&plan, &index, &mut reuse, &mut times)?;
    reuse.notes().iter().for_each(|note| line(note));
    let (policy, jobs) = (args.programs.policy(), jobs(args.jobs) as u64);
    let n_open = n_runs - n_done - n_reusable;
    let (n_timed, stopped) = if n_open > 0 { time_some(&plan, policy, &mut times)? } else { (0, None) };
    // External programs are not timed without `--run-programs`.
    let command = |run: Run| external::command(&run.projection().settings).map(str::to_owned);
    let is_refused = policy == ProgramPolicy::Refuse;
    let programs: BTreeSet<String> = sampled(&plan).filter(|_| is_refused).filter_map(command).collect();
    let decided = spec.analysis.as_ref().map(serde_json::to_value).transpose()?;
    let values = json!({
        "name": spec.name,
        "title": spec.title,
        "algorithms": algorithms.collect::<Vec<_>>(),
        "configurations": plan.n_configurations(),
        "instances": spec.instances.len(),
        "repetitions": spec.repetitions,
        "runs": n_runs,
        "comparisons": comparisons(plan.n_configurations(), spec),
        "analysis": decided.map(|analysis| decisions(&analysis)),
        "done": (n_done > 0).then(|| counted_are(n_done, "run")),
        "reusable": (n_reusable > 0).then(|| counted(n_reusable, "run")),
        "reused_from": reuse.offered().map(|(folder, _)| folder.display().to_string()).collect::<Vec<_>>(),
        "orphans": n_orphans.filter(|&n| n > 0).map(|n| counted_are(n, "run")),
        "is_all": n_orphans.is_some(),
        "folder": folder.path().display().to_string(),
        "memory": need.filter(|need| need.at_a_time() >= NOTABLE_MEMORY).map(|need| need.to_string()),
        "n_open": n_open,
        "time_left": Forecast::text(times.forecast(n_open.min(jobs) as f64, 0.0).as_ref()),
        "jobs": jobs,
        "n_timed": n_timed,
        "stopped": stopped,
        "programs": programs,
        "tune": spec.tune.as_ref().map(|tune| json!({ "budget": tune.budget, "path": tune.path })),
        "n_test": spec.test_instances.iter().map(ExactSizeIterator::len).sum::<usize>(),
    });
    Ok(print(&rendered!("plan/plan.txt", values))?)
}

/// Describes how a design covers its space, for the template.
fn coverage(design: &Design) -> serde_json::Value {
    let spread = |(dimension, spread): (&Dimension, Spread)| match spread {
        Spread::Choices(counts) => {
            let counts = counts.iter().map(|(value, n_points)| format!("{value} ({})", grouped(*n_points)));
            json!({ "path": dimension.path, "counts": counts.collect::<Vec<_>>() })
        }
        Spread::Range { n_points, ends: [low, high], gap } => json!({
            "path": dimension.path,
            "n_points": n_points,
            "low": low.to_string(),
            "high": high.to_string(),
            "gap": format!("{:.1}", 100.0 * gap),
        }),
    };
    json!({
        "method": design.sample.map(|sample| sample.method.name()),
        "points": design.n_points(),
        "spreads": design.space.dimensions.iter().zip(design.spreads()).map(spread).collect::<Vec<_>>(),
        "is_extensible": design.sample.is_none_or(|sample| sample.method.is_extensible()),
    })
}

/// Sentences that say which differences between configurations will be large enough to be detected. A single configuration has no such
/// sentences.
fn comparisons(n_configurations: u64, spec: &Spec) -> Option<String> {
    let (instances, repetitions) = (spec.instances.len(), spec.repetitions);
    let n = usize::try_from(n_configurations).unwrap_or(MAX_CONFIGURATIONS).min(MAX_CONFIGURATIONS);
    if n < 2 || instances == 0 || repetitions == 0 {
        return None;
    }
    let analysis = spec.analysis.clone().unwrap_or_default();
    Some(promise(analysis.n_comparisons(n), instances, repetitions, analysis.criteria().confidence))
}

/// Counts the finished runs of a plan: the runs in its own journal, and the runs that only other folders have. Returns these numbers and
/// the number of other runs in the journal. The last number is `None` if it would take too long to count all runs.
fn finished(
    plan: &Arc<Plan>,
    index: &Index,
    reuse: &mut Reuse,
    times: &mut RunTimes,
) -> Result<(u64, u64, Option<u64>)> {
    let deadline = Instant::now() + TRIAL_TIME;
    let mut is_planned = vec![false; index.n_known()];
    let (mut n_known, mut n_done, mut n_reusable) = (0, 0, 0);
    for (number, run) in plan.runs().enumerate() {
        if n_known == index.n_known() && reuse.is_empty() {
            break;
        }
        if let Some(number) = index.number(run.id) {
            n_known += usize::from(!is_planned[number]);
            is_planned[number] = true;
        }
        let is_done = index.contains(run.id);
        if is_done || reuse.offers(plan, &run)? {
            *(if is_done { &mut n_done } else { &mut n_reusable }) += 1;
            times.count(times.place(&run));
        }
        if number % 1024 == 1023 && Instant::now() > deadline {
            return Ok((n_done, n_reusable, None));
        }
    }
    Ok((n_done, n_reusable, Some((index.n_known() - n_known) as u64)))
}

/// Times a sample of all runs, spread over the plan. Returns the number of timed runs, and the time of the run that was stopped, if there is one.
///
/// The timed runs have a separate thread, because a run without a limit may never end. A run that has not ended is stopped when the process
/// ends.
fn time_some(plan: &Arc<Plan>, policy: ProgramPolicy, times: &mut RunTimes) -> Result<(u64, Option<String>)> {
    let (sender, receiver) = channel();
    let shared = Arc::clone(plan);
    let time = move || {
        let may_start =
            |run: &Run| policy == ProgramPolicy::Start || external::command(&run.projection().settings).is_none();
        for run in sampled(&shared).filter(may_start) {
            // The first message reports that the run begins. The second message reports its duration.
            if sender.send((run.clone(), None)).is_err() {
                return;
            }
            let seconds = perform(&shared, &run, |budget| budget).outcome.wall_ms / 1e3;
            let _ = sender.send((run, Some(seconds)));
        }
    };
    thread::Builder::new().name("trial".to_owned()).spawn(time).context("cannot start a thread")?;
    let deadline = Instant::now() + TRIAL_TIME;
    let (mut n_timed, mut longest, mut begun, mut stopped) = (0, 0.0_f64, None, None);
    loop {
        match receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok((run, None)) => begun = Some((run, Instant::now())),
            Ok((run, Some(seconds))) => {
                (n_timed, longest, begun) = (n_timed + 1, longest.max(seconds), None);
                times.add(times.place(&run), seconds);
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                let so_far = begun.map(|(run, begun): (Run, Instant)| (run, begun.elapsed().as_secs_f64()));
                stopped = so_far.filter(|&(_, so_far)| so_far > longest);
                break;
            }
        }
    }
    drop(receiver);
    external::end_all();
    let stopped = stopped.map(|(run, so_far)| {
        times.add_cut(times.place(&run), so_far);
        duration(so_far)
    });
    Ok((n_timed, stopped))
}

/// Returns a sample of all runs, spread over the plan.
fn sampled(plan: &Plan) -> impl Iterator<Item = Run> {
    let n_runs = plan.n_runs();
    (0..n_runs.min(TRIAL_RUNS)).map_while(move |sample| {
        // Any number of multiples of the golden ratio is spread evenly.
        let share = (sample as f64 * 0.618_033_988_749_895).fract();
        plan.run(if n_runs <= TRIAL_RUNS { sample } else { (share * n_runs as f64) as u64 })
    })
}
