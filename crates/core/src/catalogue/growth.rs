//! Settings that grow with the instance, and their values on one.

use super::Catalogue;
use crate::budget;
use crate::settings::fault::Fault;
use crate::settings::growing_number::GrowingNumber;
use crate::settings::parameter::{Declaration, Domain};
use crate::settings::{Settings, Value};

/// A number that grows with the instance.
struct GrowingSetting {
    /// Its dotted path.
    path: String,
    number: GrowingNumber,
    /// What it can be.
    domain: Domain,
}

impl Catalogue {
    /// Whether a number of resolved settings grows with the instance: a limit, or a setting of the algorithm or of an operator.
    #[must_use]
    pub fn grows(&self, settings: &Settings) -> bool {
        !self.growing(settings).is_empty()
    }

    /// The growing numbers of resolved settings whose values on an instance of these sizes are 0 or outside their range; `name` is the
    /// instance's.
    pub fn misgrown(&self, settings: &Settings, size: &dyn Fn(&str) -> f64, called: &str) -> Vec<Fault> {
        let faults = self.growing(settings).into_iter().map(|setting| setting.fault(size, called));
        faults.flatten().collect()
    }

    fn growing(&self, settings: &Settings) -> Vec<GrowingSetting> {
        let mut growing = growing_settings("budget.", &budget::DECLARATION, settings.table("budget"));
        for member in self.chosen(settings) {
            let path = member.path.strip_suffix("kind").expect("the path of a name");
            growing.extend(growing_settings(path, member.declaration, member.settings));
        }
        growing
    }
}

/// The growing settings of a member; `path` is the beginning of their paths.
fn growing_settings(path: &str, member: &Declaration, settings: &Settings) -> Vec<GrowingSetting> {
    let grows = |name| matches!(settings.get(name), Some(Value::Table(_)));
    let parameters = member.parameters.iter().filter(|parameter| parameter.may_grow && grows(parameter.name));
    let setting = |name, domain| {
        let number = GrowingNumber::from_settings(settings, name)?;
        Some(GrowingSetting { path: format!("{path}{name}"), number, domain })
    };
    parameters.filter_map(|parameter| setting(parameter.name, parameter.domain)).collect()
}

impl GrowingSetting {
    /// What is wrong with the value.
    fn fault(self, size: &dyn Fn(&str) -> f64, called: &str) -> Option<Fault> {
        let value = self.number.value(size);
        let (is_possible, range) = match self.domain {
            Domain::Integer { min, max: i64::MAX } => (min as f64 <= value, format!("from {min}")),
            Domain::Integer { min, max } => {
                ((min as f64..=max as f64).contains(&value), format!("from {min} to {max}"))
            }
            Domain::Real { min, max } if min > 0.0 => ((min..=max).contains(&value), format!("from {min} to {max}")),
            Domain::Real { max, .. } => (0.0 < value && value <= max, "above 0".to_owned()),
            _ => (true, String::new()),
        };
        if is_possible && value.is_finite() {
            return None;
        }
        let name = self.path.rsplit('.').next().unwrap_or_default();
        let message = format!("`{name}` becomes {} on {called}", (value * 1e6).round() / 1e6);
        let expected = format!("expected a `per` and `times` that give a number {range} on every instance");
        Some(Fault::value(self.path, message, expected))
    }
}
