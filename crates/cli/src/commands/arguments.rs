//! What arguments of several commands refer to: an experiment, a family of problems, a number of threads.

use std::path::Path;

use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::Family;
use evogrid_core::suggestion::{list, one_of};

use crate::arguments::{ExperimentArgs, InstanceArgs};
use crate::usage_error::UsageError;
use evogrid_runner::experiment::diagnostic::Diagnostics;
use evogrid_runner::experiment::instance_file;
use evogrid_runner::experiment::spec::Spec;

/// Loads the experiment with all settings laid over its file.
pub(super) fn load_spec(args: &ExperimentArgs, catalogue: &Catalogue) -> Result<Spec, Diagnostics> {
    Spec::load(&args.experiment, &args.sets, catalogue)
}

/// The family of the instances that an argument names: the family that is given, otherwise the one that the columns, extension or content
/// of the file identify, otherwise the first one.
pub(super) fn family_of<'c>(
    args: &InstanceArgs,
    argument: &str,
    catalogue: &'c Catalogue,
) -> Result<&'c dyn Family, UsageError> {
    // The command line knows the options of the family that it names, or of the first.
    if args.problem.is_some() || !args.options.is_empty() || !Path::new(argument).is_file() {
        return family(args.problem.as_deref(), catalogue);
    }
    instance_file::family_of_file(argument, catalogue).ok_or_else(|| {
        let names: Vec<&str> = catalogue.families().map(|family| family.declaration().name).collect();
        let help = format!("name the problem family with --problem: {}", list(&names));
        UsageError(format!("cannot tell which problem family {argument} belongs to\n  {help}"))
    })
}

/// The family with this name, or the first one without a name.
pub(super) fn family<'c>(name: Option<&str>, catalogue: &'c Catalogue) -> Result<&'c dyn Family, UsageError> {
    let Some(name) = name else {
        return catalogue
            .families()
            .next()
            .ok_or_else(|| UsageError("this program was built without problem families".to_owned()));
    };
    catalogue.family(name).ok_or_else(|| {
        let names: Vec<&str> = catalogue.families().map(|family| family.declaration().name).collect();
        UsageError(format!("unknown problem `{name}`\n  {}", one_of(name, &names)))
    })
}

/// The number of threads: `--jobs`, otherwise what a scheduler grants, otherwise the number of cores.
pub(super) fn jobs(asked: Option<u16>) -> usize {
    let granted = |name: &str| std::env::var(name).ok()?.parse().ok().filter(|&jobs: &usize| jobs > 0);
    asked
        .map(usize::from)
        .or_else(|| granted("SLURM_CPUS_PER_TASK"))
        .or_else(|| granted("SLURM_CPUS_ON_NODE"))
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}
