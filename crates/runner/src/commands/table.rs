//! `runner table`: results as a table.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use evogrid_analysis::{Published, table};
use evogrid_results::runs::Reader;
use evogrid_results::{ReadError, Summary};

use super::output::print_as_it_is;
use super::usage_error::{UsageError, unmade, usage_error};
use crate::cli::TableArgs;
use crate::progress::line;

/// Prints the table of a results folder or a CSV.
pub(super) fn table(args: &TableArgs) -> Result<ExitCode> {
    let summary = summary(&args.results)?;
    let published = args.against.as_deref().map(Published::open).transpose().map_err(usage_error)?;
    print_as_it_is(&table::render(&summary, args.layout.into(), args.format.into(), published.as_ref()))?;
    Ok(ExitCode::SUCCESS)
}

/// The summary of a results folder, or of a CSV of runs or of a summary.
fn summary(results: &Path) -> Result<Summary> {
    if !results.exists() {
        let message = format!("{} is not there\n  expected a results folder or a CSV", results.display());
        return Err(UsageError(message).into());
    }
    if !results.is_dir() {
        return Ok(of_file(results).map_err(usage_error)?);
    }
    // The runs come first: a summary may be older than they are.
    let files = ["runs.csv", "summary.csv"].map(|name| results.join(name));
    match files.iter().find(|file| file.is_file()) {
        Some(file) => Ok(of_file(file).map_err(usage_error)?),
        None => Err(unmade(results, "neither runs.csv nor summary.csv").into()),
    }
}

/// A file is read as runs; one that has no single runs but rates is a summary.
fn of_file(path: &Path) -> Result<Summary, ReadError> {
    match Reader::open(path) {
        Ok(reader) => {
            note_missing(path, reader.missing());
            Summary::of_runs(reader)
        }
        Err(of_runs) => Summary::open(path).map_err(|_| of_runs),
    }
}

/// Says which figures cannot be had of a file that lacks columns.
pub(super) fn note_missing(path: &Path, missing: &[&str]) {
    const MEANT: [(&str, &str); 6] = [
        ("bucket", "no difference of buckets"),
        ("best_fitness", "no best fitness"),
        ("evaluations", "no evaluations and no expected running time"),
        ("generations", "no generations"),
        ("wall_ms", "no times and no PAR10"),
        ("repetition", "runs are numbered as they come"),
    ];
    for (column, meaning) in MEANT.iter().filter(|(column, _)| missing.contains(column)) {
        line(&format!("note: {} has no column `{column}`: {meaning}", path.display()));
    }
}
