//! `runner report`: one self-contained HTML page of an experiment.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use evogrid_analysis::Published;
use evogrid_core::catalogue::Catalogue;
use evogrid_results::files::{is_regular, replace};

use super::compare::{runs_of, samples};
use crate::arguments::ReportArgs;
use crate::commands::output::print;
use crate::commands::usage_error::unreadable;
use crate::report::{Sources, page};
use crate::results_folder::{instances, manifest, published_file};
use evogrid_runner::experiment::instance_list::InstancesById;

/// Writes the report of a results folder or a CSV, and names its file.
pub(crate) fn report(args: &ReportArgs, catalogue: &Catalogue) -> Result<ExitCode> {
    let runs = runs_of(&args.results)?;
    let samples = samples(&runs)?;
    let is_folder = args.results.is_dir();
    let trace = runs.with_file_name("trace.csv.gz");
    let trace = if is_folder && is_regular(&trace)? { Some(trace) } else { None };
    let manifest = manifest(&args.results)?;
    let published = published_file(args.against.as_deref(), manifest.as_ref());
    let published = published.as_deref().map(Published::open).transpose().map_err(unreadable)?;
    let out = args.out.clone().unwrap_or_else(|| default_out(&args.results));
    let sources = Sources {
        name: name_of(&args.results),
        folder: is_folder.then_some(args.results.as_path()),
        runs: runs.clone(),
        samples: &samples,
        manifest,
        instances: InstancesById::new(instances(&args.results)?.into()),
        trace,
        published,
        catalogue,
    };
    let text = page(&sources)?;
    replace(&out, |output| -> Result<()> { Ok(output.write_all(text.as_bytes())?) })?;
    print(&format!("{}\n", out.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// `report.html` in the folder, or beside a CSV under its name.
fn default_out(results: &Path) -> PathBuf {
    if results.is_dir() { results.join("report.html") } else { results.with_extension("html") }
}

fn name_of(results: &Path) -> String {
    let path = results.canonicalize().unwrap_or_else(|_| results.to_owned());
    path.file_stem().map_or_else(|| "report".to_owned(), |name| name.to_string_lossy().into_owned())
}
