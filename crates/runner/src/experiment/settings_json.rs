//! Converts settings to JSON and back, as in journals and manifests.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use evogrid_core::settings::{Settings, Value};
use serde_json::{Map, Value as Json};

/// The settings of an algorithm: a map from the dotted path of each setting to the value of this setting. Records contain settings in the
/// same form. The value of a varied setting is the list of all its values.
pub type SettingsByPath = BTreeMap<String, Json>;

/// Converts the value of a setting to JSON. An operator becomes a JSON object.
///
/// ```
/// use evogrid_core::settings::Value;
/// use evogrid_runner::experiment::settings_json::{value_from_json, value_to_json};
///
/// let json = value_to_json(&Value::Real(0.5));
/// assert_eq!(json, serde_json::json!(0.5));
/// assert_eq!(value_from_json(&json)?, Value::Real(0.5));
/// # Ok::<(), anyhow::Error>(())
/// ```
pub fn value_to_json(value: &Value) -> Json {
    match value {
        Value::Flag(flag) => (*flag).into(),
        Value::Integer(integer) => (*integer).into(),
        Value::Real(real) => (*real).into(),
        Value::Text(text) => text.as_str().into(),
        Value::Table(table) => settings_to_json(table),
    }
}

/// A table of settings as JSON.
pub(crate) fn settings_to_json(table: &Settings) -> Json {
    Json::Object(table.iter().map(|(name, value)| (name.to_owned(), value_to_json(value))).collect())
}

/// Converts JSON to the value of a setting.
///
/// # Errors
/// If the JSON value is null or a list. If the value is a number that exceeds 64 bits.
pub fn value_from_json(recorded: &Json) -> Result<Value> {
    Ok(match recorded {
        Json::Bool(flag) => Value::Flag(*flag),
        Json::Number(number) => match number.as_i64() {
            Some(integer) => Value::Integer(integer),
            None => Value::Real(number.as_f64().context("it is not a 64-bit number")?),
        },
        Json::String(text) => Value::Text(text.clone()),
        Json::Object(object) => Value::Table(settings_from_json(object)?),
        Json::Null | Json::Array(_) => bail!("expected a number, true, false, a text or a table"),
    })
}

/// A table of settings from a JSON object.
///
/// # Errors
/// Like [`value_from_json`]; the error names the setting.
pub(crate) fn settings_from_json(object: &Map<String, Json>) -> Result<Settings> {
    let mut settings = Settings::new();
    for (name, recorded) in object {
        settings.set(
            name.as_str(),
            value_from_json(recorded).with_context(|| format!("cannot read the setting `{name}`"))?,
        );
    }
    Ok(settings)
}

/// A part of an algorithm that a manifest has as JSON.
pub(crate) trait JsonForm: Sized {
    fn to_json(&self) -> Json;
    fn from_json(recorded: &Json) -> Result<Self>;
}

impl JsonForm for Value {
    fn to_json(&self) -> Json {
        value_to_json(self)
    }

    fn from_json(recorded: &Json) -> Result<Self> {
        value_from_json(recorded)
    }
}

impl JsonForm for Settings {
    fn to_json(&self) -> Json {
        settings_to_json(self)
    }

    fn from_json(recorded: &Json) -> Result<Self> {
        settings_from_json(recorded.as_object().context("expected a table of settings")?)
    }
}

/// A list of settings: the dotted path and the value of each setting.
impl JsonForm for Vec<(String, Value)> {
    fn to_json(&self) -> Json {
        self.iter().map(|(path, value)| (path.clone(), value_to_json(value))).collect()
    }

    fn from_json(recorded: &Json) -> Result<Self> {
        let settings = recorded.as_object().context("expected a table whose keys are dotted paths of settings")?.iter();
        settings.map(|(path, value)| Ok((path.clone(), value_from_json(value)?))).collect()
    }
}

impl<T: JsonForm> JsonForm for Vec<T> {
    fn to_json(&self) -> Json {
        self.iter().map(T::to_json).collect()
    }

    fn from_json(recorded: &Json) -> Result<Self> {
        recorded.as_array().context("expected a list")?.iter().map(T::from_json).collect()
    }
}

/// The [`JsonForm`] of a field, for `serde(with)`.
pub(crate) mod json_form {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    use super::{Json, JsonForm};

    pub(crate) fn serialize<T: JsonForm, S: Serializer>(part: &T, serializer: S) -> Result<S::Ok, S::Error> {
        part.to_json().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, T: JsonForm, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        T::from_json(&Json::deserialize(deserializer)?).map_err(|error| D::Error::custom(format!("{error:#}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_back_as_they_were() {
        let mut settings = Settings::new();
        settings.set("population", Value::Integer(100));
        settings.set("rate", Value::Real(1.0));
        settings.set("tiny", Value::Real(5e-324));
        settings.set("is_elitist", Value::Flag(true));
        settings.set_at("selection.kind", Value::Text("truncation".to_owned()));
        settings.set_at("selection.fraction", Value::Real(0.1 + 0.2));
        let text = settings_to_json(&settings).to_string();
        let object: Map<String, Json> = serde_json::from_str(&text).expect("an object");
        assert_eq!(settings_from_json(&object).expect("settings"), settings);
    }

    #[test]
    fn what_is_no_setting_is_refused_by_name() {
        let object = serde_json::from_str(r#"{"a": {"b": [1]}}"#).expect("an object");
        let error = format!("{:#}", settings_from_json(&object).expect_err("a list"));
        insta::assert_snapshot!(error, @"cannot read the setting `a`: cannot read the setting `b`: expected a number, true, false, a text or a table");
    }
}
