//! Tables of a summary, for the terminal, a data frame, a page or a paper.

mod buckets;
mod csv;
mod latex;
mod long;
mod markdown;
mod text;
mod verdict;

pub(crate) use markdown::escaped as escaped_markdown;

use crate::published::Published;
use evogrid_results::format::printable;
use evogrid_results::summary::Summary;

/// The table of a summary as text. With published figures it shows them beside ours, and for each published rate what our
/// runs allow for a second experiment of its size.
#[must_use]
pub fn render(summary: &Summary, layout: Layout, format: Format, published: Option<&Published>) -> String {
    let table = match layout {
        Layout::Buckets => buckets::table(summary, published),
        Layout::Long => long::table(summary, published),
    };
    write(&table, format)
}

/// A table as text.
pub(crate) fn write(table: &Table, format: Format) -> String {
    match format {
        Format::Text => text::render(table),
        Format::Csv => csv::render(table),
        Format::Markdown => markdown::render(table),
        Format::Latex => latex::render(table),
    }
}

/// What is a row and what a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// A block for each algorithm and cell with a row for each bucket, as Huke prints it.
    #[default]
    Buckets,
    /// A row for each row of the summary, with all its columns.
    Long,
}

/// How a table is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// For the terminal.
    #[default]
    Text,
    /// For data frames: no headings, no marks, no notes; an interval has two columns.
    Csv,
    /// For a page: GitHub's tables.
    Markdown,
    /// For a paper: needs the package `booktabs`.
    Latex,
}

/// A table without its format. No text in it can steer a terminal.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// Names of what tells the blocks apart; none if there is one block only.
    pub(crate) keys: Vec<String>,
    pub(crate) columns: Vec<Column>,
    pub(crate) blocks: Vec<Block>,
    /// What the short names mean, if the text has to use them to fit a terminal.
    pub(crate) legend: Option<&'static str>,
    /// Sentences below the table.
    pub(crate) notes: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// The name where there is little room.
    pub(crate) short: &'static str,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Number,
    Interval,
}

#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) keys: Vec<String>,
    pub(crate) rows: Vec<Vec<Cell>>,
}

#[derive(Debug)]
pub(crate) enum Cell {
    /// Text or a number; an absent one is empty.
    Plain(String),
    /// A number to be marked.
    Marked(String),
    /// Two ends in percent.
    Interval(f64, f64),
}

impl Column {
    pub(crate) fn new(name: &str, short: &'static str, kind: Kind) -> Self {
        Self { name: printable(name).into_owned(), short, kind }
    }
}

impl Block {
    /// The heading: `huke, population = 100`. A setting that the algorithm does not have is left out.
    fn heading(&self, names: &[String]) -> String {
        let mut keys = self.keys.iter().zip(names);
        let algorithm = keys.next().map(|(algorithm, _)| algorithm.clone()).unwrap_or_default();
        let varied = keys.filter(|(value, _)| !value.is_empty());
        varied.fold(algorithm, |heading, (value, name)| format!("{heading}, {name} = {value}"))
    }
}

impl Cell {
    pub(crate) fn plain(text: &str) -> Self {
        Self::Plain(printable(text).into_owned())
    }
}

#[cfg(test)]
mod tests;
