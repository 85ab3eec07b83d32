//! `runner compare`: every two settings of an experiment, with effect sizes, intervals and tests.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use evogrid_analysis::charts::best_settings;
use evogrid_analysis::compare::{CompareError, MAX_SETTINGS, compare as compare_all, render};
use evogrid_analysis::samples::{METRICS, Metric, Samples};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::suggestion::one_of;
use evogrid_results::Summary;
use evogrid_results::runs::Reader;

use super::table::{file_of, note_missing, notes};
use crate::arguments::CompareArgs;
use crate::commands::output::print_table;
use crate::commands::usage_error::{UsageError, unreadable};
use crate::messages::wall_times;
use crate::messages::warnings::warnings;
use crate::results_folder::manifest;

/// Compares the settings of a results folder or a CSV.
pub(crate) fn compare(args: &CompareArgs, catalogue: &Catalogue) -> Result<ExitCode> {
    let asked = args.metric.as_deref().map(metric).transpose()?;
    let path = runs_of(&args.results)?;
    let mut samples = samples(&path)?;
    let metric = asked.unwrap_or_else(|| samples.default_metric());
    if let Metric::Diversity { generation } = metric {
        let trace = path.with_file_name("trace.csv.gz");
        samples.read_diversity(&trace, &[generation]).context("diversity is read from the trace")?;
    }
    let best = if args.by.is_empty() { best_settings(&samples, metric, MAX_SETTINGS) } else { None };
    let (samples, chosen) = best.map_or((samples, None), |(best, caveat)| (best, Some(caveat)));
    let comparison = compare_all(&samples, metric, &args.by).map_err(|error| refused(&error))?;
    // A comparison is made of figures of its own: two million runs need not be held while they are summed up.
    drop(samples);
    let manifest = manifest(&args.results)?;
    let summary = Summary::from_runs(Reader::open(&path).map_err(unreadable)?).map_err(unreadable)?;
    let mut warnings: Vec<String> =
        chosen.into_iter().chain(warnings(&summary, manifest.as_ref(), catalogue)).collect();
    if metric == Metric::WallMs {
        warnings.extend(wall_times::notes(&summary, manifest.as_ref()));
    }
    let notes = notes(warnings, args.format);
    print_table(&render(&comparison, args.format.into(), &notes), args.format, args.safe_csv)?;
    Ok(ExitCode::SUCCESS)
}

/// The metric of a name.
fn metric(asked: &str) -> Result<Metric, UsageError> {
    let found = METRICS.iter().find(|(name, _)| *name == asked).map(|&(_, metric)| metric);
    let diversity =
        || asked.strip_prefix("diversity@")?.parse().ok().map(|generation| Metric::Diversity { generation });
    found.or_else(diversity).ok_or_else(|| {
        let names: Vec<&str> = METRICS.iter().map(|(name, _)| *name).collect();
        let help = one_of(asked, &names);
        UsageError(format!("unknown metric `{asked}`\n  {help}; or `diversity@N` at the end of generation N"))
    })
}

/// The file of runs in a results folder, or the CSV itself.
pub(crate) fn runs_of(results: &Path) -> Result<PathBuf, UsageError> {
    file_of(results, &["runs.csv"], "no runs.csv")
}

/// The runs of a file, with a note of what it lacks.
pub(crate) fn samples(path: &Path) -> Result<Samples, UsageError> {
    let reader = Reader::open(path).map_err(unreadable)?;
    note_missing(path, reader.missing());
    Samples::read(reader).map_err(unreadable)
}

fn refused(error: &CompareError) -> UsageError {
    let help = match error {
        CompareError::By(error) => error.help(),
        CompareError::Mixed(error) => error.help.clone(),
        CompareError::NoFigure { lack, .. } if lack.contains("gap") => {
            "give best known values with the instances, or compare `--metric objective`".to_owned()
        }
        CompareError::NoFigure { .. } => "choose another `--metric`, which all of them have".to_owned(),
        CompareError::MissingColumn { .. } => "choose another `--metric`, or add the column".to_owned(),
        CompareError::One { .. } => "expected an experiment with several algorithms or a varied setting".to_owned(),
        CompareError::TooMany { .. } => {
            "take settings together by others, or leave `--by` out: then the best are compared".to_owned()
        }
        CompareError::NothingShared { .. } => "expected settings that were run on the same instances".to_owned(),
    };
    UsageError(format!("{error}\n  {help}"))
}
