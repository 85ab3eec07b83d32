//! `--set PATH=VALUE`, one a line, laid over an experiment with tables, grids and lists.
//!
//! What is accepted makes the same experiment as a file in which the same values are written; what is refused is refused with a
//! harmless message that says where.
#![no_main]

use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use evogrid_fuzz::{CATALOGUE, assert_harmless, scratch};
use evogrid_runner::experiment::diagnostic::Diagnostics;
use evogrid_runner::experiment::document::{self, Document, NodeValue};
use evogrid_runner::experiment::manifest_form::Experiment;
use evogrid_runner::experiment::plan::Plan;
use evogrid_runner::experiment::spec::Spec;
use libfuzzer_sys::fuzz_target;

const EXPERIMENT: &str = include_str!("small/set.toml");

/// The tables of an experiment; a path that begins with none of them is a setting of every algorithm.
const TABLES: [&str; 5] = ["experiment", "instances", "algorithms", "budget", "record"];

static FOLDER: LazyLock<PathBuf> =
    LazyLock::new(|| scratch("set", &[("boards.csv", include_str!("small/boards.csv"))]));

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let sets: Vec<String> = text.lines().map(str::to_owned).collect();
    match read(EXPERIMENT, &sets) {
        Ok(spec) => check(spec, &sets),
        Err(wrong) => {
            assert_harmless(&wrong.to_string());
            let is_placed = |line: &str| line.contains("--set:1:") || line.contains("experiment.toml:");
            let wrong = wrong.to_string();
            let mut errors = wrong.lines().filter(|line| line.starts_with("error: "));
            assert!(errors.all(is_placed), "{sets:?}: {wrong}");
        }
    }
});

fn read(text: &str, sets: &[String]) -> Result<Spec, Diagnostics> {
    Spec::from_document(Document::parse("experiment.toml", text.to_owned())?, &FOLDER, sets, &CATALOGUE)
}

/// Compares what was accepted with a file that says the same, where that is known.
fn check(spec: Spec, sets: &[String]) {
    let mut table = parsed(EXPERIMENT).expect("it is TOML");
    if !sets.iter().all(|set| write(set, &mut table)) {
        return;
    }
    let lines = table.iter().map(|(key, value)| format!("{} = {value}\n", quoted(key)));
    let text: String = lines.collect();
    let written =
        read(&text, &[]).unwrap_or_else(|wrong| panic!("{sets:?} is accepted, and in a file:\n{wrong}\n{text}"));
    let [set, written] = [spec, written].map(experiment);
    assert_eq!(set.difference(&written), None, "{sets:?}\n{text}");
    assert_eq!(set, written, "{sets:?}\n{text}");
}

fn experiment(spec: Spec) -> Experiment {
    Experiment::new(&Plan::new(spec, Arc::clone(&CATALOGUE)), Path::new("experiment.toml"), &[])
}

/// A value of a file: a table, or anything else as its text.
#[derive(Clone)]
enum Value {
    Table(Table),
    Other(String),
}

/// The entries of a table in their order.
type Table = Vec<(String, Value)>;

fn parsed(text: &str) -> Option<Table> {
    let entries = |table: document::Table| table.entries.into_iter().map(|entry| (entry.key, entry.node.value.into()));
    Some(entries(Document::parse("a value", text.to_owned()).ok()?.root).collect())
}

impl From<NodeValue> for Value {
    fn from(value: NodeValue) -> Self {
        Self::Other(match value {
            NodeValue::Table(table) => {
                return Self::Table(
                    table.entries.into_iter().map(|entry| (entry.key, entry.node.value.into())).collect(),
                );
            }
            NodeValue::List(items) => {
                let items = items.into_iter().map(|item| Self::from(item.value).to_string());
                format!("[{}]", items.collect::<Vec<_>>().join(", "))
            }
            NodeValue::Flag(flag) => flag.to_string(),
            NodeValue::Integer(integer) => integer.to_string(),
            NodeValue::Real(real) => format!("{real:?}"),
            NodeValue::Text(text) => quoted(&text),
            NodeValue::Date(text) | NodeValue::Unrepresentable(text) => text,
        })
    }
}

impl Display for Value {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Other(text) => formatter.write_str(text),
            Self::Table(table) => {
                let entries = table.iter().map(|(key, value)| format!("{} = {value}", quoted(key)));
                write!(formatter, "{{ {} }}", entries.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// A text in TOML, whose escapes are those of JSON, and one more.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a text").replace('\u{7f}', "\\u007f")
}

fn get<'t>(table: &'t mut Table, key: &str) -> Option<&'t mut Value> {
    table.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value)
}

fn get_table<'t>(table: &'t mut Table, key: &str) -> Option<&'t mut Table> {
    match get(table, key)? {
        Value::Table(table) => Some(table),
        Value::Other(_) => None,
    }
}

/// Writes a value into a file where an option puts it; false where it is not said here what it does.
fn write(set: &str, file: &mut Table) -> bool {
    let Some((path, value)) = set.split_once('=') else { return false };
    let mut keys: Vec<&str> = path.split('.').map(str::trim).collect();
    let is_plain = |key: &&str| key.chars().all(|sign| sign.is_ascii_alphabetic() || "_-".contains(sign));
    if !keys.iter().all(|key| !key.is_empty() && (is_plain(key) || *key == "*")) {
        return false;
    }
    if !TABLES.contains(&keys[0]) {
        keys.splice(0..0, ["algorithms", "*"]);
    }
    let value = value.trim();
    let parsed = parsed(&format!("value = {value}")).filter(|table| table.len() == 1);
    let value =
        parsed.and_then(|mut table| table.pop()).map_or_else(|| Value::Other(quoted(value)), |(_, value)| value);
    match keys.as_slice() {
        ["algorithms", name, setting @ ..] if !setting.is_empty() && is_plain(&setting[0]) => {
            let Some(algorithms) = get_table(file, "algorithms") else { return false };
            let mut named = algorithms.iter_mut().filter(|(other, _)| *name == "*" || other == name);
            named.all(|(_, algorithm)| match algorithm {
                Value::Table(algorithm) => write_setting(algorithm, setting, value.clone()),
                Value::Other(_) => false,
            })
        }
        ["budget", _] => {
            // It overrides those of the algorithms.
            let dotted = keys.join(".");
            for (_, algorithm) in get_table(file, "algorithms").into_iter().flatten() {
                let Value::Table(algorithm) = algorithm else { return false };
                remove(algorithm, &dotted);
                get_table(algorithm, "grid").into_iter().for_each(|grid| remove(grid, &dotted));
            }
            put(file, &keys, value)
        }
        ["experiment" | "record", _, ..] => put(file, &keys, value),
        _ => false,
    }
}

/// Writes a setting of an algorithm, which is no longer varied then.
fn write_setting(algorithm: &mut Table, setting: &[&str], value: Value) -> bool {
    if matches!(setting[0], "grid" | "zip" | "exclude") {
        return false;
    }
    get_table(algorithm, "grid").into_iter().for_each(|grid| remove(grid, &setting.join(".")));
    put(algorithm, setting, value)
}

/// Puts a value at a path, through tables; a text in the way is the kind of one.
fn put(table: &mut Table, path: &[&str], value: Value) -> bool {
    let (key, rest) = path.split_first().expect("a path has a key");
    if *key == "*" {
        return false;
    }
    if get(table, key).is_none() {
        table.push(((*key).to_owned(), Value::Table(Table::new())));
    }
    let there = get(table, key).expect("it is there now");
    if rest.is_empty() {
        *there = value;
        return true;
    }
    if let Value::Other(text) = there {
        let is_kind = text.starts_with('"');
        *there = Value::Table(is_kind.then(|| ("kind".to_owned(), Value::Other(text.clone()))).into_iter().collect());
    }
    match there {
        Value::Table(inner) => put(inner, rest, value),
        Value::Other(_) => false,
    }
}

/// Removes what stands at a dotted path, as one key or as tables in tables, and the tables that are empty then.
fn remove(table: &mut Table, path: &str) {
    table.retain_mut(|(key, value)| {
        let below = path.strip_prefix(&**key).and_then(|rest| rest.strip_prefix('.'));
        if let (Some(below), Value::Table(inner)) = (below, value) {
            remove(inner, below);
            return !inner.is_empty();
        }
        key != path
    });
}
