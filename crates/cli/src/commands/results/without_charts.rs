//! The error of `plot` and `report` in a program that was built without charts.

use anyhow::Result;
use evogrid_core::catalogue::Catalogue;

use crate::arguments::{PlotArgs, ReportArgs};
use crate::usage_error::UsageError;

pub(crate) fn plot(_: &PlotArgs, _: &Catalogue) -> Result<()> {
    refused()
}

pub(crate) fn report(_: &ReportArgs, _: &Catalogue) -> Result<()> {
    refused()
}

fn refused() -> Result<()> {
    let message = "this program was built without charts and reports\n  build it with the feature `charts`: `features \
        = [\"charts\"]` next to `evogrid` in its Cargo.toml; or draw its results with Evogrid's own `runner`";
    Err(UsageError(message.to_owned()).into())
}
