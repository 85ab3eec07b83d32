//! The roster: what the runs of an experiment are told apart by, and how some of them are chosen.

use std::collections::BTreeMap;

use evogrid_core::suggestion::{list, one_of};

/// The cells and instances of an experiment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Roster {
    /// The varied settings, by dotted path.
    pub varied: Vec<String>,
    /// Algorithms under each combination of what they vary.
    pub cells: Vec<Cell>,
    /// Instances.
    pub instances: Vec<Instance>,
}

/// An algorithm and its values of the varied settings; empty where it does not have one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the type says it")]
pub struct Cell {
    pub algorithm: String,
    pub varied: Vec<String>,
}

/// An instance and its bucket.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the type says it")]
pub struct Instance {
    pub id: String,
    pub bucket: String,
}

/// What a run can be told by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// Its algorithm.
    Algorithm,
    /// A varied setting, by its place among them.
    Setting(usize),
    /// Its instance.
    Instance,
    /// Its bucket of difficulty.
    Bucket,
}

/// Conditions on runs, all of which must hold: a key (`algorithm`, `instance`, `bucket` or the path of a varied setting) and
/// the values that it may have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selector(pub Vec<(String, Vec<String>)>);

/// The cells and instances that are chosen: a run is if both of its are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    cells: Vec<bool>,
    instances: Vec<bool>,
}

/// A claim speaks of what an experiment does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unselected {
    /// A key that tells no runs apart.
    #[error("its runs are not told apart by `{key}`")]
    Key {
        /// The key.
        key: String,
        /// What was expected.
        expected: String,
    },
    /// A value that no run has.
    #[error("no run has `{key} = {value}`")]
    Value {
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What was expected.
        expected: String,
    },
    /// Conditions that each hold somewhere, but never together; or no run was done.
    #[error("no run fits {conditions}")]
    Nothing {
        /// The conditions.
        conditions: String,
    },
    /// Two sides of a comparison that share no instance and repetition.
    #[error("no run of {left} has its pair in {right}")]
    NoPairs {
        /// One side.
        left: String,
        /// The other.
        right: String,
    },
    /// Several runs of one side for one of the other.
    #[error(
        "runs of {side} cannot be paired one by one: several have the same instance, repetition and other settings"
    )]
    Ambiguous {
        /// The side.
        side: String,
    },
}

impl Unselected {
    /// What was expected, for a message.
    #[must_use]
    pub fn help(&self) -> String {
        match self {
            Self::Key { expected, .. } | Self::Value { expected, .. } => expected.clone(),
            Self::Nothing { .. } => "expected conditions that hold together for some run".to_owned(),
            Self::NoPairs { .. } => {
                "runs are paired by instance, repetition and every setting that neither side names".to_owned()
            }
            Self::Ambiguous { .. } => "name, on both sides, every setting in which they differ".to_owned(),
        }
    }
}

impl Roster {
    /// The key with this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn key(&self, name: &str) -> Result<Key, Unselected> {
        let setting = || self.varied.iter().position(|varied| varied == name).map(Key::Setting);
        let key = match name {
            "algorithm" => Some(Key::Algorithm),
            "instance" => Some(Key::Instance),
            "bucket" => Some(Key::Bucket),
            _ => setting(),
        };
        key.ok_or_else(|| {
            let names: Vec<&str> =
                ["algorithm", "bucket", "instance"].into_iter().chain(self.varied.iter().map(String::as_str)).collect();
            Unselected::Key { key: name.to_owned(), expected: one_of(name, &names) }
        })
    }

    /// The name of a key.
    #[must_use]
    pub fn name(&self, key: Key) -> &str {
        match key {
            Key::Algorithm => "algorithm",
            Key::Setting(at) => &self.varied[at],
            Key::Instance => "instance",
            Key::Bucket => "bucket",
        }
    }

    /// What runs of a cell and an instance have for a key.
    #[must_use]
    pub fn value(&self, key: Key, cell: usize, instance: usize) -> &str {
        match key {
            Key::Algorithm => &self.cells[cell].algorithm,
            Key::Setting(at) => &self.cells[cell].varied[at],
            Key::Instance => &self.instances[instance].id,
            Key::Bucket => &self.instances[instance].bucket,
        }
    }

    /// The cells and instances for which all conditions hold.
    ///
    /// # Errors
    /// If a condition speaks of what is not there, or they never hold together.
    pub fn select(&self, selector: &Selector) -> Result<Selection, Unselected> {
        let mut selection =
            Selection { cells: vec![true; self.cells.len()], instances: vec![true; self.instances.len()] };
        for (name, values) in &selector.0 {
            let key = self.key(name)?;
            for value in values {
                self.check_value(key, value)?;
            }
            let holds = |own: &str| values.iter().any(|value| same(value, own));
            if matches!(key, Key::Algorithm | Key::Setting(_)) {
                let cells = selection.cells.iter_mut().enumerate();
                cells.for_each(|(cell, chosen)| *chosen &= holds(self.value(key, cell, 0)));
            } else {
                let instances = selection.instances.iter_mut().enumerate();
                instances.for_each(|(instance, chosen)| *chosen &= holds(self.value(key, 0, instance)));
            }
        }
        if selection.cells.contains(&true) && selection.instances.contains(&true) {
            Ok(selection)
        } else {
            Err(Unselected::Nothing { conditions: selector.label() })
        }
    }

    fn check_value(&self, key: Key, value: &str) -> Result<(), Unselected> {
        let there = self.values(key);
        if there.iter().any(|own| same(value, own)) {
            return Ok(());
        }
        const SHOWN: usize = 20;
        let mut expected = one_of(value, &there[..there.len().min(SHOWN)]);
        if there.len() > SHOWN {
            expected = format!("expected one of {} values, such as {}", there.len(), list(&there[..3]));
        }
        Err(Unselected::Value { key: self.name(key).to_owned(), value: value.to_owned(), expected })
    }

    /// The values that a key has, in the order in which they come; settings that a cell does not have are left out.
    #[must_use]
    pub fn values(&self, key: Key) -> Vec<&str> {
        let n = match key {
            Key::Algorithm | Key::Setting(_) => self.cells.len(),
            Key::Instance | Key::Bucket => self.instances.len(),
        };
        let mut values: Vec<&str> = Vec::new();
        for at in 0..n {
            let value = match key {
                Key::Algorithm | Key::Setting(_) => self.value(key, at, 0),
                Key::Instance | Key::Bucket => self.value(key, 0, at),
            };
            if !value.is_empty() && !values.contains(&value) {
                values.push(value);
            }
        }
        values
    }

    /// For the keys of a selector, every other combination of their values that a chosen cell has, as selectors.
    pub(crate) fn others(&self, selector: &Selector, within: &Selection) -> Result<Vec<Selector>, Unselected> {
        let keys: Vec<Key> = selector.0.iter().map(|(name, _)| self.key(name)).collect::<Result<_, _>>()?;
        let chosen = self.select(selector)?;
        let mut found: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
        for cell in (0..self.cells.len()).filter(|&cell| within.cells[cell] && !chosen.cells[cell]) {
            let order = found.len();
            found.entry(keys.iter().map(|&key| self.value(key, cell, 0)).collect()).or_insert(order);
        }
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort_by_key(|(_, order)| *order);
        let selector_of = |values: Vec<&str>| {
            let conditions =
                keys.iter().zip(values).map(|(&key, value)| (self.name(key).to_owned(), vec![value.to_owned()]));
            Selector(conditions.collect())
        };
        Ok(found.into_iter().map(|(values, _)| selector_of(values)).collect())
    }
}

impl Selector {
    /// These conditions and those.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self(self.0.iter().chain(&other.0).cloned().collect())
    }

    /// The conditions as a person reads them: `population = 100, bucket = easy`; the algorithm by its name alone.
    #[must_use]
    pub fn label(&self) -> String {
        if self.0.is_empty() {
            return "all runs".to_owned();
        }
        let conditions = self.0.iter().map(|(key, values)| {
            let values = values.iter().map(|value| readable(value)).collect::<Vec<_>>().join(" or ");
            if key == "algorithm" { values } else { format!("{key} = {values}") }
        });
        conditions.collect::<Vec<_>>().join(", ")
    }
}

impl Selection {
    /// Whether runs of this cell on this instance are chosen.
    #[must_use]
    pub fn has(&self, cell: usize, instance: usize) -> bool {
        self.cells[cell] && self.instances[instance]
    }
}

/// A value as a person reads it: `0.1111` for `0.1111111111111111`.
fn readable(value: &str) -> String {
    const LONG: usize = 9;
    match value.parse::<f64>() {
        _ if value.is_empty() => "-".to_owned(),
        Ok(number) if value.len() > LONG && value.contains('.') => ((number * 1e4).round() / 1e4).to_string(),
        _ => value.to_owned(),
    }
}

/// Whether two values are the same: numbers as numbers, `100` and `100.0`.
pub(crate) fn same(left: &str, right: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    left == right || number(left).is_some_and(|left| number(right) == Some(left))
}
