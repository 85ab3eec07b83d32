//! Warnings: what a reader of results should know before he believes them.

use std::collections::BTreeMap;

use evogrid_core::budget::Stop;
use evogrid_results::Summary;
use evogrid_results::summary::ALL_BUCKETS;
use serde_json::Value;

use super::Sources;
use crate::numbers::counted;

/// Fewer runs than this of a setting and bucket leave an interval of more than half the scale around one half.
const FEW_RUNS: u64 = 10;

/// All warnings, worst first.
pub(super) fn warnings(sources: &Sources<'_>, summary: &Summary) -> Vec<String> {
    let mut warnings = Vec::new();
    let failed = sources.samples.runs.iter().filter(|run| run.outcome.stop == Stop::Failed).count() as u64;
    if failed > 0 {
        warnings.push(format!("{} failed; they count as unsolved.", counted(failed, "run")));
    }
    if let Some(manifest) = &sources.manifest {
        of_manifest(&mut warnings, manifest);
    }
    let of_buckets = || summary.rows.iter().filter(|row| row.bucket != ALL_BUCKETS);
    let mut sizes: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for row in of_buckets() {
        let size = sizes.entry(&row.bucket).or_insert((u64::MAX, 0));
        *size = (size.0.min(row.figures.runs), size.1.max(row.figures.runs));
    }
    for (bucket, (fewest, most)) in &sizes {
        if fewest != most {
            let bucket = if bucket.is_empty() { String::new() } else { format!(" at {bucket}") };
            warnings.push(format!("Settings have unequal numbers of runs{bucket}: from {fewest} to {most}."));
        }
    }
    let few = of_buckets().filter(|row| row.figures.runs < FEW_RUNS).count() as u64;
    if few > 0 {
        warnings.push(format!(
            "{} of settings and buckets rest on fewer than {FEW_RUNS} runs: their rates can hardly be told from one another.",
            counted(few, "row")
        ));
    }
    for (column, lost) in [
        ("evaluations", "evaluations and running times"),
        ("wall_ms", "times"),
        ("best_fitness", "fitness"),
        ("seed", "whether runs were paired by their seeds"),
    ] {
        if sources.samples.missing.contains(&column) {
            warnings.push(format!("The file has no column {column}: nothing is known of {lost}."));
        }
    }
    if sources.manifest.is_none() {
        warnings
            .push("There is no manifest: which settings, code and machine made these runs is not known.".to_owned());
    }
    warnings
}

fn of_manifest(warnings: &mut Vec<String>, manifest: &Value) {
    let number = |path: &str| manifest.pointer(path).and_then(Value::as_u64);
    let planned = number("/runs/planned").unwrap_or(0);
    match number("/runs/present") {
        Some(present) if present < planned => {
            warnings
                .push(format!("The experiment is not complete: {present} of {} are there.", counted(planned, "run")));
        }
        Some(_) => {}
        None => warnings.push(format!("The experiment, of {}, was begun and has not ended.", counted(planned, "run"))),
    }
    if manifest["all_instances_used"] == false {
        warnings.push("Some instances of the experiment have no run.".to_owned());
    }
    if let (Some(jobs), Some(cores)) = (number("/jobs"), number("/cores"))
        && jobs > cores
    {
        warnings.push(format!("Times were measured with {jobs} runs at a time on {cores} cores: they say little."));
    }
    if manifest["depends_on_speed"] == true {
        warnings.push("A limit in seconds ended runs: results depend on the speed of the machine.".to_owned());
    }
    if manifest["repository"]["dirty"] == true {
        warnings.push("The repository of the experiment had changes that no revision holds.".to_owned());
    }
}
