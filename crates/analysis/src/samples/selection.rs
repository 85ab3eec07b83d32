//! Selectors: conditions that select runs of an experiment, and the pairs of selected runs.

use std::collections::BTreeSet;

use super::roster::{Key, Roster, SelectionError, same_value};

/// Conditions on runs. Each condition has a key (see [`Roster::key`]) and the key's allowed values. A run must satisfy all conditions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selector(pub Vec<(String, Vec<String>)>);

/// The selected configurations and instances. A run is selected if its configuration and its instance are selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    configurations: Vec<bool>,
    instances: Vec<bool>,
}

impl Selector {
    /// A selector for runs whose keys have these values. If the value of a key is empty, the key is omitted.
    pub fn with_values(roster: &Roster, keys: &[Key], values: &[&str]) -> Self {
        Self::with_names(keys.iter().zip(values).map(|(&key, &value)| (roster.name(key), value)))
    }

    /// A selector for runs with these values of the named keys. If the value of a key is empty, the key is omitted.
    pub(crate) fn with_names<'v>(values: impl IntoIterator<Item = (&'v str, &'v str)>) -> Self {
        let values = values.into_iter().filter(|(_, value)| !value.is_empty());
        Self(values.map(|(name, value)| (name.to_owned(), vec![value.to_owned()])).collect())
    }

    /// Combines the conditions of two selectors.
    pub fn and(&self, other: &Self) -> Self {
        Self(self.0.iter().chain(&other.0).cloned().collect())
    }

    /// The conditions as text, for example `population = 100, bucket = easy`. If a condition is about the algorithm, its text is only the
    /// name of the algorithm.
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

    /// Whether a name is the label of these conditions, or the label of some of these conditions in the same order.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.0.iter().enumerate().any(|(at, condition)| {
            let rest = name.strip_prefix(&Self(vec![condition.clone()]).label());
            let is_next = |rest: &str| Self(self.0[at + 1..].to_vec()).is_called(rest);
            rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix(", ").is_some_and(is_next))
        })
    }
}

impl Selection {
    /// Whether the runs of this configuration on this instance are selected. `configuration` and `instance` are indices.
    pub fn has(&self, configuration: usize, instance: usize) -> bool {
        self.configurations[configuration] && self.instances[instance]
    }
}

impl Roster {
    /// The configurations and instances that satisfy all conditions.
    ///
    /// # Errors
    /// Returns an error if a condition has an unknown key or value. Returns an error if no run satisfies all conditions.
    pub fn select(&self, selector: &Selector) -> Result<Selection, SelectionError> {
        let mut selection = Selection {
            configurations: vec![true; self.configurations.len()],
            instances: vec![true; self.instances.len()],
        };
        for (name, values) in &selector.0 {
            let key = self.key(name)?;
            values.iter().try_for_each(|value| self.check_value(key, value))?;
            let chosen =
                if key.is_of_configurations() { &mut selection.configurations } else { &mut selection.instances };
            for (at, chosen) in chosen.iter_mut().enumerate() {
                *chosen &= values.iter().any(|value| same_value(value, self.value(key, at, at)));
            }
        }
        if selection.configurations.contains(&true) && selection.instances.contains(&true) {
            Ok(selection)
        } else {
            Err(SelectionError::nothing(selector.label()))
        }
    }

    /// Returns selectors for the other configurations: the configurations in `within` that `selector` does not select. The other
    /// configurations form groups. Two configurations belong to the same group if they have the same value for each key of `selector`. Each
    /// returned selector selects one group.
    pub fn others(&self, selector: &Selector, within: &Selection) -> Result<Vec<Selector>, SelectionError> {
        let own = self.select(selector)?;
        let names = || selector.0.iter().map(|(name, _)| name);
        let keys: Vec<Key> = names().map(|name| self.key(name)).collect::<Result<_, _>>()?;
        let (mut known, mut others) = (BTreeSet::new(), Vec::new());
        for at in (0..self.configurations.len()).filter(|&at| within.configurations[at] && !own.configurations[at]) {
            let values: Vec<&str> = keys.iter().map(|&key| self.value(key, at, 0)).collect();
            if known.insert(values.clone()) {
                let conditions = names().zip(values).map(|(name, value)| (name.clone(), vec![value.to_owned()]));
                others.push(Selector(conditions.collect()));
            }
        }
        Ok(others)
    }
}

/// A value with at most four decimals, for example `0.1111` for `0.1111111111111111`.
fn readable(value: &str) -> String {
    const LONGEST_EXACT: usize = 9;
    match value.parse::<f64>() {
        _ if value.is_empty() => "-".to_owned(),
        Ok(number) if value.len() > LONGEST_EXACT && value.contains('.') => ((number * 1e4).round() / 1e4).to_string(),
        _ => value.to_owned(),
    }
}
