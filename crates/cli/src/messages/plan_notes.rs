//! Notes on a plan before it is run: limits that differ, equal limits that allow unequal work, and limits that end a search before it has
//! begun.

use std::path::Path;

use evogrid_core::budget::UNSET;
use evogrid_runner::engine::first_generation;
use evogrid_runner::engine::progress::wrapped_line;
use evogrid_runner::experiment::limits::{note, unequal_work};
use evogrid_runner::experiment::manifest_form::Experiment;
use evogrid_runner::experiment::plan::Plan;

/// Says on standard error what of the plan may not be meant: where the limits of its algorithms differ, where equal ones are unequal work,
/// and where they end a search before it has begun.
pub(crate) fn tell(plan: &Plan) {
    plan.spec().notes.iter().for_each(|note| wrapped_line(&format!("note: {note}")));
    let limits = Experiment::new(plan, Path::new(""), &[]).limits(plan.catalogue());
    if let Some(note) = unequal_work(&limits) {
        wrapped_line(&format!("note: {note} A limit of `evaluations` is equal work"));
    }
    if let Some(note) = note(&limits) {
        wrapped_line(&format!(
            "note: {note} A preset's limit is removed by `\"{UNSET}\"`, as in `budget.stagnation = \"{UNSET}\"`"
        ));
    }
    first_generation::warn(plan);
}
