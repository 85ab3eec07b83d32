//! `runner table`: results as a table.

use anyhow::Result;
use evogrid_analysis::cross::{CrossTable, render_cross};
use evogrid_analysis::samples::Key;
use evogrid_analysis::summary::Order;
use evogrid_analysis::table::{self, ColumnSet};
use evogrid_core::catalogue::Catalogue;

use crate::arguments::{Format, TableArgs};
use crate::commands::output::{notes, print_table};
use crate::opened::{Needs, OpenedResults};
use crate::usage_error::UsageError;

/// Prints the table of a results folder or a CSV.
pub(crate) fn table(args: &TableArgs, catalogue: &Catalogue) -> Result<()> {
    if args.is_cross() {
        return cross(args, catalogue);
    }
    args.analysis.refuse("table", &["--baseline"])?;
    args.analysis.expect_metric("table", Needs::Summary.metrics())?;
    let mut opened = OpenedResults::open(&args.analysis, Needs::Summary, catalogue)?;
    let (layout, format) = (args.layout.into(), args.output.format.into());
    let mut warnings = opened.warnings();
    if let Some(order) = args.sort.as_deref().or(opened.top.map(|_| "best")) {
        let order = if order == "best" { Order::Best(opened.quality()) } else { Order::Column(order) };
        warnings.insert(0, opened.summary.sort(&order, opened.top).map_err(UsageError)?);
    }
    let is_whole = args.has_all_columns() || layout == table::Layout::Long || args.output.format == Format::Csv;
    // Beside published figures times are among the other columns.
    if opened.shows_wall_times(layout) && (is_whole || opened.published.is_none()) {
        warnings.extend(opened.wall_time_notes());
    }
    let notes = notes(warnings, args.output.format);
    let set = if is_whole { ColumnSet::All } else { ColumnSet::Few };
    let published = opened.published.as_ref();
    let text = table::render_by(&opened.summary, (opened.metric, set), layout, format, published, &notes);
    print_table(&text, args.output.format, args.output.safe_csv)
}

/// Prints a table with keys down and across.
fn cross(args: &TableArgs, catalogue: &Catalogue) -> Result<()> {
    args.analysis.refuse("table --rows", &["--by", "--top", "--against"])?;
    if args.sort.is_some() {
        let message =
            "`--sort` sorts configurations, which stand across a table with `--rows` or `--columns`\n  omit it";
        return Err(UsageError(message.to_owned()).into());
    }
    let opened = OpenedResults::open(&args.analysis, Needs::Cross, catalogue)?;
    let roster = &opened.samples.roster;
    let keys = |names: &[String]| -> Result<Vec<Key>> {
        Ok(roster.keys(names).map_err(|error| UsageError(format!("{error}\n  {}", error.help())))?)
    };
    let rows = if args.down.is_empty() { vec![Key::Bucket] } else { keys(&args.down)? };
    let columns = if args.across.is_empty() {
        let varies = |key: &Key| !rows.contains(key) && roster.values(*key).len() > 1;
        let varying: Vec<Key> = roster.configuration_keys().filter(varies).collect();
        if varying.is_empty() { vec![Key::Algorithm] } else { varying }
    } else {
        keys(&args.across)?
    };
    let mut metrics = args.analysis.metrics()?;
    if metrics.is_empty() {
        metrics.push(opened.metric());
    }
    let notes = notes(opened.analysis_notes().into_iter().chain(opened.warnings()).collect(), args.output.format);
    let asked = CrossTable {
        rows: &rows,
        columns: &columns,
        metrics: &metrics,
        spread: args.show.into(),
        baseline: args.analysis.baseline.as_deref(),
    };
    let text = render_cross(&opened.samples, asked, args.output.format.into(), &notes).map_err(UsageError)?;
    print_table(&text, args.output.format, args.output.safe_csv)
}
