//! Selectors: conditions that select runs of an experiment, and the pairs of selected runs.

use std::collections::{BTreeMap, BTreeSet};

use super::error::SelectionError;
use super::roster::{Key, Roster, same_value};
use super::sample::{Sample, Samples};

/// Conditions on runs. Each condition has a key (see [`Roster::key`]) and the allowed values of the key. A run must satisfy all conditions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selector(pub Vec<(String, Vec<String>)>);

/// The selected configurations and instances. A run is selected if its configuration and its instance are both selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    configurations: Vec<bool>,
    instances: Vec<bool>,
}

impl Selector {
    /// A selector for runs whose keys have these values. A key with an empty value is omitted.
    pub fn with_values(roster: &Roster, keys: &[Key], values: &[&str]) -> Self {
        Self::with_names(keys.iter().zip(values).map(|(&key, &value)| (roster.name(key), value)))
    }

    /// A selector for runs with these values of the named keys. A key with an empty value is omitted.
    pub(crate) fn with_names<'v>(values: impl IntoIterator<Item = (&'v str, &'v str)>) -> Self {
        let values = values.into_iter().filter(|(_, value)| !value.is_empty());
        Self(values.map(|(name, value)| (name.to_owned(), vec![value.to_owned()])).collect())
    }

    /// Combines the conditions of two selectors.
    pub fn and(&self, other: &Self) -> Self {
        Self(self.0.iter().chain(&other.0).cloned().collect())
    }

    /// The conditions as text, for example `population = 100, bucket = easy`. For an algorithm, the text is only the name of the algorithm.
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
    /// Returns an error if a condition has an unknown key or value, or if no run satisfies all conditions.
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

    /// Selectors for the other configurations: one selector for each other combination of values that the selected configurations have for
    /// the keys of `selector`.
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

/// The pairs of runs from two sides. Each side is a selector with its selection. Paired runs have the same instance, the same repetition,
/// and the same value of the algorithm and of every setting that neither selector names. If the experiment is seeded `paired`, paired runs
/// also have the same random stream. Runs without a partner are omitted.
///
/// # Errors
/// Returns an error if several runs of a side have the same partners.
pub fn pairs<'a>(
    samples: &'a Samples,
    sides: [(&Selector, &Selection); 2],
) -> Result<Vec<(&'a Sample, &'a Sample)>, SelectionError> {
    let roster = &samples.roster;
    let is_named = |&key: &Key| {
        let conditions = sides.iter().flat_map(|(selector, _)| &selector.0);
        conditions.into_iter().any(|(name, _)| name == roster.name(key))
    };
    let shared: Vec<Key> = roster.configuration_keys().filter(|key| !is_named(key)).collect();
    let [left, right] = sides.map(|(selector, selection)| {
        by_partner(samples, &shared, selection).ok_or_else(|| {
            let side = selector.label();
            SelectionError::new(
                format!("the runs of {side} cannot be paired: several runs have the same instance, repetition and other settings"),
                "on both sides, name every setting in which these runs differ",
            )
        })
    });
    let (left, right) = (left?, right?);
    Ok(left.iter().filter_map(|(partner, &sample)| Some((sample, *right.get(partner)?))).collect())
}

/// The key that both runs of a pair have: instance, repetition, and the values of the shared keys.
type PartnerKey<'a> = (usize, u64, Vec<&'a str>);

/// The selected runs by partner key; `None` if two runs have the same partner key.
fn by_partner<'a>(
    samples: &'a Samples,
    shared: &[Key],
    selection: &Selection,
) -> Option<BTreeMap<PartnerKey<'a>, &'a Sample>> {
    let mut runs = BTreeMap::new();
    for sample in samples.chosen(selection) {
        let values = shared.iter().map(|&key| samples.value(key, sample)).collect();
        if runs.insert((sample.instance(), sample.repetition, values), sample).is_some() {
            return None;
        }
    }
    Some(runs)
}
