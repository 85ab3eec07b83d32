//! The setup of one run: a preset or an algorithm by name, with settings of the command line over it.

use evogrid_core::algorithm::Algorithm;
use evogrid_core::budget::Budget;
use evogrid_core::catalogue::{Catalogue, Fault, SettingPart};
use evogrid_core::settings::{Settings, Value};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::document::{Document, Entry, Node, NodeValue, Span, Table};
use crate::external;
use crate::spec::presets;
use evogrid_core::suggestion::one_of;

/// The keys that `--set` may begin with where it does not speak of a setting of the algorithm.
const TABLES: [&str; 2] = ["algorithms", "budget"];

/// An algorithm, ready to run.
pub(super) struct Setup {
    /// The algorithm.
    pub(super) search: Algorithm,
    /// Its budget.
    pub(super) budget: Budget,
    /// All settings, resolved.
    pub(super) settings: Settings,
}

impl Setup {
    /// The setup of a preset, or of an algorithm with its defaults, with `sets` (`PATH=VALUE`) laid over it.
    ///
    /// # Errors
    /// Everything that is wrong with the name and the options.
    pub(super) fn new(name: &str, sets: &[String], problem: &str, catalogue: &Catalogue) -> Result<Self, Diagnostics> {
        let mut raw = start(name, catalogue)?;
        // Under its name, so that an option of an experiment's command line (`algorithms.huke.population=50`) means the same.
        let mut document = Document::parse("--algorithm", format!("[algorithms.\"{name}\"]\n"))?;
        let mut diagnostics = Diagnostics::new();
        for set in sets {
            document.set(set, &TABLES).unwrap_or_else(|wrong| diagnostics.extend(wrong));
        }
        for entry in document.root.entries.iter().filter(|entry| !TABLES.contains(&entry.key.as_str())) {
            let message = format!("there is no table `{}` to set", entry.key);
            diagnostics.push(document.diagnostic(&entry.key_span, message, one_of(&entry.key, &TABLES[1..])));
        }
        let own = table(&document.root, "algorithms").and_then(|algorithms| table(algorithms, name));
        let mut over = own.map_or_else(Settings::new, |own| settings(&document, "", own, &mut diagnostics));
        if let Some(budget) = document.root.get("budget")
            && let Some(value) = value(&document, "budget", &budget.node, &mut diagnostics)
        {
            over.set("budget", value);
        }
        raw.overlay(&over);
        let (settings, faults) = match catalogue.resolve(&raw, &[problem]) {
            Ok(settings) => {
                let faults = external::faults(&settings);
                (Some(settings), faults)
            }
            Err(faults) => (None, faults),
        };
        faults.into_iter().for_each(|fault| diagnostics.push(diagnostic(&document, own, fault)));
        let settings = diagnostics.or(settings)?;
        let search = catalogue.algorithm(&settings);
        Ok(Self { search, budget: Budget::from_settings(settings.table("budget")), settings })
    }
}

/// The settings of a preset, or of an algorithm of which nothing is said but its name.
fn start(name: &str, catalogue: &Catalogue) -> Result<Settings, Diagnostics> {
    let presets = presets(catalogue);
    if let Some(preset) = presets.iter().find(|preset| preset.name == name) {
        return Ok(preset.settings.clone());
    }
    if catalogue.algorithms.find(name).is_some() {
        let mut settings = Settings::new();
        settings.set("kind", Value::Text(name.to_owned()));
        return Ok(settings);
    }
    let names: Vec<&str> = presets.iter().map(|preset| preset.name).collect();
    let names = [names, catalogue.algorithms.declarations().map(|declared| declared.name).collect()].concat();
    let help = format!("{}; `runner list presets` says more", one_of(name, &names));
    Err(Diagnostic::general(format!("unknown algorithm or preset `{name}`"), help).into())
}

/// A fault at the option that it speaks of; without a place if the preset or a default is to blame.
fn diagnostic(document: &Document, own: Option<&Table>, fault: Fault) -> Diagnostic {
    let budget = document
        .root
        .get("budget")
        .and_then(|entry| find(&document.root, &fault.path).filter(|_| entry.key == "budget"));
    let place = budget.or_else(|| find(own?, &fault.path));
    match place {
        Some((entry, is_exact)) => {
            let span: &Span =
                if fault.part == SettingPart::Value && is_exact { &entry.node.span } else { &entry.key_span };
            document.diagnostic(span, fault.message, fault.expected)
        }
        None => {
            let help = match fault.path.as_str() {
                "budget" => format!("{}, as in `--set budget.generations=1000`", fault.expected),
                path => format!("{}; set it with `--set {path}=VALUE`", fault.expected),
            };
            Diagnostic::general(fault.message, help)
        }
    }
}

/// The entry at a dotted path, or the deepest on the way to it, and whether it is the former.
fn find<'t>(table: &'t Table, path: &str) -> Option<(&'t Entry, bool)> {
    let (head, rest) = path.split_once('.').map_or((path, None), |(head, rest)| (head, Some(rest)));
    let entry = table.get(head)?;
    match (rest, &entry.node.value) {
        (None, _) => Some((entry, true)),
        (Some(rest), NodeValue::Table(inner)) => find(inner, rest).or(Some((entry, false))),
        _ => Some((entry, false)),
    }
}

fn table<'t>(table: &'t Table, key: &str) -> Option<&'t Table> {
    match &table.get(key)?.node.value {
        NodeValue::Table(table) => Some(table),
        _ => None,
    }
}

fn settings(document: &Document, path: &str, table: &Table, diagnostics: &mut Diagnostics) -> Settings {
    let mut settings = Settings::new();
    for entry in &table.entries {
        let path = if path.is_empty() { entry.key.clone() } else { format!("{path}.{}", entry.key) };
        if let Some(value) = value(document, &path, &entry.node, diagnostics) {
            settings.set(&entry.key, value);
        }
    }
    settings
}

fn value(document: &Document, path: &str, node: &Node, diagnostics: &mut Diagnostics) -> Option<Value> {
    Some(match &node.value {
        NodeValue::Flag(flag) => Value::Flag(*flag),
        NodeValue::Integer(integer) => Value::Integer(*integer),
        NodeValue::Real(real) => Value::Real(*real),
        NodeValue::Text(text) => Value::Text(text.clone()),
        NodeValue::Table(table) => Value::Table(settings(document, path, table, diagnostics)),
        other => {
            let message = format!("`{path}` is {}", other.type_name());
            diagnostics.push(document.diagnostic(&node.span, message, "expected one value: nothing is varied here"));
            return None;
        }
    })
}
