//! `runner reproduce`: runs the experiments of papers, and writes a page that judges each claim.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};
use evogrid_claims::document::Claims;
use evogrid_claims::reproduction::{Reproduction, Skipped};
use evogrid_core::catalogue::Catalogue;
use evogrid_results::files::replace;
use serde_json::json;

use super::run;
use crate::arguments::ReproduceArgs;
use crate::commands::arguments::jobs;
use crate::messages::{command_line, grouped, line, print, printable, rendered, shell_word};
use evogrid_runner::engine::carry_out::{ExperimentOptions, ExperimentOutcome, carry_out};
use evogrid_runner::engine::execute::ExecutionOptions;
use evogrid_runner::engine::signals::{Signal, Signals};
use evogrid_runner::experiment::diagnostic::Diagnostics;
use evogrid_runner::system::machine::Machine;

/// Does the missing runs of the experiments that the claims need, and writes the page.
pub(crate) fn reproduce(args: &ReproduceArgs, catalogue: Catalogue) -> Result<ExitCode> {
    let catalogue = Arc::new(catalogue);
    let files = load(args, &catalogue)?;
    let (reproduction, skipped) = Reproduction::plan(files, &args.results, args.quick, &catalogue)?;
    for Skipped { experiment, lacks } in skipped {
        line(&format!("skipped the claims that need the experiment `{experiment}`: {} is missing", printable(&lacks)));
    }
    // The runs may take hours, so a page that cannot be written is reported before the runs.
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
            ExperimentOutcome::Done(written) => {
                let verdict = run::verdict(&written, &one.plan);
                status = if verdict == ExitCode::SUCCESS { status } else { verdict };
            }
            ExperimentOutcome::Shard(_) | ExperimentOutcome::FailedFast(_) => {}
        }
    }
    let samples = reproduction.read()?;
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
    let load = |path: &PathBuf| Claims::load(path, catalogue).map_err(|wrong| diagnostics.extend(wrong)).ok();
    let files = args.claims.iter().filter_map(load).collect();
    diagnostics.or(Some(files))
}

/// The text below the title of the page.
fn lead(args: &ReproduceArgs, runs: u64) -> String {
    let (machine, version) = (Machine::present(), env!("CARGO_PKG_VERSION"));
    let values = json!({
        "is_quick": args.quick,
        "runs": grouped(runs),
        "version": version,
        "processor": machine.processor(),
    });
    rendered!("reproduce/lead.md.j2", values).trim_end().to_owned()
}

fn interrupted(signal: Signal, args: &ReproduceArgs) -> ExitCode {
    let results = Some(args.results.as_path()).filter(|&results| results != Path::new("results"));
    let options = [("--page", args.page.as_deref()), ("--results", results)];
    let options = options.into_iter().filter_map(|(option, path)| Some(format!("{option} {}", shell_word(path?))));
    let words = args.claims.iter().map(|path| shell_word(path)).chain(args.quick.then(|| "--quick".to_owned()));
    let command = command_line("reproduce", words.chain(options));
    line(&format!("interrupted: every finished run is kept; continue with\n  {command}"));
    ExitCode::from(signal.exit_status())
}
