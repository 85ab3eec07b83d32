//! Options that set a target or a limit after the runs.

use clap::Args;
use evogrid_analysis::truncation::{EarlierEnd, Target};

/// Where runs are taken to end.
#[derive(Debug, Args)]
pub struct TargetOptions {
    /// A target that is set after the runs: each run counts as if it had ended there, by its trace. `gap=1`: at most 1 % worse than the
    /// best known value; `best=1`: at most 1 % worse than the best value that any run found on the instance; `objective=1500`,
    /// `fitness=1500`: this value or a better one
    #[arg(long, value_name = "KIND=VALUE")]
    target: Option<Target>,
    /// Cut every run at N evaluations, by its trace: its best value then, and work of at most N. Traces have no times, so that runs
    /// cannot be cut at a time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    until_evaluations: Option<u64>,
}

impl TargetOptions {
    /// The end of runs that the user asked for.
    #[must_use]
    pub fn end(&self) -> Option<EarlierEnd> {
        let end = EarlierEnd { target: self.target, evaluations: self.until_evaluations };
        (end != EarlierEnd::default()).then_some(end)
    }
}
