//! `runner compare`: settings beside each other, with effect sizes, intervals and tests.

use std::process::ExitCode;

use anyhow::Result;
use evogrid_analysis::charts::best_settings;
use evogrid_analysis::compare::{CompareError, MAX_SETTINGS, compare as compare_all, render};
use evogrid_analysis::metric::Metric;
use evogrid_core::catalogue::Catalogue;

use crate::arguments::CompareArgs;
use crate::commands::output::{notes, print_table};
use crate::opened::{Needs, OpenedResults};
use crate::usage_error::UsageError;

/// Compares the settings of a results folder or a CSV.
pub(crate) fn compare(args: &CompareArgs, catalogue: &Catalogue) -> Result<ExitCode> {
    args.analysis.refuse("compare", &["--against"])?;
    let opened = OpenedResults::open(&args.analysis, Needs::Runs, catalogue)?;
    let metric = opened.metric();
    let best = if opened.by.is_empty() { best_settings(&opened.samples, metric, MAX_SETTINGS) } else { None };
    let (samples, chosen) = best.as_ref().map_or((&opened.samples, None), |(best, caveat)| (best, Some(caveat)));
    let comparison = compare_all(samples, metric, &opened.by).map_err(|error| refused(&error))?;
    let mut warnings: Vec<String> = chosen.cloned().into_iter().chain(opened.warnings()).collect();
    if metric == Metric::WallMs {
        warnings.extend(opened.wall_time_notes());
    }
    let notes = notes(warnings, args.output.format);
    print_table(&render(&comparison, args.output.format.into(), &notes), args.output.format, args.output.safe_csv)?;
    Ok(ExitCode::SUCCESS)
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
