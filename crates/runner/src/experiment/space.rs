//! The space of an algorithm's configurations. A space lists the settings that may vary and their possible values. A space also lists the
//! conditions under which a setting has an effect.

use anyhow::{Result, ensure};
use evogrid_core::settings::Value;
use serde::{Deserialize, Serialize};

use crate::experiment::settings_json::json_form;

/// The number of significant digits of real values: rounded values are short, and are read back exactly.
const SIGNIFICANT_DIGITS: usize = 4;

/// Powers of ten.
const POWERS: [f64; 12] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11];

/// The space of configurations of an algorithm. Each setting that may vary is a dimension.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Space {
    /// The dimensions, in the order of the file.
    pub dimensions: Vec<Dimension>,
    /// The combinations of values that the key `exclude` forbids.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forbidden: Vec<Vec<ForbiddenValue>>,
}

/// One value in a forbidden combination.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForbiddenValue {
    /// The number of the dimension.
    pub dimension: usize,
    /// The forbidden value of the dimension.
    #[serde(with = "json_form")]
    pub value: Value,
}

/// One setting that may vary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dimension {
    /// The dotted path of the setting.
    pub path: String,
    /// The values of the setting.
    pub values: Values,
    /// The condition under which the setting has an effect. If there is no condition, the setting always has an effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<DimensionCondition>,
}

/// The values of a dimension.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Values {
    /// Whole numbers from `low` to `high`.
    Whole {
        /// The smallest.
        low: i64,
        /// The largest.
        high: i64,
        /// Whether the scale is logarithmic. On a logarithmic scale, two intervals are equally likely if the ratios of their ends are
        /// equal. For a logarithmic scale, `low` must be above 0.
        is_log: bool,
    },
    /// Real numbers from `low` to `high`.
    Real {
        /// The smallest.
        low: f64,
        /// The largest.
        high: f64,
        /// Whether the scale is logarithmic. On a logarithmic scale, two intervals are equally likely if the ratios of their ends are equal.
        /// For a logarithmic scale, `low` must be above 0.
        is_log: bool,
    },
    /// A list of values without an order.
    Choices(#[serde(with = "json_form")] Vec<Value>),
}

/// The condition under which a dimension has an effect. The condition tests an earlier dimension. The condition holds if the tested
/// dimension has one of the given choices. The tested dimension must be a list of choices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DimensionCondition {
    /// The index of the dimension that the condition tests.
    pub dimension: usize,
    /// The indices of some choices in the list of the tested dimension. The condition holds if the tested dimension has one of these
    /// choices.
    pub choices: Vec<usize>,
}

impl Values {
    /// The choices, or the two ends of a range.
    pub(crate) fn listed(&self) -> Vec<Value> {
        match self {
            Self::Choices(values) => values.clone(),
            Self::Whole { low, high, .. } => vec![Value::Integer(*low), Value::Integer(*high)],
            Self::Real { low, high, .. } => vec![Value::Real(*low), Value::Real(*high)],
        }
    }

    /// Returns the value that belongs to a coordinate in `[0, 1)`. With uniform coordinates, equally long intervals on the dimension's
    /// scale are equally likely.
    ///
    /// `libm` computes the logarithms, so they are the same on every machine.
    pub fn at(&self, place: f64) -> Value {
        match self {
            // A whole number has the places from half a step below it to half a step above it.
            Self::Whole { low, high, is_log } => {
                let real = between(*low as f64 - 0.5, *high as f64 + 0.5, *is_log, place);
                Value::Integer((real.round() as i64).clamp(*low, *high))
            }
            Self::Real { low, high, is_log } => {
                Value::Real(significant(between(*low, *high, *is_log, place)).clamp(*low, *high))
            }
            Self::Choices(values) => values[self.choice(place)].clone(),
        }
    }

    /// Returns the index of the choice that belongs to a coordinate. The coordinate is in `[0, 1)`. Returns 0 if the dimension is a range.
    pub fn choice(&self, place: f64) -> usize {
        match self {
            Self::Choices(values) => ((place * values.len() as f64) as usize).min(values.len() - 1),
            _ => 0,
        }
    }

    /// The value of the dimension that has the same meaning as this value. For example, 1 means 1.0, and the name of an operator means a
    /// table that has only this name.
    pub(crate) fn same(&self, value: &Value) -> Option<Value> {
        let own = match self {
            Self::Choices(values) => return values.iter().find(|own| is_same(own, value)).cloned(),
            Self::Whole { .. } => value.plain(),
            Self::Real { .. } => Value::Real(value.as_real()?),
        };
        let has_type = matches!((self, &own), (Self::Whole { .. }, Value::Integer(_)) | (Self::Real { .. }, _));
        (has_type && self.place(&own).is_some()).then_some(own)
    }

    /// Returns the coordinate in `[0, 1)` of a value. If several coordinates give this value, the result is the middle of these
    /// coordinates. Returns `None` if the dimension does not have the value.
    pub fn place(&self, value: &Value) -> Option<f64> {
        match self {
            Self::Choices(values) => {
                let choice = values.iter().position(|own| own == value)?;
                Some((choice as f64 + 0.5) / values.len() as f64)
            }
            Self::Whole { low, high, is_log } => {
                let is_inside = (*low as f64..=*high as f64).contains(&value.as_real()?);
                along(value.as_real()?, [*low as f64 - 0.5, *high as f64 + 0.5], *is_log).filter(|_| is_inside)
            }
            Self::Real { low, high, is_log } => along(value.as_real()?, [*low, *high], *is_log),
        }
    }
}

impl Space {
    /// Whether the space has no dimensions.
    pub fn is_empty(&self) -> bool {
        self.dimensions.is_empty()
    }

    /// Whether `exclude` forbids a combination of values. The combination has one value for each dimension.
    pub fn forbids(&self, values: &[Option<Value>]) -> bool {
        let has = |forbidden: &ForbiddenValue| values[forbidden.dimension].as_ref() == Some(&forbidden.value);
        self.forbidden.iter().any(|combination| combination.iter().all(has))
    }

    /// Checks that values of the space can be computed. A user may have edited the space in a manifest.
    ///
    /// # Errors
    /// If the values cannot be computed.
    pub fn check(&self) -> Result<()> {
        for (at, Dimension { path, values, condition }) in self.dimensions.iter().enumerate() {
            let is_range =
                |low: f64, high: f64, is_log: bool| low < high && (high - low).is_finite() && (low > 0.0 || !is_log);
            let is_right = match values {
                Values::Whole { low, high, is_log } => {
                    high.checked_sub(*low).is_some() && is_range(*low as f64, *high as f64, *is_log)
                }
                Values::Real { low, high, is_log } => is_range(*low, *high, *is_log),
                Values::Choices(values) => !values.is_empty(),
            };
            let is_twice = self.dimensions[..at].iter().any(|other| other.path == *path);
            let is_on_choice = condition.as_ref().is_none_or(|DimensionCondition { dimension, choices }| {
                let length = match self.dimensions[..at].get(*dimension).map(|above| &above.values) {
                    Some(Values::Choices(values)) => values.len(),
                    _ => 0,
                };
                choices.iter().all(|&choice| choice < length)
            });
            let is_valid = is_right && !path.is_empty() && !is_twice && is_on_choice;
            ensure!(is_valid, "the dimension `{path}` is not valid");
        }
        let numbers = self.forbidden.iter().flatten().map(|forbidden| forbidden.dimension);
        let is_of_dimensions = numbers.max().is_none_or(|number| number < self.dimensions.len());
        ensure!(is_of_dimensions, "a forbidden combination names a dimension that does not exist");
        Ok(())
    }

    /// Returns each dimension's value at a point of the unit cube. A value is `None` if the setting has no effect at the point.
    ///
    /// # Panics
    /// If the point has fewer coordinates than the space has dimensions.
    pub fn values(&self, point: &[f64]) -> Vec<Option<Value>> {
        let is_active = self.active(point);
        let values = self.dimensions.iter().zip(point).zip(is_active);
        values.map(|((dimension, &place), is_active)| is_active.then(|| dimension.values.at(place))).collect()
    }

    /// The number of the choice of each dimension at a point; 0 for a range.
    pub(crate) fn point_of_choices<'a>(&'a self, point: &'a [f64]) -> impl Iterator<Item = usize> + 'a {
        self.dimensions.iter().zip(point).map(|(dimension, &place)| dimension.values.choice(place))
    }

    /// Returns whether the setting of each dimension has an effect at a point.
    pub fn active(&self, point: &[f64]) -> Vec<bool> {
        let mut active: Vec<bool> = Vec::with_capacity(self.dimensions.len());
        for dimension in &self.dimensions {
            active.push(dimension.condition.as_ref().is_none_or(|condition| {
                let above = condition.dimension;
                active[above] && condition.choices.contains(&self.dimensions[above].values.choice(point[above]))
            }));
        }
        active
    }
}

/// Whether two values have the same meaning.
pub(crate) fn is_same(one: &Value, other: &Value) -> bool {
    let named = |value: &Value| match value {
        Value::Table(table) if table.iter().count() == 1 => table.get("kind").cloned(),
        value => value.as_real().map(Value::Real),
    };
    let [one, other] = [one, other].map(|value| named(value).unwrap_or_else(|| value.clone()));
    one == other
}

fn between(low: f64, high: f64, is_log: bool, place: f64) -> f64 {
    if is_log {
        let [low, high] = [low, high].map(libm::log);
        libm::exp(low + (high - low) * place)
    } else {
        low + (high - low) * place
    }
}

fn along(value: f64, [low, high]: [f64; 2], is_log: bool) -> Option<f64> {
    let scale = |value: f64| if is_log { libm::log(value) } else { value };
    let is_inside = (low..=high).contains(&value);
    let place = || if high > low { (scale(value) - scale(low)) / (scale(high) - scale(low)) } else { 0.5 };
    is_inside.then(place)
}

/// Rounds a number to four significant digits.
fn significant(real: f64) -> f64 {
    // Without formatting, a design of a million points is planned in less time. Powers of ten up to 10^22 are exact, and so is a number of
    // four digits. Their quotient is therefore the decimal as it would be read.
    let scale = POWERS.into_iter().find(|scale| real.abs() * scale >= 1000.0);
    if let Some(scale) = scale.filter(|scale| real.abs() * scale < 10_000.0) {
        return (real * scale).round() / scale;
    }
    format!("{real:.*e}", SIGNIFICANT_DIGITS - 1).parse().expect("a number that this program wrote can be read back")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_values_agree() {
        let ranges = [
            Values::Whole { low: 1, high: 1000, is_log: true },
            Values::Whole { low: -3, high: 3, is_log: false },
            Values::Choices(["a", "b", "c"].map(|name| Value::Text(name.to_owned())).into()),
        ];
        for values in &ranges {
            for at in 0..1000 {
                let value = values.at(f64::from(at) / 1000.0);
                assert_eq!(values.at(values.place(&value).expect("it is one of them")), value, "{values:?}");
            }
        }
        let real = Values::Real { low: 0.001, high: 1.0, is_log: true };
        assert_eq!([0.0, 0.5, 0.999_999].map(|place| real.at(place)), [0.001, 0.03162, 1.0].map(Value::Real));
    }

    #[test]
    fn real_values_have_four_digits_and_stay_what_they_are() {
        for (real, rounded) in [
            (0.123_456, 0.1235),
            (-9_999.7, -10_000.0),
            (1.0, 1.0),
            (123_456.0, 123_500.0),
            (2.5e-9, 2.5e-9),
            (0.0, 0.0),
        ] {
            assert_eq!(significant(real), rounded);
        }
        for number in 1..10_000 {
            let real = f64::from(number) / 7.0;
            assert_eq!(significant(significant(real)), significant(real));
        }
    }

    #[test]
    fn whole_numbers_are_equally_likely() {
        let values = Values::Whole { low: 2, high: 5, is_log: false };
        let mut counts = [0; 4];
        for at in 0..4000 {
            let Value::Integer(value) = values.at((f64::from(at) + 0.5) / 4000.0) else { panic!("a whole number") };
            counts[value as usize - 2] += 1;
        }
        assert_eq!(counts, [1000; 4]);
    }

    #[test]
    fn a_setting_without_effect_has_no_value() {
        let choice = Values::Choices(["a", "b"].map(|name| Value::Text(name.to_owned())).into());
        let space = Space {
            forbidden: Vec::new(),
            dimensions: vec![
                Dimension { path: "selection".to_owned(), values: choice, condition: None },
                Dimension {
                    path: "selection.size".to_owned(),
                    values: Values::Whole { low: 2, high: 9, is_log: false },
                    condition: Some(DimensionCondition { dimension: 0, choices: vec![1] }),
                },
            ],
        };
        assert_eq!(space.values(&[0.1, 0.0])[1], None);
        assert_eq!(space.values(&[0.9, 0.0])[1], Some(Value::Integer(2)));
    }
}
