//! The outline of a manifest: the data that tables and reports need. The outline omits the instances, since there may be a million
//! instances.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use evogrid_analysis::Published;
use evogrid_results::files::is_regular;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Map, Value};

use crate::messages::{counted, line};
use evogrid_runner::engine::folder::manifest::MANIFEST_SIZE_LIMIT;
use evogrid_runner::experiment::document::{Document, regular_reader};
use evogrid_runner::experiment::instance_list::InstanceList;
use evogrid_runner::experiment::spec::TABLE_NAMES;

/// A manifest with any form of its instances.
#[derive(Deserialize)]
pub(crate) struct Outline<I> {
    pub(crate) experiment: Option<OutlinedExperiment<I>>,
    #[serde(flatten)]
    pub(crate) others: Map<String, Value>,
}

/// The experiment of a manifest with any form of its instances.
#[derive(Deserialize)]
pub(crate) struct OutlinedExperiment<I> {
    pub(crate) instances: Option<I>,
    #[serde(flatten)]
    pub(crate) others: Map<String, Value>,
}

/// Reads the manifest of a results folder, and the instances in it. In the returned manifest, the number of instances replaces the
/// instances. Returns `None` if the results are a CSV file.
///
/// # Errors
/// If the manifest cannot be read, or is not JSON.
pub(crate) fn with_instances(results: &Path) -> Result<Option<(Value, Option<InstanceList>)>> {
    read(results, InstanceList::len)
}

/// Reads the manifest as [`with_instances`] does, without the instances.
///
/// # Errors
/// The same errors as for [`with_instances`].
pub(crate) fn outline(results: &Path) -> Result<Option<Value>> {
    // The entries of the list take no memory.
    Ok(read(results, Vec::<IgnoredAny>::len)?.map(|(manifest, _)| manifest))
}

fn read<I: DeserializeOwned>(results: &Path, count: fn(&I) -> usize) -> Result<Option<(Value, Option<I>)>> {
    let path = results.join("manifest.json");
    if !is_regular(&path)? {
        return Ok(None);
    }
    let no_json = || format!("{} is not JSON: run the experiment again", path.display());
    let read = serde_json::from_reader(regular_reader(&path, MANIFEST_SIZE_LIMIT)?);
    let Outline { experiment, mut others } = read.with_context(no_json)?;
    let mut list = None;
    if let Some(OutlinedExperiment { instances, others: mut fields }) = experiment {
        fields.extend(instances.iter().map(|list| ("instances".to_owned(), count(list).into())));
        others.insert("experiment".to_owned(), fields.into());
        list = instances;
    }
    Ok(Some((Value::Object(others), list)))
}

/// Returns a warning if fewer runs are present than planned.
pub(crate) fn missing_runs(manifest: Option<&Value>, present: u64) -> Option<String> {
    let planned = manifest?.pointer("/runs/planned")?.as_u64()?;
    (present < planned)
        .then(|| format!("Incomplete: the results contain {present} of {}.", counted(planned, "planned run")))
}

/// The file of published values to show: the requested file, or else the file that the experiment names, if it still exists.
pub(crate) fn published_file(asked: Option<&Path>, manifest: Option<&Value>) -> Option<PathBuf> {
    if asked.is_some() {
        return asked.map(Path::to_owned);
    }
    let named = published_of_experiment(manifest?)?;
    // A manifest may name any path. A file that does not contain published values is not shown.
    if !named.is_file() || Published::open(&named).is_err() {
        line(&format!(
            "note: the published values of the experiment are not at {}; name the file of the published values with `--against`",
            named.display()
        ));
        return None;
    }
    Some(named)
}

/// The file of published values that the experiment names. The path is relative to the folder where the experiment was run.
fn published_of_experiment(manifest: &Value) -> Option<PathBuf> {
    let file = Path::new(manifest.pointer("/experiment/file")?.as_str()?);
    // A manifest may name any path. Opening a pipe or a device could block.
    let mut document = Document::read(Some(file).filter(|file| file.is_file())?).ok()?;
    for set in manifest.pointer("/experiment/sets").and_then(Value::as_array).into_iter().flatten() {
        document.set(set.as_str()?, &TABLE_NAMES).ok()?;
    }
    let published = document.root.node("experiment")?.table()?.node("published")?.text()?;
    Some(file.parent()?.join(published))
}
