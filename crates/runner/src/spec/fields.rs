//! Reading typed fields from a document, collecting everything that is wrong.

use evogrid_core::settings::{Settings, Value};
use evogrid_core::suggestion::nearest;

use crate::diagnostic::Diagnostics;
use crate::document::{Document, Entry, Node, NodeValue, Span, Table};

/// A document being read, and what was found wrong so far.
pub(super) struct Reader<'d> {
    document: &'d Document,
    diagnostics: Diagnostics,
}

impl<'d> Reader<'d> {
    pub(super) fn new(document: &'d Document) -> Self {
        Self { document, diagnostics: Diagnostics::new() }
    }

    pub(super) fn document(&self) -> &'d Document {
        self.document
    }

    pub(super) fn finish<T>(self, value: Option<T>) -> Result<T, Diagnostics> {
        self.diagnostics.or(value)
    }

    pub(super) fn fault(&mut self, span: &Span, message: impl Into<String>, help: impl Into<String>) {
        self.diagnostics.push(self.document.diagnostic(span, message, help));
    }

    pub(super) fn add(&mut self, diagnostics: Diagnostics) {
        self.diagnostics.extend(diagnostics);
    }

    /// Complains of every key that is not among `names`.
    pub(super) fn known(&mut self, table: &Table, what: &str, names: &[&str]) {
        for Entry { key, key_span, .. } in &table.entries {
            if !names.contains(&key.as_str()) {
                let help = match nearest(key, names.iter().copied()) {
                    Some(name) => format!("did you mean `{name}`?"),
                    None => format!("expected {}", list(names)),
                };
                self.fault(key_span, format!("{what} has no key `{key}`"), help);
            }
        }
    }

    pub(super) fn table(&mut self, table: &'d Table, key: &str) -> Option<&'d Table> {
        let node = &table.get(key)?.node;
        match &node.value {
            NodeValue::Table(table) => Some(table),
            other => self.unexpected(node, other, "expected a table"),
        }
    }

    pub(super) fn text(&mut self, table: &'d Table, key: &str) -> Option<&'d str> {
        let node = &table.get(key)?.node;
        match &node.value {
            NodeValue::Text(text) => Some(text),
            other => self.unexpected(node, other, "expected text in quotes"),
        }
    }

    pub(super) fn whole(&mut self, table: &Table, key: &str, min: u64, max: u64) -> Option<u64> {
        let node = &table.get(key)?.node;
        let help = if max >= i64::MAX as u64 {
            format!("expected a whole number from {min}")
        } else {
            format!("expected a whole number from {min} to {max}")
        };
        match &node.value {
            NodeValue::Integer(integer) => {
                let found = u64::try_from(*integer).ok().filter(|number| (min..=max).contains(number));
                if found.is_none() {
                    self.fault(&node.span, format!("`{integer}` is out of range"), help);
                }
                found
            }
            other => self.unexpected(node, other, &help),
        }
    }

    pub(super) fn choice<T: Copy>(&mut self, table: &'d Table, key: &str, choices: &[(&str, T)]) -> Option<T> {
        let name = self.text(table, key)?;
        let found = choices.iter().find(|(known, _)| *known == name).map(|&(_, choice)| choice);
        if found.is_none() {
            let names: Vec<&str> = choices.iter().map(|&(name, _)| name).collect();
            let span = &table.get(key).expect("it was read above").node.span;
            self.fault(span, format!("unknown name `{name}`"), format!("expected {}", list(&names)));
        }
        found
    }

    /// A list of texts, with their nodes.
    pub(super) fn texts(&mut self, table: &'d Table, key: &str) -> Option<Vec<(&'d str, &'d Node)>> {
        let node = &table.get(key)?.node;
        let NodeValue::List(items) = &node.value else {
            return self.unexpected(node, &node.value, "expected a list of names");
        };
        let mut texts = Vec::new();
        for item in items {
            match &item.value {
                NodeValue::Text(text) => texts.push((text.as_str(), item)),
                other => self.unexpected(item, other, "expected text in quotes").unwrap_or(()),
            }
        }
        Some(texts)
    }

    /// A value of a setting.
    pub(super) fn value(&mut self, node: &Node) -> Option<Value> {
        Some(match &node.value {
            NodeValue::Flag(flag) => Value::Flag(*flag),
            NodeValue::Integer(integer) => Value::Integer(*integer),
            NodeValue::Real(real) => Value::Real(*real),
            NodeValue::Text(text) => Value::Text(text.clone()),
            NodeValue::Table(table) => Value::Table(self.settings(table, &[])),
            NodeValue::List(_) => {
                return self.unexpected(
                    node,
                    &node.value,
                    "expected one value; several belong in the algorithm's `grid`",
                );
            }
            NodeValue::Date(_) => return self.unexpected(node, &node.value, "expected a number, a name or a table"),
        })
    }

    /// All entries of a table as settings, but for the reserved ones. A key may be a dotted path.
    pub(super) fn settings(&mut self, table: &Table, reserved: &[&str]) -> Settings {
        let mut settings = Settings::new();
        for entry in table.entries.iter().filter(|entry| !reserved.contains(&entry.key.as_str())) {
            if let Some(value) = self.value(&entry.node) {
                settings.set_at(&entry.key, value);
            }
        }
        settings
    }

    pub(super) fn unexpected<T>(&mut self, node: &Node, found: &NodeValue, help: &str) -> Option<T> {
        self.fault(&node.span, format!("found {}", found.type_name()), help);
        None
    }
}

/// `a`, `b` or `c`.
pub(super) fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
