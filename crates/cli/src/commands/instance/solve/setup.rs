//! The setup of one run: a preset or an algorithm by its name, and settings of the command line that replace its settings.

use evogrid_core::algorithm::Algorithm;
use evogrid_core::budget::{Budget, TARGET_GAP};
use evogrid_core::catalogue::{Catalogue, Fault};
use evogrid_core::family::{BestKnown, Family, Instance};
use evogrid_core::settings::{Settings, Value};

use crate::messages::{one_of, program};
use evogrid_runner::experiment::diagnostic::{Diagnostic, Diagnostics};
use evogrid_runner::experiment::document::dotted::{root, span_at};
use evogrid_runner::experiment::document::{Document, Node, Table};
use evogrid_runner::experiment::plan::{budget_on, size, with_target};
use evogrid_runner::experiment::spec::fields::Reader;
use evogrid_runner::experiment::spec::{Preset, preset, preset_names};
use evogrid_runner::external;

/// The tables that may be the first part of a path in `--set`. Other paths are settings of the algorithm.
const TABLES: [&str; 2] = ["algorithms", "budget"];

/// An algorithm that is ready to run.
pub(super) struct Setup {
    /// The algorithm.
    pub(super) search: Algorithm,
    /// The budget of the run.
    pub(super) budget: Budget,
    /// All settings, resolved.
    pub(super) settings: Settings,
    /// A note about a valid choice that may be unintended.
    pub(super) note: Option<String>,
}

impl Setup {
    /// Makes the setup of a preset, or of an algorithm with its defaults. The values in `sets` (`PATH=VALUE`) replace settings.
    ///
    /// # Errors
    /// If the name or an option is invalid. The error lists all faults.
    pub(super) fn new(
        name: &str,
        sets: &[String],
        (family, instance, best_known): (&dyn Family, &dyn Instance, Option<BestKnown>),
        catalogue: &Catalogue,
    ) -> Result<Self, Diagnostics> {
        let mut raw = start(name, catalogue)?;
        // The settings are in the table of the algorithm, so that an option such as `algorithms.huke.population=50` works as in `run`.
        let mut document = Document::parse("--algorithm", format!("[algorithms.\"{name}\"]\n"))?;
        let mut diagnostics = Diagnostics::new();
        for set in sets {
            document.set(set, &TABLES).unwrap_or_else(|wrong| diagnostics.extend(wrong));
        }
        for entry in document.root.entries.iter().filter(|entry| !TABLES.contains(&entry.key.as_str())) {
            let message = format!("the table `{}` does not exist", entry.key);
            diagnostics.push(document.diagnostic(&entry.key_span, message, one_of(&entry.key, &TABLES[1..])));
        }
        let algorithms = document.root.node("algorithms").and_then(Node::table);
        let own = algorithms.and_then(|algorithms| algorithms.node(name)?.table());
        let mut reader = Reader::new(&document);
        reader.add(diagnostics);
        let mut over = own.map_or_else(Settings::new, |own| reader.settings("", own, &[]));
        if let Some(budget) = document.root.get("budget")
            && let Some(value) = reader.value("budget", &budget.node)
        {
            over.set("budget", value);
        }
        raw.overlay(&over);
        let resolved = catalogue.resolve(&raw, &[family.declaration().name]);
        let faults = match &resolved {
            Ok(settings) => {
                let gap = settings.table("budget").get(TARGET_GAP).filter(|_| best_known.is_none());
                let unknown = gap.map(|_| {
                    let message =
                        format!("`{TARGET_GAP}` needs a best known value, but the {} has none", family.noun());
                    Fault::value(format!("budget.{TARGET_GAP}"), message, "set `target`, a fitness value, instead")
                });
                let misfits = catalogue.misfits(settings, family);
                let sizes = instance.sizes();
                let called = format!("the {}", family.noun());
                let misgrown = catalogue.misgrown(settings, &|name| size(&sizes, name), &called);
                let conditions = catalogue.conditions(settings, family).into_iter();
                let idle = conditions.filter(|(path, _, holds)| !holds && over.at(path).is_some());
                let idle = idle.map(|(path, condition, _)| condition.fault(&path)).collect();
                [external::faults(settings), misfits, idle, Vec::from_iter(unknown), misgrown].concat()
            }
            Err(faults) => faults.clone(),
        };
        let mut diagnostics = Diagnostics::new();
        let preset = preset(name, catalogue);
        let problem = [family.declaration().name];
        let note = preset.as_ref().and_then(|preset| preset.note(&problem));
        let foreign = preset.filter(|_| note.is_some());
        faults.into_iter().for_each(|fault| diagnostics.push(diagnostic(&document, own, fault, foreign.as_ref())));
        reader.add(diagnostics);
        let settings = with_target(&reader.finish(resolved.ok())?, best_known);
        let search = catalogue.algorithm(&settings);
        Ok(Self { search, budget: budget_on(&settings, family, instance), settings, note })
    }
}

/// The settings of a preset, or of an algorithm with its defaults.
fn start(name: &str, catalogue: &Catalogue) -> Result<Settings, Diagnostics> {
    if let Some(preset) = preset(name, catalogue) {
        return Ok(preset.settings);
    }
    if catalogue.algorithms.find(name).is_some() {
        return Ok(Settings::of("kind", Value::Text(name.to_owned())));
    }
    let names =
        [preset_names(catalogue), catalogue.algorithms.declarations().map(|declared| declared.name).collect()].concat();
    let help = format!("`{} list presets` describes them; {}", program::name(), one_of(name, &names));
    Err(Diagnostic::general(format!("unknown algorithm or preset `{name}`"), help).into())
}

/// Reports a fault at the option that causes it. A fault of the preset or of a default belongs to no option.
fn diagnostic(document: &Document, own: Option<&Table>, fault: Fault, foreign: Option<&Preset>) -> Diagnostic {
    let is_budget = fault.path.split('.').next() == Some("budget");
    let in_budget = is_budget.then(|| span_at(&document.root, &fault.path, fault.part)).flatten();
    match in_budget.or_else(|| span_at(own?, &fault.path, fault.part)) {
        Some(span) => document.diagnostic(&span, fault.message, fault.expected),
        None if foreign
            .is_some_and(|preset| fault.path != "budget" && preset.settings.get(root(&fault.path)).is_some()) =>
        {
            let blamed = foreign.map_or(fault.clone(), |preset| preset.blamed(fault));
            Diagnostic::general(blamed.message, blamed.expected)
        }
        None => {
            let help = match fault.path.as_str() {
                "budget" => format!("{}, for example `--set budget.generations=1000`", fault.expected),
                path => format!("{}; set it with `--set {path}=VALUE`", fault.expected),
            };
            Diagnostic::general(fault.message, help)
        }
    }
}
