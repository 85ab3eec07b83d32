//! A space as templates read it: parameters with their values, defaults and conditions, and what is forbidden.

use evogrid_core::settings::Value;
use evogrid_runner::experiment::space::{Dimension, Space, Values};
use serde::Serialize;
use serde_json::{Value as Json, json};

/// The significant digits of a real number.
const SIGNIFICANT_DIGITS: i32 = 4;

/// A space. Its values are numbers, or the texts of choices as `--set` reads them.
#[derive(Debug, Serialize)]
pub(super) struct DescribedSpace {
    parameters: Vec<DescribedParameter>,
    /// Each a list of conditions that must not hold together.
    pub(super) forbidden: Vec<Vec<DescribedCondition>>,
    /// The decimal places with which all real values keep their significant digits, from 4 to 15.
    digits: i32,
    /// The settings that have no value in the space without a tuner, and what they are.
    pub(super) outside: Vec<String>,
}

#[derive(Debug, Serialize)]
struct DescribedParameter {
    /// The path as a name of R.
    name: String,
    path: String,
    /// `integer`, `real` or `choice`.
    kind: &'static str,
    /// The ends of a range.
    ends: Option<[Json; 2]>,
    log: bool,
    choices: Vec<Json>,
    /// Its value without a tuner; the middle if this is not in the space.
    default: Json,
    /// Whether it has an effect without a tuner.
    is_active: bool,
    condition: Option<DescribedCondition>,
}

/// The parameter has one of the values.
#[derive(Debug, Serialize)]
pub(super) struct DescribedCondition {
    name: String,
    path: String,
    values: Vec<Json>,
}

impl DescribedSpace {
    /// Describes a space whose dimensions have these values without a tuner.
    pub(super) fn new(space: &Space, resolved: &[Option<Value>]) -> Self {
        let dimensions = &space.dimensions;
        let pairs = || dimensions.iter().zip(resolved);
        let known = |(dimension, resolved): (&Dimension, &Option<Value>)| one_of(&dimension.values, resolved.as_ref()?);
        let known: Vec<Option<Value>> = pairs().map(known).collect();
        let place = |(dimension, known): (&Dimension, &Option<Value>)| dimension.values.place(known.as_ref()?);
        let places: Vec<f64> = dimensions.iter().zip(&known).map(|pair| place(pair).unwrap_or(0.5)).collect();
        let is_active = space.active(&places);
        let outside =
            pairs().zip(&known).zip(&is_active).filter(|((_, known), is_active)| **is_active && known.is_none());
        let outside = outside.map(|(((dimension, resolved), _), _)| {
            let value = resolved.as_ref().map_or_else(|| "absent".to_owned(), Value::to_string);
            format!("`{}` is {value}", dimension.path)
        });
        let has = |dimension: usize, values: Vec<Json>| {
            let path = &dimensions[dimension].path;
            DescribedCondition { name: r_name(path), path: path.clone(), values }
        };
        let parameter = |(number, dimension): (usize, &Dimension)| {
            let (kind, ends, log) = match dimension.values {
                Values::Whole { low, high, is_log } => ("integer", Some([json!(low), json!(high)]), is_log),
                Values::Real { low, high, is_log } => ("real", Some([json!(low), json!(high)]), is_log),
                Values::Choices(_) => ("choice", None, false),
            };
            let condition = dimension.condition.as_ref().map(|above| {
                let all = choices(&dimensions[above.dimension].values);
                has(above.dimension, above.choices.iter().map(|&choice| all[choice].clone()).collect())
            });
            let default = known[number].clone().unwrap_or_else(|| dimension.values.at(0.5));
            DescribedParameter {
                name: r_name(&dimension.path),
                path: dimension.path.clone(),
                kind,
                ends,
                log,
                choices: choices(&dimension.values),
                default: json_of(&dimension.values, &default),
                is_active: is_active[number],
                condition,
            }
        };
        let forbidden = space.forbidden.iter().map(|together| {
            let one = |at: usize, value| has(at, vec![json_of(&dimensions[at].values, value)]);
            together.iter().map(|forbidden| one(forbidden.dimension, &forbidden.value)).collect()
        });
        Self {
            parameters: dimensions.iter().enumerate().map(parameter).collect(),
            forbidden: forbidden.collect(),
            digits: dimensions.iter().map(|dimension| digits(&dimension.values)).max().unwrap_or(SIGNIFICANT_DIGITS),
            outside: outside.collect(),
        }
    }
}

fn choices(values: &Values) -> Vec<Json> {
    match values {
        Values::Choices(all) => all.iter().map(|choice| json_of(values, choice)).collect(),
        _ => Vec::new(),
    }
}

fn json_of(values: &Values, value: &Value) -> Json {
    match (values, value) {
        (Values::Choices(_), value) => json!(settable(value)),
        (Values::Whole { .. }, Value::Integer(whole)) => json!(whole),
        (_, number) => json!(number.as_real()),
    }
}

/// The value of a dimension that stands for a resolved one.
fn one_of(values: &Values, resolved: &Value) -> Option<Value> {
    match values {
        Values::Choices(choices) => choices.iter().find(|choice| stands_for(choice, resolved)).cloned(),
        _ => values.place(resolved).map(|_| resolved.clone()),
    }
}

/// Whether a value as it is written stands for a resolved one. The name of an operator stands for it with any settings.
fn stands_for(written: &Value, resolved: &Value) -> bool {
    match (written, resolved) {
        (Value::Text(_), Value::Table(all)) => all.get("kind") == Some(written),
        (Value::Table(some), Value::Table(all)) => {
            some.iter().all(|(name, value)| all.get(name).is_some_and(|own| stands_for(value, own)))
        }
        _ => written.to_string() == resolved.to_string(),
    }
}

/// A value as `--set` reads it: a plain name without quotes, all others as TOML, if possible in quotes that R does not need.
fn settable(value: &Value) -> String {
    let is_word = |character: char| character.is_ascii_alphanumeric() || "-_".contains(character);
    match value {
        Value::Text(text)
            if text.starts_with(|first: char| first.is_ascii_alphabetic())
                && text.chars().all(is_word)
                && !["true", "false", "inf", "nan"].contains(&text.as_str()) =>
        {
            text.clone()
        }
        value => toml(value),
    }
}

fn toml(value: &Value) -> String {
    match value {
        Value::Text(text) if text.contains(|character: char| character == '\'' || character.is_control()) => {
            format!("{text:?}")
        }
        Value::Text(text) => format!("'{text}'"),
        Value::Table(table) => {
            let entries: Vec<String> = table.iter().map(|(name, value)| format!("{name}={}", toml(value))).collect();
            format!("{{{}}}", entries.join(","))
        }
        value => value.to_string(),
    }
}

/// A path as a name of R: letters, digits, dots and underscores.
fn r_name(path: &str) -> String {
    path.replace(|character: char| !character.is_ascii_alphanumeric() && character != '.', "_")
}

fn digits(values: &Values) -> i32 {
    let least = match values {
        Values::Real { low, is_log: true, .. } => *low,
        Values::Real { low, high, .. } => high - low,
        _ => 1.0,
    };
    let exponent: i32 = format!("{least:e}").rsplit('e').next().and_then(|text| text.parse().ok()).unwrap_or(0);
    (SIGNIFICANT_DIGITS - 1 - exponent).clamp(SIGNIFICANT_DIGITS, 15)
}
