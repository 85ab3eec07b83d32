//! `runner table`, `runner compare` and `runner effects`: print results as tables.

use anyhow::Result;
use evogrid_analysis::compare::render;
use evogrid_analysis::cross::{CrossTable, render_cross};
use evogrid_analysis::effects;
use evogrid_analysis::samples::Key;
use evogrid_analysis::summary::Order;
use evogrid_analysis::table::{self, ColumnSet};
use evogrid_core::catalogue::Catalogue;

use crate::arguments::{CompareArgs, Format, Layout, TableArgs};
use crate::messages::{UsageError, print_table};
use crate::opened::{Needs, OpenedResults};

/// Prints the table of a results folder or a CSV.
pub(crate) fn table(args: &TableArgs, catalogue: &Catalogue) -> Result<()> {
    if args.is_cross() {
        return cross(args, catalogue);
    }
    args.analysis.refuse("table", &["--baseline"])?;
    args.analysis.expect_metric("table", Needs::Summary.metrics())?;
    let mut opened = OpenedResults::open(&args.analysis, Needs::Summary, catalogue)?;
    let is_long = matches!(args.layout, Layout::Long);
    let layout = if is_long { table::Layout::Long } else { table::Layout::Buckets };
    let mut warnings = opened.warnings();
    if let Some(order) = args.sort.as_deref().or(args.analysis.top.map(|_| "best")) {
        let order = if order == "best" { Order::Best(opened.quality()) } else { Order::Column(order) };
        warnings.insert(0, opened.summary.sort(&order, args.analysis.top).map_err(UsageError)?);
    }
    let is_whole = args.has_all_columns() || is_long || args.output.format == Format::Csv;
    // Beside published values, times are among the columns of `--columns all`.
    if opened.shows_wall_times(layout) && (is_whole || opened.published.is_none()) {
        warnings.extend(opened.wall_time_notes());
    }
    let columns = (opened.metric, if is_whole { ColumnSet::All } else { ColumnSet::Few });
    let published = opened.published.as_ref();
    print_table(args.output, warnings, |format, notes| {
        Ok(table::render_by(&opened.summary, columns, layout, format, published, notes))
    })
}

/// Prints a table whose rows and columns are the values of keys.
fn cross(args: &TableArgs, catalogue: &Catalogue) -> Result<()> {
    args.analysis.refuse("table --rows", &["--by", "--top", "--against"])?;
    if args.sort.is_some() {
        let message = "`--sort` cannot sort a table with `--rows` or `--columns`\n  omit `--sort`";
        return Err(UsageError(message.to_owned()).into());
    }
    let opened = OpenedResults::open(&args.analysis, Needs::Cross, catalogue)?;
    let roster = &opened.samples.roster;
    let rows = if args.down.is_empty() { vec![Key::Bucket] } else { roster.keys(&args.down)? };
    let columns = if args.across.is_empty() {
        let varies = |key: &Key| !rows.contains(key) && roster.values(*key).len() > 1;
        let varying: Vec<Key> = roster.configuration_keys().filter(varies).collect();
        if varying.is_empty() { vec![Key::Algorithm] } else { varying }
    } else {
        roster.keys(&args.across)?
    };
    let mut metrics = args.analysis.metrics()?;
    if metrics.is_empty() {
        metrics.push(opened.metric());
    }
    let asked = CrossTable {
        rows: &rows,
        columns: &columns,
        metrics: &metrics,
        spread: args.show.into(),
        baseline: args.analysis.baseline.as_deref(),
    };
    print_table(args.output, opened.notes(), |format, notes| {
        Ok(render_cross(&opened.samples, asked, format, notes).map_err(UsageError)?)
    })
}

/// Compares the configurations of a results folder or a CSV, with effect sizes, intervals and tests.
pub(crate) fn compare(args: &CompareArgs, catalogue: &Catalogue) -> Result<()> {
    args.analysis.refuse("compare", &["--against"])?;
    let opened = OpenedResults::open(&args.analysis, Needs::Runs, catalogue)?;
    let metric = opened.metric();
    let comparison = opened.compare(&opened.samples, metric, opened.quality())?;
    let mut warnings = opened.notes();
    if metric.column() == Some("wall_ms") {
        warnings.extend(opened.wall_time_notes());
    }
    print_table(args.output, warnings, |format, notes| Ok(render(&comparison, format, notes)))
}

/// Prints the effects of the settings of a results folder or a CSV.
pub(crate) fn effects(args: &CompareArgs, catalogue: &Catalogue) -> Result<()> {
    args.analysis.refuse("effects", &["--against", "--baseline", "--top"])?;
    let opened = OpenedResults::open(&args.analysis, Needs::Effects, catalogue)?;
    let found = effects::effects(&opened.samples, opened.metric())?;
    print_table(args.output, opened.notes(), |format, notes| Ok(effects::render(&found, format, notes)))
}
