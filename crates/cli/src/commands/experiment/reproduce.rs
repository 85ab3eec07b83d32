//! `runner reproduce`: runs the experiments of papers, and writes a page that judges each claim.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};
use evogrid_claims::document::Claims;
use evogrid_claims::reproduction::{PlanError, Reproduction, Skipped};
use evogrid_core::catalogue::Catalogue;
use evogrid_results::ReadError;
use evogrid_results::files::replace;
use evogrid_runner::system::program;
use serde_json::json;

use super::run;
use crate::arguments::ReproduceArgs;
use crate::commands::arguments::jobs;
use crate::commands::output::print;
use crate::messages::shell::shell_word;
use crate::messages::template::rendered;
use crate::usage_error::{UsageError, unreadable};
use evogrid_runner::engine::carry_out::{ExperimentOptions, ExperimentOutcome, carry_out};
use evogrid_runner::engine::execute::ExecutionOptions;
use evogrid_runner::engine::progress::line;
use evogrid_runner::engine::signals::{Signal, Signals};
use evogrid_runner::experiment::diagnostic::{Diagnostics, printable};
use evogrid_runner::system::machine::Machine;
use evogrid_runner::system::numbers::grouped;

/// Does the missing runs that the claims need, and writes the page.
pub(crate) fn reproduce(args: &ReproduceArgs, catalogue: Catalogue) -> Result<ExitCode> {
    let catalogue = Arc::new(catalogue);
    let files = load(args, &catalogue)?;
    let planned = Reproduction::plan(files, &args.results, args.quick, &catalogue);
    let (reproduction, skipped) = planned.map_err(|error| match error.downcast::<PlanError>() {
        Ok(error) => UsageError(error.to_string()).into(),
        Err(error) => error,
    })?;
    for Skipped { experiment, lacks } in skipped {
        line(&format!("skipped the claims on `{experiment}`: {} is missing", printable(&lacks)));
    }
    // Before the runs, which may take hours: what stands in the page's way is found at once.
    if let Some(folder) = args.page.as_deref().and_then(Path::parent) {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }

    let signals = Signals::listen()?;
    let mut status = ExitCode::SUCCESS;
    for one in &reproduction.experiments {
        let options = ExperimentOptions {
            file: &one.path,
            sets: &one.sets,
            folder: &one.folder,
            execution: ExecutionOptions { jobs: jobs(args.jobs), shard: None, is_fail_fast: false, timing: None },
            quiet: args.quiet,
            fresh: false,
            overwrite: true,
            reuse: &[],
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
    let samples = reproduction.read().map_err(|error| match error.downcast::<ReadError>() {
        Ok(error) => unreadable(error).into(),
        Err(error) => error,
    })?;
    let chapters = reproduction.chapters(&samples, &catalogue, args.page.as_deref())?;
    let runs = samples.iter().map(|samples| samples.runs.len() as u64).sum();
    let text = evogrid_claims::judge::page::render(reproduction.title(), &lead(args, runs), &chapters);
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

const LEAD: &str = include_str!("reproduce/lead.md.j2");

/// The text below the title.
fn lead(args: &ReproduceArgs, runs: u64) -> String {
    let (machine, version) = (Machine::present(), env!("CARGO_PKG_VERSION"));
    let values = json!({
        "is_quick": args.quick,
        "runs": grouped(runs),
        "version": version,
        "processor": machine.processor(),
    });
    rendered("lead.md.j2", LEAD, values).trim_end().to_owned()
}

fn interrupted(signal: Signal, args: &ReproduceArgs) -> ExitCode {
    let mut command = format!("{} reproduce", program::name());
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
    line(&format!("interrupted: every finished run is kept; continue with\n  {command}"));
    ExitCode::from(signal.exit_status())
}
