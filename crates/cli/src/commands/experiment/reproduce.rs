//! `runner reproduce`: what papers claim, tried, and a page that says of each claim whether it holds.

mod page;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};
use evogrid_analysis::samples::{MAX_SAMPLES, Samples};
use evogrid_core::catalogue::Catalogue;
use evogrid_results::files::replace;
use evogrid_results::runs::Reader;

use super::run;
use crate::arguments::ReproduceArgs;
use crate::commands::arguments::jobs;
use crate::commands::output::print;
use crate::messages::shell::shell_word;
use crate::usage_error::{UsageError, unreadable};
use evogrid_claims::document::{self, Claims};
use evogrid_runner::engine::carry_out::{ExperimentOptions, ExperimentOutcome, carry_out};
use evogrid_runner::engine::execute::ExecutionOptions;
use evogrid_runner::engine::folder::outputs::Folder;
use evogrid_runner::engine::progress::line;
use evogrid_runner::engine::signals::{Signal, Signals};
use evogrid_runner::experiment::diagnostic::{Diagnostics, printable};
use evogrid_runner::experiment::plan::Plan;
use evogrid_runner::experiment::spec::Spec;
use evogrid_runner::system::numbers::{counted, grouped};

/// An experiment to run once, whichever files of claims name it.
struct PlannedExperiment {
    path: PathBuf,
    sets: Vec<String>,
    plan: Arc<Plan>,
    folder: Folder,
    /// Generations whose diversity some claim asks for.
    generations: Vec<u64>,
}

/// Runs what the claims need, or what is left of it, and writes the page.
pub(crate) fn reproduce(args: &ReproduceArgs, catalogue: Catalogue) -> Result<ExitCode> {
    let catalogue = Arc::new(catalogue);
    let files = load(args, &catalogue)?;
    let mut planned: Vec<PlannedExperiment> = Vec::new();
    // For every file, where each of its experiments stands among those that are planned.
    let mut places: Vec<Vec<Option<usize>>> = Vec::new();
    for claims in &files {
        places.push(plan(claims, args, &catalogue, &mut planned)?);
    }
    check(&files, &places, &mut planned)?;
    // Before the runs, which may take hours: what stands in the page's way is found at once.
    if let Some(folder) = args.page.as_deref().and_then(Path::parent) {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }

    let signals = Signals::listen()?;
    let mut status = ExitCode::SUCCESS;
    for one in &planned {
        let options = ExperimentOptions {
            file: &one.path,
            sets: &one.sets,
            folder: &one.folder,
            execution: ExecutionOptions { jobs: jobs(args.jobs), shard: None, is_fail_fast: false, timing: None },
            quiet: args.quiet,
            fresh: false,
            overwrite: true,
            signals: &signals,
        };
        match carry_out(&one.plan, &options)? {
            ExperimentOutcome::Interrupted(signal, _) => return Ok(interrupted(signal, args)),
            ExperimentOutcome::Done(written) if written.failed > 0 || written.beaten.has_errors() => {
                status = run::verdict(&written, &one.plan);
            }
            ExperimentOutcome::Done(_) | ExperimentOutcome::Shard(_) | ExperimentOutcome::FailedFast(_) => {}
        }
    }
    let samples: Vec<Samples> = planned.iter().map(read).collect::<Result<_>>()?;
    let chapters = page::chapters(&files, &places, &samples, &document::examples(&catalogue), args.page.as_deref())?;
    let runs = samples.iter().map(|samples| samples.runs.len() as u64).sum();
    let title = files.iter().find_map(|claims| claims.page.as_deref()).unwrap_or("Reproduction");
    let text = evogrid_claims::judge::page::render(title, &page::lead(args, runs), &chapters);
    let Some(path) = &args.page else {
        print(&text)?;
        return Ok(status);
    };
    replace(path, |output| -> Result<()> { Ok(output.write_all(text.as_bytes())?) })?;
    if !args.quiet {
        line(&format!("{}; see {}", evogrid_claims::judge::page::totals(&chapters), path.display()));
    }
    Ok(status)
}

fn load(args: &ReproduceArgs, catalogue: &Catalogue) -> Result<Vec<Claims>, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let mut files = Vec::new();
    for path in &args.claims {
        match Claims::load(path, catalogue) {
            Ok(claims) => files.push(claims),
            Err(wrong) => diagnostics.extend(wrong),
        }
    }
    diagnostics.or(Some(files))
}

/// Plans what a file's experiments ask for, each once.
fn plan(
    claims: &Claims,
    args: &ReproduceArgs,
    catalogue: &Arc<Catalogue>,
    planned: &mut Vec<PlannedExperiment>,
) -> Result<Vec<Option<usize>>> {
    let mut places = Vec::new();
    for asked in &claims.experiments {
        if let Some(file) = &asked.absent {
            line(&format!("skipped: the claims on `{}`, for want of {}", asked.name, printable(file)));
            places.push(None);
            continue;
        }
        let quick: &[String] = if args.quick { &asked.quick } else { &[] };
        let sets = [&asked.sets, quick].concat();
        let spec = Spec::load(&asked.path, &sets, catalogue)?;
        let folder = if args.quick { args.results.join("quick") } else { args.results.clone() }.join(&spec.name);
        let same = |one: &PlannedExperiment| one.folder.path() == folder;
        if let Some(at) = planned.iter().position(same) {
            let plan = Plan::new(spec, Arc::clone(catalogue));
            if planned[at].plan.n_runs() != plan.n_runs() {
                let name = &plan.spec().name;
                let message = format!("`{name}` is asked for in two quick forms, or by two experiments of that name");
                return Err(UsageError(message).into());
            }
            places.push(Some(at));
            continue;
        }
        let plan = Arc::new(Plan::new(spec, Arc::clone(catalogue)));
        // Claims are judged by all runs at once: that they are too many is said before they are done.
        if plan.n_runs() > MAX_SAMPLES as u64 {
            let (name, runs) = (&plan.spec().name, counted(plan.n_runs(), "run"));
            let message =
                format!("`{name}` has {runs}, and claims are judged by at most {}", grouped(MAX_SAMPLES as u64));
            return Err(UsageError(message).into());
        }
        let path = asked.path.clone();
        planned.push(PlannedExperiment { path, sets, plan, folder: Folder::new(folder), generations: Vec::new() });
        places.push(Some(planned.len() - 1));
    }
    Ok(places)
}

/// Checks every claim against its experiment, before anything is run.
fn check(
    files: &[Claims],
    places: &[Vec<Option<usize>>],
    planned: &mut [PlannedExperiment],
) -> Result<(), Diagnostics> {
    let rosters: Vec<_> = planned.iter().map(|one| one.plan.roster()).collect();
    let mut diagnostics = Diagnostics::new();
    for (claims, places) in files.iter().zip(places) {
        let on = |experiment: &usize| Some((places[*experiment]?, &claims.experiments[*experiment].name));
        for claim in &claims.claims {
            let experiments = [Some(&claim.experiment), claim.confirmation.as_ref()].into_iter().flatten();
            for (at, name) in experiments.filter_map(on) {
                if let Err(wrong) = claim.kind.check(&rosters[at]) {
                    let message = format!("claim `{}` does not fit `{name}`: {wrong}", claim.id);
                    diagnostics.push(claims.document.diagnostic(&claim.span, message, wrong.help()));
                }
                let Some(generation) = claim.kind.diversity_at() else { continue };
                planned[at].generations.push(generation);
                if !planned[at].plan.spec().records_generation(generation) {
                    let message =
                        format!("claim `{}`: `{name}` records no diversity at generation {generation}", claim.id);
                    let help = "expected `[record] trace = { every = N }` in it, N a divisor of the generation";
                    diagnostics.push(claims.document.diagnostic(&claim.span, message, help));
                }
            }
            let seed = |experiment: usize| places[experiment].map(|at| planned[at].plan.spec().seed);
            if claim.confirmation.is_some_and(|again| seed(again).is_some() && seed(again) == seed(claim.experiment)) {
                let message = format!("claim `{}` is confirmed on the seed that it was found with", claim.id);
                let help = "expected an experiment of another seed, as by `set = [\"experiment.seed=7\"]`";
                diagnostics.push(claims.document.diagnostic(&claim.span, message, help));
            }
        }
    }
    diagnostics.or(Some(()))
}

fn read(one: &PlannedExperiment) -> Result<Samples> {
    let file = |name: &str| one.folder.path().join(name);
    let mut samples = Samples::read(Reader::open(&file("runs.csv")).map_err(unreadable)?).map_err(unreadable)?;
    if !one.generations.is_empty() {
        samples.read_diversity(&file("trace.csv.gz"), &one.generations).context("the trace is needed for a claim")?;
    }
    Ok(samples)
}

fn interrupted(signal: Signal, args: &ReproduceArgs) -> ExitCode {
    let mut command = "runner reproduce".to_owned();
    let mut push = |text: &str| command.extend([" ", text]);
    args.claims.iter().for_each(|path| push(&shell_word(path)));
    if args.quick {
        push("--quick");
    }
    let paths: [(&str, Option<&Path>); 2] = [
        ("--page", args.page.as_deref()),
        ("--results", Some(args.results.as_path()).filter(|&results| results != Path::new("results"))),
    ];
    for (option, path) in paths.into_iter().filter_map(|(option, path)| Some((option, path?))) {
        push(option);
        push(&shell_word(path));
    }
    line(&format!("interrupted: every finished run is kept; go on with\n  {command}"));
    ExitCode::from(signal.exit_status())
}
