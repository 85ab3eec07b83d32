//! `--set`: values of the command line that replace values of a document.

use std::ops::Range;

use evogrid_core::suggestion::{nearest, one_of};
use toml::de::DeValue;

use super::dotted::{entry_at, within};
use super::{Document, Entry, MAX_DEPTH, Node, NodeValue, SourceText, Span, Table, convert, syntax};
use crate::experiment::diagnostic::Diagnostics;
use crate::system::numbers::counted;

/// Keys of an algorithm's table that do not contain its settings.
const NOT_SETTINGS: [&str; 5] = ["grid", "zip", "exclude", "space", "design"];

impl Document {
    /// Removes the key `design` from all algorithms in the document.
    #[must_use]
    pub fn without_designs(mut self) -> Self {
        self.root.algorithms_mut("*").for_each(|algorithm| algorithm.remove("design"));
        self
    }

    /// Carries out an option `--set PATH=VALUE`. The value at the dotted path `PATH` is replaced by `VALUE`. If `PATH` does not begin with
    /// one of `tables`, the option sets the value in every algorithm. For example, `population=50` means `algorithms.*.population=50`. If a
    /// name contains a dot, the user quotes the name, as in TOML. After `grid.`, the path of a setting is read as one key, even if the path
    /// contains dots. So the user need not quote this path.
    ///
    /// # Errors
    /// If the option does not have the form `PATH=VALUE`. If the path does not exist.
    pub fn set(&mut self, option: &str, tables: &[&str]) -> Result<(), Diagnostics> {
        let source = self.sources.len();
        self.sources.push(SourceText { name: "--set".to_owned(), text: option.to_owned() });
        let fault = |document: &Self, bytes: Range<usize>, message: String, help: &str| {
            Err(document.diagnostic(&Span::new(source, 0, bytes), message, help).into())
        };
        const FORM: &str = "expected `--set PATH=VALUE`, for example `--set experiment.repetitions=2`";
        let Some(end) = unquoted(option, '=').next().or_else(|| option.find('=')) else {
            return fault(self, 0..option.len(), format!("`{option}` does not set a value"), FORM);
        };
        let (path, value) = (&option[..end], &option[end + 1..]);
        let Some(names) = names(path).filter(|names| names.len() <= MAX_DEPTH) else {
            return fault(self, 0..path.len().max(1), format!("`{}` is not a dotted path", path.trim()), FORM);
        };
        let mut keys: Vec<&str> = names.iter().map(String::as_str).collect();
        // A misspelt table stays at the root: the check reports it.
        let is_root =
            tables.contains(&keys[0]) || (keys.len() > 1 && nearest(keys[0], tables.iter().copied()).is_some());
        if !is_root {
            if self.root.get("algorithms").is_none() {
                // The check of the file reports the missing table.
                return Ok(());
            }
            keys.splice(0..0, ["algorithms", "*"]);
        }
        if value.trim().is_empty() {
            let message = format!("`{}` has no value", path.trim());
            let help = "expected a value after the `=`; write \"\" for an empty text";
            return fault(self, path.len() + 1..option.len(), message, help);
        }
        let bytes =
            path.len() + 1 + (value.len() - value.trim_start().len())..option.trim_end().len().max(path.len() + 1);
        // A value that is not TOML is a plain name: in a shell, it does not need a second pair of quotes.
        let node = match DeValue::parse(value.trim()) {
            Ok(parsed) => Node { span: Span::new(source, 0, bytes.clone()), ..convert(&parsed, source, bytes.start) },
            Err(error) if value.trim().starts_with(['[', '{', '"', '\'']) => {
                let (message, _) = syntax::explained(error.message(), value.trim(), 0);
                return fault(self, bytes, message, "expected a TOML value, or a name without quotes");
            }
            Err(_) => Node { span: Span::new(source, 0, bytes), value: NodeValue::Text(value.trim().to_owned()) },
        };
        let key_span = Span::new(source, 0, 0..path.trim_end().len());
        if let ["algorithms", name, setting @ ..] = keys.as_slice()
            && self.root.is_zipped(name, &setting.join("."))
        {
            let message = format!("a `zip` varies `{}` together with other settings", setting.join("."));
            let help = "a `zip` contains the setting: first remove it from the `zip`, then use `--set`";
            return fault(self, 0..path.trim_end().len(), message, help);
        }
        // A setting is one path, but a path may be cut into names in several ways. The new value replaces the setting in all of them.
        let mut parts: Vec<&str> = match keys.as_slice() {
            ["algorithms", _, first, ..] if NOT_SETTINGS.contains(first) => keys.clone(),
            ["algorithms", name, setting @ ..] => {
                ["algorithms", name].into_iter().chain(setting.iter().flat_map(|name| name.split('.'))).collect()
            }
            ["budget", ..] => keys.iter().flat_map(|name| name.split('.')).collect(),
            _ => keys.clone(),
        };
        if parts.iter().any(|part| part.is_empty()) || parts.len() > MAX_DEPTH {
            return fault(self, 0..path.len().max(1), format!("`{}` is not a dotted path", path.trim()), FORM);
        }
        let varied = keys.get(3..).unwrap_or_default().join(".");
        // A number is the position in a list: `grid.crossover.0`.
        if let ["algorithms", name, table @ ("grid" | "space"), _, ..] = keys.as_slice()
            && keys[3..].iter().all(|key| key.parse::<usize>().is_err())
        {
            for grid in self.root.algorithms_mut(name).filter_map(|algorithm| algorithm.table_mut("grid")) {
                // A setting that is written as one key keeps its place.
                if *table == "grid" && grid.get(&varied).is_none() {
                    grid.remove(&varied);
                }
            }
            parts.splice(3.., [varied.as_str()]);
        }
        if let Err((message, help)) = self.root.set(&parts, node, &key_span) {
            return fault(self, 0..path.trim_end().len(), message, &help);
        }
        match parts.as_slice() {
            ["algorithms", name, setting @ ..] => {
                self.root.remove_varied(name, &setting.join("."));
                if !setting.iter().take(1).any(|first| NOT_SETTINGS.contains(first)) {
                    self.root.remove_other_writings(name, setting);
                }
            }
            // A budget of the command line also overrides the budgets of the algorithms.
            ["budget", ..] => {
                let setting = parts.join(".");
                self.root.remove_varied("*", &setting);
                self.root.algorithms_mut("*").for_each(|algorithm| algorithm.remove(&setting));
            }
            _ => {}
        }
        Ok(())
    }
}

/// The positions of a character outside of quotes, in bytes.
fn unquoted(text: &str, sought: char) -> impl Iterator<Item = usize> {
    let mut quote = None;
    text.char_indices().filter_map(move |(at, character)| {
        match quote {
            Some(open) if open == character => quote = None,
            None if matches!(character, '"' | '\'') => quote = Some(character),
            _ => return (quote.is_none() && character == sought).then_some(at),
        }
        None
    })
}

/// The names of a dotted path, without quotes. `None` if a name is empty, or a quote is not closed.
fn names(path: &str) -> Option<Vec<String>> {
    let mut names = Vec::new();
    let mut start = 0;
    for end in unquoted(path, '.').chain([path.len()]) {
        let name = path[start..end].trim();
        start = end + 1;
        names.push(match DeValue::parse(name).map(toml::Spanned::into_inner) {
            Ok(DeValue::String(text)) => text.into_owned(),
            _ if name.contains(['"', '\'']) => return None,
            _ => name.to_owned(),
        });
    }
    (!names.iter().any(String::is_empty)).then_some(names)
}

impl Table {
    /// Sets the value at a path through tables and lists; `*` stands for every entry.
    fn set(&mut self, keys: &[&str], node: Node, key_span: &Span) -> Result<(), (String, String)> {
        let (key, rest) = keys.split_first().expect("a path has at least one key");
        if *key == "*" {
            for name in self.entries.iter().map(|entry| entry.key.clone()).collect::<Vec<_>>() {
                let keys: Vec<&str> = std::iter::once(name.as_str()).chain(rest.iter().copied()).collect();
                self.set(&keys, node.clone(), key_span)?;
            }
            return Ok(());
        }
        let place = match self.entries.iter().position(|entry| entry.key == *key) {
            Some(place) => place,
            None => {
                let node = Node { span: *key_span, value: NodeValue::Table(Table::default()) };
                self.entries.push(Entry { key: (*key).to_owned(), key_span: *key_span, node });
                self.entries.len() - 1
            }
        };
        let entry = &mut self.entries[place];
        if rest.is_empty() {
            *entry = Entry { key: (*key).to_owned(), key_span: *key_span, node };
            return Ok(());
        }
        if let NodeValue::Text(kind) = &entry.node.value {
            // `--set selection.fraction=0.3` over `selection = "truncation"`.
            let kind = Node { span: entry.node.span, value: NodeValue::Text(kind.clone()) };
            let entries = vec![Entry { key: "kind".to_owned(), key_span: entry.key_span, node: kind }];
            entry.node.value = NodeValue::Table(Table { entries });
        }
        match &mut entry.node.value {
            NodeValue::Table(table) if *key == "algorithms" && rest[0] != "*" && table.get(rest[0]).is_none() => {
                let names: Vec<&str> = table.entries.iter().map(|entry| entry.key.as_str()).collect();
                Err((format!("unknown algorithm `{}`", rest[0]), one_of(rest[0], &names)))
            }
            NodeValue::Table(table) => table.set(rest, node, key_span),
            NodeValue::List(items) => {
                let Some(item) = rest[0].parse().ok().and_then(|at: usize| items.get_mut(at)) else {
                    let message = format!("`{key}` has no entry number `{}`", rest[0]);
                    let entries = counted(items.len() as u64, "item");
                    return Err((message, format!("`{key}` has {entries}, numbered from 0")));
                };
                match (&mut item.value, &rest[1..]) {
                    (_, []) => *item = node,
                    (NodeValue::Table(table), below) => return table.set(below, node, key_span),
                    _ => {
                        let help = "use one `--set` to replace the whole entry of the list";
                        return Err((format!("`{key}.{}` is not a table", rest[0]), help.to_owned()));
                    }
                }
                Ok(())
            }
            value => {
                let mut table = Table::default();
                table.set(rest, node, key_span)?;
                *value = NodeValue::Table(table);
                Ok(())
            }
        }
    }
}

impl Table {
    /// The tables of the algorithms with this name; `*` means all algorithms.
    fn algorithms_mut<'t>(&'t mut self, name: &'t str) -> impl Iterator<Item = &'t mut Table> {
        let algorithms = self.table_mut("algorithms").into_iter().flat_map(|algorithms| &mut algorithms.entries);
        algorithms.filter(move |entry| name == "*" || entry.key == name).filter_map(|entry| entry.node.table_mut())
    }

    /// Removes a setting from the grids and designs of these algorithms; `*` means all algorithms. A setting of the command line is not
    /// varied.
    fn remove_varied(&mut self, name: &str, setting: &str) {
        for algorithm in self.algorithms_mut(name) {
            algorithm.table_mut("grid").into_iter().for_each(|grid| grid.remove(setting));
            // Without a design, the setting stays in the space: the new value is where a search of the space begins.
            if algorithm.get("design").is_some() {
                algorithm.table_mut("space").into_iter().for_each(|space| space.remove(setting));
                for design in algorithm.tables_mut("design") {
                    for key in ["space", "grid"] {
                        design.table_mut(key).into_iter().for_each(|table| table.remove(setting));
                    }
                }
            }
        }
    }

    /// Removes a setting, or parts of it that are written with dotted keys, from the tables of these algorithms.
    fn remove_other_writings(&mut self, name: &str, setting: &[&str]) {
        for algorithm in self.algorithms_mut(name) {
            let mut table = Some(algorithm);
            for at in 0..setting.len() {
                let Some(below) = table else { break };
                let path = setting[at..].join(".");
                below.entries.retain(|entry| !entry.key.contains('.') || within(&entry.key, &path).is_none());
                table = below.table_mut(setting[at]);
            }
        }
    }

    /// Whether a setting is in a `zip` of one of these algorithms.
    fn is_zipped(&mut self, name: &str, setting: &str) -> bool {
        let holds = |node: &Node| node.table().is_some_and(|zip| entry_at(zip, setting).is_some());
        let mut zips = self.algorithms_mut(name).filter_map(|algorithm| algorithm.node("zip"));
        zips.any(|zip| zip.each().iter().any(holds))
    }

    /// Removes the entry at a dotted path. The path may be written as one key or as nested tables.
    fn remove(&mut self, path: &str) {
        self.entries.retain_mut(|entry| match (within(path, &entry.key), &mut entry.node.value) {
            (Some(""), _) => false,
            (Some(below), NodeValue::Table(table)) => {
                table.remove(below);
                !table.entries.is_empty()
            }
            _ => true,
        });
    }

    /// The table, or the tables of the list, under a key.
    fn tables_mut(&mut self, key: &str) -> impl Iterator<Item = &mut Table> {
        let entry = self.entries.iter_mut().find(|entry| entry.key == key);
        let nodes = entry.map(|Entry { node, .. }| match node {
            Node { value: NodeValue::List(items), .. } => items.as_mut_slice(),
            node => std::slice::from_mut(node),
        });
        nodes.into_iter().flatten().filter_map(Node::table_mut)
    }

    fn table_mut(&mut self, key: &str) -> Option<&mut Table> {
        self.entries.iter_mut().find(|entry| entry.key == key)?.node.table_mut()
    }
}

impl Node {
    fn table_mut(&mut self) -> Option<&mut Table> {
        match &mut self.value {
            NodeValue::Table(table) => Some(table),
            _ => None,
        }
    }
}
