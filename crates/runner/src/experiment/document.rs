//! Documents: parses a TOML text into a tree. The tree stores the place of every key and value in the text. With these places, an error
//! message can show where a fault is.

pub mod dotted;
mod set;
mod syntax;
mod text;

use std::ops::Range;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub(crate) use text::{excerpt, nearby, read_regular, read_text, reader_of, unusable};
pub use text::{read_from, regular_reader};

use crate::experiment::diagnostic::{Diagnostic, Diagnostics};

/// The size limit of an experiment file, in bytes.
const EXPERIMENT_SIZE_LIMIT: u64 = 16 << 20;

/// The maximum nesting of tables and lists, and the maximum number of keys in a path.
pub(crate) const MAX_DEPTH: usize = 32;

/// The maximum number of keys in a table. Keys are compared in pairs, so the time grows with the square of the number of keys.
pub(crate) const MAX_KEYS: usize = 1000;

/// The maximum number of tables in the table `algorithms`.
const MAX_ALGORITHMS: usize = 10_000;

/// A parsed file, in which settings from the command line replace settings of the file.
///
/// ```
/// use evogrid_runner::experiment::document::{Document, NodeValue};
///
/// let document = Document::parse("demo.toml", "[search]\nrate = 0.5\n".to_owned())?;
/// let Some(NodeValue::Table(search)) = document.root.get("search").map(|entry| &entry.node.value) else { panic!() };
/// let rate = search.get("rate").expect("it is there");
/// assert!(matches!(rate.node.value, NodeValue::Real(0.5)));
/// let message = document.diagnostic(&rate.node.span, "the rate is low", "expected 0.6 and above").to_string();
/// assert!(message.starts_with("error: demo.toml:2:8: the rate is low\n"), "{message}");
/// # Ok::<(), evogrid_runner::experiment::diagnostic::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
pub struct Document {
    sources: Vec<SourceText>,
    /// The root table.
    pub root: Table,
}

#[derive(Clone, Debug)]
struct SourceText {
    name: String,
    text: String,
}

/// A place in a document: the index of one of its texts, and a range of bytes in this text. A document consists of several texts: the text
/// of the file, and the text of each option `--set` on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    source: usize,
    start: usize,
    end: usize,
}

/// A value and its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// The place of the value.
    pub span: Span,
    /// The value.
    pub value: NodeValue,
}

/// A TOML value.
#[derive(Clone, Debug)]
pub enum NodeValue {
    /// A truth value.
    Flag(bool),
    /// A whole number.
    Integer(i64),
    /// A number.
    Real(f64),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Node>),
    /// A table.
    Table(Table),
    /// The text of a date or time. No setting of an experiment is a date or time.
    Date(String),
    /// The text of a number that exceeds 64 bits, is infinite, or is NaN.
    Unrepresentable(String),
}

/// A TOML table. A table keeps its entries in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Keys and values.
    pub entries: Vec<Entry>,
}

/// A key and its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// The place of the key.
    pub key_span: Span,
    /// The value.
    pub node: Node,
}

impl Document {
    /// Reads and parses a file.
    ///
    /// # Errors
    /// If the file cannot be read. If the file is not valid TOML. The error lists every syntax error with its place.
    pub fn read(path: &Path) -> Result<Self, Diagnostics> {
        Self::parse(&path.display().to_string(), read_text(path, EXPERIMENT_SIZE_LIMIT)?)
    }

    /// Parses a text with this `name`. A byte order mark at the start of the text is ignored. Lines may end in CRLF.
    ///
    /// # Errors
    /// If the text is not valid TOML. The error lists every syntax error with its place.
    pub fn parse(name: &str, text: String) -> Result<Self, Diagnostics> {
        // The mark is not part of the first line: columns are counted like in an editor.
        let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
        let mut document =
            Self { sources: vec![SourceText { name: name.to_owned(), text: text.clone() }], root: Table::default() };
        let (parsed, errors) = DeTable::parse_recoverable(&text);
        if let Some(first) = (!errors.is_empty()).then(|| first_line_of_another_format(&text)).flatten() {
            let help = "expected lines such as `[experiment]` and `name = \"first\"`; to use a file of instances, \
                write its path after the key `path` of an experiment";
            return Err(document.diagnostic(&Span::new(0, 0, first), "this is not a TOML file", help).into());
        }
        let mut errors: Vec<_> = errors.iter().map(|error| (error.span(), error.message())).collect();
        errors.sort_by_key(|(bytes, _)| bytes.as_ref().map(|bytes| bytes.start));
        let (mut diagnostics, mut last) = (Diagnostics::new(), None);
        for (bytes, found) in errors {
            let Some(bytes) = bytes else {
                let (message, help) = syntax::explained(found, "", 0);
                diagnostics.push(Diagnostic::general(format!("{name} is {message}"), help));
                continue;
            };
            // One wrong character often causes several errors. Only the first error of each line is reported, and only the first of several
            // consecutive lines with the same error.
            let follows = last.is_some_and(|(start, before)| {
                let lines = text.as_bytes()[start..bytes.start].iter().filter(|&&byte| byte == b'\n').count();
                lines == 0 || lines == 1 && found == before
            });
            last = Some((bytes.start, found));
            if !follows {
                let (message, help) = syntax::explained(found, &text, bytes.start);
                diagnostics.push_with(|| document.diagnostic(&Span::new(0, 0, bytes), message, help));
            }
        }
        document.root = convert_table(parsed.get_ref(), 0, 0);
        if let Some((span, message, help)) = document.root.beyond_bounds(MAX_KEYS, 0) {
            return Err(document.diagnostic(&span, message, help).into());
        }
        diagnostics.or(Some(document))
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.sources[0].name
    }

    /// The text of a command line option at this place; `None` for a place in the file.
    pub(crate) fn option_text(&self, span: &Span) -> Option<&str> {
        (span.source > 0).then(|| self.sources[span.source].text.get(span.start..span.end))?
    }

    /// The place in words, such as `on line 4, column 8`, for a message about another place `beside`.
    pub(crate) fn place_name(&self, span: &Span, beside: &Span) -> String {
        let source = &self.sources[span.source];
        let place = excerpt(&source.name, &source.text, &(span.start..span.end));
        match (span.source, beside.source) {
            (0, 0) => format!("on line {}, column {}", place.line, place.column),
            (0, _) => format!("on line {}, column {} of {}", place.line, place.column, source.name),
            (one, other) if one == other => format!("at column {} of the same `--set`", place.column),
            _ => format!("in `--set {}`", source.text),
        }
    }

    /// Creates a diagnostic about a place in this document.
    pub fn diagnostic(&self, span: &Span, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
        let source = &self.sources[span.source];
        let place = Some(excerpt(&source.name, &source.text, &(span.start..span.end)));
        Diagnostic { place, message: message.into(), help: help.into() }
    }
}

impl Span {
    /// The start of the file.
    pub fn start() -> Self {
        Self { source: 0, start: 0, end: 0 }
    }

    fn new(source: usize, offset: usize, bytes: Range<usize>) -> Self {
        Self { source, start: offset + bytes.start, end: offset + bytes.end }
    }
}

impl Table {
    /// The value of this key.
    pub fn node(&self, key: &str) -> Option<&Node> {
        Some(&self.get(key)?.node)
    }

    /// The entry with this key.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// The place, the message and the advice for a table or list that is nested too deeply, or for a table with more than `most` keys.
    fn beyond_bounds(&self, most: usize, depth: usize) -> Option<(Span, &'static str, String)> {
        if let Some(entry) = self.entries.get(most) {
            return Some((entry.key_span, "this table has too many keys", format!("expected at most {most} keys")));
        }
        self.entries.iter().find_map(|Entry { key, node, .. }| {
            let is_algorithms = depth == 0 && key == "algorithms";
            node.beyond_bounds(if is_algorithms { MAX_ALGORITHMS } else { MAX_KEYS }, depth + 1)
        })
    }
}

impl Node {
    fn beyond_bounds(&self, most: usize, depth: usize) -> Option<(Span, &'static str, String)> {
        match &self.value {
            NodeValue::Table(_) | NodeValue::List(_) if depth > MAX_DEPTH => {
                let help = format!("expected at most {MAX_DEPTH} nested tables");
                Some((self.span, "this value is nested too deeply", help))
            }
            NodeValue::Table(table) => table.beyond_bounds(most, depth),
            NodeValue::List(items) => items.iter().find_map(|item| item.beyond_bounds(MAX_KEYS, depth + 1)),
            _ => None,
        }
    }

    /// The table, if the value is a table.
    pub fn table(&self) -> Option<&Table> {
        if let NodeValue::Table(table) = &self.value { Some(table) } else { None }
    }

    /// The text, if the value is text.
    pub fn text(&self) -> Option<&str> {
        if let NodeValue::Text(text) = &self.value { Some(text) } else { None }
    }

    /// The items, if the value is a list.
    pub fn items(&self) -> Option<&[Node]> {
        if let NodeValue::List(items) = &self.value { Some(items) } else { None }
    }

    /// The items of a list, or a single value as the only item.
    pub(crate) fn each(&self) -> &[Node] {
        self.items().unwrap_or(std::slice::from_ref(self))
    }

    /// The number, if the value is a whole or real number.
    pub fn number(&self) -> Option<f64> {
        match self.value {
            NodeValue::Integer(integer) => Some(integer as f64),
            NodeValue::Real(real) => Some(real),
            _ => None,
        }
    }
}

impl NodeValue {
    /// The name of the type, for messages.
    pub fn type_name(&self) -> &'static str {
        match self {
            NodeValue::Flag(_) => "true or false",
            NodeValue::Integer(_) => "a whole number",
            NodeValue::Real(_) => "a number",
            NodeValue::Text(_) => "text",
            NodeValue::List(_) => "a list",
            NodeValue::Table(_) => "a table",
            NodeValue::Date(_) => "a date",
            NodeValue::Unrepresentable(_) => "a number that is too large",
        }
    }
}

/// The first line of a text that is probably not TOML, such as a CSV file: it has no `[table]`, and its first line has no `=`.
fn first_line_of_another_format(text: &str) -> Option<Range<usize>> {
    let lines = || text.split_inclusive('\n').filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let first = lines().next()?;
    let start = first.as_ptr() as usize - text.as_ptr() as usize;
    let is_other = !first.contains('=') && !lines().any(|line| line.trim_start().starts_with('['));
    is_other.then(|| start..start + first.trim_end().len())
}

/// Converts a parsed table; `offset` is the position of the parsed text in the text with the number `source`, in bytes.
fn convert_table(table: &DeTable<'_>, source: usize, offset: usize) -> Table {
    let entries = table.iter().map(|(key, value)| Entry {
        key: key.get_ref().to_string(),
        key_span: Span::new(source, offset, key.span()),
        node: convert(value, source, offset),
    });
    Table { entries: entries.collect() }
}

fn convert(value: &Spanned<DeValue<'_>>, source: usize, offset: usize) -> Node {
    let converted = match value.get_ref() {
        DeValue::Boolean(flag) => NodeValue::Flag(*flag),
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix())
            .map_or_else(|_| NodeValue::Unrepresentable(integer.to_string()), NodeValue::Integer),
        DeValue::Float(float) => match float.as_str().parse::<f64>() {
            Ok(real) if real.is_finite() => NodeValue::Real(real),
            _ => NodeValue::Unrepresentable(float.as_str().to_owned()),
        },
        DeValue::String(text) => NodeValue::Text(text.to_string()),
        DeValue::Datetime(date) => NodeValue::Date(date.to_string()),
        DeValue::Array(items) => NodeValue::List(items.iter().map(|item| convert(item, source, offset)).collect()),
        DeValue::Table(table) => NodeValue::Table(convert_table(table, source, offset)),
    };
    Node { span: Span::new(source, offset, value.span()), value: converted }
}
