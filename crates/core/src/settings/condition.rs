//! Conditions. Some parameters have an effect only if other settings have certain values.

use std::fmt;

use crate::settings::Settings;
use crate::settings::fault::Fault;

/// A setting has an effect only if its condition holds. The condition concerns another setting of the same member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// The setting with this name is absent.
    Without(&'static str),
    /// The setting with this name is present.
    With(&'static str),
    /// The setting with this name has this value, in the [short form](crate::settings::Value).
    Is(&'static str, &'static str),
    /// The setting with this name does not have this value.
    IsNot(&'static str, &'static str),
}

impl Condition {
    /// Returns true if the condition holds for the resolved settings of the member.
    pub fn holds(self, settings: &Settings) -> bool {
        let has = |name, value: &str| settings.get(name).is_some_and(|own| own.to_string() == value);
        match self {
            Self::Without(name) => settings.get(name).is_none(),
            Self::With(name) => settings.get(name).is_some(),
            Self::Is(name, value) => has(name, value),
            Self::IsNot(name, value) => !has(name, value),
        }
    }

    /// Returns the fault for the setting at `path`. The program reports this fault if all configurations violate the condition.
    pub fn fault(self, path: &str) -> Fault {
        let help = match self {
            Self::Without(_) => "remove one of these two settings".to_owned(),
            Self::With(name) => format!("remove this setting, or set `{name}`"),
            Self::Is(name, _) | Self::IsNot(name, _) => format!("remove this setting, or change `{name}`"),
        };
        let name = path.rsplit('.').next().unwrap_or(path);
        Fault::name(path, format!("`{name}` has an effect only {self}"), help)
    }
}

/// For example: "if `cooling` is `linear`".
impl fmt::Display for Condition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Without(name) => write!(formatter, "without `{name}`"),
            Self::With(name) => write!(formatter, "with `{name}`"),
            Self::Is(name, value) => write!(formatter, "if `{name}` is `{value}`"),
            Self::IsNot(name, value) => write!(formatter, "if `{name}` is not `{value}`"),
        }
    }
}
