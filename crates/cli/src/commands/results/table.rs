//! `runner table`: results as a table.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use evogrid_analysis::samples::Metric;
use evogrid_analysis::{Published, table};
use evogrid_core::catalogue::Catalogue;
use evogrid_results::files::is_regular;
use evogrid_results::runs::Reader;
use evogrid_results::{ReadError, Summary};

use crate::arguments::{Format, TableArgs};
use crate::commands::output::print_table;
use crate::commands::usage_error::{UsageError, unmade, unreadable, unrun};
use crate::messages::wall_times;
use crate::messages::warnings::warnings;
use crate::results_folder::manifest;
use evogrid_runner::engine::progress::line;

/// Prints the table of a results folder or a CSV.
pub(crate) fn table(args: &TableArgs, catalogue: &Catalogue) -> Result<ExitCode> {
    // The runs come first: a summary may be older than they are.
    let file = file_of(&args.results, &["runs.csv", "summary.csv"], "neither runs.csv nor summary.csv")?;
    let summary = summary(&file).map_err(unreadable)?;
    let published = args.against.as_deref().map(Published::open).transpose().map_err(unreadable)?;
    let manifest = manifest(&args.results)?;
    let (metric, layout, format) = (args.metric.map(Metric::from), args.layout.into(), args.format.into());
    let mut warnings = warnings(&summary, manifest.as_ref(), catalogue);
    if table::shows_wall_times(&summary, metric, layout) {
        warnings.extend(wall_times::notes(&summary, manifest.as_ref()));
    }
    let notes = notes(warnings, args.format);
    let text = table::render_by(&summary, metric, layout, format, published.as_ref(), &notes);
    print_table(&text, args.format, args.safe_csv)?;
    Ok(ExitCode::SUCCESS)
}

/// What is to stand below a table. A CSV has no room for it: there it goes to standard error.
pub(crate) fn notes(warnings: Vec<String>, format: Format) -> Vec<String> {
    if format != Format::Csv {
        return warnings;
    }
    warnings.iter().for_each(|warning| line(&format!("note: {warning}")));
    Vec::new()
}

/// The first of some files that a results folder has, or the CSV itself; `none` says that it has none of them.
pub(crate) fn file_of(results: &Path, names: &[&str], none: &str) -> Result<PathBuf, UsageError> {
    if !results.exists() {
        return Err(UsageError(format!("{} is not there\n  expected a results folder or a CSV", results.display())));
    }
    if results.extension().is_some_and(|extension| extension == "toml") {
        return Err(unrun(results));
    }
    if !results.is_dir() {
        return Ok(results.to_owned());
    }
    for file in names.iter().map(|name| results.join(name)) {
        if is_regular(&file).map_err(|error| unreadable(error.into()))? {
            return Ok(file);
        }
    }
    Err(unmade(results, none))
}

/// The summary of a file: it is read as runs, and where it has no single runs but rates, as a summary.
fn summary(path: &Path) -> Result<Summary, ReadError> {
    match Reader::open(path) {
        Ok(reader) => {
            note_missing(path, reader.missing());
            Summary::from_runs(reader)
        }
        Err(of_runs) => Summary::open(path).map_err(|_| of_runs),
    }
}

/// Says which figures cannot be had of a file that lacks columns.
pub(crate) fn note_missing(path: &Path, missing: &[&str]) {
    const MEANINGS: [(&str, &str); 7] = [
        ("solved", "no rates of success"),
        ("bucket", "no difference of buckets"),
        ("best_fitness", "no best fitness"),
        ("evaluations", "no evaluations and no expected running time"),
        ("generations", "no generations"),
        ("wall_ms", "no times and no PAR10"),
        ("repetition", "runs are numbered as they come"),
    ];
    for (column, meaning) in MEANINGS.iter().filter(|(column, _)| missing.contains(column)) {
        line(&format!("note: {} has no column `{column}`: {meaning}", path.display()));
    }
}
