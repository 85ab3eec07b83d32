//! Parameters: what can be set, declared once. Construction, error messages, listings and schemas all follow from it.

use crate::settings::Value;

/// One parameter of an algorithm, operator or problem.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name in an experiment file.
    pub name: &'static str,
    /// Type and range.
    pub domain: Domain,
    /// What holds where no value is given.
    pub default: DefaultValue,
    /// One line of what it does, with its unit.
    pub doc: &'static str,
}

/// Type and range of a parameter.
#[derive(Clone, Copy, Debug)]
pub enum Domain {
    /// True or false.
    Flag,
    /// A whole number in `min..=max`.
    Integer {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// A number in `min..=max`.
    Real {
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
    },
    /// One of these names.
    Choice(&'static [&'static str]),
    /// An operator of a family, by name or as a table with `kind`.
    Operator(&'static str),
    /// Any text.
    Text,
    /// A table of flags, numbers and texts under names that are not declared: letters, digits, `-` and `_`.
    Table,
}

/// What holds where no value is given.
#[derive(Clone, Copy, Debug)]
pub enum DefaultValue {
    /// Nothing: a value must be given.
    Required,
    /// The parameter is absent, as a limit that never ends anything.
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
    /// The default as a setting.
    #[must_use]
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
    /// True or false.
    #[must_use]
    pub const fn flag(name: &'static str, default: bool, doc: &'static str) -> Self {
        Self { name, domain: Domain::Flag, default: DefaultValue::Value(Literal::Flag(default)), doc }
    }

    /// A whole number in `min..=max`.
    #[must_use]
    pub const fn integer(name: &'static str, min: i64, max: i64, default: i64, doc: &'static str) -> Self {
        Self {
            name,
            domain: Domain::Integer { min, max },
            default: DefaultValue::Value(Literal::Integer(default)),
            doc,
        }
    }

    /// A number in `min..=max`.
    #[must_use]
    pub const fn real(name: &'static str, min: f64, max: f64, default: f64, doc: &'static str) -> Self {
        Self { name, domain: Domain::Real { min, max }, default: DefaultValue::Value(Literal::Real(default)), doc }
    }

    /// A whole number in `min..=max` that may be absent: it has no default.
    #[must_use]
    pub const fn optional_integer(name: &'static str, min: i64, max: i64, doc: &'static str) -> Self {
        Self { name, domain: Domain::Integer { min, max }, default: DefaultValue::Absent, doc }
    }

    /// A number in `min..=max` that may be absent: it has no default.
    #[must_use]
    pub const fn optional_real(name: &'static str, min: f64, max: f64, doc: &'static str) -> Self {
        Self { name, domain: Domain::Real { min, max }, default: DefaultValue::Absent, doc }
    }

    /// One of several names.
    #[must_use]
    pub const fn choice(
        name: &'static str,
        names: &'static [&'static str],
        default: &'static str,
        doc: &'static str,
    ) -> Self {
        Self { name, domain: Domain::Choice(names), default: DefaultValue::Value(Literal::Name(default)), doc }
    }

    /// Any text, which must be given.
    #[must_use]
    pub const fn text(name: &'static str, doc: &'static str) -> Self {
        Self { name, domain: Domain::Text, default: DefaultValue::Required, doc }
    }

    /// Any text; it may be absent.
    #[must_use]
    pub const fn optional_text(name: &'static str, doc: &'static str) -> Self {
        Self { name, domain: Domain::Text, default: DefaultValue::Absent, doc }
    }

    /// A table under whose names anything may be set; none unless given.
    #[must_use]
    pub const fn table(name: &'static str, doc: &'static str) -> Self {
        Self { name, domain: Domain::Table, default: DefaultValue::Absent, doc }
    }

    /// An operator of a family.
    #[must_use]
    pub const fn operator(
        name: &'static str,
        family: &'static str,
        default: Option<&'static str>,
        doc: &'static str,
    ) -> Self {
        let default = match default {
            Some(name) => DefaultValue::Value(Literal::Name(name)),
            None => DefaultValue::Required,
        };
        Self { name, domain: Domain::Operator(family), default, doc }
    }
}

/// The names in a table of choices, for its declaration.
#[must_use]
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

/// What can be chosen by name, with what can be set about it.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// The name in an experiment file, the field's standard term.
    pub name: &'static str,
    /// One line of what it is.
    pub doc: &'static str,
    /// Paper, year, page.
    pub source: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
}
