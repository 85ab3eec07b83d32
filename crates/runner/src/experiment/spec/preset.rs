//! Presets: published settings under a name. A preset is written like the table of an algorithm in an experiment.

use evogrid_core::catalogue::{Catalogue, Fault};
use evogrid_core::settings::{Settings, Value};
use evogrid_core::suggestion::list;

use super::fields::Reader;
use crate::experiment::document::{Document, Node};

/// A named set of settings for an algorithm.
pub struct Preset {
    /// The name of the preset.
    pub name: &'static str,
    /// A description in one line.
    pub title: String,
    /// The TOML text from which the preset was read.
    pub text: &'static str,
    /// The problem family for which the settings were published.
    pub family: &'static str,
    /// The paper in which the settings were published, with year and page.
    pub source: String,
    /// The settings, including the budget.
    pub settings: Settings,
}

impl Preset {
    /// Returns a note if the preset was not published for all families of the experiment.
    pub fn note(&self, problems: &[&str]) -> Option<String> {
        let others: Vec<&str> = problems.iter().copied().filter(|problem| *problem != self.family).collect();
        let (name, family) = (self.name, self.family);
        let note = || format!("the preset `{name}` was published only for `{family}`, not for {}", list(&others));
        (!others.is_empty()).then(note)
    }

    /// Gives a new message to a fault that a setting of the preset causes. The new message names the preset, and the family for which the
    /// preset was published.
    pub fn blamed(&self, fault: Fault) -> Fault {
        let (name, family) = (self.name, self.family);
        let message = format!(
            "the preset `{name}` was published for `{family}`; its settings do not fit this problem: {}",
            fault.message
        );
        let expected = format!("use the preset only on instances of `{family}`, or write your own settings");
        Fault { message, expected, ..fault }
    }
}

/// The names of the presets of all families.
pub fn preset_names(catalogue: &Catalogue) -> Vec<&'static str> {
    texts(catalogue).map(|(_, name, _)| name).collect()
}

/// The preset with this name.
///
/// # Panics
/// Like [`presets`].
pub fn preset(name: &str, catalogue: &Catalogue) -> Option<Preset> {
    texts(catalogue).find(|(_, own, _)| *own == name).map(parse)
}

/// The presets of all families.
///
/// # Panics
/// If a preset is not valid. A test checks all presets.
pub fn presets(catalogue: &Catalogue) -> Vec<Preset> {
    texts(catalogue).map(parse).collect()
}

/// The family, the name and the TOML of each preset.
fn texts(catalogue: &Catalogue) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    catalogue
        .families()
        .flat_map(|family| family.presets().iter().map(|&(name, text)| (family.declaration().name, name, text)))
}

fn parse((family, name, text): (&'static str, &'static str, &'static str)) -> Preset {
    let document = Document::parse(name, text.to_owned()).expect("a preset is TOML");
    let mut reader = Reader::new(&document);
    let field = |key: &str| document.root.node(key).and_then(Node::text).expect("a preset has it").to_owned();
    let mut settings = reader.settings("", &document.root, &["title", "source", "settings"]);
    let own = reader.settings("", &document.root, &["title", "source", "budget"]);
    if let Some(Value::Table(own)) = own.get("settings") {
        settings.overlay(own);
    }
    Preset { name, text, family, title: field("title"), source: field("source"), settings }
}
