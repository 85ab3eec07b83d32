//! `runner plan`: how many runs there will be, and from a few timed ones, how long they will take.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use evogrid_core::catalogue::Catalogue;
use evogrid_results::journal::Index;

use super::arguments::{jobs, load_spec};
use super::output::print;
use crate::cli::PlanArgs;
use crate::diagnostic::in_one_line;
use crate::execute::perform;
use crate::external::{self, ProgramPolicy};
use crate::limits;
use crate::numbers::{counted, counted_are, duration};
use crate::outputs::Folder;
use crate::plan::Plan;
use crate::signals::Signals;

/// How long runs are tried for the estimate.
const TRIAL_TIME: Duration = Duration::from_secs(3);

/// The most runs that are tried.
const TRIAL_RUNS: u64 = 200;

/// Prints the plan of an experiment.
pub(super) fn plan(args: &PlanArgs, catalogue: Catalogue) -> Result<ExitCode> {
    Signals::end_process()?;
    let spec = load_spec(&args.experiment, &catalogue)?;
    let plan = Arc::new(Plan::new(spec, catalogue));
    limits::tell(&plan);
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
        counted(plan.n_cells(), "cell"),
        counted(spec.instances.len() as u64, "instance"),
        counted(spec.repetitions, "repetition"),
        counted(n_runs, "run"),
    );
    let n_done = if index.is_empty() { 0 } else { plan.runs().filter(|run| index.contains(run.id)).count() as u64 };
    if n_done > 0 {
        let _ = writeln!(text, "  {} done, in {}", counted_are(n_done, "run"), folder.path().display());
    }
    let n_open = n_runs - n_done;
    text += &if n_open == 0 {
        "  nothing is left to do\n".to_owned()
    } else {
        estimate(&plan, n_open, jobs(args.jobs), args.programs.policy())
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// How long the runs that are open would take, judged by some of all, spread over the plan.
fn estimate(plan: &Plan, n_open: u64, jobs: usize, policy: ProgramPolicy) -> String {
    let n_runs = plan.n_runs();
    let started = Instant::now();
    let (mut times, mut unasked) = (Vec::new(), BTreeSet::new());
    for sample in 0..n_runs.min(TRIAL_RUNS) {
        // Multiples of the golden ratio are spread evenly however many are taken.
        let share = (sample as f64 * 0.618_033_988_749_895).fract();
        let number = if n_runs <= TRIAL_RUNS { sample } else { (share * n_runs as f64) as u64 };
        let Some(run) = plan.run(number) else { break };
        if let (Some(command), ProgramPolicy::Refuse) = (external::command(&run.cell.settings), policy) {
            unasked.insert(in_one_line(command));
            continue;
        }
        times.push(perform(plan, &run).outcome.wall_ms / 1e3);
        if started.elapsed() > TRIAL_TIME {
            break;
        }
    }
    let unasked: String = unasked.iter().map(|command| format!("    {command}\n")).collect();
    let unasked = match unasked.is_empty() {
        true => unasked,
        false => format!("  runs of programs are not timed; `--run-programs` starts them:\n{unasked}"),
    };
    if times.is_empty() {
        return unasked;
    }
    let n = times.len() as f64;
    let mean = times.iter().sum::<f64>() / n;
    let variance = times.iter().map(|time| (time - mean) * (time - mean)).sum::<f64>() / (n - 1.0).max(1.0);
    let spread = 1.96 * (variance / n).sqrt();
    let total = |mean: f64| duration(mean * n_open as f64 / jobs as f64);
    format!(
        "  about {} on {} ({} to {}), judged by {}\n{unasked}",
        total(mean),
        counted(jobs as u64, "thread"),
        total((mean - spread).max(0.0)),
        total(mean + spread),
        counted(times.len() as u64, "run"),
    )
}
