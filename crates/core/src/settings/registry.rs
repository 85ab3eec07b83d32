//! Registries. A registry contains the members that can be chosen by name. Each member has a declaration and a function that builds the
//! member.

use crate::operator::{Crossover, Initialisation, Mutation, Perturbation, Selection, Survival};
use crate::settings::Settings;
use crate::settings::fault::Fault;
use crate::settings::parameter::Declaration;

/// A member of a category, which can be chosen by its name.
pub struct Member<T: ?Sized> {
    /// The name, the documentation and the parameters.
    pub declaration: Declaration,
    /// Builds the member from settings that were checked against the declaration. The function may refuse a combination of settings. If the
    /// function returns a fault, the path in the fault is relative to the table of the member. The second argument of the function contains
    /// the available operators.
    pub build: fn(&Settings, &Operators) -> Result<Box<T>, Fault>,
}

/// All members of one category, in the order of registration.
///
/// ```
/// use evogrid_core::operator::Selection;
/// use evogrid_core::parameter::{Declaration, Parameter};
/// use evogrid_core::population::Population;
/// use evogrid_core::random::RandomStream;
/// use evogrid_core::registry::{Member, Operators};
///
/// struct Best {
///     fraction: f64,
/// }
///
/// impl Selection for Best {
///     fn select(&self, population: &Population, chosen: &mut Vec<usize>, _random: &mut RandomStream) {
///         population.best((self.fraction * population.len() as f64).ceil() as usize, chosen);
///     }
/// }
///
/// const MEMBER: Member<dyn Selection> = Member {
///     declaration: Declaration {
///         name: "best",
///         doc: "the best part of the population",
///         source: "an example",
///         version: 1,
///         needs: &[],
///         parameters: &[Parameter::real("fraction", 0.01, 1.0, 0.2, "share of the population, rounded up")],
///     },
///     build: |settings, _| Ok(Box::new(Best { fraction: settings.real("fraction") })),
/// };
///
/// let mut operators = Operators::new();
/// operators.selections.add(MEMBER);
/// assert!(operators.selections.find("best").is_some());
/// assert_eq!(operators.of_category("selection")[0].name, "best");
/// ```
pub struct Registry<T: ?Sized> {
    category: &'static str,
    members: Vec<Member<T>>,
}

impl<T: ?Sized> Registry<T> {
    /// A registry without members. `category` is the word for a member in messages.
    pub const fn new(category: &'static str) -> Self {
        Self { category, members: Vec::new() }
    }

    /// Adds a member.
    ///
    /// # Panics
    /// Panics if another member has the same name.
    pub fn add(&mut self, member: Member<T>) {
        let name = member.declaration.name;
        assert!(self.find(name).is_none(), "the {} `{name}` is registered twice", self.category);
        self.members.push(member);
    }

    /// Returns the member with the name `name`.
    pub fn find(&self, name: &str) -> Option<&Member<T>> {
        self.members.iter().find(|member| member.declaration.name == name)
    }

    /// Builds the member whose name is the value of `kind` in the resolved settings.
    ///
    /// # Errors
    /// Returns an error if the member refuses the combination of its settings.
    ///
    /// # Panics
    /// Panics if the settings were not [resolved](crate::catalogue::Catalogue::resolve) against a catalogue with this registry.
    pub fn build(&self, settings: &Settings, operators: &Operators) -> Result<Box<T>, Fault> {
        let kind = settings.name("kind");
        let member = self.find(kind).unwrap_or_else(|| panic!("unknown {} `{kind}`", self.category));
        (member.build)(settings, operators)
    }

    /// Builds the operator that the setting with this name describes.
    ///
    /// # Errors
    /// Returns the same errors as [`build`](Self::build). The path of the fault begins with `name`.
    ///
    /// # Panics
    /// Panics in the same cases as [`build`](Self::build). Also panics if the setting is missing.
    pub fn operator(&self, name: &str, settings: &Settings, operators: &Operators) -> Result<Box<T>, Fault> {
        self.build(settings.table(name), operators).map_err(|fault| fault.below(name))
    }

    /// The declarations of all members.
    pub fn declarations(&self) -> impl Iterator<Item = &Declaration> {
        self.members.iter().map(|member| &member.declaration)
    }
}

/// The operators that searches can use. Each category has its own registry.
pub struct Operators {
    /// Initialisations.
    pub initialisations: Registry<dyn Initialisation>,
    /// Parent selections.
    pub selections: Registry<dyn Selection>,
    /// Crossovers.
    pub crossovers: Registry<dyn Crossover>,
    /// Mutations.
    pub mutations: Registry<dyn Mutation>,
    /// Survivor selections.
    pub survivals: Registry<dyn Survival>,
    /// Perturbations.
    pub perturbations: Registry<dyn Perturbation>,
}

impl Operators {
    /// An empty set of operators.
    pub const fn new() -> Self {
        Self {
            initialisations: Registry::new("initialisation"),
            selections: Registry::new("selection"),
            crossovers: Registry::new("crossover"),
            mutations: Registry::new("mutation"),
            survivals: Registry::new("survival"),
            perturbations: Registry::new("perturbation"),
        }
    }

    /// The name of each category, and the declarations of its members.
    pub fn declarations(&self) -> [(&'static str, Vec<&Declaration>); 6] {
        [
            (self.initialisations.category, self.initialisations.declarations().collect()),
            (self.selections.category, self.selections.declarations().collect()),
            (self.crossovers.category, self.crossovers.declarations().collect()),
            (self.mutations.category, self.mutations.declarations().collect()),
            (self.survivals.category, self.survivals.declarations().collect()),
            (self.perturbations.category, self.perturbations.declarations().collect()),
        ]
    }

    /// The declarations of a category.
    ///
    /// # Panics
    /// Panics if the category does not exist.
    pub fn of_category(&self, category: &str) -> Vec<&Declaration> {
        let found = self.declarations().into_iter().find(|(name, _)| *name == category);
        found.unwrap_or_else(|| panic!("there is no category of operators with the name `{category}`")).1
    }
}

impl Default for Operators {
    fn default() -> Self {
        Self::new()
    }
}
