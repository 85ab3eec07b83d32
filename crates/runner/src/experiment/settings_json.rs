//! Settings as JSON, as in journals and manifests, and back.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use evogrid_core::settings::{Settings, Value};
use serde_json::{Map, Value as Json};

/// The settings of an algorithm by dotted path, as records contain them; a varied setting has a list of its values.
pub type SettingsByPath = BTreeMap<String, Json>;

/// A setting as JSON: an operator is an object.
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

/// A setting from JSON.
///
/// # Errors
/// If it is null, a list, or a number beyond 64 bits.
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
/// As [`value_from_json`], with the setting's name.
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

/// A setting in a serialised structure.
pub(crate) mod value {
    use evogrid_core::settings::Value;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
        super::value_to_json(value).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        super::value_from_json(&super::Json::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// A list of settings in a serialised structure.
pub(crate) mod values {
    use evogrid_core::settings::Value;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(values: &[Value], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(super::value_to_json))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Value>, D::Error> {
        let values = Vec::<super::Json>::deserialize(deserializer)?;
        values.iter().map(super::value_from_json).collect::<Result<_, _>>().map_err(D::Error::custom)
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
