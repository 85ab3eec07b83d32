//! `runner effects`: which configurations may be the best, and what each varied setting does.

use anyhow::Result;
use evogrid_analysis::effects::{EffectsError, effects as effects_of, render};
use evogrid_core::catalogue::Catalogue;

use crate::arguments::CompareArgs;
use crate::commands::output::{notes, print_table};
use crate::opened::{Needs, OpenedResults};
use crate::usage_error::UsageError;

/// Prints the effects of the settings of a results folder or a CSV.
pub(crate) fn effects(args: &CompareArgs, catalogue: &Catalogue) -> Result<()> {
    args.analysis.refuse("effects", &["--against", "--baseline", "--top"])?;
    let opened = OpenedResults::open(&args.analysis, Needs::Effects, catalogue)?;
    let refused = |error: EffectsError| UsageError(format!("{error}\n  {}", error.help()));
    let found = effects_of(&opened.samples, opened.metric()).map_err(refused)?;
    let notes = notes(opened.analysis_notes().into_iter().chain(opened.warnings()).collect(), args.output.format);
    print_table(&render(&found, args.output.format.into(), &notes), args.output.format, args.output.safe_csv)
}
