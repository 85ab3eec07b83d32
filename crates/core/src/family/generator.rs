//! Generated instances. The instances come from declared options and a seed, or from published sets.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::instance::{Instance, InstanceError, Options};
use super::objective::BestKnown;

/// An option that a family declares. Users set an option in a file, in a data set, or on the command line. In a file, the option is a key.
/// In a data set, the option is a column.
#[derive(Clone, Copy, Debug)]
pub struct OptionDeclaration {
    /// The name of the option.
    pub name: &'static str,
    /// The word that stands for the value in the help text, such as `RxC`. A flag has no value, so this word is `None`.
    pub placeholder: Option<&'static str>,
    /// The meaning of the option, in one line.
    pub doc: &'static str,
    /// The permitted values. If the list is empty, any value is permitted.
    pub choices: &'static [&'static str],
    /// A regular expression that every value must match. Editors use it.
    pub pattern: Option<&'static str>,
    /// The value that is used if the option is not given.
    pub default: Option<&'static str>,
    /// Whether the value of the option is a number.
    pub is_number: bool,
    /// Whether the user may give the option several times.
    pub is_repeated: bool,
    /// The options that cannot be used together with this option.
    pub conflicts: &'static [&'static str],
    /// The name of another option, without which this option has no effect.
    pub requires: Option<&'static str>,
}

impl OptionDeclaration {
    /// Returns an option that has one value and no default. The option has no other restrictions.
    pub const fn new(name: &'static str, placeholder: &'static str, doc: &'static str) -> Self {
        let placeholder = Some(placeholder);
        Self {
            name,
            placeholder,
            doc,
            choices: &[],
            pattern: None,
            default: None,
            is_number: false,
            is_repeated: false,
            conflicts: &[],
            requires: None,
        }
    }

    /// Returns an option whose value is one of the listed choices. The first choice is the default.
    ///
    /// ```
    /// use evogrid_core::family::OptionDeclaration;
    ///
    /// const OBJECTIVE: OptionDeclaration =
    ///     OptionDeclaration::choice("objective", "NAME", "what is minimised", &["makespan", "flow-time"]);
    /// assert_eq!(OBJECTIVE.default, Some("makespan"));
    /// ```
    pub const fn choice(
        name: &'static str,
        placeholder: &'static str,
        doc: &'static str,
        choices: &'static [&'static str],
    ) -> Self {
        Self { choices, default: Some(choices[0]), ..Self::new(name, placeholder, doc) }
    }
}
/// The options of a request for instances. The values of an option have the same order as in the command or file. A flag has no values.
pub type RequestOptions = BTreeMap<&'static str, Vec<String>>;

/// The error for an option with an invalid value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct OptionError {
    /// The fault, as text for the user.
    pub message: String,
    /// The expected value, as text for the user.
    pub expected: String,
}

impl OptionError {
    /// Creates an error with this message. The error does not say what was expected.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), expected: String::new() }
    }

    /// Returns a copy of this error with the given expected value.
    #[must_use]
    pub fn expecting(self, expected: impl Into<String>) -> Self {
        Self { expected: expected.into(), ..self }
    }
}

impl From<InstanceError> for OptionError {
    fn from(error: InstanceError) -> Self {
        Self::new(error.in_full())
    }
}

impl OptionDeclaration {
    /// The values of the option, in the order in which the user gave them. If the option is not given, the list contains the default.
    pub fn values<'o>(&self, options: &'o RequestOptions) -> Vec<&'o str> {
        match options.get(self.name).map(Vec::as_slice) {
            None | Some([]) => self.default.into_iter().collect(),
            Some(given) => given.iter().map(String::as_str).collect(),
        }
    }

    /// The first value of the option.
    pub fn value<'o>(&self, options: &'o RequestOptions) -> Option<&'o str> {
        self.values(options).first().copied()
    }

    /// Reads the values of the option as numbers, which must lie in a range. In messages, `what` is the name of such a number, for example
    /// `number of cities`.
    ///
    /// # Errors
    /// Returns an error if a value is not a number in the range. The error names the first wrong value.
    ///
    /// ```
    /// use evogrid_core::family::{OptionDeclaration, RequestOptions};
    ///
    /// const SIZE: OptionDeclaration =
    ///     OptionDeclaration { default: Some("20"), ..OptionDeclaration::new("size", "N", "number of cities") };
    /// assert_eq!(SIZE.numbers(&RequestOptions::new(), 3..=100, "number of cities"), Ok(vec![20]));
    /// let given = RequestOptions::from([("size", vec!["2".to_owned()])]);
    /// let error = SIZE.numbers(&given, 3..=100, "number of cities").unwrap_err();
    /// assert_eq!((error.message.as_str(), error.expected.as_str()), ("--size 2: not a number of cities", "expected 3 to 100"));
    /// ```
    pub fn numbers(
        &self,
        options: &RequestOptions,
        range: RangeInclusive<usize>,
        what: &str,
    ) -> Result<Vec<usize>, OptionError> {
        let number = |text: &str| {
            let refused = || OptionError::new(format!("--{} {text}: not a {what}", self.name));
            let number = text.trim().parse().ok().filter(|number| range.contains(number));
            number.ok_or_else(|| refused().expecting(format!("expected {} to {}", range.start(), range.end())))
        };
        self.values(options).into_iter().map(number).collect()
    }

    /// Reads the first value of the option as a [number](Self::numbers), which must lie in the range.
    ///
    /// # Errors
    /// Returns an error if the value is missing, or if it is not a number in the range.
    pub fn number(
        &self,
        options: &RequestOptions,
        range: RangeInclusive<usize>,
        what: &str,
    ) -> Result<usize, OptionError> {
        let number = self.numbers(options, range, what)?.first().copied();
        number.ok_or_else(|| OptionError::new(format!("--{}: no {what}", self.name)))
    }
}

/// A generator of instances.
#[derive(Clone, Copy, Debug)]
pub struct Generator {
    /// The options that choose the instances to generate.
    pub options: &'static [OptionDeclaration],
    /// The text at the end of the command's help text. This text explains how the instances are generated, and what the columns of the data
    /// set mean.
    pub help: &'static str,
    /// Prepares a request for instances. The options name one or more buckets, and each bucket gets `count` instances. The instances depend
    /// only on the seed and the options.
    ///
    /// # Errors
    /// Returns an error if an option is missing or invalid.
    pub request: fn(options: &RequestOptions, count: usize, seed: u64) -> Result<GeneratorRequest, OptionError>,
}

/// A request for instances.
pub struct GeneratorRequest {
    /// The number of instances.
    pub n_instances: usize,
    make: Box<MakeInstance>,
}

type MakeInstance = dyn Fn(usize) -> Result<GeneratedInstance, OptionError> + Sync;

impl GeneratorRequest {
    /// A request for this number of instances. `generate` receives the number of an instance, counted from 0, and generates the instance.
    pub fn new(
        n_instances: usize,
        make: impl Fn(usize) -> Result<GeneratedInstance, OptionError> + Sync + 'static,
    ) -> Self {
        Self { n_instances, make: Box::new(make) }
    }

    /// Generates one instance from its number, counted from 0. The instance does not depend on other instances. Any thread may call this
    /// function.
    ///
    /// # Errors
    /// If the instance cannot be generated, the function returns the reason as text for users.
    pub fn make(&self, number: usize) -> Result<GeneratedInstance, OptionError> {
        (self.make)(number)
    }
}

/// A row of a generated data set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedInstance {
    /// The id of the instance.
    pub id: String,
    /// The difficulty bucket to which the instance belongs.
    pub bucket: String,
    /// The other columns. All instances that are generated together have the same columns.
    pub fields: Vec<GeneratedField>,
}

/// A field of a generated instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedField {
    /// The name of the column.
    pub column: &'static str,
    /// The value.
    pub value: String,
    /// The default value. If all instances have the default value, the column is omitted.
    pub default: Option<&'static str>,
}

impl GeneratedField {
    /// Returns a field whose column is never omitted.
    pub fn new(column: &'static str, value: String) -> Self {
        Self { column, value, default: None }
    }
}

/// A set of published instances that the program generates from their seeds. The key `generate = { set = "...", ids = [...] }` chooses the
/// instances.
///
/// ```
/// use evogrid_core::family::{InstanceError, PublishedSet};
///
/// const SET: PublishedSet = PublishedSet {
///     name: "published",
///     doc: "three random instances",
///     source: "an example",
///     ids: || (1..=3).map(|number| format!("p{number}")).collect(),
///     make: |id, _| Err(InstanceError::new(format!("{id} is not made in an example"))),
/// };
/// assert_eq!((SET.ids)(), ["p1", "p2", "p3"]);
/// ```
#[derive(Clone, Copy)]
pub struct PublishedSet {
    /// The name of the set, for example `taillard`.
    pub name: &'static str,
    /// A description of the set in one line.
    pub doc: &'static str,
    /// The publication of the set: author, title, year.
    pub source: &'static str,
    /// The ids of the instances, in order.
    pub ids: fn() -> Vec<String>,
    /// Generates the instance with this id. `options` contains the keys that stand beside `generate` in the table of the experiment file.
    ///
    /// # Errors
    /// Returns an error if an option is invalid.
    pub make: fn(id: &str, options: &Options) -> Result<PublishedInstance, InstanceError>,
}

/// An instance of a published set.
pub struct PublishedInstance {
    /// The bucket of the instance, such as `20x5`. The bucket may be empty.
    pub bucket: String,
    /// The best known value of the instance's objective.
    pub best_known: Option<BestKnown>,
    /// The instance.
    pub instance: Box<dyn Instance>,
}
