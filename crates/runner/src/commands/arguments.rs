//! What arguments of several commands stand for: an experiment, a family of problems, a number of threads.

use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::Family;
use evogrid_core::suggestion::one_of;

use super::usage_error::UsageError;
use crate::cli::ExperimentArgs;
use crate::diagnostic::Diagnostics;
use crate::spec::Spec;

/// The experiment, with all that is set over its file.
pub(super) fn load_spec(args: &ExperimentArgs, catalogue: &Catalogue) -> Result<Spec, Diagnostics> {
    Spec::load(&args.experiment, &args.sets, catalogue)
}

/// The family of that name; the first one where none is named.
pub(super) fn family<'c>(name: Option<&str>, catalogue: &'c Catalogue) -> Result<&'c dyn Family, UsageError> {
    let Some(name) = name else {
        return catalogue.families().next().ok_or_else(|| UsageError("there is no family of problems here".to_owned()));
    };
    catalogue.family(name).ok_or_else(|| {
        let names: Vec<&str> = catalogue.families().map(|family| family.declaration().name).collect();
        UsageError(format!("unknown problem `{name}`\n  {}", one_of(name, &names)))
    })
}

/// Threads to use: `--jobs`, else what a scheduler grants, else the cores there are.
pub(super) fn jobs(asked: Option<u16>) -> usize {
    let granted = |name: &str| std::env::var(name).ok()?.parse().ok().filter(|&jobs: &usize| jobs > 0);
    asked
        .map(usize::from)
        .or_else(|| granted("SLURM_CPUS_PER_TASK"))
        .or_else(|| granted("SLURM_CPUS_ON_NODE"))
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}
