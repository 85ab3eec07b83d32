//! The outline of a manifest: what tables and reports need of an experiment, without its instances, which may be a million.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use evogrid_analysis::Published;
use evogrid_results::files::is_regular;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Map, Value};

use evogrid_runner::engine::folder::manifest::MANIFEST_SIZE_LIMIT;
use evogrid_runner::engine::progress::line;
use evogrid_runner::experiment::document::{Document, regular_reader};
use evogrid_runner::experiment::spec::TABLE_NAMES;
use evogrid_runner::system::numbers::counted;

/// A manifest without its instances.
#[derive(Deserialize)]
pub(crate) struct Outline<I> {
    pub(crate) experiment: Option<OutlinedExperiment<I>>,
    #[serde(flatten)]
    pub(crate) others: Map<String, Value>,
}

/// The experiment of a manifest without its instances.
#[derive(Deserialize)]
pub(crate) struct OutlinedExperiment<I> {
    pub(crate) instances: Option<I>,
    #[serde(flatten)]
    pub(crate) others: Map<String, Value>,
}

/// A list of which only the length is kept: its entries take no memory.
type Counted = Vec<IgnoredAny>;

/// The manifest of a results folder as one value, in which the instances are replaced by their number, together with the instances;
/// `None` if the results are a CSV file.
///
/// # Errors
/// If it cannot be read, or is not JSON.
pub(crate) fn with_instances<I: DeserializeOwned>(
    results: &Path,
    count: fn(&I) -> usize,
) -> Result<Option<(Value, Option<I>)>> {
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

/// The same without the instances.
///
/// # Errors
/// As [`with_instances`].
pub(crate) fn outline(results: &Path) -> Result<Option<Value>> {
    Ok(with_instances::<Counted>(results, Vec::len)?.map(|(manifest, _)| manifest))
}

/// A warning if fewer runs are present than planned.
pub(crate) fn missing_runs(manifest: Option<&Value>, present: u64) -> Option<String> {
    let planned = manifest?.pointer("/runs/planned")?.as_u64()?;
    (present < planned)
        .then(|| format!("Incomplete: the results contain {present} of {}.", counted(planned, "planned run")))
}

/// The published values to show: the requested file, otherwise the file that the experiment names, if it still exists.
pub(crate) fn published_file(asked: Option<&Path>, manifest: Option<&Value>) -> Option<PathBuf> {
    if asked.is_some() {
        return asked.map(Path::to_owned);
    }
    let named = published_of_experiment(manifest?)?;
    // Any path may stand in a manifest: of a file that is none of figures nothing is shown.
    if !named.is_file() || Published::open(&named).is_err() {
        line(&format!(
            "note: the published values of the experiment are not at {}; name their file with `--against`",
            named.display()
        ));
        return None;
    }
    Some(named)
}

/// The file of published figures that the command line or the experiment names. Both paths are relative to the folder in which the
/// experiment was run.
fn published_of_experiment(manifest: &Value) -> Option<PathBuf> {
    let file = Path::new(manifest.pointer("/experiment/file")?.as_str()?);
    // Any path may stand in a manifest: nothing that blocks is opened.
    let mut document = Document::read(Some(file).filter(|file| file.is_file())?).ok()?;
    for set in manifest.pointer("/experiment/sets").and_then(Value::as_array).into_iter().flatten() {
        document.set(set.as_str()?, &TABLE_NAMES).ok()?;
    }
    let published = document.root.node("experiment")?.table()?.node("published")?.text()?;
    Some(file.parent()?.join(published))
}
