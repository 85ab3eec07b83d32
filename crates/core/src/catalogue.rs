//! The catalogue: every algorithm, operator and family of problems by name, and the check of settings against what they
//! declare.

mod resolve;

pub use resolve::{Fault, SettingPart};

use crate::algorithm::{self, Algorithm};
use crate::family::Family;
use crate::registry::{Member, Operators, Registry};
use crate::settings::Settings;

/// Everything that an experiment can name.
///
/// It is filled at the top: the core's algorithms are in it from the start, operators and families are added by their crates,
/// and a researcher adds his own before he starts the runner.
pub struct Catalogue {
    /// Search algorithms.
    pub algorithms: Registry<Algorithm>,
    /// The names of those that end by themselves.
    self_terminating: Vec<&'static str>,
    /// Operators.
    pub operators: Operators,
    families: Vec<Box<dyn Family>>,
}

impl Catalogue {
    /// The core's own algorithms, without operators and families.
    #[must_use]
    pub fn new() -> Self {
        let mut catalogue = Self {
            algorithms: Registry::new("algorithm"),
            self_terminating: Vec::new(),
            operators: Operators::new(),
            families: Vec::new(),
        };
        algorithm::register(&mut catalogue.algorithms, &mut catalogue.self_terminating);
        catalogue
    }

    /// Adds an algorithm that ends by itself, so that it needs no budget.
    ///
    /// # Panics
    /// If the name is taken.
    pub fn add_self_terminating(&mut self, member: Member<Algorithm>) {
        self.self_terminating.push(member.declaration.name);
        self.algorithms.add(member);
    }

    /// Whether the algorithm of that name ends by itself.
    #[must_use]
    pub fn is_self_terminating(&self, algorithm: &str) -> bool {
        self.self_terminating.contains(&algorithm)
    }

    /// The algorithm that resolved settings describe.
    ///
    /// # Panics
    /// If the settings were not [resolved](Self::resolve) against this catalogue.
    #[must_use]
    pub fn algorithm(&self, settings: &Settings) -> Algorithm {
        *self.algorithms.build(settings, &self.operators)
    }

    /// Adds a family of problems.
    ///
    /// # Panics
    /// If its name is taken.
    pub fn add_family(&mut self, family: Box<dyn Family>) {
        let name = family.declaration().name;
        assert!(self.family(name).is_none(), "the family `{name}` is registered twice");
        self.families.push(family);
    }

    /// The family of that name.
    #[must_use]
    pub fn family(&self, name: &str) -> Option<&dyn Family> {
        self.families().find(|family| family.declaration().name == name)
    }

    /// All families, in the order in which they were added; the first is meant where none is named.
    pub fn families(&self) -> impl Iterator<Item = &dyn Family> {
        self.families.iter().map(|family| &**family)
    }
}

impl Default for Catalogue {
    fn default() -> Self {
        Self::new()
    }
}
