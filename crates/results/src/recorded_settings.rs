//! The recorded settings of a run: shared by all runs that have them, with their text made once.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// Settings by dotted path. Copies are cheap, and a JSON object is written once for all copies.
///
/// ```
/// use evogrid_results::record::RecordedSettings;
///
/// let settings = RecordedSettings::from([("population".to_owned(), 100.into()), ("kind".to_owned(), "sus".into())]);
/// assert_eq!(serde_json::to_string(&settings)?, r#"{"kind":"sus","population":100}"#);
/// assert_eq!(settings.get("population"), Some(&100.into()));
/// assert_eq!(serde_json::from_str::<RecordedSettings>(r#"{"kind":"sus","population":100}"#)?, settings);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct RecordedSettings(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    values: BTreeMap<String, Value>,
    text: OnceLock<Box<RawValue>>,
}

impl RecordedSettings {
    /// Sets a value; existing copies stay unchanged.
    pub fn insert(&mut self, path: String, value: Value) {
        let mut values = self.0.values.clone();
        values.insert(path, value);
        *self = values.into_iter().collect();
    }
}

impl Deref for RecordedSettings {
    type Target = BTreeMap<String, Value>;

    fn deref(&self) -> &Self::Target {
        &self.0.values
    }
}

impl FromIterator<(String, Value)> for RecordedSettings {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(settings: I) -> Self {
        Self(Arc::new(Shared { values: settings.into_iter().collect(), text: OnceLock::new() }))
    }
}

impl<const N: usize> From<[(String, Value); N]> for RecordedSettings {
    fn from(settings: [(String, Value); N]) -> Self {
        settings.into_iter().collect()
    }
}

impl PartialEq for RecordedSettings {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.values == other.0.values
    }
}

impl Serialize for RecordedSettings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = || serde_json::value::to_raw_value(&self.0.values).expect("settings are values of JSON");
        self.0.text.get_or_init(text).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RecordedSettings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BTreeMap::<String, Value>::deserialize(deserializer).map(Self::from_iter)
    }
}
