//! `runner check`: is the experiment right?

use std::process::ExitCode;

use anyhow::Result;
use evogrid_core::catalogue::Catalogue;

use super::arguments::load_spec;
use super::output::print;
use crate::cli::ExperimentArgs;
use crate::limits;
use crate::numbers::counted;
use crate::plan::Plan;

/// Checks an experiment and all that it names.
pub(super) fn check(args: &ExperimentArgs, catalogue: Catalogue) -> Result<ExitCode> {
    let spec = load_spec(args, &catalogue)?;
    let plan = Plan::new(spec, catalogue);
    limits::tell(&plan);
    let spec = plan.spec();
    print(&format!(
        "{} is right: {}, {}, {} each\n",
        args.experiment.display(),
        counted(spec.algorithms.len() as u64, "algorithm"),
        counted(spec.instances.len() as u64, "instance"),
        counted(spec.repetitions, "repetition"),
    ))?;
    Ok(ExitCode::SUCCESS)
}
