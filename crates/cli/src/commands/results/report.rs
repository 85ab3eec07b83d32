//! `runner report`: one self-contained HTML page of an experiment.

use std::path::{Path, PathBuf};

use anyhow::Result;
use evogrid_core::catalogue::Catalogue;
use evogrid_results::files::replace;

use crate::arguments::ReportArgs;
use crate::commands::output::print;
use crate::opened::{Needs, OpenedResults};
use crate::report::page;

/// Writes the report of a results folder or a CSV, and names its file.
pub(crate) fn report(args: &ReportArgs, catalogue: &Catalogue) -> Result<()> {
    args.analysis.need_out(args.out.as_deref())?;
    let opened = OpenedResults::open(&args.analysis, Needs::Report, catalogue)?;
    let out = args.out.clone().unwrap_or_else(|| default_out(&opened.path));
    let text = page(&opened)?;
    replace(&out, |output| -> Result<()> { Ok(output.write_all(text.as_bytes())?) })?;
    Ok(print(&format!("{}\n", out.display()))?)
}

/// `report.html` in the folder, or beside a CSV under its name.
fn default_out(results: &Path) -> PathBuf {
    if results.is_dir() { results.join("report.html") } else { results.with_extension("html") }
}
