//! A table without its format. No text in it can steer a terminal.

use evogrid_results::format::{printable, shortest};

#[derive(Debug, Default)]
pub(crate) struct Table {
    /// What stands above it in a paper.
    pub(crate) caption: Caption,
    /// Names of what tells the blocks apart; none if there is one block only.
    pub(crate) keys: Vec<String>,
    pub(crate) columns: Vec<Column>,
    pub(crate) blocks: Vec<Block>,
    /// What the short names mean, if the text has to use them to fit a terminal.
    pub(crate) legend: Option<&'static str>,
    /// Sentences below the table.
    pub(crate) notes: Vec<String>,
}

/// The caption of a table in a paper.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Caption {
    pub(crate) text: &'static str,
    /// What the table is referred to by, behind `tab:`.
    pub(crate) label: &'static str,
}

#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// The name where there is little room.
    pub(crate) short: &'static str,
    pub(crate) kind: ColumnKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    Text,
    Number,
    Interval,
}

/// Rows under a heading.
#[derive(Debug)]
pub(crate) struct Block {
    /// Values of the table's keys.
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

/// How a format writes cells.
pub(super) struct CellStyle {
    /// Stands for what is absent, and between the ends of an interval.
    pub(super) dash: &'static str,
    /// Stands behind a marked number.
    pub(super) mark: &'static str,
    /// In what steps the ends of intervals are rounded.
    pub(super) step: f64,
    pub(super) escape: fn(&str) -> String,
}

/// The step of interval ends where there is room: one decimal of a percentage.
pub(crate) const TENTH: f64 = 0.1;

impl Table {
    /// A table of one block without a heading.
    pub(crate) fn of_rows(caption: Caption, columns: Vec<Column>, rows: Vec<Vec<Cell>>, notes: Vec<String>) -> Self {
        Self { caption, columns, blocks: vec![Block { keys: Vec::new(), rows }], notes, ..Self::default() }
    }

    /// The blocks one below the other, each below its heading if there are several.
    pub(super) fn stacked(&self, heading: fn(&str) -> String, push_block: fn(&mut String, &Self, &Block)) -> String {
        let mut text = String::new();
        for (at, block) in self.blocks.iter().enumerate() {
            if at > 0 {
                text.push('\n');
            }
            if !self.keys.is_empty() {
                text += &heading(&block.heading(&self.keys));
            }
            push_block(&mut text, self, block);
        }
        text
    }
}

impl Column {
    pub(crate) fn new(name: &str, short: &'static str, kind: ColumnKind) -> Self {
        Self { name: printable(name).into_owned(), short, kind }
    }
}

impl Block {
    /// The heading: `huke, population = 100`. A setting that the algorithm does not have is left out.
    pub(super) fn heading(&self, names: &[String]) -> String {
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

    pub(super) fn absent() -> Self {
        Self::Plain(String::new())
    }

    pub(super) fn marked_if(is_marked: bool, text: String) -> Self {
        if is_marked { Self::Marked(text) } else { Self::Plain(text) }
    }

    pub(super) fn shown(&self, style: &CellStyle) -> String {
        match self {
            Self::Plain(text) if text.is_empty() => style.dash.to_owned(),
            Self::Plain(text) => (style.escape)(text),
            Self::Marked(text) => format!("{}{}", (style.escape)(text), style.mark),
            // A dash before a negative number would look like its sign.
            Self::Interval(low, high) => {
                interval_ends(*low, *high, style.step).join(if *low < 0.0 { " to " } else { style.dash })
            }
        }
    }
}

/// The ends of an interval in such steps, rounded outwards: no end looks like a certainty that it is not.
pub(crate) fn interval_ends(low: f64, high: f64, step: f64) -> [String; 2] {
    // What lies a hair beside a step is a rounding error.
    let steps = [(low / step + 1e-6).floor(), (high / step - 1e-6).ceil()];
    steps.map(|steps| shortest(Some((steps * step * 10.0).round() / 10.0)))
}
