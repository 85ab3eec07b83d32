//! `runner compare` and `runner effects`: which configurations differ, which may be the best, and what each varied setting does.

use anyhow::Result;
use evogrid_analysis::compare::render;
use evogrid_analysis::effects::{self, EffectsError};
use evogrid_core::catalogue::Catalogue;

use crate::arguments::CompareArgs;
use crate::commands::output::{notes, print_table};
use crate::opened::{Needs, OpenedResults};
use crate::usage_error::UsageError;

/// Compares the configurations of a results folder or a CSV, with effect sizes, intervals and tests.
pub(crate) fn compare(args: &CompareArgs, catalogue: &Catalogue) -> Result<()> {
    args.analysis.refuse("compare", &["--against"])?;
    let opened = OpenedResults::open(&args.analysis, Needs::Runs, catalogue)?;
    let metric = opened.metric();
    let configurations = opened.compared_configurations();
    let comparison =
        configurations.compare(metric).map_err(|error| UsageError(format!("{error}\n  {}", error.help())))?;
    let mut warnings: Vec<String> = opened.analysis_notes().into_iter().chain(opened.warnings()).collect();
    if metric.column() == Some("wall_ms") {
        warnings.extend(opened.wall_time_notes());
    }
    let notes = notes(warnings, args.output.format);
    print_table(&render(&comparison, args.output.format.into(), &notes), args.output.format, args.output.safe_csv)
}

/// Prints the effects of the settings of a results folder or a CSV.
pub(crate) fn effects(args: &CompareArgs, catalogue: &Catalogue) -> Result<()> {
    args.analysis.refuse("effects", &["--against", "--baseline", "--top"])?;
    let opened = OpenedResults::open(&args.analysis, Needs::Effects, catalogue)?;
    let refused = |error: EffectsError| UsageError(format!("{error}\n  {}", error.help()));
    let found = effects::effects(&opened.samples, opened.metric()).map_err(refused)?;
    let notes = notes(opened.analysis_notes().into_iter().chain(opened.warnings()).collect(), args.output.format);
    let text = effects::render(&found, args.output.format.into(), &notes);
    print_table(&text, args.output.format, args.output.safe_csv)
}
