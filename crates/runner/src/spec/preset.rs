//! Presets: an author's published setting under a name, written as an experiment would write it.

use evogrid_core::catalogue::Catalogue;
use evogrid_core::settings::{Settings, Value};

use super::fields::Reader;
use crate::document::{Document, NodeValue};

/// A named starting point for an algorithm.
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// One line of what it is.
    pub title: String,
    /// The family of problems that it is for.
    pub family: &'static str,
    /// Paper, year, page.
    pub source: String,
    /// The settings, the budget among them.
    pub settings: Settings,
}

/// The names of the presets of all families.
#[must_use]
pub fn preset_names(catalogue: &Catalogue) -> Vec<&'static str> {
    texts(catalogue).map(|(_, name, _)| name).collect()
}

/// The preset of that name.
///
/// # Panics
/// As [`presets`].
#[must_use]
pub fn preset(name: &str, catalogue: &Catalogue) -> Option<Preset> {
    texts(catalogue).find(|(_, own, _)| *own == name).map(parse)
}

/// The presets of all families.
///
/// # Panics
/// If one is not well written, which a test would show.
#[must_use]
pub fn presets(catalogue: &Catalogue) -> Vec<Preset> {
    texts(catalogue).map(parse).collect()
}

/// The family, the name and the TOML of each preset.
fn texts(catalogue: &Catalogue) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    catalogue
        .families()
        .flat_map(|family| family.presets().iter().map(|&(name, text)| (family.declaration().name, name, text)))
}

fn parse((family, name, text): (&'static str, &'static str, &str)) -> Preset {
    let document = Document::parse(name, text.to_owned()).expect("a preset is TOML");
    let mut reader = Reader::new(&document);
    let text = |key: &str| match document.root.get(key).map(|entry| &entry.node.value) {
        Some(NodeValue::Text(text)) => text.clone(),
        _ => panic!("preset `{name}` has no `{key}`"),
    };
    let mut settings = reader.settings("", &document.root, &["title", "source", "settings"]);
    let own = reader.settings("", &document.root, &["title", "source", "budget"]);
    if let Some(Value::Table(own)) = own.get("settings") {
        settings.overlay(own);
    }
    Preset { name, family, title: text("title"), source: text("source"), settings }
}
