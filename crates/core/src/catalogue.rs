//! The catalogue: every algorithm, operator and problem by name, and the check of settings against what they declare.

use crate::instance::ProblemKind;
use crate::operator::{Crossover, Initialisation, Mutation, Selection, Survival};
use crate::parameter::Declaration;
use crate::search::Algorithm;
use crate::settings::Settings;

mod resolve;

pub use resolve::{Fault, Place};

/// One thing that can be chosen by name.
pub struct Member<T: ?Sized> {
    /// Its name, documentation and parameters.
    pub declaration: Declaration,
    /// Builds it from settings that were checked against the declaration.
    pub build: fn(&Settings, &Catalogue) -> Box<T>,
}

/// All things of one sort, in the order in which they were added.
pub struct Family<T: ?Sized> {
    name: &'static str,
    members: Vec<Member<T>>,
}

impl<T: ?Sized> Family<T> {
    fn new(name: &'static str) -> Self {
        Self { name, members: Vec::new() }
    }

    /// Adds a member.
    ///
    /// # Panics
    /// If the name is taken.
    pub fn add(&mut self, member: Member<T>) {
        let name = member.declaration.name;
        assert!(self.find(name).is_none(), "the {} `{name}` is there twice", self.name);
        self.members.push(member);
    }

    /// The member of that name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Member<T>> {
        self.members.iter().find(|member| member.declaration.name == name)
    }

    /// Builds the member that resolved settings name under `kind`.
    ///
    /// # Panics
    /// If the settings were not [resolved](Catalogue::resolve) against this catalogue.
    #[must_use]
    pub fn build(&self, settings: &Settings, catalogue: &Catalogue) -> Box<T> {
        let kind = settings.name("kind");
        let member = self.find(kind).unwrap_or_else(|| panic!("no {} has the name `{kind}`", self.name));
        (member.build)(settings, catalogue)
    }

    /// The declarations of all members.
    pub fn declarations(&self) -> impl Iterator<Item = &Declaration> {
        self.members.iter().map(|member| &member.declaration)
    }
}

/// Everything that an experiment can name. A researcher adds his own before he starts the runner.
pub struct Catalogue {
    /// Search algorithms.
    pub algorithms: Family<Algorithm>,
    /// The names of those that end by themselves.
    ending: Vec<&'static str>,
    /// Kinds of problem.
    pub problems: Family<dyn ProblemKind>,
    /// Ways to make the first genomes.
    pub initialisations: Family<dyn Initialisation>,
    /// Parent selections.
    pub selections: Family<dyn Selection>,
    /// Crossovers.
    pub crossovers: Family<dyn Crossover>,
    /// Mutations.
    pub mutations: Family<dyn Mutation>,
    /// Survivor selections.
    pub survivals: Family<dyn Survival>,
}

impl Catalogue {
    /// The core's own algorithms and problems, without operators.
    #[must_use]
    pub fn core() -> Self {
        let mut catalogue = Self {
            algorithms: Family::new("algorithm"),
            ending: Vec::new(),
            problems: Family::new("problem"),
            initialisations: Family::new("initialisation"),
            selections: Family::new("selection"),
            crossovers: Family::new("crossover"),
            mutations: Family::new("mutation"),
            survivals: Family::new("survival"),
        };
        catalogue.algorithms.add(crate::search::genetic::member());
        catalogue.algorithms.add(crate::search::combinatorial::member());
        catalogue.add_ending(crate::search::exact::member());
        catalogue.problems.add(crate::sudoku::member());

        catalogue
    }

    /// Adds an algorithm that ends by itself, so that it needs no budget.
    ///
    /// # Panics
    /// If the name is taken.
    pub fn add_ending(&mut self, member: Member<Algorithm>) {
        self.ending.push(member.declaration.name);
        self.algorithms.add(member);
    }

    /// Whether the algorithm of that name ends by itself.
    #[must_use]
    pub fn ends_by_itself(&self, algorithm: &str) -> bool {
        self.ending.contains(&algorithm)
    }

    /// The families of operators, by the name of the parameter's family.
    pub fn operator_families(&self) -> [(&'static str, Vec<&Declaration>); 5] {
        [
            (self.initialisations.name, self.initialisations.declarations().collect()),
            (self.selections.name, self.selections.declarations().collect()),
            (self.crossovers.name, self.crossovers.declarations().collect()),
            (self.mutations.name, self.mutations.declarations().collect()),
            (self.survivals.name, self.survivals.declarations().collect()),
        ]
    }

    fn operators(&self, family: &str) -> Vec<&Declaration> {
        let found = self.operator_families().into_iter().find(|(name, _)| *name == family);
        found.unwrap_or_else(|| panic!("no family of operators is called `{family}`")).1
    }
}
