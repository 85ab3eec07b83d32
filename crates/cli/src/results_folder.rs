//! What lies in a results folder beside its runs: its manifest, what that says is missing, and the published figures it names.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use evogrid_analysis::samples::Samples;
use evogrid_results::files::is_regular;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::{Map, Value};

use evogrid_runner::engine::folder::manifest::MANIFEST_SIZE_LIMIT;
use evogrid_runner::engine::progress::line;
use evogrid_runner::experiment::document::{Document, NodeValue, regular_reader};
use evogrid_runner::experiment::instance_list::InstanceList;
use evogrid_runner::experiment::spec::TABLE_NAMES;
use evogrid_runner::system::numbers::counted;

/// The manifest of a results folder; none where a CSV takes its place. In the place of the experiment's instances, which may be a
/// million, is their number.
///
/// # Errors
/// If it cannot be read, or is no JSON.
pub fn manifest(results: &Path) -> Result<Option<Value>> {
    let outline: Option<Outline> = read(results)?;
    Ok(outline.map(|Outline { experiment, mut others }| {
        if let Some(OutlinedExperiment { instances, others: mut fields }) = experiment {
            fields.extend(instances.map(|Count(count)| ("instances".to_owned(), count.into())));
            others.insert("experiment".to_owned(), fields.into());
        }
        Value::Object(others)
    }))
}

/// The instances of the manifest of a results folder; none where there is no manifest, or it has none.
///
/// # Errors
/// If it cannot be read, or is no JSON.
pub fn instances(results: &Path) -> Result<InstanceList> {
    #[derive(Default, Deserialize)]
    struct Contents {
        #[serde(default)]
        instances: InstanceList,
    }
    #[derive(Deserialize)]
    struct Whole {
        experiment: Option<Contents>,
    }
    let whole: Option<Whole> = read(results)?;
    Ok(whole.and_then(|whole| whole.experiment).unwrap_or_default().instances)
}

fn read<T: DeserializeOwned>(results: &Path) -> Result<Option<T>> {
    let path = results.join("manifest.json");
    if !is_regular(&path)? {
        return Ok(None);
    }
    let no_json = || format!("{} is no JSON: run the experiment once more", path.display());
    serde_json::from_reader(regular_reader(&path, MANIFEST_SIZE_LIMIT)?).map(Some).with_context(no_json)
}

/// A manifest without its instances.
#[derive(Deserialize)]
struct Outline {
    experiment: Option<OutlinedExperiment>,
    #[serde(flatten)]
    others: Map<String, Value>,
}

#[derive(Deserialize)]
struct OutlinedExperiment {
    instances: Option<Count>,
    #[serde(flatten)]
    others: Map<String, Value>,
}

/// How many entries a list has.
struct Count(u64);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Counter;
        impl<'de> Visitor<'de> for Counter {
            type Value = Count;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a list")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Count, A::Error> {
                let mut count = 0;
                while sequence.next_element::<IgnoredAny>()?.is_some() {
                    count += 1;
                }
                Ok(Count(count))
            }
        }
        deserializer.deserialize_seq(Counter)
    }
}

/// That fewer runs are there than were planned.
#[must_use]
pub fn gap(manifest: Option<&Value>, samples: &Samples) -> Option<String> {
    let planned = manifest?.pointer("/runs/planned")?.as_u64()?;
    let present = samples.runs.len() as u64;
    (present < planned).then(|| format!("Not complete: {present} of {} are there.", counted(planned, "planned run")))
}

/// The published figures to show: those that were asked for, else those that the experiment names, if they are still there.
#[must_use]
pub fn published_file(asked: Option<&Path>, manifest: Option<&Value>) -> Option<PathBuf> {
    if asked.is_some() {
        return asked.map(Path::to_owned);
    }
    let named = published_of_experiment(manifest?)?;
    if !named.is_file() {
        line(&format!("note: the experiment's published figures are not at {}; see `--against`", named.display()));
        return None;
    }
    Some(named)
}

/// The file of published figures that the experiment names, in its own file or on the command line. Both are found from where the
/// experiment was run.
fn published_of_experiment(manifest: &Value) -> Option<PathBuf> {
    let file = Path::new(manifest.pointer("/experiment/file")?.as_str()?);
    // Any path may stand in a manifest: nothing that blocks is opened.
    let mut document = Document::read(Some(file).filter(|file| file.is_file())?).ok()?;
    for set in manifest.pointer("/experiment/sets").and_then(Value::as_array).into_iter().flatten() {
        document.set(set.as_str()?, &TABLE_NAMES).ok()?;
    }
    let NodeValue::Table(experiment) = &document.root.get("experiment")?.node.value else { return None };
    let NodeValue::Text(published) = &experiment.get("published")?.node.value else { return None };
    Some(file.parent()?.join(published))
}
