//! Options that set a target or a limit after the runs.

use clap::Args;
use evogrid_analysis::truncation::{EarlierEnd, Target};

/// Where runs are taken to end.
#[derive(Debug, Args)]
pub struct TargetOptions {
    /// A target that is set after the runs: each run counts as if it had ended there, by its trace. `gap=1`: at most 1 % worse than the
    /// best known value; `best=1`: at most 1 % worse than the best value that any run found on the instance; `objective=1500`,
    /// `fitness=1500`: this value or a better one. Of several, each run counts once for each, and the setting `target` says which
    #[arg(long = "target", value_name = "KIND=VALUE")]
    targets: Vec<Target>,
    /// Cut every run at N evaluations, by its trace: its best value then, and work of at most N. Traces have no times, so that runs
    /// cannot be cut at a time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    until_evaluations: Option<u64>,
}

impl TargetOptions {
    /// The ends of runs that the user asked for, one for each target.
    pub fn ends(&self) -> Vec<EarlierEnd> {
        let evaluations = self.until_evaluations;
        let ends: Vec<EarlierEnd> =
            self.targets.iter().map(|&target| EarlierEnd { target: Some(target), evaluations }).collect();
        if ends.is_empty() && evaluations.is_some() { vec![EarlierEnd { target: None, evaluations }] } else { ends }
    }
}
