//! Settings that grow with the instance, and their values on an instance.

use super::Catalogue;
use crate::budget;
use crate::settings::{Domain, Fault, GrowingNumber, Settings, Value};

impl Catalogue {
    /// Whether any number in resolved settings grows with the instance. Limits can grow, and so can settings of algorithms and operators.
    pub fn grows(&self, settings: &Settings) -> bool {
        !self.growing(settings).is_empty()
    }

    /// The faults of all growing numbers that have the value 0 or an invalid value on an instance with these sizes. `called` names the
    /// instance.
    pub fn misgrown(&self, settings: &Settings, size: &dyn Fn(&str) -> f64, called: &str) -> Vec<Fault> {
        let fault = |(path, number, domain): (String, GrowingNumber, Domain)| {
            let name = path.rsplit('.').next().unwrap_or_default();
            let (message, expected) = match number.unknown_size(size) {
                Some(size) => (
                    format!("`{name}` has no value on {called}: this instance lacks the size `{size}`"),
                    "expected the name of a column of numbers in the data set; instances from text files have no such columns".to_owned(),
                ),
                None => {
                    let value = number.value(size);
                    let range = missed_range(value, domain)?;
                    (
                        format!("the value of `{name}`, {}, is out of range on {called}", (value * 1e6).round() / 1e6),
                        format!("choose `per` and `times` so that the value is {range} on every instance"),
                    )
                }
            };
            Some(Fault::value(path, message, expected))
        };
        self.growing(settings).into_iter().filter_map(fault).collect()
    }

    /// The growing numbers with their dotted paths and their domains.
    fn growing(&self, settings: &Settings) -> Vec<(String, GrowingNumber, Domain)> {
        let mut growing = Vec::new();
        let members =
            self.chosen(settings).into_iter().map(|member| (member.above, member.declaration, member.settings));
        let budget = ("budget.".to_owned(), &budget::DECLARATION, settings.table("budget"));
        for (above, declaration, settings) in [budget].into_iter().chain(members) {
            let grows = |name| matches!(settings.get(name), Some(Value::Table(_)));
            for parameter in declaration.parameters.iter().filter(|one| one.may_grow && grows(one.name)) {
                let number = GrowingNumber::from_settings(settings, parameter.name);
                growing.extend(number.map(|number| (format!("{above}{}", parameter.name), number, parameter.domain)));
            }
        }
        growing
    }
}

/// The valid range of a growing number as text; `None` if the value is in the range.
fn missed_range(value: f64, domain: Domain) -> Option<String> {
    let (is_possible, range) = match domain {
        Domain::Integer { min, max: i64::MAX } => (min as f64 <= value, format!("from {min}")),
        Domain::Integer { min, max } => ((min as f64..=max as f64).contains(&value), format!("from {min} to {max}")),
        Domain::Real { min, max } if min > 0.0 => ((min..=max).contains(&value), format!("from {min} to {max}")),
        Domain::Real { max, .. } => (0.0 < value && value <= max, "above 0".to_owned()),
        _ => (true, String::new()),
    };
    (!is_possible || !value.is_finite()).then_some(range)
}
