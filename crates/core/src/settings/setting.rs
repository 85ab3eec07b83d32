//! Declares settings as fields of a struct. Each setting is declared once: its type, its parameter and its meaning.

use super::Settings;
use super::fault::Fault;
use super::growing_number::GrowingNumber;
use super::parameter::{DefaultValue, Parameter};
use super::registry::Operators;
use crate::operator::{Crossover, Initialisation, Mutation, Perturbation, Selection, Survival};

/// A type that a setting's value can have, such as `f64`.
pub trait Setting: Sized {
    /// Reads the value of a parameter from resolved settings.
    ///
    /// # Errors
    /// Returns an error if an operator refuses the combination of its settings.
    ///
    /// # Panics
    /// Panics if the settings were not [resolved](crate::catalogue::Catalogue::resolve), or if the parameter is of another type.
    fn read(settings: &Settings, parameter: &Parameter, operators: &Operators) -> Result<Self, Fault>;
}

/// The default values of these parameters. Parameters without a default are not in the result.
pub fn defaults(parameters: &[Parameter]) -> Settings {
    let mut settings = Settings::new();
    for parameter in parameters {
        if let DefaultValue::Value(literal) = parameter.default {
            settings.set(parameter.name, literal.value());
        }
    }
    settings
}

/// A type whose values have names. [`Parameter::choice`] uses these names. The macro [`choices!`](crate::choices) declares a type of this
/// kind.
pub trait Choice: Copy + 'static {
    /// The values of the type, with their names.
    const CHOICES: &'static [(&'static str, Self)];
}

impl<T: Choice> Setting for T {
    fn read(settings: &Settings, parameter: &Parameter, _: &Operators) -> Result<Self, Fault> {
        Ok(settings.choice(parameter.name, T::CHOICES))
    }
}

impl<T: Setting> Setting for Option<T> {
    fn read(settings: &Settings, parameter: &Parameter, operators: &Operators) -> Result<Self, Fault> {
        settings.get(parameter.name).map(|_| T::read(settings, parameter, operators)).transpose()
    }
}

macro_rules! read_by_name {
    ($($type:ty: |$settings:ident, $name:ident, $operators:pat_param| $value:expr;)*) => {
        $(impl Setting for $type {
            fn read($settings: &Settings, parameter: &Parameter, $operators: &Operators) -> Result<Self, Fault> {
                let $name = parameter.name;
                $value
            }
        })*
    };
}

read_by_name! {
    bool: |settings, name, _| Ok(settings.flag(name));
    f64: |settings, name, _| Ok(settings.real(name));
    usize: |settings, name, _| Ok(settings.count(name));
    u64: |settings, name, _| Ok(settings.count(name) as u64);
    u32: |settings, name, _| Ok(settings.count(name) as u32);
    GrowingNumber: |settings, name, _| Ok(GrowingNumber::from_settings(settings, name).expect("it was resolved"));
    Box<dyn Initialisation>: |settings, name, operators| operators.initialisations.operator(name, settings, operators);
    Box<dyn Selection>: |settings, name, operators| operators.selections.operator(name, settings, operators);
    Box<dyn Crossover>: |settings, name, operators| operators.crossovers.operator(name, settings, operators);
    Box<dyn Mutation>: |settings, name, operators| operators.mutations.operator(name, settings, operators);
    Box<dyn Survival>: |settings, name, operators| operators.survivals.operator(name, settings, operators);
    Box<dyn Perturbation>: |settings, name, operators| operators.perturbations.operator(name, settings, operators);
}

/// Declares a search or an operator with its settings, as a struct. Each field of the struct is a [`Setting`] with its
/// [`Parameter`](crate::parameter::Parameter). The macro adds two items to the struct: the list of parameters, and a function that builds
/// the struct from resolved settings.
///
/// In a parameter's expression, `DOC` is the first line of the field's documentation. Users also read this first line in the help.
/// Therefore the first line begins with a small letter and has no full stop. Further documentation of the field follows after an empty
/// line.
///
/// `pub struct NAME with FIELD: GROUP` adds a field `FIELD` of the type `GROUP`. The type `GROUP` is another struct of settings. The
/// parameters of `GROUP` come before the other parameters of `NAME`.
///
/// ```
/// use evogrid_core::parameter::Parameter;
/// use evogrid_core::registry::Operators;
/// use evogrid_core::settings::{Settings, Value};
///
/// evogrid_core::parameters! {
///     /// The best of a few individuals.
///     pub struct Tournament {
///         /// number of individuals in a tournament
///         pub size: usize = Parameter::integer("size", 1, 100, 3, DOC),
///         /// probability per parent that a tournament chooses it
///         ///
///         /// Without a tournament, the parent is drawn at random.
///         pub rate: f64 = Parameter::real("rate", 0.0, 1.0, 1.0, DOC),
///     }
/// }
///
/// let described: Vec<_> = Tournament::PARAMETERS.iter().map(|parameter| (parameter.name, parameter.doc)).collect();
/// let rate = ("rate", "probability per parent that a tournament chooses it");
/// assert_eq!(described, [("size", "number of individuals in a tournament"), rate]);
/// let mut settings = Settings::new();
/// settings.set("size", Value::Integer(5));
/// settings.set("rate", Value::Real(0.5));
/// assert_eq!(Tournament::from_settings(&settings, &Operators::new()).expect("no operator refuses").size, 5);
/// ```
#[macro_export]
macro_rules! parameters {
    (
        $(#[$meta:meta])*
        pub struct $name:ident $(with $group_field:ident: $group:ty)? {
            $(#[doc = $doc:literal] $(#[doc = r""] $(#[doc = $more:literal])*)? pub $field:ident: $type:ty = $parameter:expr,)*
        }
    ) => {
        $(#[$meta])*
        pub struct $name {
            $(/// The settings that other searches have, too.
            pub $group_field: $group,)?
            $(#[doc = $doc] $(#[doc = ""] $(#[doc = $more])*)? pub $field: $type,)*
        }

        impl $name {
            /// The parameters, in the order of the fields.
            pub const PARAMETERS: &'static [$crate::parameter::Parameter] = &$crate::parameter::joined::<
                { 0 $(+ <$group>::PARAMETERS.len())? + [$(stringify!($field)),*].len() },
            >(&[$(<$group>::PARAMETERS,)? &[$({
                const DOC: &str = $doc.trim_ascii();
                // A parameter may have its own documentation.
                let _ = DOC;
                $parameter
            }),*]]);

            /// Builds the value from resolved settings.
            ///
            /// # Errors
            /// Returns an error if an operator refuses the combination of its settings.
            pub fn from_settings(
                settings: &$crate::settings::Settings,
                operators: &$crate::registry::Operators,
            ) -> Result<Self, $crate::fault::Fault> {
                let mut parameters = Self::PARAMETERS.iter()$(.skip(<$group>::PARAMETERS.len()))?;
                let mut next = || parameters.next().expect("a field has a parameter");
                Ok(Self {
                    $($group_field: <$group>::from_settings(settings, operators)?,)?
                    $($field: $crate::settings::setting::Setting::read(settings, next(), operators)?,)*
                })
            }
        }
    };
}

/// Declares an enum. The variants are the [choices](Choice) of a setting, or other values with names. Each variant has a name for files and
/// messages.
///
/// ```
/// evogrid_core::choices! {
///     /// Where parents are cut.
///     pub enum Cuts {
///         /// In equal parts.
///         Even = "even",
///         /// Anywhere.
///         Random = "random",
///     }
/// }
///
/// assert_eq!(Cuts::CHOICES, [("even", Cuts::Even), ("random", Cuts::Random)]);
/// assert_eq!(Cuts::NAMES, ["even", "random"]);
/// assert_eq!((Cuts::Even.name(), Cuts::named("random")), ("even", Some(Cuts::Random)));
/// assert_eq!(Cuts::Random.to_string(), "random");
/// ```
#[macro_export]
macro_rules! choices {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$doc])* $variant,)*
        }

        impl $name {
            /// The values with their names.
            pub const CHOICES: &'static [(&'static str, Self)] = &[$(($text, Self::$variant)),*];

            /// The names of the values.
            pub const NAMES: &'static [&'static str] = &[$($text),*];

            /// The name of the value.
            pub fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }

            /// The value with this name.
            pub fn named(name: &str) -> Option<Self> {
                Self::CHOICES.iter().find(|(known, _)| *known == name).map(|&(_, choice)| choice)
            }
        }

        impl $crate::settings::setting::Choice for $name {
            const CHOICES: &'static [(&'static str, Self)] = Self::CHOICES;
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                formatter.pad(self.name())
            }
        }
    };
}
