//! Arguments that several commands have: the name of an experiment, the name of a family of problems, and a number of threads.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use evogrid_analysis::Published;
use evogrid_core::budget::UNSET;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::Family;
use evogrid_runner::engine::first_generation;
use evogrid_runner::experiment::instance_file;
use evogrid_runner::experiment::limits::{note, unequal_work};
use evogrid_runner::experiment::manifest_form::Experiment;
use evogrid_runner::experiment::plan::Plan;
use evogrid_runner::experiment::spec::Spec;

use crate::arguments::{ExperimentArgs, InstanceArgs};
use crate::messages::{UsageError, list, one_of, wrapped_line};

/// Loads the experiment. Settings on the command line replace settings of the experiment file.
pub(super) fn load_spec(args: &ExperimentArgs, catalogue: &Catalogue) -> anyhow::Result<Spec> {
    Ok(Spec::load(&args.experiment, &args.sets, catalogue)?)
}

/// Loads the experiment and plans its runs.
pub(super) fn load_plan(args: &ExperimentArgs, catalogue: Catalogue) -> anyhow::Result<Arc<Plan>> {
    Ok(Arc::new(Plan::new(load_spec(args, &catalogue)?, catalogue)))
}

/// Reads the published values that the experiment names. This happens before the first run, so an error in the file is found at once.
pub(super) fn published(plan: &Plan) -> anyhow::Result<Option<Published>> {
    Ok(plan.spec().published.as_deref().map(Published::open).transpose()?)
}

/// The results folder that the user chose, or else the default folder of an experiment with this name.
pub(super) fn results_folder(out: Option<&Path>, name: &str) -> PathBuf {
    out.map_or_else(|| Path::new("results").join(name), Path::to_owned)
}

/// Prints notes about valid choices in a plan that may be unintended. Examples are different limits for algorithms, equal limits that allow
/// unequal work, and limits that end a search within its first generation.
pub(super) fn print_plan_notes(plan: &Plan) {
    plan.spec().notes.iter().for_each(|note| wrapped_line(&format!("note: {note}")));
    let limits = Experiment::new(plan, Path::new(""), &[]).limits(plan.catalogue());
    if let Some(note) = unequal_work(&limits) {
        wrapped_line(&format!("note: {note} With the same limit of `evaluations`, all algorithms do equal work"));
    }
    if let Some(note) = note(&limits) {
        wrapped_line(&format!(
            "note: {note} To remove the limit of a preset, use `\"{UNSET}\"`: for example `budget.stagnation = \
             \"{UNSET}\"`"
        ));
    }
    first_generation::warn(plan);
}

/// The family of the instances in the argument `argument`. If an option names or belongs to a family, this family is returned. If the
/// argument is a file, its columns, extension or content identify the family. In all other cases, the first family is returned.
pub(super) fn family_of<'c>(
    args: &InstanceArgs,
    argument: &str,
    catalogue: &'c Catalogue,
) -> Result<&'c dyn Family, UsageError> {
    // The options on the command line belong to the named or the first family.
    if args.problem.is_some() || !args.options.is_empty() || !Path::new(argument).is_file() {
        return family(args.problem.as_deref(), catalogue);
    }
    instance_file::family_of_file(argument, catalogue).ok_or_else(|| {
        let help = format!("name the problem family with --problem: {}", list(&family_names(catalogue, |_| true)));
        UsageError(format!("cannot tell which problem family {argument} belongs to\n  {help}"))
    })
}

/// The family with this name; without a name, the first family.
pub(super) fn family<'c>(name: Option<&str>, catalogue: &'c Catalogue) -> Result<&'c dyn Family, UsageError> {
    let Some(name) = name else {
        let none = || UsageError("this program was built without problem families".to_owned());
        return catalogue.families().next().ok_or_else(none);
    };
    catalogue.family(name).ok_or_else(|| {
        let names = family_names(catalogue, |_| true);
        UsageError(format!("unknown problem `{name}`\n  {}", one_of(name, &names)))
    })
}

/// The names of the families for which `is_named` returns true.
pub(crate) fn family_names(catalogue: &Catalogue, is_named: impl Fn(&dyn Family) -> bool) -> Vec<&'static str> {
    catalogue.families().filter(|family| is_named(*family)).map(|family| family.declaration().name).collect()
}

/// The number of threads: `--jobs`, or else the number that a scheduler grants, or else the number of cores.
pub(super) fn jobs(asked: Option<u16>) -> usize {
    let granted = |name: &str| std::env::var(name).ok()?.parse().ok().filter(|&jobs: &usize| jobs > 0);
    asked
        .map(usize::from)
        .or_else(|| granted("SLURM_CPUS_PER_TASK"))
        .or_else(|| granted("SLURM_CPUS_ON_NODE"))
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}
