//! Configurations: a configuration is an algorithm with one combination of settings. For each problem family, the configuration is reduced
//! to the family's settings.

use std::borrow::Cow;

use evogrid_core::algorithm::Algorithm;
use evogrid_core::budget::{Budget, TARGET_GAP};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::{BestKnown, Family, Instance};
use evogrid_core::identity::Fingerprint;
use evogrid_core::settings::Settings;
use evogrid_results::record::RecordedSettings;

use crate::experiment::document::dotted::root;
use crate::experiment::settings_json::{SettingsByPath, value_to_json};
use crate::experiment::settings_on_instance::{budget_on, with_target};

/// An algorithm with one combination of settings.
pub struct Configuration {
    /// The algorithm's name in the experiment.
    pub algorithm: String,
    /// All settings, including the budget. The settings are resolved for all families together.
    pub settings: Settings,
    /// The value of each varied setting of the experiment. The value is empty if the algorithm does not have the setting.
    pub varied: Vec<String>,
    /// One projection for each family, in the order of [`problems`](crate::experiment::instance_list::InstanceList::problems): the
    /// configuration as it is used on instances of the family.
    pub projections: Vec<Projection>,
}

/// A configuration for instances of one problem family. Settings that do not affect this family are omitted.
pub struct Projection {
    /// The settings, including the budget.
    pub settings: Settings,
    /// The value of each varied setting of the experiment. The value is empty if the problem family or the algorithm does not have the
    /// setting.
    pub varied: Vec<String>,
    /// The algorithm, built from the settings.
    pub search: Algorithm,
    /// The hash of the settings; `None` if there is a `target_gap`, because the target then differs between instances.
    fingerprint: Option<Fingerprint>,
    /// The settings in the form of records; `None` if the settings differ between instances.
    recorded: Option<RecordedSettings>,
    /// The budget; `None` if the budget differs between instances.
    budget: Option<Budget>,
}

impl Projection {
    /// The projection of a configuration's settings to a family.
    pub(super) fn new(
        configuration: &Settings,
        varied: &[(&str, String)],
        problem: &str,
        catalogue: &Catalogue,
    ) -> Self {
        let settings = catalogue.project(configuration, problem);
        let is_foreign = |path: &str| configuration.get(root(path)).is_some() && settings.get(root(path)).is_none();
        let value = |(path, value): &(&str, String)| if is_foreign(path) { String::new() } else { value.clone() };
        let limits = settings.table("budget");
        let is_shared = limits.get(TARGET_GAP).is_none();
        let is_constant = is_shared && !Budget::grows(limits);
        Self {
            varied: varied.iter().map(value).collect(),
            search: catalogue.algorithm(&settings),
            fingerprint: is_shared.then(|| catalogue.fingerprint(&settings)),
            recorded: is_shared.then(|| recorded(&settings, catalogue).into_iter().collect()),
            budget: is_constant.then(|| Budget::from_settings(limits)),
            settings,
        }
    }

    /// Returns the settings for an instance with this best known value. If the settings have a `target_gap`, it is replaced by a target.
    /// The target is computed from `target_gap` and the best known value. If the instance has no best known value, there is no target.
    pub fn on(&self, best_known: Option<BestKnown>) -> Cow<'_, Settings> {
        match self.fingerprint {
            Some(_) => Cow::Borrowed(&self.settings),
            None => Cow::Owned(with_target(&self.settings, best_known)),
        }
    }

    /// The hash of the [settings](Self::on).
    pub(super) fn fingerprint(&self, best_known: Option<BestKnown>, catalogue: &Catalogue) -> Fingerprint {
        self.fingerprint.unwrap_or_else(|| catalogue.fingerprint(&self.on(best_known)))
    }

    /// The [settings](Self::on) as records contain them.
    pub(super) fn recorded(&self, best_known: Option<BestKnown>, catalogue: &Catalogue) -> RecordedSettings {
        let make = || recorded(&self.on(best_known), catalogue).into_iter().collect();
        self.recorded.clone().unwrap_or_else(make)
    }

    /// The budget of a run on an instance.
    pub fn budget(&self, family: &dyn Family, instance: &dyn Instance, best_known: Option<BestKnown>) -> Budget {
        self.budget.unwrap_or_else(|| budget_on(&self.on(best_known), family, instance))
    }
}

/// Returns the settings that determine the identity of a run. The key of each setting is the dotted path of the setting, as in a journal.
pub fn recorded(settings: &Settings, catalogue: &Catalogue) -> SettingsByPath {
    let identifying = catalogue.identifying(settings);
    identifying.flat().into_iter().map(|(path, value)| (path, value_to_json(value))).collect()
}
