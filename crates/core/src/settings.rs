//! Settings: named parameters with their values in an experiment.

pub mod capability;
mod condition;
pub mod fault;
pub mod growing_number;
pub mod parameter;
pub mod registry;
pub mod setting;
pub mod suggestion;

use std::collections::BTreeMap;
use std::fmt::{self, Write};

pub use capability::Capability;
pub use condition::Condition;
pub use fault::{Fault, SettingPart};
pub use growing_number::{Formula, GrowingNumber};
pub use parameter::{AddedNames, CONSTRUCTIONS, Declaration, DefaultValue, Domain, Parameter, names};
pub use registry::{Member, Operators, Registry};
pub use setting::{Choice, Setting, defaults};

/// The limit 2^53. A real number represents every whole number below this limit exactly.
const FIRST_INEXACT_INTEGER: f64 = (1u64 << 53) as f64;

/// The value of a setting.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// True or false.
    Flag(bool),
    /// A whole number.
    Integer(i64),
    /// A number.
    Real(f64),
    /// A name or other text.
    Text(String),
    /// An operator with its own settings. The setting `kind` contains the name of the operator.
    Table(Settings),
}

impl Value {
    /// The value as a number. Returns `None` if the value is not a number.
    pub fn as_real(&self) -> Option<f64> {
        match *self {
            Value::Integer(integer) => Some(integer as f64),
            Value::Real(real) => Some(real),
            _ => None,
        }
    }

    /// The name of the type, for messages.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Flag(_) => "true or false",
            Value::Integer(_) => "a whole number",
            Value::Real(_) => "a number",
            Value::Text(_) => "text",
            Value::Table(_) => "a table",
        }
    }

    /// Returns the standard form of a value that has no declared type. For example, 1.0 becomes 1.
    pub fn plain(&self) -> Self {
        match *self {
            Self::Real(real) if real.fract() == 0.0 && real.abs() < FIRST_INEXACT_INTEGER => Self::Integer(real as i64),
            _ => self.clone(),
        }
    }

    /// This value as a table. If the value is not a table, it is converted: the name of an operator becomes a table whose `kind` is this
    /// name.
    fn as_table(&mut self) -> &mut Settings {
        if !matches!(self, Value::Table(_)) {
            let kind = std::mem::replace(self, Value::Table(Settings::new()));
            self.as_table().set("kind", kind);
        }
        match self {
            Value::Table(settings) => settings,
            _ => unreachable!("the value is a table after the conversion"),
        }
    }
}

/// The short form of a value, for a field or a heading of a CSV file: `100`, `0.2`, `offspring`, `truncation(fraction=0.2)`.
impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Flag(flag) => flag.fmt(formatter),
            Value::Integer(integer) => integer.fmt(formatter),
            Value::Real(real) => real.fmt(formatter),
            Value::Text(text) => formatter.write_str(text),
            Value::Table(table) => {
                let kind = table.get("kind");
                if let (Some(per), Some(times)) = (table.get("per"), table.get("times")) {
                    return write!(formatter, "{times} x {per}");
                }
                if let Some(kind) = kind {
                    write!(formatter, "{kind}")?;
                }
                let others: Vec<String> = table
                    .iter()
                    .filter(|(name, _)| *name != "kind")
                    .map(|(name, value)| format!("{name}={value}"))
                    .collect();
                if kind.is_some() && others.is_empty() {
                    return Ok(());
                }
                write!(formatter, "({})", others.join(" "))
            }
        }
    }
}

/// A table of settings, sorted by name. The order of the settings in the file does not matter.
///
/// ```
/// use evogrid_core::settings::{Settings, Value};
///
/// let mut settings = Settings::new();
/// settings.set("population", Value::Integer(100));
/// settings.set("selection", Value::Text("truncation".to_owned()));
/// // A path into an operator that was given by its name makes it a table.
/// settings.set_at("selection.fraction", Value::Real(0.2));
/// assert_eq!(settings.at("selection.kind"), Some(&Value::Text("truncation".to_owned())));
///
/// let mut changes = Settings::new();
/// changes.set_at("selection.fraction", Value::Real(0.5));
/// settings.overlay(&changes);
/// assert_eq!(settings.get("selection").unwrap().to_string(), "truncation(fraction=0.5)");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings(BTreeMap<String, Value>);

impl Settings {
    /// No settings.
    pub fn new() -> Self {
        Self::default()
    }

    /// The settings with only one value, at a dotted path.
    pub fn of(path: &str, value: Value) -> Self {
        let mut settings = Self::new();
        settings.set_at(path, value);
        settings
    }

    /// Returns the value that a setting has in this table.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// Sets the value of the setting `name` in this table of settings.
    pub fn set(&mut self, name: impl Into<String>, value: Value) {
        self.0.insert(name.into(), value);
    }

    /// The names and values of all settings, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Returns the value at a dotted path. The path may lead through nested tables.
    pub fn at(&self, path: &str) -> Option<&Value> {
        match path.split_once('.') {
            None => self.get(path),
            Some((head, rest)) => match self.get(head)? {
                Value::Table(table) => table.at(rest),
                _ => None,
            },
        }
    }

    /// Sets the value at a dotted path. Suppose that a part of the path is an operator that is given only by its name. Then a table
    /// replaces the name, and the replaced name becomes the `kind` of this table.
    pub fn set_at(&mut self, path: &str, value: Value) {
        let Some((head, rest)) = path.split_once('.') else {
            return self.set(path, value);
        };
        let entry = self.0.entry(head.to_owned()).or_insert_with(|| Value::Table(Settings::new()));
        entry.as_table().set_at(rest, value);
    }

    /// Removes the value at a dotted path, if this value exists.
    pub fn remove_at(&mut self, path: &str) {
        match path.split_once('.') {
            None => drop(self.0.remove(path)),
            Some((head, rest)) => {
                if let Some(Value::Table(table)) = self.0.get_mut(head) {
                    table.remove_at(rest);
                }
            }
        }
    }

    /// Adds the settings in `over` to these settings. If a name occurs in the old and in the new settings, the new setting replaces the old
    /// setting. If a new table has no `kind` or the same `kind` as the old table, the two tables are merged. A merged table contains the
    /// settings of both tables.
    pub fn overlay(&mut self, over: &Settings) {
        for (name, value) in &over.0 {
            match (self.0.get_mut(name), value) {
                (Some(below @ (Value::Table(_) | Value::Text(_))), Value::Table(above)) if above.fits(below) => {
                    below.as_table().overlay(above);
                }
                _ => self.set(name, value.clone()),
            }
        }
    }

    /// Returns true if this table can be merged into a value. This table must have no `kind`, or the same `kind` as the value. A growing
    /// limit is never merged, but replaces the other limit.
    fn fits(&self, below: &Value) -> bool {
        if self.get("per").is_some() {
            return false;
        }
        let kind = match below {
            Value::Table(table) => table.get("kind"),
            name => Some(name),
        };
        self.get("kind").is_none_or(|own| kind == Some(own))
    }

    /// Returns all values except tables. Each value comes with its dotted path. The list is sorted by path.
    pub fn flat(&self) -> Vec<(String, &Value)> {
        let mut flat = Vec::new();
        self.flatten("", &mut flat);
        flat.sort_by(|one, other| one.0.cmp(&other.0));
        flat
    }

    /// The canonical text: one line `path=value` for every value, sorted by path. Equal settings have equal texts. The identity of a run
    /// depends on this text.
    pub fn canonical(&self) -> String {
        let mut text = String::new();
        for (path, value) in self.flat() {
            let end = match value {
                // A real number always shows its point, so the rates 1 and 1.0 have the same text.
                Value::Real(real) => writeln!(text, "{path}={real:?}"),
                Value::Text(name) => writeln!(text, "{path}={}", quoted(name)),
                other => writeln!(text, "{path}={other}"),
            };
            end.expect("writing to a string succeeds");
        }
        text
    }

    fn flatten<'a>(&'a self, prefix: &str, flat: &mut Vec<(String, &'a Value)>) {
        for (name, value) in &self.0 {
            let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
            match value {
                Value::Table(table) => table.flatten(&path, flat),
                value => flat.push((path, value)),
            }
        }
    }
}

/// A text in quotes, on one line. The escapes are fixed here, because the escapes of the standard library may change.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\"").replace('\n', r"\n"))
}

/// Declares methods. Each method reads values of one type.
macro_rules! read_values {
    ($($(#[$doc:meta])* $method:ident, $what:literal: $pattern:pat => $value:expr, $type:ty;)*) => {
        $($(#[$doc])*
        pub fn $method(&self, name: &str) -> $type {
            match self.get(name) {
                Some($pattern) => $value,
                other => panic!("the program reads the setting `{name}` as {}, but its value is {other:?}", $what),
            }
        })*
    };
}

/// Methods for [resolved](crate::catalogue::Catalogue::resolve) settings. Every parameter of resolved settings has a value of its declared
/// type. These methods for settings panic if a value is missing. A missing value is a bug in the program, and not a mistake of the user.
impl Settings {
    read_values! {
        /// The value of a setting that is declared as an integer. The integer is 0 or larger.
        count, "integer": &Value::Integer(integer) => usize::try_from(integer).expect("the count is not negative"), usize;
        /// The value of a setting that is declared as a real number.
        real, "number": &Value::Real(real) => real, f64;
        /// The value of a setting that is declared as a flag.
        flag, "flag": &Value::Flag(flag) => flag, bool;
        /// The value of a setting that is declared as a text or as a choice of names.
        name, "name": Value::Text(text) => text, &str;
        /// The value of a setting that is declared as an operator.
        table, "operator": Value::Table(table) => table, &Settings;
    }

    /// Looks up the value of the setting `name` in `table`, and returns the second part of the entry that was found.
    pub fn choice<T: Copy>(&self, name: &str, table: &[(&str, T)]) -> T {
        let chosen = self.name(name);
        let Some((_, value)) = table.iter().find(|(known, _)| *known == chosen) else {
            panic!("the setting `{name}` has the value `{chosen}`, which is not one of its declared values");
        };
        *value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    #[test]
    fn the_canonical_text_is_sorted_and_tells_integers_from_reals() {
        let mut settings = Settings::new();
        settings.set_at("selection.kind", text("truncation"));
        settings.set_at("selection.fraction", Value::Real(1.0));
        settings.set("population", Value::Integer(100));
        assert_eq!(settings.canonical(), "population=100\nselection.fraction=1.0\nselection.kind=\"truncation\"\n");
    }

    #[test]
    fn no_text_passes_for_another_in_the_canonical_text() {
        let mut settings = Settings::new();
        settings.set("command", text("say \"a\\b\"\nseed=1 é"));
        assert_eq!(settings.canonical(), "command=\"say \\\"a\\\\b\\\"\\nseed=1 é\"\n");
    }

    #[test]
    fn a_table_of_another_kind_takes_the_place_of_the_old_one() {
        let mut below = Settings::new();
        below.set_at("mutation.kind", text("swap"));
        below.set_at("mutation.swaps", Value::Integer(1));
        let mut same = Settings::new();
        same.set_at("mutation.swaps", Value::Integer(2));
        below.overlay(&same);
        assert_eq!(below.canonical(), "mutation.kind=\"swap\"\nmutation.swaps=2\n");
        let mut other = Settings::new();
        other.set_at("mutation.kind", text("rotation"));
        below.overlay(&other);
        assert_eq!(below.canonical(), "mutation.kind=\"rotation\"\n");
    }
}
