//! Manifests: from bytes to instances, and to the plan that `runner merge` makes of one.
//!
//! An experiment that can be planned is written and read back as the same, and its plan has the same runs again.
#![no_main]

use std::path::Path;
use std::sync::Arc;

use evogrid_core::family::ObjectiveSource;
use evogrid_fuzz::{CATALOGUE, assert_harmless};
use evogrid_runner::engine::folder::manifest::Manifest;
use evogrid_runner::experiment::diagnostic::printable;
use evogrid_runner::experiment::instance_list::ListedInstance;
use evogrid_runner::experiment::manifest_form::Experiment;
use evogrid_runner::experiment::plan::Plan;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(manifest) = serde_json::from_slice::<Manifest>(bytes) else { return };
    manifest.experiment.instances.iter().for_each(check_instance);
    match manifest.experiment.plan(Arc::clone(&CATALOGUE)) {
        Ok(plan) => check_plan(plan, &manifest.experiment),
        Err(wrong) => assert_harmless(&printable(&format!("{wrong:#}"))),
    }
});

fn check_instance(kept: ListedInstance<'_>) {
    let Some(family) = CATALOGUE.family(kept.problem) else { return };
    let solution = kept.content.split(' ').next_back().unwrap_or_default();
    // A checker that the manifest names must not be started.
    let objective =
        family.objective(kept.content).filter(|objective| matches!(objective.source, ObjectiveSource::Computed(_)));
    if let Some(Err(wrong)) = objective.and_then(|objective| objective.measure(kept.content, solution)) {
        assert_harmless(&printable(&wrong));
    }
    if let Ok(instance) = family.restore(kept.content) {
        let content = instance.content();
        assert_eq!(family.restore(&content).expect("its own text").content(), content);
    }
}

fn check_plan(plan: Plan, experiment: &Experiment) {
    let again = Experiment::new(&plan, Path::new(&experiment.file), &experiment.sets);
    let mut value = serde_json::to_value(&again).expect("an experiment is JSON");
    value["instances"] = serde_json::to_value(again.instances.as_ref()).expect("instances are JSON");
    let read: Experiment = serde_json::from_str(&value.to_string()).expect("its own text");
    assert_eq!(read, again);
    let ids = |plan: Plan| -> Vec<_> { Arc::new(plan).runs().take(100).map(|run| run.id).collect() };
    let planned = read.plan(Arc::clone(&CATALOGUE)).expect("it was planned before");
    assert_eq!(ids(planned), ids(plan));
}
