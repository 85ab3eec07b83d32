//! Checks that members fit together. They concern the settings, the names, and the capabilities that an algorithm needs and a problem
//! offers.

use std::collections::BTreeMap;
use std::iter::once;

use super::{ALGORITHM, Catalogue};
use crate::family::Family;
use crate::settings::suggestion::list;
use crate::settings::{Capability, Condition, Declaration, DefaultValue, Domain, Fault, Settings, Value, defaults};

/// An algorithm, operator or family that the settings choose.
pub(super) struct ChosenMember<'c> {
    /// The dotted path in front of the member's settings: empty, or for example `mutation.`.
    pub above: String,
    /// The category of the member, or `algorithm`.
    category: &'static str,
    pub declaration: &'c Declaration,
    /// The settings of the member.
    pub settings: &'c Settings,
}

impl Catalogue {
    /// Returns a copy of resolved settings. The copy does not contain the settings of any family except `family`. A run on a family has no
    /// settings of other families.
    pub fn project(&self, settings: &Settings, family: &str) -> Settings {
        let others = self.families().filter(|other| other.declaration().name != family);
        let mut projected = settings.clone();
        others.flat_map(|other| other.declaration().parameters).for_each(|foreign| projected.remove_at(foreign.name));
        projected
    }

    /// Returns the reasons why settings do not fit a family. The settings must be resolved and [projected](Self::project). One reason is
    /// that the algorithm or an operator needs a capability that the family lacks. Settings also do not fit if a member refuses their
    /// combination.
    pub fn misfits(&self, settings: &Settings, family: &dyn Family) -> Vec<Fault> {
        let offers = family.offers(settings);
        let mut faults: Vec<Fault> = Vec::new();
        let chosen = self.chosen(settings);
        for member in &chosen {
            let lacks = |needed: &&Capability| !offers.contains(needed);
            let Some(&needed) = member.declaration.needs.iter().find(lacks) else { continue };
            let (name, problem) = (member.declaration.name, family.declaration().name);
            let message = format!("`{name}` needs {}, which `{problem}` does not offer", needed.doc());
            let (message, expected) = match settings_that_offer(settings, family, needed) {
                Some(setting) => (message + " under these settings", format!("`{problem}` offers it with {setting}")),
                None => (message, self.fitting(member, &offers) + &self.offered_by(needed)),
            };
            faults.push(Fault::value(format!("{}kind", member.above), message, expected));
        }
        for ChosenMember { above, declaration, settings, .. } in &chosen {
            for absent in declaration.parameters.iter().filter(|parameter| settings.get(parameter.name).is_none()) {
                let Some((needed, flag)) = absent.absent_needs else { continue };
                if settings.flag(flag) && !offers.contains(&needed) {
                    let (name, without, problem) = (declaration.name, absent.name, family.declaration().name);
                    let needs = format!("needs {}, which `{problem}` does not offer", needed.doc());
                    let message = format!("`{name}` without a `{without}` {needs}");
                    let expected = format!("set `{without}`, or `{flag} = false`");
                    faults.push(Fault::value(format!("{above}kind"), message, expected));
                }
            }
        }
        if faults.is_empty() {
            faults.extend(self.build(settings).err());
        }
        faults
    }

    /// Returns the conditions under which settings of the algorithm, its operators and the family have an effect. Each entry has the dotted
    /// path of a setting, a condition, and whether the condition is fulfilled.
    pub fn conditions(&self, settings: &Settings, family: &dyn Family) -> Vec<(String, Condition, bool)> {
        let mut conditions = Vec::new();
        for ChosenMember { above, declaration, settings, .. } in self.chosen_of(settings, once(family)) {
            for parameter in declaration.parameters {
                let path = || format!("{above}{}", parameter.name);
                let held = |&condition: &Condition| (path(), condition, condition.holds(settings));
                conditions.extend(parameter.conditions.iter().map(held));
            }
        }
        conditions
    }

    /// Checks that the names of settings and presets are unique. The name of a setting or preset does not show which member has this
    /// setting or preset. Therefore the names of settings and presets must differ between families. A family and an algorithm cannot use
    /// the same name for a setting.
    ///
    /// # Panics
    /// Panics if two members use the same name. The message of the panic names these two members.
    pub fn check_names(&self) {
        let reserved = ["kind", "budget", "preset", "grid", "zip", "exclude", "space", "design"];
        let mut owners = BTreeMap::from(reserved.map(|name| (("setting", name), "every algorithm")));
        for algorithm in self.algorithms.declarations() {
            for parameter in algorithm.parameters {
                owners.entry(("setting", parameter.name)).or_insert(algorithm.name);
            }
        }
        for family in self.families() {
            let declared = family.declaration();
            let settings = declared.parameters.iter().map(|parameter| ("setting", parameter.name));
            for (what, name) in settings.chain(family.presets().iter().map(|(preset, _)| ("preset", *preset))) {
                if let Some(other) = owners.insert((what, name), declared.name) {
                    let own = declared.name;
                    panic!("`{other}` and the family `{own}` both have a {what} `{name}`: rename one of them");
                }
            }
        }
    }

    /// The algorithm and the operators that the resolved settings choose.
    pub(super) fn chosen<'c>(&'c self, settings: &'c Settings) -> Vec<ChosenMember<'c>> {
        let mut chosen = Vec::new();
        if let Some(declaration) = self.member(ALGORITHM, settings) {
            let algorithm = ChosenMember { above: String::new(), category: ALGORITHM, declaration, settings };
            self.add_member(algorithm, &mut chosen);
        }
        chosen
    }

    /// The algorithm and the operators that the resolved settings choose, and these families.
    pub(super) fn chosen_of<'c>(
        &'c self,
        settings: &'c Settings,
        families: impl Iterator<Item = &'c dyn Family>,
    ) -> impl Iterator<Item = ChosenMember<'c>> {
        let own = move |family: &dyn Family| {
            let declaration = family.declaration();
            ChosenMember { above: String::new(), category: "", declaration, settings }
        };
        self.chosen(settings).into_iter().chain(families.map(own))
    }

    /// Adds a member together with its operators.
    fn add_member<'c>(&'c self, member: ChosenMember<'c>, chosen: &mut Vec<ChosenMember<'c>>) {
        let ChosenMember { declaration, settings, .. } = member;
        let above = member.above.clone();
        chosen.push(member);
        for parameter in declaration.parameters {
            let (Domain::Operator(category), Some(Value::Table(settings))) =
                (parameter.domain, settings.get(parameter.name))
            else {
                continue;
            };
            if let Some(declaration) = self.member(category, settings) {
                let above = format!("{above}{}.", parameter.name);
                self.add_member(ChosenMember { above, category, declaration, settings }, chosen);
            }
        }
    }

    /// The families that offer a capability under their default settings, as text for a message. The text is empty if there is no such
    /// family.
    fn offered_by(&self, needed: Capability) -> String {
        let offers = |family: &&dyn Family| family.offers(&defaults(family.declaration().parameters)).contains(&needed);
        let names: Vec<&str> = self.families().filter(offers).map(|family| family.declaration().name).collect();
        match names.len() {
            0 => String::new(),
            1 => format!("; only the problem `{}` has this capability", names[0]),
            _ => format!("; the problems {} have this capability", list(&names).replace("` or `", "` and `")),
        }
    }

    /// The names of the members of the same category that fit the problem, as text for a message.
    fn fitting(&self, member: &ChosenMember<'_>, offers: &[Capability]) -> String {
        let all = self.of_category(member.category);
        let fits = |declared: &&&Declaration| declared.needs.iter().all(|needed| offers.contains(needed));
        let names: Vec<&str> = all.iter().filter(fits).map(|declared| declared.name).collect();
        if names.is_empty() { format!("no {} fits it", member.category) } else { format!("expected {}", list(&names)) }
    }
}

/// The setting of a family that must have its default so that the family offers a capability.
fn settings_that_offer(settings: &Settings, family: &dyn Family, needed: Capability) -> Option<String> {
    family.declaration().parameters.iter().find_map(|parameter| {
        let DefaultValue::Value(default) = parameter.default else { return None };
        let mut changed = settings.clone();
        changed.set(parameter.name, default.value());
        let written = match default.value() {
            Value::Text(text) => format!("{text:?}"),
            value => value.to_string(),
        };
        family.offers(&changed).contains(&needed).then(|| format!("`{} = {written}`", parameter.name))
    })
}
