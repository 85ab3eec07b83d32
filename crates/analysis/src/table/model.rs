//! A table that is independent of the output format. Its texts contain no control characters for a terminal.

use std::borrow::Cow;

use evogrid_results::format::{printable, shortest};

use crate::summary::{Summary, SummaryRow};

#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// The caption of the table in a paper.
    pub(crate) caption: Caption,
    /// A sentence above the table. In a LaTeX table, this sentence is the caption.
    pub(crate) heading: Option<String>,
    /// The names of the keys that distinguish the blocks. The list is empty if there is only one block.
    pub(crate) keys: Vec<String>,
    pub(crate) columns: Vec<Column>,
    pub(crate) blocks: Vec<Block>,
    /// The meanings of the short column names. They are shown if the table uses short names.
    pub(crate) legend: Option<String>,
    /// Sentences below the table.
    pub(crate) notes: Vec<String>,
}

/// The caption of a table in a paper.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Caption {
    pub(crate) text: &'static str,
    /// The label for references, without the prefix `tab:`.
    pub(crate) label: &'static str,
}

#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// A short name for narrow tables.
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
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The values of the table's keys.
    pub(crate) keys: Vec<String>,
    pub(crate) rows: Vec<Vec<Cell>>,
}

#[derive(Clone, Debug)]
pub(crate) enum Cell {
    /// Text or a number. The text is empty if the value is absent.
    Plain(String),
    /// A number with a mark.
    Marked(String),
    /// The best figure of a row.
    Best(String),
    /// A figure that cannot be distinguished from the best figure of the row.
    MayBeBest(String),
    /// The two ends of an interval, in per cent.
    Interval(f64, f64),
    /// The two ends of an interval, as texts that are written unchanged.
    Ends([String; 2]),
}

/// How a format writes cells.
pub(super) struct CellStyle {
    /// The text for an absent value. It is also the text between the ends of an interval.
    pub(super) dash: &'static str,
    /// The text after a marked number.
    pub(super) mark: &'static str,
    /// The text before and after the best figure of a row.
    pub(super) best: [&'static str; 2],
    /// The text after a figure that cannot be distinguished from the best figure.
    pub(super) may_be_best: &'static str,
    /// The rounding step for the ends of intervals.
    pub(super) step: f64,
    pub(super) escape: fn(&str) -> String,
}

impl CellStyle {
    /// The style of cells in plain text.
    pub(super) const PLAIN: Self =
        Self { dash: "-", mark: "*", best: ["", "*"], may_be_best: "~", step: TENTH, escape: str::to_owned };
}

/// If there is enough space, the ends of intervals are rounded to this step. Percentages that are rounded to this step have one decimal.
pub const TENTH: f64 = 0.1;

impl Table {
    /// A table of one block without a heading.
    pub(crate) fn of_rows(caption: Caption, columns: Vec<Column>, rows: Vec<Vec<Cell>>, notes: Vec<String>) -> Self {
        Self { caption, columns, blocks: vec![Block { keys: Vec::new(), rows }], notes, ..Self::default() }
    }

    /// A table with a block for each algorithm and its settings, and a row for each bucket. `cells` returns the cells of a summary row. It
    /// receives the row and the heading of the row's block.
    pub(super) fn by_configuration(
        summary: &Summary,
        caption: Caption,
        legend: String,
        columns: Vec<Column>,
        mut cells: impl FnMut(&SummaryRow, String) -> Vec<Cell>,
    ) -> Self {
        let owned = |text: &String| printable(text).into_owned();
        let keys = ["algorithm".to_owned()].iter().chain(&summary.varied).map(owned).collect();
        let mut table = Self { caption, keys, columns, legend: Some(legend), ..Self::default() };
        for row in &summary.rows {
            let keys: Vec<String> = std::iter::once(&row.algorithm).chain(&row.varied).map(owned).collect();
            if table.blocks.last().is_none_or(|block| block.keys != keys) {
                table.blocks.push(Block { keys, rows: Vec::new() });
            }
            let block = table.blocks.last_mut().expect("the block was added above");
            block.rows.push(cells(row, block.heading(&table.keys)));
        }
        table
    }

    /// Writes the blocks one below the other. If there are several blocks, each block has a heading.
    pub(super) fn stacked(
        &self,
        heading: impl Fn(&str) -> String,
        push_block: impl Fn(&mut String, &Self, &Block),
    ) -> String {
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

    /// The table for a line of this width, and the indices of the columns of each part. If the minimum widths of all columns fit, there is
    /// one part. If not, each part begins with the names, which are the first columns. If the names leave no room for another column, each
    /// part begins with row numbers instead.
    pub(super) fn parted(&self, room: f64, least: impl Fn(&Self) -> Vec<f64>) -> (Cow<'_, Self>, Vec<Vec<usize>>) {
        let widths = least(self);
        let sum = |widths: &[f64]| widths.iter().sum::<f64>();
        if sum(&widths) <= room {
            return (Cow::Borrowed(self), vec![(0..widths.len()).collect()]);
        }
        let n_names = self.columns.iter().take_while(|column| column.kind == ColumnKind::Text).count();
        let (names, others) = widths.split_at(n_names);
        let is_room = sum(names) + others.iter().copied().fold(0.0, f64::max) <= room;
        let table = if is_room { Cow::Borrowed(self) } else { Cow::Owned(self.numbered()) };
        let (widths, n_first) = if is_room { (widths, n_names) } else { (least(&table), 1) };
        let mut parts: Vec<Vec<usize>> = Vec::new();
        let mut taken = f64::INFINITY;
        for (at, width) in widths.iter().enumerate().skip(n_first) {
            if taken + width > room {
                parts.push((0..n_first).collect());
                taken = sum(&widths[..n_first]);
            }
            parts.last_mut().expect("the first column starts a new part of the table").push(at);
            taken += width;
        }
        (table, parts)
    }

    /// The same table with a column of row numbers.
    fn numbered(&self) -> Self {
        let mut table = self.clone();
        table.columns.insert(0, Column::new("row", "row", ColumnKind::Number));
        let rows = table.blocks.iter_mut().flat_map(|block| &mut block.rows);
        rows.zip(1..).for_each(|(row, number)| row.insert(0, Cell::Plain(number.to_string())));
        table
    }
}

impl Column {
    pub(crate) fn new(name: &str, short: &'static str, kind: ColumnKind) -> Self {
        Self { name: printable(name).into_owned(), short, kind }
    }

    /// Columns without short names.
    pub(crate) fn named<N: AsRef<str>>(columns: impl IntoIterator<Item = (N, ColumnKind)>) -> Vec<Self> {
        columns.into_iter().map(|(name, kind)| Self::new(name.as_ref(), "", kind)).collect()
    }
}

impl Block {
    /// The heading of the block, for example `huke, population = 100`. Settings that the algorithm does not have are omitted.
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

    pub(crate) fn absent() -> Self {
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
            Self::Best(text) => [style.best[0], &(style.escape)(text), style.best[1]].concat(),
            Self::MayBeBest(text) => format!("{}{}", (style.escape)(text), style.may_be_best),
            // A dash before a negative number would look like its sign.
            Self::Interval(low, high) => {
                interval_ends(*low, *high, style.step).join(if *low < 0.0 { " to " } else { style.dash })
            }
            Self::Ends(ends) => ends.join(if ends[0].starts_with('-') { " to " } else { style.dash }),
        }
    }
}

/// Rounds the ends of an interval outwards to multiples of `step`. Therefore the printed interval is never too narrow.
pub fn interval_ends(low: f64, high: f64, step: f64) -> [String; 2] {
    // A tiny distance from a step is a rounding error.
    let steps = [(low / step + 1e-6).floor(), (high / step - 1e-6).ceil()];
    steps.map(|steps| shortest(Some((steps * step * 10.0).round() / 10.0)))
}
