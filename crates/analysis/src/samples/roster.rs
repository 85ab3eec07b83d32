//! The roster: the configurations and instances of an experiment. Configurations and instances distinguish the runs of the experiment.

use std::collections::{BTreeMap, BTreeSet};

use evogrid_core::suggestion::{list, one_of};

/// The configurations and instances of an experiment. A [`Sample`](super::Sample) refers to configurations and instances by index.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Roster {
    /// The varied settings, by dotted path.
    pub varied: Vec<String>,
    /// The configurations: each algorithm with each combination of values of its varied settings.
    pub configurations: Vec<Configuration>,
    /// The instances.
    pub instances: Vec<RosterInstance>,
}

/// An algorithm with a value for each varied setting. If the algorithm does not have a setting, the value of this setting is empty.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the comment of the type explains the fields")]
pub struct Configuration {
    pub algorithm: String,
    pub varied: Vec<String>,
}

/// An instance.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RosterInstance {
    /// The id of the instance in the experiment.
    pub id: String,
    /// The difficulty bucket of the instance. Empty if there is no bucket.
    pub bucket: String,
    /// The problem family of the instance. Empty if the file does not contain the family.
    pub problem: String,
    /// Whether runs on the instance have a gap. A gap exists only if the best known value is known and is not 0.
    pub has_gap: bool,
}

/// A property that distinguishes runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// The algorithm.
    Algorithm,
    /// A varied setting, with its index in the roster.
    Setting(usize),
    /// The instance.
    Instance,
    /// The difficulty bucket.
    Bucket,
    /// The family of problems. Analyses use this key to separate the runs of different families. Users cannot choose this key in options.
    Problem,
}

impl Key {
    /// Whether the key is a property of configurations. If not, it is a property of instances.
    pub(crate) fn is_of_configurations(self) -> bool {
        matches!(self, Self::Algorithm | Self::Setting(_))
    }
}

/// The titles of buckets. Buckets of different families are never combined. If several families have a bucket with the same name, the
/// titles therefore contain the name of the family. Each bucket is a pair of the index of the family and the name of the bucket.
pub(crate) fn bucket_titles(buckets: &[(usize, String)], problems: &[String]) -> Vec<String> {
    let mut families: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (problem, bucket) in buckets {
        families.entry(bucket).or_default().insert(*problem);
    }
    let title = |(problem, bucket): &(usize, String)| match (
        families[bucket.as_str()].len() > 1,
        problems.get(*problem).map_or("", String::as_str),
        bucket.as_str(),
    ) {
        (false, _, bucket) | (true, "", bucket) => bucket.to_owned(),
        (true, problem, "") => problem.to_owned(),
        (true, problem, bucket) => format!("{problem}: {bucket}"),
    };
    buckets.iter().map(title).collect()
}

impl Roster {
    /// If several families have a bucket with the same name, adds the family's name to each of these buckets.
    pub fn separate_families(&mut self) {
        let problems: Vec<String> =
            BTreeSet::from_iter(self.instances.iter().map(|one| one.problem.clone())).into_iter().collect();
        if problems.len() < 2 {
            return;
        }
        let place = |problem: &String| problems.binary_search(problem).expect("it is listed");
        let buckets: Vec<(usize, String)> =
            self.instances.iter().map(|one| (place(&one.problem), one.bucket.clone())).collect();
        let titles = bucket_titles(&buckets, &problems);
        self.instances.iter_mut().zip(titles).for_each(|(one, title)| one.bucket = title);
    }

    /// The key with this name. The name is `algorithm`, `instance`, `bucket`, or a varied setting's dotted path.
    ///
    /// # Errors
    /// Returns an error if no key has this name.
    pub fn key(&self, name: &str) -> Result<Key, SelectionError> {
        let key = match name {
            "algorithm" => Some(Key::Algorithm),
            "instance" => Some(Key::Instance),
            "bucket" => Some(Key::Bucket),
            _ => self.varied.iter().position(|varied| varied == name).map(Key::Setting),
        };
        key.ok_or_else(|| {
            let names: Vec<&str> =
                ["algorithm", "bucket", "instance"].into_iter().chain(self.varied.iter().map(String::as_str)).collect();
            SelectionError::new(format!("the runs do not differ in `{name}`"), one_of(name, &names))
        })
    }

    /// Returns the keys with these names. If a name is unknown, the error names the first unknown name.
    pub fn keys(&self, names: &[String]) -> Result<Vec<Key>, SelectionError> {
        names.iter().map(|name| self.key(name)).collect()
    }

    /// The keys of the varied settings.
    pub(crate) fn setting_keys(&self) -> impl Iterator<Item = Key> + use<> {
        (0..self.varied.len()).map(Key::Setting)
    }

    /// The keys that distinguish configurations: the algorithm, then the varied settings.
    pub fn configuration_keys(&self) -> impl Iterator<Item = Key> + use<> {
        std::iter::once(Key::Algorithm).chain(self.setting_keys())
    }

    /// The keys in which configurations differ.
    pub(crate) fn differing_keys(&self) -> Vec<Key> {
        let differs = |key| (1..self.configurations.len()).any(|at| self.value(key, at, 0) != self.value(key, 0, 0));
        self.configuration_keys().filter(|&key| differs(key)).collect()
    }

    /// The name of a key.
    pub fn name(&self, key: Key) -> &str {
        match key {
            Key::Algorithm => "algorithm",
            Key::Setting(at) => &self.varied[at],
            Key::Instance => "instance",
            Key::Bucket => "bucket",
            Key::Problem => "problem",
        }
    }

    /// The value of a key for the runs of a configuration on an instance. `configuration` and `instance` are indices.
    pub fn value(&self, key: Key, configuration: usize, instance: usize) -> &str {
        match key {
            Key::Algorithm => &self.configurations[configuration].algorithm,
            Key::Setting(at) => &self.configurations[configuration].varied[at],
            Key::Instance => &self.instances[instance].id,
            Key::Bucket => &self.instances[instance].bucket,
            Key::Problem => &self.instances[instance].problem,
        }
    }

    /// The distinct values of a key, in the order of first occurrence. Empty values are omitted.
    pub fn values(&self, key: Key) -> Vec<&str> {
        let n = if key.is_of_configurations() { self.configurations.len() } else { self.instances.len() };
        let mut values: Vec<&str> = Vec::new();
        for at in 0..n {
            let value = self.value(key, at, at);
            if !value.is_empty() && !values.contains(&value) {
                values.push(value);
            }
        }
        values
    }

    /// Returns an error if no run has this value of the key.
    pub(super) fn check_value(&self, key: Key, value: &str) -> Result<(), SelectionError> {
        const MOST_VALUES_LISTED: usize = 20;
        let known = self.values(key);
        if known.iter().any(|own| same_value(value, own)) {
            return Ok(());
        }
        let mut expected = one_of(value, &known[..known.len().min(MOST_VALUES_LISTED)]);
        if known.len() > MOST_VALUES_LISTED {
            expected = format!("expected one of {} values, such as {}", known.len(), list(&known[..3]));
        }
        Err(SelectionError::new(format!("no run has `{} = {value}`", self.name(key)), expected))
    }
}

/// Whether two values are equal. Numbers are compared as numbers, so `100` equals `100.0`.
pub(crate) fn same_value(left: &str, right: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    left == right || number(left).is_some_and(|left| number(right) == Some(left))
}

/// The error for missing runs, and for runs that cannot be paired or compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct SelectionError {
    /// What is wrong.
    pub message: String,
    /// A help line below the message. The line states the expected input, and what the user can do.
    pub help: String,
}

impl SelectionError {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into() }
    }

    /// The error if no run satisfies all conditions, or there are no runs.
    pub fn nothing(conditions: impl std::fmt::Display) -> Self {
        Self::new(format!("no run fits {conditions}"), "expected at least one run that satisfies all conditions")
    }

    /// The error if two sides of a comparison have no instance and repetition in common. `left` and `right` are the labels of the sides.
    pub fn no_pairs(left: &str, right: &str) -> Self {
        let help = "two runs can be paired if they have the same instance and the same repetition, and differ only in settings that are named in the comparison";
        Self::new(format!("no run of {left} can be paired with a run of {right}"), help)
    }

    /// The help.
    pub fn help(&self) -> &str {
        &self.help
    }
}
