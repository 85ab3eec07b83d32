//! `runner effects`: which configurations may be the best, and what each varied setting does.

use std::path::Path;

use anyhow::Result;
use evogrid_analysis::effects::{EffectsError, effects as effects_of, render};
use evogrid_analysis::metric::Metric;
use evogrid_analysis::samples::Samples;
use evogrid_analysis::table;
use evogrid_core::catalogue::Catalogue;
use evogrid_results::runs::Reader;
use evogrid_runner::experiment::plan::Plan;

use crate::arguments::CompareArgs;
use crate::commands::output::{notes, print_table};
use crate::opened::{Needs, OpenedResults};
use crate::usage_error::{UsageError, unreadable};

/// Above this number of runs, `run` does not read them again to end with their effects.
const MOST_RUNS: u64 = 500_000;

/// Prints the effects of the settings of a results folder or a CSV.
pub(crate) fn effects(args: &CompareArgs, catalogue: &Catalogue) -> Result<()> {
    args.analysis.refuse("effects", &["--against", "--baseline", "--top"])?;
    let opened = OpenedResults::open(&args.analysis, Needs::Effects, catalogue)?;
    let refused = |error: EffectsError| UsageError(format!("{error}\n  {}", error.help()));
    let found = effects_of(&opened.samples, opened.metric()).map_err(refused)?;
    let notes = notes(opened.analysis_notes().into_iter().chain(opened.warnings()).collect(), args.output.format);
    print_table(&render(&found, args.output.format.into(), &notes), args.output.format, args.output.safe_csv)
}

/// The effects that end a run of an experiment in which two settings vary and more; `None` for others, if there are too many runs, or if
/// effects cannot be told.
pub(crate) fn after_run(
    plan: &Plan,
    runs: &Path,
    metric: Option<Metric>,
    (format, notes): (table::Format, &[String]),
) -> Result<Option<String>> {
    if plan.spec().varied().len() < 2 || plan.n_runs() > MOST_RUNS {
        return Ok(None);
    }
    let samples = Samples::read(Reader::open(runs).map_err(unreadable)?).map_err(unreadable)?;
    let metric = metric.unwrap_or_else(|| samples.default_metric());
    Ok(effects_of(&samples, metric).ok().map(|found| render(&found, format, notes)))
}
