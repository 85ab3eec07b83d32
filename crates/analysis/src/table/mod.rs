//! Makes tables of a summary: for the terminal, for data frames, for pages, and for papers.

mod buckets;
mod latex;
pub mod markdown;
mod model;
mod quality;
#[cfg(test)]
mod tests;
mod text;

pub use latex::latex_text;
pub(crate) use model::{Caption, Cell, Column, ColumnKind, Table};
pub use model::{TENTH, interval_ends};

use evogrid_results::format::align_points;

use crate::metric::Metric;
use crate::published::Published;
use crate::summary::{Figure, Figures, Summary};

/// The table of a summary as text. If there are published values, the table shows them beside our values. Beside each published rate, the
/// table shows a prediction interval. The prediction interval is computed from our runs. If our experiment were repeated with the published
/// number of runs, its rate should lie in this interval. Notes follow below the table. A CSV has no notes.
///
/// In the layout [`Layout::Buckets`], the metric is [`Metric::Solved`], [`Metric::Gap`] or [`Metric::Objective`]. If the metric is `None`,
/// the default metric of the runs is used (see [`default_metric`](crate::samples::Samples::default_metric)). The layout [`Layout::Buckets`]
/// shows published values only if the metric is the success rate.
///
/// ```
/// use evogrid_analysis::table::{ColumnSet, Format, Layout, render_by};
/// use evogrid_results::runs::Reader;
/// use evogrid_analysis::summary::Summary;
///
/// let csv = "algorithm,population,instance,bucket,solved\nga,10,a,easy,true\nga,10,b,hard,false\n";
/// let summary = Summary::from_runs(Reader::new("runs.csv", csv.as_bytes())?)?;
/// let table = render_by(&summary, (None, ColumnSet::All), Layout::Buckets, Format::Csv, None, &[]);
/// assert!(table.contains("\nga,10,easy,100,20.6,100.0,1,"), "one run, solved: 100 %, by Wilson's interval 20.6 to 100");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn render_by(
    summary: &Summary,
    (metric, set): (Option<Metric>, ColumnSet),
    layout: Layout,
    format: Format,
    published: Option<&Published>,
    notes: &[String],
) -> String {
    let metric = metric.unwrap_or_else(|| summary.default_metric());
    let set = if format == Format::Csv { ColumnSet::All } else { set };
    let mut table = match layout {
        Layout::Buckets => match metric {
            Metric::Gap => quality::by_gap(summary, set),
            Metric::Objective => quality::by_objective(summary, set),
            _ => buckets::table(summary, published, set),
        },
        Layout::Long => buckets::long_table(summary, published),
    };
    table.notes.extend(summary.best_of_many(metric, &[]));
    table.notes.extend_from_slice(notes);
    write(&table, format)
}

/// Whether the table shows wall times. The answer depends on the summary, the metric and the layout.
pub fn shows_wall_times(summary: &Summary, metric: Option<Metric>, layout: Layout) -> bool {
    let is_of_quality = matches!(metric.unwrap_or_else(|| summary.default_metric()), Metric::Gap | Metric::Objective);
    let has_any = |figures: &Figures| figures[Figure::MeanMsSolved].or(figures[Figure::MeanMsUnsolved]).is_some();
    (layout == Layout::Long || !is_of_quality) && summary.rows.iter().any(|row| has_any(&row.figures))
}

impl Format {
    /// The same format. If text is not for a terminal, its lines have at most 80 characters.
    pub(crate) fn wrapped(self) -> Self {
        if self == (Self::Text { width: None }) { Self::Text { width: Some(80) } } else { self }
    }
}

/// The table as text.
pub(crate) fn write(table: &Table, format: Format) -> String {
    match format {
        Format::Text { width } => text::render(table, width),
        Format::Csv => csv(table),
        Format::Markdown => markdown::render(table),
        Format::Latex => latex::render(table),
    }
}

/// The layout of a summary's table: the meaning of its rows and columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Each configuration has a block of rows, with one row for each bucket. Huke's tables have this layout.
    #[default]
    Buckets,
    /// Each row of the summary is a table row with all columns.
    Long,
}

/// The set of columns in the layout [`Layout::Buckets`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColumnSet {
    /// The most important columns, at most eight. A CSV always has all columns, even if only the most important columns are chosen.
    #[default]
    Few,
    /// All columns.
    All,
}

/// The output format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Plain text for the terminal.
    Text {
        /// The width of the terminal in characters. If a table is wider, its text is wrapped, or the table is divided into several tables.
        /// `None` if the output is not a terminal.
        width: Option<usize>,
    },
    /// CSV for data frames. This CSV has no headings, marks or notes. An interval takes two columns.
    Csv,
    /// A table in GitHub's Markdown, for a page.
    Markdown,
    /// A LaTeX table for a paper. The paper must load the LaTeX packages `array` and `booktabs`.
    Latex,
}

/// Columns of names. The names are not formatted.
const UNFORMATTED: [&str; 3] = ["algorithm", "bucket", "instance"];

/// The table as CSV for a data frame.
fn csv(table: &Table) -> String {
    let mut names: Vec<String> = table.keys.clone();
    for column in &table.columns {
        match column.kind {
            ColumnKind::Text | ColumnKind::Number => names.push(column.name.clone()),
            ColumnKind::Interval => names.extend(["low", "high"].map(|end| format!("{} {end}", column.name))),
        }
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    for block in &table.blocks {
        for row in &block.rows {
            let mut fields = block.keys.clone();
            for (cell, column) in row.iter().zip(&table.columns) {
                match cell {
                    Cell::Interval(low, high) => fields.extend(interval_ends(*low, *high, TENTH)),
                    Cell::Ends(ends) => fields.extend(ends.iter().cloned()),
                    // An absent interval still has its two columns.
                    Cell::Plain(_) if column.kind == ColumnKind::Interval => fields.extend(["", ""].map(str::to_owned)),
                    Cell::Plain(text) | Cell::Marked(text) | Cell::Best(text) | Cell::MayBeBest(text) => {
                        fields.push(text.clone());
                    }
                }
            }
            rows.push(fields);
        }
    }
    for at in (0..names.len()).filter(|&at| !UNFORMATTED.contains(&names[at].as_str())) {
        align_points(rows.iter_mut().filter_map(|row| row.get_mut(at)));
    }
    let mut csv = csv::Writer::from_writer(Vec::new());
    let mut write = |fields: &[String]| csv.write_record(fields).expect("all rows have the same length");
    write(&names);
    rows.iter().for_each(|row| write(row));
    let bytes = csv.into_inner().expect("writing to memory cannot fail");
    String::from_utf8(bytes).expect("only text was written")
}
