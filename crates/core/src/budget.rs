//! Budgets: the limits of runs, and the reasons why runs stop.

pub mod cpu_time;
pub mod time_limit;

use crate::fitness::Fitness;
use crate::settings::{Declaration, GrowingNumber, Parameter, Settings, Value};

/// The limits of a run. The run ends when it reaches one of these limits. A limit that is `None` is never reached.
///
/// A run is one *trial*, or several trials if restarts are allowed. `generations` and `stagnation` end a trial. `restarts` is the number of
/// trials that may follow the first trial. `evaluations`, `seconds` and `cpu_seconds` end the whole run. The target also ends the whole
/// run.
///
/// ```
/// use evogrid_core::budget::Budget;
///
/// // Ten trials of at most 500 generations each, and at most 100,000 evaluations in all.
/// let budget = Budget { generations: Some(500), restarts: 9, evaluations: Some(100_000), ..Budget::default() };
/// assert!(budget.is_limited());
/// assert!(!Budget::default().is_limited());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Budget {
    /// The largest number of fitness evaluations in the run.
    pub evaluations: Option<u64>,
    /// The largest number of generations in a trial.
    pub generations: Option<u64>,
    /// The trial ends after this number of successive generations without improvement.
    pub stagnation: Option<u64>,
    /// The largest wall time of the run, in seconds. A faster machine does more work in this time.
    pub seconds: Option<f64>,
    /// The largest processor time of the run's thread, in seconds. A faster machine does more work in this time.
    pub cpu_seconds: Option<f64>,
    /// The maximum number of trials that follow the first trial.
    pub restarts: u64,
    /// The fitness at which the instance counts as solved. This fitness replaces the [problem's target](crate::problem::Problem::target).
    pub target: Option<Fitness>,
}

/// The largest time limit, in seconds.
const MAX_SECONDS: f64 = 1e9;

/// If a setting has this value, the setting removes a limit that a preset or the table `[budget]` contains.
pub const UNSET: &str = "none";

/// The budget's keys in an experiment file. Each limit may be [`UNSET`]. Some limits may [grow](crate::parameter::Parameter::growing) with
/// the instance. Such a limit is a number, or a number times a [`Formula`](crate::growing_number::Formula). The formula contains sizes of
/// the family: `{ per = "n*n", times = 100 }`.
pub const DECLARATION: Declaration = Declaration::new(
    "budget",
    "the limits of a run; the run ends at its first limit",
    "",
)
.with(&[
    count("evaluations", "a run ends after this number of fitness evaluations"),
    count("generations", "a trial ends after this number of generations"),
    count("stagnation", "a trial ends after this number of successive generations without a better fitness"),
    time("seconds", "wall time that ends a run; with this limit, results differ between machines"),
    time("cpu_seconds", "processor time that ends a run; with this limit, results differ between machines"),
    Parameter::integer("restarts", 0, i64::MAX, 0, "maximum number of trials after the first trial"),
    Parameter::optional_real(
        "target",
        f64::MIN,
        f64::MAX,
        "fitness at which an instance counts as solved; the default is the target of the problem",
    ),
    Parameter::optional_real(
        TARGET_GAP,
        0.0,
        1e9,
        "distance from the best known value, in per cent, at which an instance counts as solved; possible only if the fitness is the objective",
    ),
]);

const fn count(name: &'static str, doc: &'static str) -> Parameter {
    Parameter::optional_integer(name, 1, i64::MAX, doc).growing()
}

const fn time(name: &'static str, doc: &'static str) -> Parameter {
    Parameter::optional_real(name, 0.0, MAX_SECONDS, doc).growing()
}

/// This key of the [budget](DECLARATION) sets a target relative to the best known value.
pub const TARGET_GAP: &str = "target_gap";

/// Whether the setting at this path is a limit.
pub(crate) fn is_limit(path: &str) -> bool {
    path.strip_prefix(DECLARATION.name).is_some_and(|rest| rest.starts_with('.'))
}

/// Whether a setting removes a limit of the budget. A setting removes a limit if `path` names the limit and `value` is [`UNSET`].
pub fn is_unset(path: &str, value: &Value) -> bool {
    is_limit(path) && matches!(value, Value::Text(text) if text == UNSET)
}

impl Budget {
    /// Builds the budget from resolved settings. The settings must not contain a limit that grows with the size of the instance.
    ///
    /// # Panics
    /// Panics if a limit grows with the size of the instance.
    pub fn from_settings(settings: &Settings) -> Self {
        Self::for_instance(settings, &|name| panic!("without an instance, the size `{name}` has no value"))
    }

    /// Builds the budget of an instance from resolved settings. The function `size` takes the name of a size, and returns this size of the
    /// instance. A time limit that grows with the size of the instance is at least 0 and at most a billion seconds. Any other limit that
    /// grows with the size of the instance is rounded to a whole number, and is at least 1. This function ignores the key `target_gap`.
    pub fn for_instance(settings: &Settings, size: &dyn Fn(&str) -> f64) -> Self {
        let grows = |name| matches!(settings.get(name), Some(Value::Table(_)));
        let grown = |name| {
            GrowingNumber::from_settings(settings, name).filter(|_| grows(name)).map(|number| number.value(size))
        };
        // The conversion of a value that is too large, or not a number, saturates.
        let count = |name| match grown(name) {
            Some(grown) => Some((grown.round() as u64).max(1)),
            None => settings.get(name).map(|_| settings.count(name) as u64),
        };
        let real = |name| match grown(name) {
            Some(grown) => Some(grown.clamp(0.0, MAX_SECONDS)).filter(|seconds| !seconds.is_nan()).or(Some(0.0)),
            None => settings.get(name).and_then(Value::as_real),
        };
        Self {
            evaluations: count("evaluations"),
            generations: count("generations"),
            stagnation: count("stagnation"),
            seconds: real("seconds"),
            cpu_seconds: real("cpu_seconds"),
            restarts: count("restarts").unwrap_or(0),
            target: real("target").map(Fitness::new),
        }
    }

    /// Whether any limit grows with the size of the instance.
    pub fn grows(settings: &Settings) -> bool {
        settings.iter().any(|(_, limit)| matches!(limit, Value::Table(_)))
    }

    /// Whether a limit ends a run that never reaches its target.
    pub fn is_limited(&self) -> bool {
        let counts = [self.evaluations, self.generations, self.stagnation];
        counts.iter().any(Option::is_some) || self.seconds.or(self.cpu_seconds).is_some()
    }
}

crate::choices! {
    /// The reason why a run stopped.
    #[derive(Default, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Stop {
        /// The run reached the target.
        Target = "target",
        /// The run had only one trial. The trial reached the limit of generations.
        Generations = "generations",
        /// The run reached the limit of evaluations.
        Evaluations = "evaluations",
        /// The run had only one trial. The best fitness of the trial did not improve for too many successive generations.
        Stagnation = "stagnation",
        /// The run reached a time limit.
        Time = "time",
        /// The program that did the search reached its memory limit.
        Memory = "memory",
        /// The run had several trials, and all of them ended without success.
        Restarts = "restarts",
        /// An exact method searched the whole search space.
        Exhausted = "exhausted",
        /// The run failed; its record contains a message.
        #[default]
        Failed = "failed",
    }
}

impl Stop {
    /// The number of reasons.
    pub const N_REASONS: usize = Self::CHOICES.len();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_of_none_is_as_if_it_had_not_been_given() {
        let catalogue = crate::catalogue::Catalogue::new();
        let mut given = Settings::new();
        given.set("kind", Value::Text("combinatorial-evolution".to_owned()));
        given.set_at("budget.generations", Value::Integer(1000));
        let plain = catalogue.resolve(&given, &[]).expect("every setting is right");
        for limit in ["evaluations", "stagnation", "seconds", "restarts", "target"] {
            given.set_at(&format!("budget.{limit}"), Value::Text(UNSET.to_owned()));
        }
        let resolved = catalogue.resolve(&given, &[]).expect("every limit may be none");
        assert_eq!(resolved.canonical(), plain.canonical());
        given.set_at("budget.generations", Value::Text(UNSET.to_owned()));
        let faults = catalogue.resolve(&given, &[]).unwrap_err();
        assert_eq!(faults[0].message, "the search has no limit");
        given.set_at("budget.generations", Value::Text("never".to_owned()));
        let faults = catalogue.resolve(&given, &[]).unwrap_err();
        assert_eq!(
            faults[0].expected,
            "expected a whole number of at least 1, or { per = \"n*n\", times = 100 } or \"none\""
        );
    }

    #[test]
    fn every_reason_to_stop_has_its_own_name_and_is_read_back() {
        for &(name, stop) in Stop::CHOICES {
            assert_eq!((stop.name(), Stop::named(name)), (name, Some(stop)));
        }
        assert_eq!(Stop::named("tired"), None);
    }
}
