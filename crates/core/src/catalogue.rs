//! The catalogue names every algorithm, operator and family of problems. The catalogue also checks settings against the declarations.

mod fit;
mod growth;
mod resolve;

pub use crate::settings::fault::{Fault, SettingPart};

use std::sync::LazyLock;

use crate::algorithm::{self, Algorithm};
use crate::evaluator::{Evaluator, Outcome};
use crate::family::Family;
use crate::identity::Fingerprint;
use crate::problem::DynProblem;
use crate::random::RandomStream;
use crate::search::Search;
use crate::search::{local_algorithm, portfolio};
use crate::settings::{Declaration, Domain, Member, Operators, Registry, Settings, Value};

/// The category of the algorithms.
const ALGORITHM: &str = "algorithm";

/// The catalogue contains everything that an experiment can name.
///
/// A new catalogue contains the algorithms of the core. Other crates and researchers add operators and families.
///
/// ```
/// use evogrid_core::catalogue::Catalogue;
/// use evogrid_core::settings::{Settings, Value};
///
/// let catalogue = Catalogue::new();
/// let mut given = Settings::new();
/// given.set("kind", Value::Text("combinatorial-evolution".to_owned()));
/// given.set("organisms", Value::Integer(50));
/// given.set_at("budget.generations", Value::Integer(1000));
/// let settings = catalogue.resolve(&given, &[]).expect("every setting is right");
/// assert_eq!(settings.real("explorers"), 0.1, "the default");
/// let algorithm = catalogue.algorithm(&settings);
///
/// given.set("organism", Value::Integer(50));
/// let faults = catalogue.resolve(&given, &[]).unwrap_err();
/// assert_eq!(faults[0].message, "`combinatorial-evolution` has no setting `organism`");
/// assert!(faults[0].expected.ends_with("did you mean `organisms`?"));
/// ```
pub struct Catalogue {
    /// The search algorithms.
    pub algorithms: Registry<Algorithm>,
    /// The names of the algorithms that end by themselves.
    self_terminating: Vec<&'static str>,
    text_searches: Vec<&'static str>,
    /// The operators.
    pub operators: Operators,
    families: Vec<Box<dyn Family>>,
}

impl Catalogue {
    /// The algorithms of the core, without operators and families.
    pub fn new() -> Self {
        let mut catalogue = Self {
            algorithms: Registry::new(ALGORITHM),
            self_terminating: Vec::new(),
            text_searches: Vec::new(),
            operators: Operators::new(),
            families: Vec::new(),
        };
        algorithm::register(&mut catalogue.algorithms, &mut catalogue.self_terminating);
        catalogue
    }

    /// Adds an algorithm that ends by itself and needs no budget.
    ///
    /// # Panics
    /// Panics if another algorithm has the same name.
    pub fn add_self_terminating(&mut self, member: Member<Algorithm>) {
        self.self_terminating.push(member.declaration.name);
        self.algorithms.add(member);
    }

    /// Adds an algorithm that ends by itself. The solutions of this algorithm may be [texts](crate::evaluator::Outcome::solution) instead
    /// of genomes.
    ///
    /// # Panics
    /// Panics if another algorithm has the same name.
    pub fn add_text_search(&mut self, member: Member<Algorithm>) {
        self.text_searches.push(member.declaration.name);
        self.add_self_terminating(member);
    }

    /// Whether the algorithm with this name ends by itself.
    pub fn is_self_terminating(&self, algorithm: &str) -> bool {
        self.self_terminating.contains(&algorithm)
    }

    /// Builds the algorithm that the resolved settings describe.
    ///
    /// # Errors
    /// Returns an error if the algorithm or one of its operators refuses its settings.
    ///
    /// # Panics
    /// Panics if the settings were not [resolved](Self::resolve) by this catalogue.
    pub fn build(&self, settings: &Settings) -> Result<Algorithm, Fault> {
        self.algorithms.build(settings, &self.operators).map(|algorithm| *algorithm)
    }

    /// Returns the algorithm that the resolved settings describe. If [`build`](Self::build) returns an error, all runs of the returned
    /// algorithm fail with this error.
    ///
    /// # Panics
    /// Panics if the settings were not [resolved](Self::resolve) by this catalogue.
    pub fn algorithm(&self, settings: &Settings) -> Algorithm {
        self.build(settings).unwrap_or_else(|fault| Algorithm::Custom(Box::new(RefusedSettings(fault))))
    }

    /// Computes the fingerprint of resolved settings. The fingerprint also depends on the versions of the algorithm and of the chosen
    /// operators.
    pub fn fingerprint(&self, settings: &Settings) -> Fingerprint {
        Fingerprint::of_settings(&self.identifying(settings).canonical()).with_versions(&self.versions(settings))
    }

    /// The part of resolved settings that identifies a run. The record of a run contains these identifying settings. If a setting was
    /// [added later](crate::parameter::Parameter::added_later) and has its default, the setting is left out.
    pub fn identifying(&self, settings: &Settings) -> Settings {
        let mut identifying = settings.clone();
        for fit::ChosenMember { above, declaration, settings, .. } in self.chosen_of(settings, self.families()) {
            for parameter in declaration.parameters {
                if settings.get(parameter.name).is_some_and(|value| parameter.is_implied(value)) {
                    identifying.remove_at(&format!("{above}{}", parameter.name));
                }
            }
        }
        identifying
    }

    /// The declarations of all members of a category. If the category is `algorithm`, the members are the algorithms. In other categories,
    /// the members are operators, or searches that other searches use.
    ///
    /// # Panics
    /// Panics if the category does not exist.
    pub fn of_category(&self, category: &str) -> Vec<&Declaration> {
        if category == ALGORITHM {
            return self.algorithms.declarations().collect();
        }
        let nested = NESTED.iter().find(|nested| nested.category == category);
        nested.map_or_else(|| self.operators.of_category(category), |nested| nested.members.iter().collect())
    }

    /// The settings whose value is a table in which users choose the keys. No declaration lists these keys.
    pub fn free_tables(&self) -> Vec<&'static str> {
        let parameters = self.algorithms.declarations().flat_map(|algorithm| algorithm.parameters);
        parameters
            .filter(|parameter| matches!(parameter.domain, Domain::Table))
            .map(|parameter| parameter.name)
            .collect()
    }

    /// The member of a category, chosen by the name in a resolved table.
    fn member(&self, category: &str, table: &Settings) -> Option<&Declaration> {
        let Some(Value::Text(name)) = table.get("kind") else { return None };
        self.of_category(category).into_iter().find(|member| member.name == name)
    }

    /// Returns the versions of the algorithm and of each chosen operator. Each version has a dotted path, such as `mutation.swap-random`.
    /// Algorithms and operators of version 1 are omitted.
    pub fn versions(&self, settings: &Settings) -> Vec<(String, u32)> {
        let named = |member: fit::ChosenMember<'_>| {
            let versions = member.declaration.versions().into_iter();
            versions.map(|(name, version)| (format!("{}{name}", member.above), version)).collect::<Vec<_>>()
        };
        self.chosen(settings).into_iter().flat_map(named).collect()
    }

    /// Adds a family of problems.
    ///
    /// # Panics
    /// Panics if another family has the same name. Panics if a name inside the new family is not unique (see
    /// [`check_names`](Self::check_names)).
    pub fn add_family(&mut self, family: Box<dyn Family>) {
        let name = family.declaration().name;
        assert!(self.family(name).is_none(), "the family `{name}` is registered twice");
        self.families.push(family);
        self.check_names();
    }

    /// The family with this name.
    pub fn family(&self, name: &str) -> Option<&dyn Family> {
        self.families().find(|family| family.declaration().name == name)
    }

    /// All families, in the order in which they were added. The first family is the default.
    pub fn families(&self) -> impl Iterator<Item = &dyn Family> {
        self.families.iter().map(|family| &**family)
    }
}

/// A category of searches that can be part of another search.
pub struct NestedSearches {
    /// The name of the category.
    pub category: &'static str,
    /// The declarations of the searches.
    pub members: Vec<Declaration>,
    /// A phrase that says which settings the user can set in a search of this category.
    pub doc: &'static str,
}

/// The categories of searches that can be part of another search.
pub static NESTED: LazyLock<[NestedSearches; 2]> = LazyLock::new(|| {
    [
        NestedSearches {
            category: local_algorithm::CATEGORY,
            members: local_algorithm::nested().collect(),
            doc: "you can give all settings of the chosen search, except `start`",
        },
        NestedSearches {
            category: portfolio::CATEGORY,
            members: algorithm::of_a_portfolio().collect(),
            doc: "you can give all settings of the chosen algorithm, except the budget",
        },
    ]
});

/// A search that fails at once. It stands for settings from which no algorithm can be built.
struct RefusedSettings(Fault);

impl Search for RefusedSettings {
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, _random: &mut RandomStream) -> Outcome {
        evaluator.fail(format!("{}: {}", self.0.path, self.0.message))
    }
}

impl Default for Catalogue {
    fn default() -> Self {
        Self::new()
    }
}
