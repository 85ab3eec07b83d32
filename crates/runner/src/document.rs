//! Documents: TOML text as a tree whose every key and value knows its place, so that any error can point at it.

use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::{Diagnostic, Diagnostics, Excerpt};

/// The largest experiment file that is read, in bytes.
const LIMIT: u64 = 16 << 20;

/// A parsed file, with what the command line set over it.
#[derive(Clone, Debug)]
pub struct Document {
    sources: Vec<Source>,
    /// The root table.
    pub root: Table,
}

#[derive(Clone, Debug)]
struct Source {
    name: String,
    text: String,
}

/// Where something stands: in which of the document's texts, and which bytes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    source: usize,
    bytes: Range<usize>,
}

/// A value and its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its place.
    pub span: Span,
    /// The value.
    pub value: NodeValue,
}

/// A value of TOML.
#[derive(Clone, Debug)]
pub enum NodeValue {
    /// True or false.
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
    /// A date or time, which means nothing in an experiment; as text.
    Date(String),
}

/// A table: its entries in the order of the file.
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
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub node: Node,
}

impl Document {
    /// Reads and parses a file.
    ///
    /// # Errors
    /// If it cannot be read, or is no TOML: every syntax error with its place.
    pub fn read(path: &Path) -> Result<Self, Diagnostics> {
        Self::parse(&path.display().to_string(), read_text(path, LIMIT)?)
    }

    /// Parses a text called `name`. A byte order mark at its start is passed over; line ends may be CRLF.
    ///
    /// # Errors
    /// Every syntax error with its place.
    pub fn parse(name: &str, text: String) -> Result<Self, Diagnostics> {
        // The mark is no part of the first line, so that columns count as an editor counts them.
        let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
        let mut document =
            Self { sources: vec![Source { name: name.to_owned(), text: text.clone() }], root: Table::default() };
        let (parsed, errors) = DeTable::parse_recoverable(&text);
        let mut diagnostics = Diagnostics::new();
        for error in errors {
            let span = Span { source: 0, bytes: error.span().unwrap_or(0..0) };
            let message = error.message().trim_end().replace('\n', ", ");
            diagnostics.push(document.diagnostic(&span, format!("not valid TOML: {message}"), ""));
        }
        document.root = convert_table(parsed.get_ref(), 0, &mut |span, message| {
            diagnostics.push(document.diagnostic(&span, message, "expected a number that fits in 64 bits"));
        });
        diagnostics.or(Some(document))
    }

    /// Sets the value at a dotted path, as `--set PATH=VALUE` asks: over what the file says.
    ///
    /// # Errors
    /// If the option is not of that form.
    pub fn set(&mut self, option: &str) -> Result<(), Diagnostics> {
        let malformed = |document: &Self, message: String| {
            let span = Span { source: document.sources.len() - 1, bytes: 0..option.len() };
            document.diagnostic(&span, message, "expected `--set PATH=VALUE`, as in `--set experiment.repetitions=2`")
        };
        let source = self.sources.len();
        self.sources.push(Source { name: "--set".to_owned(), text: option.to_owned() });
        let Some((path, value)) = option.split_once('=') else {
            return Err(malformed(self, format!("`{option}` sets nothing")).into());
        };
        let keys: Vec<&str> = path.trim().split('.').collect();
        if keys.iter().any(|key| key.is_empty()) {
            return Err(malformed(self, format!("`{path}` is no dotted path")).into());
        }
        let start = path.len() + 1;
        let bytes = start..option.len();
        // What is no TOML value is taken as a plain name, so that a shell needs no second pair of quotes.
        let node = match DeValue::parse(value.trim()) {
            Ok(parsed) => {
                let mut node = convert(&parsed, source, &mut |_, _| {});
                node.span = Span { source, bytes };
                node
            }
            Err(_) => Node { span: Span { source, bytes }, value: NodeValue::Text(value.trim().to_owned()) },
        };
        let key_span = Span { source, bytes: 0..path.len() };
        self.root.set(&keys, node, &key_span);
        if let ["algorithms", name, setting @ ..] = keys.as_slice() {
            self.root.settle(name, &setting.join("."));
        }
        Ok(())
    }

    /// A diagnostic about a place in this document.
    #[must_use]
    pub fn diagnostic(&self, span: &Span, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
        let source = &self.sources[span.source];
        let place = Some(excerpt(&source.name, &source.text, &span.bytes));
        Diagnostic { place, message: message.into(), help: help.into() }
    }
}

impl Span {
    /// The start of the file.
    #[must_use]
    pub fn start() -> Self {
        Self { source: 0, bytes: 0..0 }
    }
}

impl Table {
    /// The entry with this key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    fn set(&mut self, keys: &[&str], node: Node, key_span: &Span) {
        let (key, rest) = keys.split_first().expect("a path has at least one key");
        if *key == "*" {
            for name in self.entries.iter().map(|entry| entry.key.clone()).collect::<Vec<_>>() {
                let keys: Vec<&str> = std::iter::once(name.as_str()).chain(rest.iter().copied()).collect();
                self.set(&keys, node.clone(), key_span);
            }
            return;
        }
        let place = match self.entries.iter().position(|entry| entry.key == *key) {
            Some(place) => place,
            None => {
                let node = Node { span: key_span.clone(), value: NodeValue::Table(Table::default()) };
                self.entries.push(Entry { key: (*key).to_owned(), key_span: key_span.clone(), node });
                self.entries.len() - 1
            }
        };
        let entry = &mut self.entries[place];
        if rest.is_empty() {
            *entry = Entry { key: (*key).to_owned(), key_span: key_span.clone(), node };
            return;
        }
        if let NodeValue::Text(kind) = &entry.node.value {
            // `--set selection.fraction=0.3` over `selection = "truncation"`.
            let kind = Node { span: entry.node.span.clone(), value: NodeValue::Text(kind.clone()) };
            let entries = vec![Entry { key: "kind".to_owned(), key_span: entry.key_span.clone(), node: kind }];
            entry.node.value = NodeValue::Table(Table { entries });
        }
        match &mut entry.node.value {
            NodeValue::Table(table) => table.set(rest, node, key_span),
            NodeValue::List(items) if rest[0].parse().is_ok_and(|at: usize| at < items.len()) => {
                let at: usize = rest[0].parse().expect("it was parsed above");
                match &mut items[at].value {
                    NodeValue::Table(table) if rest.len() > 1 => table.set(&rest[1..], node, key_span),
                    _ => items[at] = node,
                }
            }
            value => {
                let mut table = Table::default();
                table.set(rest, node, key_span);
                *value = NodeValue::Table(table);
            }
        }
    }
}

impl Table {
    /// Takes a setting out of the grids of the algorithms called `name` (`*`: all): what the command line sets is no longer
    /// varied.
    fn settle(&mut self, name: &str, setting: &str) {
        let Some(algorithms) = self.table_mut("algorithms") else { return };
        for entry in algorithms.entries.iter_mut().filter(|entry| name == "*" || entry.key == name) {
            if let NodeValue::Table(algorithm) = &mut entry.node.value
                && let Some(grid) = algorithm.table_mut("grid")
            {
                grid.remove(setting);
            }
        }
    }

    /// Removes the entry at a dotted path, whether it was written as one key or as tables in tables.
    fn remove(&mut self, path: &str) {
        self.entries.retain_mut(|entry| {
            let below = path.strip_prefix(&*entry.key).and_then(|rest| rest.strip_prefix('.'));
            if let (Some(below), NodeValue::Table(table)) = (below, &mut entry.node.value) {
                table.remove(below);
                return !table.entries.is_empty();
            }
            entry.key != path
        });
    }

    fn table_mut(&mut self, key: &str) -> Option<&mut Table> {
        match &mut self.entries.iter_mut().find(|entry| entry.key == key)?.node.value {
            NodeValue::Table(table) => Some(table),
            _ => None,
        }
    }
}

impl NodeValue {
    /// What it is, for messages.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            NodeValue::Flag(_) => "true or false",
            NodeValue::Integer(_) => "a whole number",
            NodeValue::Real(_) => "a number",
            NodeValue::Text(_) => "text",
            NodeValue::List(_) => "a list",
            NodeValue::Table(_) => "a table",
            NodeValue::Date(_) => "a date",
        }
    }
}

/// Reads a text file of at most `limit` bytes.
///
/// # Errors
/// If it cannot be read, is larger, or is no UTF-8, with the place of the first byte that is not.
pub fn read_text(path: &Path, limit: u64) -> Result<String, Diagnostics> {
    let name = path.display();
    let bytes = std::fs::metadata(path)
        .and_then(|metadata| {
            if metadata.is_dir() {
                return Err(std::io::Error::other("it is a directory"));
            }
            if metadata.len() > limit { Ok(None) } else { std::fs::read(path).map(Some) }
        })
        .map_err(|error| Diagnostic::general(format!("{name} cannot be read: {error}"), "check the path"))?;
    let Some(bytes) = bytes else {
        let message = format!("{name} is larger than {} MiB", limit >> 20);
        return Err(Diagnostic::general(message, "split it into several").into());
    };
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let bytes = error.into_bytes();
        let text = String::from_utf8_lossy(&bytes[..valid]).into_owned();
        let mut excerpt = excerpt(&name.to_string(), &text, &(valid..valid));
        excerpt.text = String::from_utf8_lossy(&bytes[text.rfind('\n').map_or(0, |at| at + 1)..])
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned();
        let message = "the file is not UTF-8".to_owned();
        Diagnostic { place: Some(excerpt), message, help: "save it as UTF-8 without a byte order mark".to_owned() }
            .into()
    })
}

/// The line in which a range of bytes begins.
#[must_use]
pub fn excerpt(source: &str, text: &str, bytes: &Range<usize>) -> Excerpt {
    let start = floor(text, bytes.start);
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let line = text[line_start..line_end].trim_end_matches('\r');
    let end = floor(text, bytes.end.max(start)).min(line_start + line.len()).max(start);
    Excerpt {
        source: source.to_owned(),
        line: 1 + text[..start].matches('\n').count(),
        column: 1 + text[line_start..start].chars().count(),
        text: line.to_owned(),
        width: text[start..end].chars().count().max(1),
    }
}

fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn convert_table(table: &DeTable<'_>, source: usize, fault: &mut dyn FnMut(Span, String)) -> Table {
    let entries = table.iter().map(|(key, value)| Entry {
        key: key.get_ref().to_string(),
        key_span: Span { source, bytes: key.span() },
        node: convert(value, source, fault),
    });
    Table { entries: entries.collect() }
}

fn convert(value: &Spanned<DeValue<'_>>, source: usize, fault: &mut dyn FnMut(Span, String)) -> Node {
    let span = Span { source, bytes: value.span() };
    let mut number = |text: String| fault(span.clone(), format!("`{text}` is no number that can be held"));
    let value = match value.get_ref() {
        DeValue::Boolean(flag) => NodeValue::Flag(*flag),
        DeValue::Integer(integer) => match i64::from_str_radix(integer.as_str(), integer.radix()) {
            Ok(integer) => NodeValue::Integer(integer),
            Err(_) => {
                number(integer.as_str().to_owned());
                NodeValue::Integer(0)
            }
        },
        DeValue::Float(float) => match float.as_str().parse::<f64>() {
            Ok(real) if real.is_finite() => NodeValue::Real(real),
            _ => {
                number(float.as_str().to_owned());
                NodeValue::Real(0.0)
            }
        },
        DeValue::String(text) => NodeValue::Text(text.to_string()),
        DeValue::Datetime(date) => NodeValue::Date(date.to_string()),
        DeValue::Array(items) => NodeValue::List(items.iter().map(|item| convert(item, source, fault)).collect()),
        DeValue::Table(table) => NodeValue::Table(convert_table(table, source, fault)),
    };
    Node { span, value }
}
