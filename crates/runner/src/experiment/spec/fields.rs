//! Reads typed fields from a document, and collects all faults.

use std::path::Path;

use evogrid_core::catalogue::SettingPart;
use evogrid_core::settings::{Settings, Value};
use evogrid_core::suggestion::{nearest, one_of, written_unquoted, written_whole};

use crate::experiment::diagnostic::Diagnostics;
use crate::experiment::document::dotted::{join, overlap, span_at, value_at, within};
use crate::experiment::document::{Document, Entry, MAX_DEPTH, Node, NodeValue, Span, Table, unusable};

/// Reads the fields of a document, and collects the faults.
pub struct Reader<'d> {
    document: &'d Document,
    pub(super) diagnostics: Diagnostics,
    /// Notes about valid settings that the user may not have intended.
    pub(super) notes: Vec<String>,
}

impl<'d> Reader<'d> {
    /// Creates a reader of this document. The reader has not found any faults yet.
    pub fn new(document: &'d Document) -> Self {
        Self { document, diagnostics: Diagnostics::new(), notes: Vec::new() }
    }

    /// The document that the reader reads.
    pub fn document(&self) -> &'d Document {
        self.document
    }

    /// If the reader found no faults, returns the value that was read.
    ///
    /// # Errors
    /// All faults.
    pub fn finish<T>(self, value: Option<T>) -> Result<T, Diagnostics> {
        let name = self.document.name();
        self.diagnostics.or(value).map_err(|diagnostics| diagnostics.led_by(name))
    }

    /// Reports a fault at a place, with advice.
    pub fn fault(&mut self, span: &Span, message: impl Into<String>, help: impl Into<String>) {
        self.diagnostics.push_with(|| self.document.diagnostic(span, message, help));
    }

    /// Reports a fault like [`fault`](Self::fault), and returns `None` instead of a value.
    pub(crate) fn refuse<T>(&mut self, span: &Span, message: impl Into<String>, help: impl Into<String>) -> Option<T> {
        self.fault(span, message, help);
        None
    }

    /// The number of faults so far. If this number grows while a value is read, the value must not be used.
    pub(crate) fn faults(&self) -> usize {
        self.diagnostics.len()
    }

    /// Adds faults that other code found.
    pub fn add(&mut self, diagnostics: Diagnostics) {
        self.diagnostics.extend(diagnostics);
    }

    /// Returns whether there is a file at `path`. If there is no file, the function reports a fault.
    pub fn file(&mut self, span: &Span, path: &Path) -> bool {
        match unusable(path) {
            Some((message, help)) if path.symlink_metadata().is_ok() => self.fault(span, message, help),
            Some((message, help)) => {
                // In a path with `\`, as on Windows, `\n` and `\t` become control characters.
                let is_escaped = path.to_string_lossy().contains(char::is_control);
                let escaped = "write `/` between folders: `\\` has a special meaning in double quotes";
                let (message, help) =
                    if is_escaped { ("the path contains a control character", escaped) } else { (&*message, &*help) };
                self.fault(span, message, format!("the path is relative to this file; {help}"));
            }
            // The file is read several times, but a pipe can be read only once.
            None if !path.is_file() => self.fault(span, format!("`{}` is a pipe", path.display()), "expected a file"),
            None => return true,
        }
        false
    }

    /// Whether a table has neither a key nor a misspelling of the key; `names` are all keys of the table.
    pub(crate) fn lacks(table: &Table, key: &str, names: &[&str]) -> bool {
        let is_meant =
            |found: &str| found == key || !names.contains(&found) && nearest(found, names.iter().copied()) == Some(key);
        !table.entries.iter().any(|entry| is_meant(&entry.key))
    }

    /// Reports every key that is not among `names`.
    pub fn known(&mut self, table: &Table, what: &str, names: &[&str]) {
        self.known_or_elsewhere(table, what, names, |_| None);
    }

    /// Reports every key that is not among `names`, with a hint for keys that belong to another table.
    pub(super) fn known_or_elsewhere(
        &mut self,
        table: &Table,
        what: &str,
        names: &[&str],
        hint: impl Fn(&str) -> Option<String>,
    ) {
        for Entry { key, key_span, .. } in table.entries.iter().filter(|entry| !names.contains(&entry.key.as_str())) {
            let hint = hint(key).filter(|_| nearest(key, names.iter().copied()).is_none());
            self.fault(key_span, format!("{what} has no key `{key}`"), hint.unwrap_or_else(|| one_of(key, names)));
        }
    }

    /// The table under a key.
    pub fn table<'t>(&mut self, table: &'t Table, key: &str) -> Option<&'t Table> {
        self.field(table, key, "expected a table", Node::table)
    }

    /// The text under a key.
    pub fn text<'t>(&mut self, table: &'t Table, key: &str) -> Option<&'t str> {
        self.text_or(table, key, "expected text in quotes")
    }

    /// The text under a key; `help` is the advice if the value is not text.
    pub(super) fn text_or<'t>(&mut self, table: &'t Table, key: &str, help: &str) -> Option<&'t str> {
        self.field(table, key, help, Node::text)
    }

    /// The value of a key, if `read` accepts it.
    pub(super) fn field<'t, T>(
        &mut self,
        table: &'t Table,
        key: &str,
        help: &str,
        read: impl FnOnce(&'t Node) -> Option<T>,
    ) -> Option<T> {
        let node = table.node(key)?;
        read(node).or_else(|| self.unexpected(key, node, help))
    }

    /// Reads a whole number from `min` to `max` under a key.
    pub fn whole(&mut self, table: &Table, key: &str, min: u64, max: u64) -> Option<u64> {
        let node = table.node(key)?;
        let range = if max >= i64::MAX as u64 { format!("of at least {min}") } else { format!("from {min} to {max}") };
        let help = format!("expected a whole number {range}");
        match node.value {
            NodeValue::Integer(integer) => {
                let found = u64::try_from(integer).ok().filter(|number| (min..=max).contains(number));
                found.or_else(|| self.refuse(&node.span, format!("`{key} = {integer}` is out of range"), help))
            }
            NodeValue::Real(real) => self.unexpected(key, node, &(help + &written_whole(real))),
            _ => self.unexpected(key, node, &help),
        }
    }

    /// Reads a name under a key, and returns the choice with this name.
    pub fn choice<T: Copy>(&mut self, table: &Table, key: &str, choices: &[(&str, T)]) -> Option<T> {
        let name = self.text(table, key)?;
        let found = choices.iter().find(|(known, _)| *known == name).map(|&(_, choice)| choice);
        found.or_else(|| {
            let names: Vec<&str> = choices.iter().map(|&(name, _)| name).collect();
            self.refuse(&table.node(key)?.span, format!("unknown {key} `{name}`"), one_of(name, &names))
        })
    }

    /// The boolean under a key.
    pub fn flag(&mut self, table: &Table, key: &str) -> Option<bool> {
        let flag = |node: &Node| if let NodeValue::Flag(flag) = node.value { Some(flag) } else { None };
        self.field(table, key, "expected true or false", flag)
    }

    /// The number under a key.
    pub fn number(&mut self, table: &Table, key: &str) -> Option<f64> {
        self.field(table, key, "expected a number", Node::number)
    }

    /// Reads a fraction from 0 to 1 under a key.
    pub fn share(&mut self, table: &Table, key: &str) -> Option<f64> {
        let share = self.number(table, key)?;
        if (0.0..=1.0).contains(&share) {
            return Some(share);
        }
        let message = format!("`{key} = {share}` is out of range");
        self.refuse(&table.node(key)?.span, message, "expected a fraction from 0 to 1")
    }

    /// Reads a list of exactly `N` numbers under a key.
    pub fn numbers<const N: usize>(&mut self, table: &Table, key: &str) -> Option<[f64; N]> {
        let numbers = |node: &Node| node.items()?.iter().map(Node::number).collect::<Option<Vec<_>>>();
        let numbers = self.field(table, key, "expected a list of numbers", numbers)?;
        let message = format!("`{key}` has {} numbers", numbers.len());
        let numbers = numbers.try_into().ok();
        numbers.or_else(|| self.refuse(&table.node(key)?.span, message, format!("expected {N} numbers")))
    }

    /// Reads a list of texts under a key. Returns each text with its node.
    pub fn texts<'t>(&mut self, table: &'t Table, key: &str) -> Option<Vec<(&'t str, &'t Node)>> {
        let items = self.field(table, key, "expected a list of names, for example [\"one\", \"two\"]", Node::items)?;
        let mut texts = Vec::new();
        for item in items {
            match item.text() {
                Some(text) => texts.push((text, item)),
                None => self.unexpected(&format!("an entry of `{key}`"), item, "expected text in quotes").unwrap_or(()),
            }
        }
        (items.is_empty() || !texts.is_empty()).then_some(texts)
    }

    /// Reads the value of a setting. `path` is the dotted path of the setting.
    pub fn value(&mut self, path: &str, node: &Node) -> Option<Value> {
        Some(match &node.value {
            NodeValue::Flag(flag) => Value::Flag(*flag),
            NodeValue::Integer(integer) => Value::Integer(*integer),
            NodeValue::Real(real) => Value::Real(*real),
            NodeValue::Text(text) => Value::Text(text.clone()),
            NodeValue::Table(table) => Value::Table(self.settings(path, table, &[])),
            NodeValue::List(_) => {
                let help = "expected a single value; to vary a setting, use the `grid` of an algorithm";
                return self.unexpected(path, node, help);
            }
            NodeValue::Date(_) => return self.unexpected(path, node, "expected a number, a name or a table"),
            NodeValue::Unrepresentable(_) => return self.unexpected(path, node, "expected a finite 64-bit number"),
        })
    }

    /// Reads all entries of the table at `path` as settings. The keys in `reserved` are skipped. A key may be a dotted path. A fault is
    /// reported if two keys set the same setting.
    pub fn settings(&mut self, path: &str, table: &Table, reserved: &[&str]) -> Settings {
        let mut given: Vec<(&Entry, Value)> = Vec::new();
        for entry in table.entries.iter().filter(|entry| !reserved.contains(&entry.key.as_str())) {
            let path = join(path, &entry.key);
            if entry.key.split('.').any(str::is_empty) || entry.key.matches('.').count() > MAX_DEPTH {
                let help = "expected the name of a setting, or names with dots between them";
                self.fault(&entry.key_span, format!("`{}` is not the name of a setting", entry.key), help);
            } else if let Some(value) = self.value(&path, &entry.node) {
                given.push((entry, value));
            }
        }
        // A table comes before keys that set parts of it.
        given.sort_by_key(|(entry, _)| entry.key.matches('.').count());
        let mut settings = Settings::new();
        for (at, (entry, value)) in given.iter().enumerate() {
            for (above, around) in &given[..at] {
                let Some(rest) = within(&entry.key, &above.key) else { continue };
                if value_at(around, rest).is_some_and(|other| overlap(other, value)) {
                    let other = above.node.table().and_then(|table| span_at(table, rest, SettingPart::Name));
                    let [one, other] = [other.unwrap_or(above.key_span), entry.key_span];
                    self.twice(&join(path, &entry.key), "given", one.min(other), one.max(other));
                }
            }
            merge(&mut settings, &entry.key, value);
        }
        settings
    }

    /// Reports a setting that is given or varied at two places.
    pub(super) fn twice(&mut self, path: &str, done: &str, first: Span, second: Span) {
        let place = self.document.place_name(&first, &second);
        let help = format!("remove one of the two entries: the setting is also {done} {place}");
        self.fault(&second, format!("`{path}` is {done} twice"), help);
    }

    /// Reports a value of the wrong type. `called` is the key, or a phrase that contains a key in backticks.
    pub fn unexpected<T>(&mut self, called: &str, node: &Node, help: &str) -> Option<T> {
        let called = if called.contains('`') { called.to_owned() } else { format!("`{called}`") };
        let message = match &node.value {
            NodeValue::Unrepresentable(number) if number.contains(['n', '.', 'e', 'E']) => {
                format!("{called} is {number}, which is not a finite number")
            }
            NodeValue::Unrepresentable(_) => format!("{called} is a number that does not fit into 64 bits"),
            value => format!("{called} is {}", value.type_name()),
        };
        self.refuse(&node.span, message, help.to_owned() + &node.text().map(written_unquoted).unwrap_or_default())
    }
}

/// Sets a value at a dotted path. If both the old and the new value are tables, the result has the entries of both tables.
fn merge(settings: &mut Settings, path: &str, value: &Value) {
    match (settings.at(path), value) {
        (Some(Value::Table(_) | Value::Text(_)), Value::Table(table)) => {
            table.iter().for_each(|(name, value)| merge(settings, &join(path, name), value));
        }
        (Some(Value::Table(_)), Value::Text(_)) => settings.set_at(&join(path, "kind"), value.clone()),
        _ => settings.set_at(path, value.clone()),
    }
}
