//! The resolution of settings: the settings of the user are checked against the declarations, and missing settings get their defaults.

use super::{ALGORITHM, Catalogue};
use crate::budget::{self, Budget};
use crate::family::Family;
use crate::settings::suggestion::{one_of, synonyms, written_unquoted, written_whole};
use crate::settings::{
    AddedNames, Declaration, DefaultValue, Domain, Fault, Formula, Parameter, Settings, Value, defaults,
};

impl Catalogue {
    /// Checks whether an algorithm's settings suit problems of these families, and adds the default settings. The settings of an algorithm
    /// include the table `budget`.
    ///
    /// The result contains a value for each parameter of the algorithm, operators, families and budget, and nothing else. Each value has
    /// its declared type. Therefore two settings tables with the same meaning become equal when they are resolved.
    ///
    /// # Errors
    /// Returns all faults, in the order of the declarations. Faults about unknown names come last.
    ///
    /// # Panics
    /// Panics if a family is not in the catalogue.
    pub fn resolve(&self, raw: &Settings, families: &[&str]) -> Result<Settings, Vec<Fault>> {
        let problems = families.iter().map(|name| self.family(name).expect("a known family")).collect();
        let mut resolver = Resolver { catalogue: self, families: problems, faults: Vec::new() };
        let algorithm = resolver.kind("", ALGORITHM, raw);
        let without_genomes = resolver.families.iter().find(|family| !family.has_genomes());
        if let (Some(algorithm), Some(family)) = (algorithm, without_genomes)
            && !self.text_searches.contains(&algorithm.name)
        {
            let (name, problem) = (algorithm.name, family.declaration().name);
            let message = format!("`{name}` changes genomes, but solutions of `{problem}` are texts");
            return Err(vec![Fault::value("kind", message, one_of("", &self.text_searches))]);
        }
        let families = resolver.families.iter().map(|family| -> &Declaration { family.declaration() });
        let declarations: Vec<&Declaration> = algorithm.into_iter().chain(families).collect();
        // Without a known `kind` there are no declared parameters, and every setting would be a fault.
        let mut settings = algorithm.map(|_| resolver.table("", raw, &declarations)).unwrap_or_default();
        let ends = algorithm.is_some_and(|algorithm| self.is_self_terminating(algorithm.name));
        settings.set("budget", Value::Table(resolver.budget(raw, ends)));
        if resolver.faults.is_empty() { Ok(settings) } else { Err(resolver.faults) }
    }
}

struct Resolver<'a> {
    catalogue: &'a Catalogue,
    /// The families of the problems.
    families: Vec<&'a dyn Family>,
    faults: Vec<Fault>,
}

impl<'a> Resolver<'a> {
    fn table(&mut self, path: &str, raw: &Settings, declarations: &[&Declaration]) -> Settings {
        let mut settings = Settings::new();
        if let Some(kind) = declarations.first().filter(|_| path != "budget" && raw.get("kind").is_some()) {
            settings.set("kind", Value::Text(kind.name.to_owned()));
        }
        let parameters: Vec<&Parameter> = declarations.iter().flat_map(|declared| declared.parameters).collect();
        for parameter in &parameters {
            let path = join(path, parameter.name);
            let given = raw.get(parameter.name).filter(|given| !budget::is_unset(&path, given));
            let value = match (given, parameter.default) {
                (Some(given), _) => given.clone(),
                (None, DefaultValue::Value(literal)) => literal.value(),
                (None, DefaultValue::Absent) => continue,
                (None, DefaultValue::Required) => {
                    let message = format!("`{}` is missing", parameter.name);
                    let expected = self.describe(&path, parameter);
                    self.faults.push(Fault::name(path, message, expected));
                    continue;
                }
            };
            if let Some(value) = self.value(&path, &value, parameter) {
                settings.set(parameter.name, value);
            }
        }
        let reserved = |name: &str| match name {
            "kind" => path != "budget",
            "budget" => path.is_empty(),
            _ => false,
        };
        for (name, _) in raw.iter().filter(|(name, _)| !reserved(name)) {
            if !parameters.iter().any(|parameter| parameter.name == name) {
                let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
                let message = format!("`{}` has no setting `{name}`", declarations[0].name);
                let expected = if names.is_empty() { "expected no settings".to_owned() } else { one_of(name, &names) };
                self.faults.push(Fault::name(join(path, name), message, expected));
            }
        }
        settings
    }

    /// Resolves the budget. If `ends` is true, the algorithm ends by itself and does not need a limit.
    fn budget(&mut self, raw: &Settings, ends: bool) -> Settings {
        let none = Settings::new();
        let raw = match raw.get("budget") {
            Some(Value::Table(table)) => table,
            Some(other) => {
                let message = format!("`budget` is {}", other.type_name());
                self.faults.push(Fault::value("budget", message, "expected a table of limits"));
                return none;
            }
            None => &none,
        };
        let n_faults = self.faults.len();
        let budget = self.table("budget", raw, &[&budget::DECLARATION]);
        if budget.get(budget::TARGET_GAP).is_some() && budget.get("target").is_some() {
            let help = format!(
                "keep only one of the two settings; if the other is set elsewhere, set it to \"{}\" here to remove it",
                budget::UNSET
            );
            let at = join("budget", budget::TARGET_GAP);
            self.faults.push(Fault::name(at, "the settings contain both `target` and `target_gap`", help));
        }
        // A misspelt limit is a fault of its own, so missing limits are a fault only if there is no other fault.
        let is_limited = Budget::for_instance(&budget, &|_| 1.0).is_limited();
        if !ends && self.faults.len() == n_faults && !is_limited {
            let limits = "expected `evaluations`, `generations`, `stagnation`, `seconds` or `cpu_seconds` in `budget`";
            self.faults.push(Fault::name("budget", "the search has no limit", limits));
        }
        budget
    }

    fn value(&mut self, path: &str, value: &Value, parameter: &Parameter) -> Option<Value> {
        let domain = &parameter.domain;
        let (message, expected) = match (domain, value) {
            (Domain::Flag, Value::Flag(_)) | (Domain::Text, Value::Text(_)) => return Some(value.clone()),
            (Domain::Integer { min, max }, Value::Integer(integer)) if (min..=max).contains(&integer) => {
                return Some(value.clone());
            }
            // Adding zero turns -0 into 0.
            (Domain::Real { min, max }, _) if value.as_real().is_some_and(|real| (*min..=*max).contains(&real)) => {
                return value.as_real().map(|real| Value::Real(real + 0.0));
            }
            (Domain::Choice(names, added), Value::Text(name)) => {
                if names.contains(&name.as_str()) || self.added(*added).contains(&name.as_str()) {
                    return Some(value.clone());
                }
                (format!("`{path}` cannot be `{name}`"), one_of(name, &self.choices(names, *added)))
            }
            (_, Value::Table(table)) if parameter.may_grow => return self.growing_number(path, table),
            (Domain::Operator(category), Value::Text(_)) => {
                return self.operator(path, category, &Settings::of("kind", value.clone()));
            }
            (Domain::Operator(category), Value::Table(table)) => return self.operator(path, category, table),
            (Domain::Table, Value::Table(table)) => return Some(Value::Table(self.free_table(path, table))),
            (Domain::Integer { .. }, Value::Integer(_)) | (Domain::Real { .. }, Value::Integer(_) | Value::Real(_)) => {
                (format!("`{path} = {value}` is out of range"), self.describe(path, parameter))
            }
            (Domain::Integer { .. }, Value::Real(real)) => {
                let help = self.describe(path, parameter) + &written_whole(*real);
                (format!("`{path} = {real:?}` is not a whole number"), help)
            }
            (_, Value::Text(text)) => {
                (format!("`{path}` is text"), self.describe(path, parameter) + &written_unquoted(text))
            }
            _ => (format!("`{path}` is {}", value.type_name()), self.describe(path, parameter)),
        };
        self.faults.push(Fault::value(path, message, expected));
        None
    }

    /// Resolves a number that grows with the instance, and brings its formula into canonical form.
    fn growing_number(&mut self, path: &str, raw: &Settings) -> Option<Value> {
        const FORM: &str = "expected { per = \"n*n\", times = 100 }";
        let n_faults = self.faults.len();
        let mut limit = Settings::of("times", Value::Real(1.0));
        for (name, value) in raw.iter() {
            let at = join(path, name);
            match (name, value) {
                ("per", Value::Text(text)) => match self.formula(text) {
                    Ok(formula) => limit.set(name, Value::Text(formula.to_string())),
                    Err((message, expected)) => self.faults.push(Fault::value(at, message, expected)),
                },
                ("times", value) => match value.as_real().filter(|times| *times > 0.0) {
                    Some(times) => limit.set(name, Value::Real(times)),
                    None => {
                        let message = format!("`{name} = {value}`");
                        self.faults.push(Fault::value(at, message, "expected a number above 0"));
                    }
                },
                ("per", other) => {
                    let message = format!("`{at}` is {}", other.type_name());
                    self.faults.push(Fault::value(at, message, FORM));
                }
                _ => {
                    let what = if budget::is_limit(path) { "a limit" } else { "a number" };
                    let message =
                        format!("{what} that depends on the size of the instance cannot have the key `{name}`");
                    self.faults.push(Fault::name(at, message, one_of(name, &["per", "times"])));
                }
            }
        }
        if raw.get("per").is_none() {
            self.faults.push(Fault::value(path, format!("`{path}` has no `per`"), FORM));
        }
        (self.faults.len() == n_faults).then_some(Value::Table(limit))
    }

    /// Reads a formula that uses only sizes of all families. The error contains a message, and a text that says what was expected.
    fn formula(&self, text: &str) -> Result<Formula, (String, String)> {
        let formula = Formula::parse(text).map_err(|wrong| {
            let expected =
                "expected numbers, sizes, `+`, `-`, `*`, `/` and parentheses, for example \"n*m/2\"".to_owned();
            (format!("`{text}` is not a formula: {wrong}"), expected)
        })?;
        for family in self.families.iter().filter(|family| !family.takes_columns()) {
            let sizes: Vec<&str> = family.sizes().iter().map(|size| size.name).collect();
            if let Some(unknown) = formula.names().into_iter().find(|name| !sizes.contains(name)) {
                let expected = if sizes.is_empty() {
                    "the problem family defines no sizes of instances".to_owned()
                } else {
                    one_of(unknown, &sizes)
                };
                return Err((format!("`{}` has no size `{unknown}`", family.declaration().name), expected));
            }
        }
        Ok(formula)
    }

    /// Resolves a table whose names are not declared.
    fn free_table(&mut self, path: &str, raw: &Settings) -> Settings {
        let mut settings = Settings::new();
        for (name, value) in raw.iter() {
            let at = join(path, name);
            let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_".contains(character);
            // A table with a `kind` would count as an operator when settings are laid over each other.
            if name == "kind" || name.is_empty() || !name.chars().all(is_plain) {
                let expected = "expected a name of letters, digits, `-` and `_`, other than `kind`";
                self.faults.push(Fault::name(at, format!("`{path}` cannot have the name `{name}`"), expected));
            } else if let Value::Table(_) = value {
                let expected = "expected a number, text, true or false";
                self.faults.push(Fault::value(at.clone(), format!("`{at}` is {}", value.type_name()), expected));
            } else {
                settings.set(name, value.plain());
            }
        }
        settings
    }

    fn operator(&mut self, path: &str, category: &'static str, table: &Settings) -> Option<Value> {
        let member = self.kind(path, category, table)?;
        Some(Value::Table(self.table(path, table, &[member])))
    }

    /// Finds the member of a category whose name is the `kind` of a table.
    fn kind(&mut self, path: &str, category: &str, table: &Settings) -> Option<&'a Declaration> {
        let members = self.catalogue.of_category(category);
        let names: Vec<&str> = members.iter().map(|member| member.name).collect();
        let at = join(path, "kind");
        match table.get("kind") {
            Some(Value::Text(name)) => {
                let found = members.iter().find(|member| member.name == name);
                if found.is_none() {
                    self.faults.push(Fault::value(at, format!("unknown {category} `{name}`"), one_of(name, &names)));
                }
                found.copied()
            }
            Some(other) => {
                let message = format!("`{at}` is {}", other.type_name());
                self.faults.push(Fault::value(at, message, one_of("", &names)));
                None
            }
            None => {
                let other = table.iter().map(|(name, _)| name).find(|name| !synonyms(name, &["kind"]).is_empty());
                let meant =
                    other.map(|other| format!("; did you mean `kind` instead of `{other}`?")).unwrap_or_default();
                let message = format!("the {category} needs the key `kind`");
                self.faults.push(Fault::name(at, message, one_of("", &names) + &meant));
                None
            }
        }
    }

    /// A description of the values that a setting accepts.
    fn describe(&self, path: &str, parameter: &Parameter) -> String {
        let unset = if budget::is_limit(path) { format!(" or \"{}\"", budget::UNSET) } else { String::new() };
        let expected = match &parameter.domain {
            Domain::Flag => "expected true or false".to_owned(),
            Domain::Integer { min, max: i64::MAX } => format!("expected a whole number of at least {min}"),
            Domain::Integer { min, max } => format!("expected a whole number from {min} to {max}"),
            Domain::Real { min: f64::MIN, max: f64::MAX } => "expected a number".to_owned(),
            Domain::Real { min, max: f64::MAX } => format!("expected a number of at least {min}"),
            Domain::Real { min, max } => format!("expected a number from {min} to {max}"),
            Domain::Choice(names, added) => one_of("", &self.choices(names, *added)),
            Domain::Operator(category) => {
                let offers = |family: &&dyn Family| family.offers(&defaults(family.declaration().parameters));
                let offers: Vec<_> = self.families.iter().map(offers).collect();
                let fits = |member: &&&Declaration| {
                    offers.iter().all(|offers| member.needs.iter().all(|needed| offers.contains(needed)))
                };
                let members = self.catalogue.of_category(category);
                let names: Vec<&str> = members.iter().filter(fits).map(|member| member.name).collect();
                format!("{}, by its name or as {{ kind = \"...\", ... }}", one_of("", &names))
            }
            Domain::Text => "expected text in quotes".to_owned(),
            Domain::Table => "expected a table of settings, such as { population = 50, rate = 0.1 }".to_owned(),
        };
        let growing = if parameter.may_grow { ", or { per = \"n*n\", times = 100 }" } else { "" };
        expected + growing + &unset
    }

    /// The values of a choice.
    fn choices(&self, names: &[&'static str], added: Option<AddedNames>) -> Vec<&'static str> {
        names.iter().copied().chain(self.added(added)).collect()
    }

    /// The names that all families add to the values of a choice.
    fn added(&self, added: Option<AddedNames>) -> Vec<&'static str> {
        let names = |family: &&dyn Family| -> Vec<&'static str> {
            added.map(|added| family.added_names(added)).unwrap_or_default().into_iter().map(|(name, _)| name).collect()
        };
        let mut of_families = self.families.iter().map(names);
        let mut common = of_families.next().unwrap_or_default();
        of_families.for_each(|others| common.retain(|name| others.contains(name)));
        common
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
