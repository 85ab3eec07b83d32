//! Parameters. Each parameter is declared once. The declaration determines how values are read. The program also uses the declaration of a
//! parameter to make error messages, lists of parameters, and schemas.

use crate::settings::Value;
use crate::settings::capability::Capability;

pub use crate::settings::condition::Condition;

/// One parameter of an algorithm, an operator or a family of problems.
///
/// ```
/// use evogrid_core::parameter::{DefaultValue, Parameter};
///
/// const SIZE: Parameter = Parameter::integer("size", 1, 100, 3, "individuals in a tournament");
/// const RATE: Parameter = Parameter::optional_real("gene_rate", 0.0, 1.0, "probability per gene that it is changed");
/// assert!(matches!(SIZE.default, DefaultValue::Value(_)));
/// assert!(matches!(RATE.default, DefaultValue::Absent));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name in an experiment file.
    pub name: &'static str,
    /// The type and the range.
    pub domain: Domain,
    /// The value that is used if the parameter is not given.
    pub default: DefaultValue,
    /// The meaning of the parameter in one line, with its unit.
    pub doc: &'static str,
    /// True if there were already runs before the parameter was added: see [`Parameter::added_later`].
    pub is_added_later: bool,
    /// True if the value may be a formula over the instance's sizes: see [`Parameter::growing`].
    pub may_grow: bool,
    /// A capability, and the name of a setting of the member that is true or false. If the parameter is absent and the named setting is
    /// true, the problem must offer the capability: see [`Parameter::or_needs`].
    pub absent_needs: Option<(Capability, &'static str)>,
    /// The conditions under which the parameter has an effect: see [`Parameter::only_where`].
    pub conditions: &'static [Condition],
}

/// The type and the range of a parameter.
#[derive(Clone, Copy, Debug)]
pub enum Domain {
    /// True or false.
    Flag,
    /// A whole number in `min..=max`.
    Integer {
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// A number in `min..=max`.
    Real {
        /// The smallest value.
        min: f64,
        /// The largest value.
        max: f64,
    },
    /// The value is one of the names in the list, or a name that the families add to the list.
    Choice(&'static [&'static str], Option<AddedNames>),
    /// An operator of this category, or a search inside another search. The value is the operator's name, or a table with `kind`.
    Operator(&'static str),
    /// Any text.
    Text,
    /// A table whose entries are not declared. An entry is a flag, a number or a text. The names of the table's entries consist of letters,
    /// digits, `-` and `_`.
    Table,
}

crate::choices! {
    /// The names that a family can add to the values of a setting: see [`Family::added_names`](crate::family::Family::added_names).
    pub enum AddedNames {
        /// The [constructions](crate::problem::Problem::constructions) of initial solutions.
        Constructions = "construction",
        /// The [neighbourhoods](crate::problem::Problem::added_neighbourhoods).
        Neighbourhoods = "neighbourhood",
    }
}

/// The constructions that every family has. Each entry contains the name of a construction and one line of documentation.
pub const CONSTRUCTIONS: [(&str, &str); 2] = [
    ("random", "a random solution"),
    ("family", "the first construction of the problem family; without a construction, a random solution"),
];

/// The default of a parameter.
#[derive(Clone, Copy, Debug)]
pub enum DefaultValue {
    /// The parameter has no default, and the user must give a value.
    Required,
    /// The parameter has no default, and the value may be absent.
    Absent,
    /// This value.
    Value(Literal),
}

/// A default value.
#[derive(Clone, Copy, Debug)]
pub enum Literal {
    /// True or false.
    Flag(bool),
    /// A whole number.
    Integer(i64),
    /// A number.
    Real(f64),
    /// A name.
    Name(&'static str),
}

impl Literal {
    /// Converts the default to the value of a setting.
    pub fn value(self) -> Value {
        match self {
            Literal::Flag(flag) => Value::Flag(flag),
            Literal::Integer(integer) => Value::Integer(integer),
            Literal::Real(real) => Value::Real(real),
            Literal::Name(name) => Value::Text(name.to_owned()),
        }
    }
}

impl Parameter {
    const fn new(name: &'static str, domain: Domain, default: DefaultValue, doc: &'static str) -> Self {
        Self { name, domain, default, doc, is_added_later: false, may_grow: false, absent_needs: None, conditions: &[] }
    }

    /// True or false.
    pub const fn flag(name: &'static str, default: bool, doc: &'static str) -> Self {
        Self::new(name, Domain::Flag, DefaultValue::Value(Literal::Flag(default)), doc)
    }

    /// A whole number in `min..=max`.
    pub const fn integer(name: &'static str, min: i64, max: i64, default: i64, doc: &'static str) -> Self {
        Self::new(name, Domain::Integer { min, max }, DefaultValue::Value(Literal::Integer(default)), doc)
    }

    /// A number in `min..=max`.
    pub const fn real(name: &'static str, min: f64, max: f64, default: f64, doc: &'static str) -> Self {
        Self::new(name, Domain::Real { min, max }, DefaultValue::Value(Literal::Real(default)), doc)
    }

    /// Declares a share or a probability: a number from 0 to 1.
    pub const fn share(name: &'static str, default: f64, doc: &'static str) -> Self {
        Self::real(name, 0.0, 1.0, default, doc)
    }

    /// A whole number in `min..=max`. The user may omit the number, which has no default.
    pub const fn optional_integer(name: &'static str, min: i64, max: i64, doc: &'static str) -> Self {
        Self::new(name, Domain::Integer { min, max }, DefaultValue::Absent, doc)
    }

    /// A number in `min..=max`. The user may omit the number, which has no default.
    pub const fn optional_real(name: &'static str, min: f64, max: f64, doc: &'static str) -> Self {
        Self::new(name, Domain::Real { min, max }, DefaultValue::Absent, doc)
    }

    /// Declares a parameter whose value is one of several names.
    pub const fn choice(
        name: &'static str,
        names: &'static [&'static str],
        default: &'static str,
        doc: &'static str,
    ) -> Self {
        Self::new(name, Domain::Choice(names, None), DefaultValue::Value(Literal::Name(default)), doc)
    }

    /// Declares a text that the user must give.
    pub const fn text(name: &'static str, doc: &'static str) -> Self {
        Self::new(name, Domain::Text, DefaultValue::Required, doc)
    }

    /// Declares a text that the user may omit.
    pub const fn optional_text(name: &'static str, doc: &'static str) -> Self {
        Self::new(name, Domain::Text, DefaultValue::Absent, doc)
    }

    /// Declares a table that the user may omit. The entries of the table are not declared.
    pub const fn table(name: &'static str, doc: &'static str) -> Self {
        Self::new(name, Domain::Table, DefaultValue::Absent, doc)
    }

    /// An operator of a category.
    pub const fn operator(
        name: &'static str,
        category: &'static str,
        default: Option<&'static str>,
        doc: &'static str,
    ) -> Self {
        let default = match default {
            Some(name) => DefaultValue::Value(Literal::Name(name)),
            None => DefaultValue::Required,
        };
        Self::new(name, Domain::Operator(category), default, doc)
    }

    /// Declares an operator of a category. The user may omit the operator.
    pub const fn optional_operator(name: &'static str, category: &'static str, doc: &'static str) -> Self {
        Self::new(name, Domain::Operator(category), DefaultValue::Absent, doc)
    }

    /// A construction of initial solutions. The value is one of [`CONSTRUCTIONS`], or a construction that the families add.
    pub const fn construction(name: &'static str, default: &'static str, doc: &'static str) -> Self {
        Self::choice(name, const { &names(&CONSTRUCTIONS) }, default, doc).or_added(AddedNames::Constructions)
    }

    /// Allows a [choice](Self::choice) to have values that the families add to its names.
    ///
    /// # Panics
    /// Panics if the parameter is not a choice.
    #[must_use]
    pub const fn or_added(self, added: AddedNames) -> Self {
        let Domain::Choice(names, _) = self.domain else { panic!("the parameter is a choice") };
        Self { domain: Domain::Choice(names, Some(added)), ..self }
    }

    /// Marks a parameter that was added to a member after experiments had used this member. If the parameter has its default value, the
    /// member must behave as before the addition. If the added parameter keeps the default value, this value is part of neither the
    /// identity nor the record of a run. Therefore runs that were done before the parameter was added are not repeated.
    ///
    /// # Panics
    /// Panics if the parameter is an operator or has no default. A parameter without a default does not need `added_later`.
    #[must_use]
    pub const fn added_later(self) -> Self {
        assert!(matches!(self.default, DefaultValue::Value(_)) && !matches!(self.domain, Domain::Operator(_)));
        Self { is_added_later: true, ..self }
    }

    /// Allows a number to grow with the instance's size: `{ per = "n*n", times = 2 }`. A search reads the value as a
    /// [`GrowingNumber`](crate::growing_number::GrowingNumber).
    ///
    /// # Panics
    /// Panics if the parameter is not a number.
    #[must_use]
    pub const fn growing(self) -> Self {
        assert!(matches!(self.domain, Domain::Integer { .. } | Domain::Real { .. }));
        Self { may_grow: true, ..self }
    }

    /// Adds a rule to the parameter. Problems must offer `capability` if the parameter is absent and the member's setting `flag` is true.
    #[must_use]
    pub const fn or_needs(self, capability: Capability, flag: &'static str) -> Self {
        Self { absent_needs: Some((capability, flag)), ..self }
    }

    /// Adds conditions to the parameter. The parameter has an effect only if all conditions hold. If all configurations violate a
    /// condition, and the user has set the parameter, the program reports an error. A default or a value from a preset never causes an
    /// error, even if a condition is violated.
    #[must_use]
    pub const fn only_where(self, conditions: &'static [Condition]) -> Self {
        Self { conditions, ..self }
    }

    /// Describes the default and the conditions of the parameter. An example is `0.99 unless given; used only if ...`.
    pub fn usage(&self) -> String {
        let default = match self.default {
            DefaultValue::Required => "must be given".to_owned(),
            DefaultValue::Absent => "none unless given".to_owned(),
            DefaultValue::Value(literal) => format!("{} unless given", literal.value()),
        };
        let conditions: Vec<String> = self.conditions.iter().map(Condition::to_string).collect();
        if conditions.is_empty() { default } else { format!("{default}; used only {}", conditions.join(" and ")) }
    }

    /// Returns true if a resolved value stands for the behaviour of the runs before the parameter was added.
    pub(crate) fn is_implied(&self, value: &Value) -> bool {
        self.is_added_later && matches!(self.default, DefaultValue::Value(default) if default.value() == *value)
    }
}

/// Returns the names in a table of choices, for [`Parameter::choice`].
pub const fn names<T, const N: usize>(table: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut at = 0;
    // Iterators are not const.
    while at < N {
        names[at] = table[at].0;
        at += 1;
    }
    names
}

/// Concatenates lists of parameters; `N` is the length of the result. [`parameters!`](crate::parameters) uses it.
pub const fn joined<const N: usize>(lists: &[&[Parameter]]) -> [Parameter; N] {
    let mut all = [lists[0][0]; N];
    let (mut list, mut start, mut at) = (0, 0, 0);
    // Iterators are not const.
    while at < N {
        if at - start == lists[list].len() {
            (list, start) = (list + 1, at);
        }
        all[at] = lists[list][at - start];
        at += 1;
    }
    all
}

/// The declaration of an operator, a search or another member of a category. Users choose the member by its name.
///
/// ```
/// use evogrid_core::parameter::{Declaration, Parameter};
///
/// const TOURNAMENT: Declaration = Declaration {
///     name: "tournament",
///     doc: "the best of a few individuals drawn at random",
///     source: "Goldberg and Deb, FOGA 1991, pp. 69-93",
///     version: 1,
///     needs: &[],
///     parameters: &[Parameter::integer("size", 1, 100, 3, "individuals in a tournament")],
/// };
/// assert_eq!(TOURNAMENT.parameters[0].name, "size");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// The name in an experiment file. The name of the member is its standard term in the literature.
    pub name: &'static str,
    /// The description in one line.
    pub doc: &'static str,
    /// The publication that describes the member, with author, title, year and page.
    pub source: &'static str,
    /// The version of the member. The first version is 1. If a change of the code alters the outcome of any run, the version increases. If
    /// the version is above 1, the version is part of the identity of each run that uses the member. So if the code changes, earlier runs
    /// are not taken for runs of the changed code.
    pub version: u32,
    /// The capabilities that a problem must offer. In declarations of families this field has no effect.
    pub needs: &'static [Capability],
    /// The parameters.
    pub parameters: &'static [Parameter],
}

impl Declaration {
    /// Returns the declaration of a member that has no parameters and needs no capabilities. In this declaration, the version of the member
    /// is 1. To set further fields, write these fields before `..Declaration::new(...)`.
    pub const fn new(name: &'static str, doc: &'static str, source: &'static str) -> Self {
        Self { name, doc, source, version: 1, needs: &[], parameters: &[] }
    }

    /// Returns a copy of this declaration in which the member has the given `parameters`.
    #[must_use]
    pub const fn with(self, parameters: &'static [Parameter]) -> Self {
        Self { parameters, ..self }
    }

    /// Returns a copy of this declaration in which the member needs the capabilities `needs`.
    #[must_use]
    pub const fn needing(self, needs: &'static [Capability]) -> Self {
        Self { needs, ..self }
    }

    /// If the version is above 1, returns a list with the name and the version. If the version is 1, the list is empty.
    pub fn versions(&self) -> Vec<(String, u32)> {
        if self.version > 1 { vec![(self.name.to_owned(), self.version)] } else { Vec::new() }
    }
}
