//! Reads an experiment file: its tables one after the other, with all their faults.

use std::collections::BTreeSet;
use std::path::Path;

use evogrid_core::budget::TARGET_GAP;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::suggestion::nearest;
use evogrid_results::trace::Trigger;

use super::algorithm_table::{self, Context};
use super::fields::Reader;
use super::fit::SolvedProblems;
use super::preset::preset_names;
use super::resolved::ResolvedAlgorithm;
use super::{
    EXPERIMENT_KEYS, REPETITION_LIMIT, Seeding, Spec, TABLE_NAMES, analysis, check, fault_report, instances, tune,
};
use crate::experiment::diagnostic::{Diagnostics, is_printable};
use crate::experiment::document::{Document, Node, Span, Table};
use crate::experiment::instance_list::ListedInstance;

/// The rule for names of experiments.
pub const NAME_HELP: &str = "expected 1 to 100 letters, digits, `-` or `_`; the experiment's name is also the name of \
    the results folder";

/// Checks that an experiment can have this name.
///
/// # Errors
/// If the name is not valid. The returned text is an error message. The advice that belongs to this message is [`NAME_HELP`].
pub fn check_name(name: &str) -> Result<(), String> {
    let fits = |character: char| character.is_ascii_alphanumeric() || "-_".contains(character);
    let is_name = (1..=100).contains(&name.len()) && name.chars().all(fits);
    if is_name { Ok(()) } else { Err(format!("`{name}` cannot be the name of an experiment")) }
}

/// An empty table, which is used instead of an absent table.
static NONE: Table = Table { entries: Vec::new() };

const SEEDINGS: [(&str, Seeding); 2] = [("paired", Seeding::Paired), ("independent", Seeding::Independent)];

impl Spec {
    /// Reads an experiment file and all files that it names. The options `sets` (`PATH=VALUE`) override settings of the file.
    ///
    /// # Errors
    /// If there are faults. The error lists all faults of the file, options and data sets.
    pub fn load(path: &Path, sets: &[String], catalogue: &Catalogue) -> Result<Self, Diagnostics> {
        Self::from_document(Document::read(path)?, path.parent().unwrap_or(Path::new("")), sets, catalogue)
    }

    /// Does the same as [`load`](Self::load), but for an experiment file that was already read. The paths in the file are relative to
    /// `folder`.
    ///
    /// # Errors
    /// If there are faults. The error lists all faults of the file, the options and the data sets.
    pub fn from_document(
        mut document: Document,
        folder: &Path,
        sets: &[String],
        catalogue: &Catalogue,
    ) -> Result<Self, Diagnostics> {
        let mut diagnostics = Diagnostics::new();
        for set in sets {
            document.set(set, &TABLE_NAMES).unwrap_or_else(|wrong| diagnostics.extend(wrong));
        }
        let mut reader = Reader::new(&document);
        reader.add(diagnostics);
        let spec = read(&mut reader, folder, catalogue);
        reader.finish(spec)
    }
}

fn read(reader: &mut Reader<'_>, folder: &Path, catalogue: &Catalogue) -> Option<Spec> {
    let document = reader.document();
    let root = &document.root;
    let elsewhere = |key: &str| fault_report::elsewhere(key).map(|(table, key)| fault_report::key_in_table(table, key));
    reader.known_or_elsewhere(root, "an experiment", &TABLE_NAMES, elsewhere);

    let there = reader.table(root, "experiment");
    let experiment = there.unwrap_or(&NONE);
    reader.known_or_elsewhere(experiment, "`experiment`", &EXPERIMENT_KEYS, elsewhere);
    let name = reader.text(experiment, "name").and_then(|name| match check_name(name) {
        Ok(()) => Some(name.to_owned()),
        Err(message) => reader.refuse(&experiment.node("name")?.span, message, NAME_HELP),
    });
    let title = reader.text(experiment, "title").unwrap_or_default().to_owned();
    let seed = reader.whole(experiment, "seed", 0, i64::MAX as u64);
    let repetitions = reader.whole(experiment, "repetitions", 1, REPETITION_LIMIT);
    let seeding = reader.choice(experiment, "seeding", &SEEDINGS).unwrap_or(Seeding::Paired);
    let published = reader.text(experiment, "published").map(|path| folder.join(path));
    if let Some(path) = &published {
        reader.file(&experiment.get("published").expect("the key was read above").node.span, path);
    }
    const NEEDED: &str = "every experiment needs a `name`, a `seed` and `repetitions`";
    if Reader::lacks(root, "experiment", &TABLE_NAMES) {
        reader.fault(&Span::start(), "the table `[experiment]` is missing", NEEDED);
    } else if there.is_some() {
        let span = &root.get("experiment").expect("it is there").key_span;
        let needed = ["name", "seed", "repetitions"].into_iter();
        for key in needed.filter(|key| Reader::lacks(experiment, key, &EXPERIMENT_KEYS)) {
            reader.fault(span, format!("`experiment.{key}` is missing"), NEEDED);
        }
    }

    let record = reader.table(root, "record");
    let trace = record.and_then(|record| read_trace(reader, record));
    let (instances, n_left_out, test_instances) = instances::read(reader, root, folder, catalogue);
    let mut problems = instances.problems();
    // If no instance could be read, the settings are still checked: for the problems that are named, or else for all problems.
    if problems.is_empty() {
        problems.extend(named_problems(root, catalogue));
    }
    if problems.is_empty() {
        let general = catalogue.families().filter(|family| family.has_genomes());
        problems.extend(general.map(|family| family.declaration().name));
    }
    let solved = SolvedProblems::new(&instances, catalogue);
    let n_faults = reader.faults();
    let budget = reader.table(root, "budget");
    let mut preset_names = preset_names(catalogue);
    preset_names.sort_unstable();
    let context = Context { budget, problems: &problems, solved: &solved, catalogue, preset_names: &preset_names };
    let algorithms = read_algorithms(reader, root, &context);
    let analysis = analysis::read(reader, root);
    let specs: Vec<_> = algorithms.iter().map(ResolvedAlgorithm::spec).collect();
    if let Some(plan) = &analysis {
        // If an algorithm cannot be read, an unknown name may be the name of its configuration.
        let known = (reader.faults() == n_faults).then_some(specs.as_slice());
        analysis::check(reader, (root, plan), known, repetitions);
    }
    // The space of an algorithm that cannot be read is unknown.
    let tune = if reader.faults() == n_faults { tune::read(reader, root, &specs) } else { None };
    let n_test: usize = test_instances.iter().map(ExactSizeIterator::len).sum();
    if let (Some(entry), true) = (root.get("instances"), tune.is_some() && n_test == instances.len()) {
        let help = "the race needs training instances: remove `role = \"test\"` from a set of instances";
        reader.fault(&entry.key_span, "all instances have the role `test`", help);
    }
    let has_default_trace = record.is_none_or(|record| record.get("trace").is_none());
    let mut spec = Spec {
        name: name?,
        title,
        seed: seed?,
        repetitions: repetitions?,
        seeding,
        published,
        trace,
        has_default_trace,
        analysis,
        instances: instances.into(),
        n_left_out,
        notes: std::mem::take(&mut reader.notes),
        algorithms,
        schedule: None,
        test_instances,
        tune,
    };
    if has_default_trace {
        spec.trace = default_trace(&spec, catalogue);
    }
    Some(spec)
}

/// The existing problems that the data sets name.
fn named_problems(root: &Table, catalogue: &Catalogue) -> BTreeSet<&'static str> {
    let items = root.node("instances").and_then(Node::items).unwrap_or_default();
    let families = items.iter().filter_map(|item| catalogue.family(item.table()?.node("problem")?.text()?));
    families.map(|family| family.declaration().name).collect()
}

/// The number of faults after which no more algorithms are read.
const FAULT_LIMIT: usize = 10_000;

fn read_algorithms<'d>(reader: &mut Reader<'d>, root: &'d Table, context: &Context<'_>) -> Vec<ResolvedAlgorithm> {
    let n_faults = reader.faults();
    let help = "expected a table `[algorithms.NAME]` for each algorithm";
    let algorithms = reader.field(root, "algorithms", help, Node::table).unwrap_or(&NONE);
    let is_misspelt = root.get("algorithms").is_none() && !Reader::lacks(root, "algorithms", &TABLE_NAMES);
    if algorithms.entries.is_empty() && !is_misspelt && reader.faults() == n_faults {
        let span = root.get("algorithms").map_or(Span::start(), |entry| entry.key_span);
        reader.fault(&span, "no algorithm is given", help);
    }
    let mut resolved = Vec::new();
    for entry in &algorithms.entries {
        // Only a few faults are shown, and finding each fault takes time.
        if reader.faults() > FAULT_LIMIT {
            break;
        }
        // The name appears in a column of the results. It is also part of paths, in which `*` means every algorithm.
        if entry.key.trim().is_empty() || entry.key == "*" || !is_printable(&entry.key) {
            let help = "expected a printable name; in `--set`, `*` means every algorithm";
            reader.fault(&entry.key_span, format!("`{}` cannot be the name of an algorithm", entry.key), help);
        }
        match entry.node.table() {
            Some(table) => {
                if let Some((spec, placed)) = algorithm_table::read(reader, entry, table, context) {
                    resolved.extend(check::resolve(reader, spec, &placed, context));
                }
            }
            None => {
                let help = format!("expected a table `[algorithms.{}]`", entry.key);
                reader.unexpected(&entry.key, &entry.node, &help).unwrap_or(());
            }
        }
    }
    resolved
}

/// The maximum number of runs for which improvements are recorded by default. This number of traces takes 5 to 60 MB, as measured in
/// docs/experiment-file.md.
const DEFAULT_TRACE_LIMIT: u64 = 20_000;

/// The points that are recorded by default: improvements. With many runs, or if a run may end at a target, nothing is recorded.
fn default_trace(Spec { algorithms, instances, repetitions, .. }: &Spec, catalogue: &Catalogue) -> Option<Trigger> {
    let configurations = algorithms.iter().map(ResolvedAlgorithm::n_configurations).fold(0, u64::saturating_add);
    let runs = configurations.saturating_mul(instances.len() as u64).saturating_mul(*repetitions);
    let may_end_at_target = || {
        let is_solved_at = |instance: &ListedInstance<'_>| {
            let objective = catalogue.family(instance.problem).and_then(|family| family.objective(instance.content));
            objective.is_none_or(|objective| objective.solved.is_some())
        };
        let targets = ["target", TARGET_GAP];
        algorithms.iter().any(|algorithm| targets.iter().any(|target| algorithm.has_limit(target)))
            || instances.iter().any(|instance| is_solved_at(&instance))
    };
    (runs <= DEFAULT_TRACE_LIMIT && !may_end_at_target()).then_some(Trigger::Improvements)
}

/// Reads which points of each run its trace contains; `None` without traces.
fn read_trace(reader: &mut Reader<'_>, record: &Table) -> Option<Trigger> {
    const HELP: &str = "expected `none`, `improvements` or `{ every = 10 }`, which means every 10 generations";
    reader.known(record, "`record`", &["trace"]);
    let node = record.node("trace")?;
    if let Some(table) = node.table() {
        reader.known(table, "`record.trace`", &["every"]);
        // A table with another key was already reported.
        if table.entries.is_empty() {
            reader.fault(&node.span, "`record.trace.every` is missing", HELP);
        }
        return reader.whole(table, "every", 1, i64::MAX as u64).map(Trigger::Every);
    }
    match reader.text_or(record, "trace", HELP)? {
        "none" => None,
        "improvements" => Some(Trigger::Improvements),
        name => {
            let near = nearest(name, ["none", "improvements"]).map(|near| format!("; did you mean `{near}`?"));
            reader.refuse(&node.span, format!("unknown trace `{name}`"), HELP.to_owned() + &near.unwrap_or_default())
        }
    }
}
