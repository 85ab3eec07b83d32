//! What lies in a results folder beside its runs: its manifest, what that says is missing, and the published figures it names.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use evogrid_analysis::samples::Samples;
use evogrid_results::files::is_regular;
use serde_json::Value;

use crate::document::{Document, NodeValue, read_regular};
use crate::manifest::MANIFEST_SIZE_LIMIT;
use crate::numbers::counted;
use crate::progress::line;
use crate::spec::TABLE_NAMES;

/// The manifest of a results folder; none where a CSV takes its place.
///
/// # Errors
/// If it cannot be read, or is no JSON.
pub fn manifest(results: &Path) -> Result<Option<Value>> {
    let path = results.join("manifest.json");
    if !is_regular(&path)? {
        return Ok(None);
    }
    let text = read_regular(&path, MANIFEST_SIZE_LIMIT)?;
    let no_json = || format!("{} is no JSON: run the experiment once more", path.display());
    serde_json::from_str(&text).map(Some).with_context(no_json)
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
