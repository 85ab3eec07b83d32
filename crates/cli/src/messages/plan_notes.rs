//! Notes on a plan before it is run: limits that differ, equal limits that allow unequal work, and limits that end a search before it has
//! begun.

use std::path::Path;

use evogrid_core::budget::UNSET;
use evogrid_runner::engine::first_generation;
use evogrid_runner::engine::progress::wrapped_line;
use evogrid_runner::experiment::limits::{note, unequal_work};
use evogrid_runner::experiment::manifest_form::Experiment;
use evogrid_runner::experiment::plan::Plan;

/// Prints notes about a valid plan that may be unintended: algorithms with different limits, equal limits that allow unequal work, and
/// limits that end a search within its first generation.
pub(crate) fn tell(plan: &Plan) {
    plan.spec().notes.iter().for_each(|note| wrapped_line(&format!("note: {note}")));
    let limits = Experiment::new(plan, Path::new(""), &[]).limits(plan.catalogue());
    if let Some(note) = unequal_work(&limits) {
        wrapped_line(&format!("note: {note} A limit of `evaluations` gives all algorithms equal work"));
    }
    if let Some(note) = note(&limits) {
        wrapped_line(&format!(
            "note: {note} To remove the limit of a preset, set it to `\"{UNSET}\"`, for example `budget.stagnation = \
             \"{UNSET}\"`"
        ));
    }
    first_generation::warn(plan);
}
