//! The truncation of opened runs: where the command line asks for an earlier end of runs.

use std::path::Path;

use anyhow::Result;
use evogrid_analysis::truncation::{EarlierEnd, Truncation, TruncationError};
use evogrid_results::runs::ColumnName;

use crate::usage_error::UsageError;

/// The truncation of runs that end earlier than they did.
pub(crate) fn truncation(
    end: Option<EarlierEnd>,
    (file, names): (&Path, &[ColumnName]),
    trace: Option<&Path>,
) -> Result<Option<Truncation>> {
    let Some(end) = end else { return Ok(None) };
    let without = || {
        let record = "`[record] trace = \"improvements\"` records it; `run --fresh` repeats runs without one";
        UsageError(format!("a target or limit that is set after the runs needs their trace.csv.gz\n  {record}"))
    };
    Ok(Some(Truncation::open(file, names, trace.ok_or_else(without)?, end).map_err(refused)?))
}

/// The error if runs cannot be truncated as the user asks.
pub(crate) fn refused(error: TruncationError) -> UsageError {
    UsageError(format!("{:#}", anyhow::Error::from(error)))
}
