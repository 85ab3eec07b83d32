//! `runner table`: results as a table.

use anyhow::Result;
use evogrid_analysis::table;
use evogrid_core::catalogue::Catalogue;

use crate::arguments::TableArgs;
use crate::commands::output::{notes, print_table};
use crate::opened::{Needs, OpenedResults};

/// Prints the table of a results folder or a CSV.
pub(crate) fn table(args: &TableArgs, catalogue: &Catalogue) -> Result<()> {
    args.analysis.refuse("table", &["--baseline", "--top"])?;
    args.analysis.expect_metric("table", Needs::Summary.metrics())?;
    let opened = OpenedResults::open(&args.analysis, Needs::Summary, catalogue)?;
    let (layout, format) = (args.layout.into(), args.output.format.into());
    let mut warnings = opened.warnings();
    if opened.shows_wall_times(layout) {
        warnings.extend(opened.wall_time_notes());
    }
    let notes = notes(warnings, args.output.format);
    let text = table::render_by(&opened.summary, opened.metric, layout, format, opened.published.as_ref(), &notes);
    print_table(&text, args.output.format, args.output.safe_csv)
}
