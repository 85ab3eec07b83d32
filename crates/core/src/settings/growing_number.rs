//! Numbers that grow with the instance's size, such as `{ per = "n*n", times = 2 }`.

mod formula;

use crate::problem::Problem;
use crate::settings::{Settings, Value};

pub use formula::Formula;

/// A number, or a number times a [`Formula`] over a problem's sizes.
///
/// ```
/// use evogrid_core::growing_number::{Formula, GrowingNumber};
/// # use evogrid_core::fitness::Fitness;
/// # use evogrid_core::layout::{Allele, Layout};
/// # use evogrid_core::problem::Problem;
///
/// struct Ring(Layout);
///
/// impl Problem for Ring {
/// #   fn layout(&self) -> &Layout {
/// #       &self.0
/// #   }
/// #   fn fitness(&self, _: &[Allele]) -> Fitness {
/// #       Fitness::from(0)
/// #   }
///     fn size(&self, name: &str) -> Option<f64> {
///         (name == "n").then(|| self.0.gene_len() as f64)
///     }
///     // ...
/// }
///
/// let ring = Ring(Layout::new(5, &[None; 5])?);
/// let grows = |formula| GrowingNumber { times: 2.0, per: Some(Formula::parse(formula).expect("a formula")) };
/// assert_eq!(grows("n*n").on(&ring), Ok(50.0));
/// assert_eq!(GrowingNumber::from(7.0).on(&ring), Ok(7.0));
/// assert_eq!(grows("m").on(&ring), Err("the problem does not define the size `m`".to_owned()));
/// # Ok::<(), evogrid_core::layout::LayoutError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GrowingNumber {
    /// The factor of the formula. If there is no formula, this field is the number itself.
    pub times: f64,
    /// The formula by which the number grows. If the number does not grow, the field is `None`.
    pub per: Option<Formula>,
}

impl From<f64> for GrowingNumber {
    fn from(times: f64) -> Self {
        Self { times, per: None }
    }
}

impl GrowingNumber {
    /// Reads the resolved setting with this name. Returns `None` if the setting is absent. The setting must be declared as
    /// [growing](crate::parameter::Parameter::growing).
    ///
    /// # Panics
    /// Panics if the settings were not resolved against a catalogue.
    pub fn from_settings(settings: &Settings, name: &str) -> Option<Self> {
        match settings.get(name)? {
            Value::Table(table) => {
                let per = Formula::parse(table.name("per")).expect("a formula was checked");
                Some(Self { times: table.real("times"), per: Some(per) })
            }
            number => Some(number.as_real().expect("a number was checked").into()),
        }
    }

    /// Computes the number. The function `size` receives the name of a size in the formula, and returns the value of this size.
    pub fn value(&self, size: &dyn Fn(&str) -> f64) -> f64 {
        self.per.as_ref().map_or(self.times, |formula| self.times * formula.value(size))
    }

    /// The first size in the formula for which `size` returns NaN.
    pub(crate) fn unknown_size(&self, size: &dyn Fn(&str) -> f64) -> Option<&str> {
        self.per.as_ref()?.names().into_iter().find(|name| size(name).is_nan())
    }

    /// Computes the value of the growing number from the sizes of a problem.
    ///
    /// # Errors
    /// Returns a message if the formula uses a size that the problem does not have. Returns a message if the result is not finite.
    pub fn on<P: Problem + ?Sized>(&self, problem: &P) -> Result<f64, String> {
        let Some(formula) = &self.per else { return Ok(self.times) };
        let size = |name: &str| problem.size(name).unwrap_or(f64::NAN);
        if let Some(unknown) = self.unknown_size(&size) {
            return Err(format!("the problem does not define the size `{unknown}`"));
        }
        let value = self.value(&size);
        if value.is_finite() {
            Ok(value)
        } else {
            Err(format!("the result of the formula `{formula}` is not a finite number"))
        }
    }

    /// Computes the value of the growing number from a problem's sizes, and rounds it to a whole number.
    ///
    /// # Errors
    /// Returns the same errors as [`on`](Self::on). If the value is below 1, this is also an error.
    pub fn count_on<P: Problem + ?Sized>(&self, problem: &P) -> Result<u64, String> {
        let value = self.on(problem)?;
        if value < 1.0 {
            let what = self.per.as_ref().map_or_else(|| self.times.to_string(), ToString::to_string);
            return Err(format!("`{what}` has the value {value}; expected at least 1"));
        }
        // The conversion of a value that is too large saturates.
        Ok(value.round() as u64)
    }
}
