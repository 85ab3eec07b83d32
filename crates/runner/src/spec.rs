//! The spec: what an experiment file asks for, checked, with its instances loaded.

mod algorithm;
mod axis;
mod fields;
mod instances;
mod preset;
mod record;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use evogrid_core::catalogue::Catalogue;
use evogrid_core::identity::Fingerprint;
use evogrid_core::problem::Instance;
use evogrid_results::trace::Trigger;

pub use algorithm::AlgorithmSpec;
pub use axis::Axis;
pub use preset::{Preset, presets};

use crate::diagnostic::Diagnostics;
use crate::document::{Document, NodeValue, Span, Table};
use fields::Reader;

/// The tables that an experiment file may have.
const TABLES: [&str; 5] = ["experiment", "instances", "algorithms", "budget", "record"];

/// A checked experiment.
pub struct Spec {
    /// Names the results folder: letters, digits, `-` and `_`.
    pub name: String,
    /// For people; may be empty.
    pub title: String,
    /// All seeds follow from it.
    pub seed: u64,
    /// Runs of each cell on each instance.
    pub repetitions: u64,
    /// Whether cells share their random streams.
    pub seeding: Seeding,
    /// Published figures to show beside the results.
    pub published: Option<PathBuf>,
    /// The moments of each run that its trace keeps; `None` for no traces.
    pub trace: Option<Trigger>,
    /// The instances, in the order of the file.
    pub instances: Vec<Loaded>,
    /// The algorithms, in the order of the file.
    pub algorithms: Vec<AlgorithmSpec>,
}

/// An instance of a data set.
pub struct Loaded {
    /// Its name, unique in the experiment.
    pub id: String,
    /// Its bucket of difficulty; may be empty.
    pub bucket: String,
    /// The kind of problem.
    pub problem: String,
    /// The instance itself.
    pub instance: Box<dyn Instance>,
    /// The hash of its content.
    pub content: Fingerprint,
}

/// Which runs share a random stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeding {
    /// All cells meet the same stream on the same instance and repetition.
    Paired,
    /// Every cell has streams of its own.
    Independent,
}

const SEEDINGS: [(&str, Seeding); 2] = [("paired", Seeding::Paired), ("independent", Seeding::Independent)];

impl Spec {
    /// Reads an experiment file and all that it names, with `sets` (`PATH=VALUE`) laid over it.
    ///
    /// # Errors
    /// Everything that is wrong with the file, the options and the data sets.
    pub fn load(path: &Path, sets: &[String], catalogue: &Catalogue) -> Result<Self, Diagnostics> {
        let mut document = Document::read(path)?;
        for set in sets {
            document.set(&rooted(set, &document))?;
        }
        let mut reader = Reader::new(&document);
        let spec = read(&mut reader, path, catalogue);
        reader.finish(spec)
    }

    /// The settings that any algorithm varies, by dotted path, in the order of the file. They are columns of the results.
    #[must_use]
    pub fn varied(&self) -> Vec<String> {
        let mut varied: Vec<String> = Vec::new();
        for path in self.algorithms.iter().flat_map(|algorithm| &algorithm.axes).flat_map(|axis| &axis.paths) {
            if !varied.contains(path) {
                varied.push(path.clone());
            }
        }
        varied
    }
}

/// A short path of `--set` speaks of every algorithm: `population=50` is `algorithms.*.population=50`.
fn rooted(set: &str, document: &Document) -> String {
    let root = set.split(['.', '=']).next().unwrap_or_default().trim();
    if TABLES.contains(&root) || document.root.get("algorithms").is_none() {
        set.to_owned()
    } else {
        format!("algorithms.*.{set}")
    }
}

fn read(reader: &mut Reader<'_>, path: &Path, catalogue: &Catalogue) -> Option<Spec> {
    let document = reader.document();
    let root = &document.root;
    reader.known(root, "an experiment", &TABLES);
    let folder = path.parent().unwrap_or(Path::new(""));

    static NONE: Table = Table { entries: Vec::new() };
    let experiment = reader.table(root, "experiment").unwrap_or(&NONE);
    reader.known(experiment, "`experiment`", &["name", "title", "seed", "repetitions", "seeding", "published"]);
    let name = read_name(reader, experiment);
    let title = reader.text(experiment, "title").unwrap_or_default().to_owned();
    let seed = reader.whole(experiment, "seed", 0, i64::MAX as u64);
    let repetitions = reader.whole(experiment, "repetitions", 1, 1_000_000_000);
    let seeding = reader.choice(experiment, "seeding", &SEEDINGS).unwrap_or(Seeding::Paired);
    let published = reader.text(experiment, "published").map(|path| folder.join(path));
    if let Some(path) = published.as_ref().filter(|path| !path.is_file()) {
        let span = &experiment.get("published").expect("it was read above").node.span;
        reader.fault(span, format!("{} is no file", path.display()), "the path is relative to this file");
    }
    for key in ["name", "seed", "repetitions"].into_iter().filter(|key| experiment.get(key).is_none()) {
        let span = root.get("experiment").map_or(Span::start(), |entry| entry.key_span.clone());
        reader.fault(
            &span,
            format!("`experiment.{key}` is missing"),
            "every experiment has a name, a seed and repetitions",
        );
    }

    let trace = record::read_trace(reader, root);
    let instances = instances::read(reader, root, folder, catalogue);
    let mut problems: Vec<&str> = Vec::new();
    for loaded in &instances {
        if !problems.contains(&loaded.problem.as_str()) {
            problems.push(&loaded.problem);
        }
    }
    // Where no instance could be read, the settings are still checked, against every problem there is.
    if problems.is_empty() {
        problems.extend(catalogue.problems.declarations().map(|declared| declared.name));
    }
    let algorithms = read_algorithms(reader, root, &problems, catalogue);
    Some(Spec {
        name: name?,
        title,
        seed: seed?,
        repetitions: repetitions?,
        seeding,
        published,
        trace,
        instances,
        algorithms,
    })
}

fn read_name<'d>(reader: &mut Reader<'d>, experiment: &'d Table) -> Option<String> {
    let name = reader.text(experiment, "name")?;
    let fits = |character: char| character.is_ascii_alphanumeric() || "-_".contains(character);
    if name.is_empty() || name.len() > 100 || !name.chars().all(fits) {
        let span = &experiment.get("name").expect("it was read above").node.span;
        let help = "it names the results folder: expected 1 to 100 letters, digits, `-` or `_`";
        reader.fault(span, format!("`{name}` cannot be the name of an experiment"), help);
        return None;
    }
    Some(name.to_owned())
}

fn read_algorithms<'d>(
    reader: &mut Reader<'d>,
    root: &'d Table,
    problems: &[&str],
    catalogue: &Catalogue,
) -> Vec<AlgorithmSpec> {
    let Some(algorithms) = reader.table(root, "algorithms").filter(|table| !table.entries.is_empty()) else {
        let span = root.get("algorithms").map_or(Span::start(), |entry| entry.key_span.clone());
        reader.fault(&span, "there is no algorithm", "expected a table `[algorithms.NAME]` for each algorithm");
        return Vec::new();
    };
    let budget = reader.table(root, "budget");
    let presets: BTreeMap<&str, Preset> = presets().into_iter().map(|preset| (preset.name, preset)).collect();
    let context = algorithm::Context { budget, problems, catalogue, presets: &presets };
    let mut specs = Vec::new();
    for entry in &algorithms.entries {
        match &entry.node.value {
            NodeValue::Table(table) => specs.extend(algorithm::read(reader, entry, table, &context)),
            other => reader.fault(&entry.node.span, format!("found {}", other.type_name()), "expected a table"),
        }
    }
    specs
}
