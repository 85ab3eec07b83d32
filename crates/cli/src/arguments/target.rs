//! One run for an algorithm configurator: arguments of `runner target`.

use clap::{Args, ValueEnum};

use super::ExperimentArgs;

/// The arguments of `target`.
#[derive(Debug, Args)]
pub struct TargetArgs {
    /// The experiment with the instances, the budget and the settings that are not tuned.
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    /// The configurator that calls
    #[arg(long, value_enum)]
    pub style: TargetStyle,
    /// The algorithm to tune; by default the only algorithm of the experiment
    #[arg(long, value_name = "NAME")]
    pub algorithm: Option<String>,
    /// The metric that is the cost, such as `objective`, `gap`, `evaluations` or `cpu_ms`; times are printed in seconds. By default the
    /// processor time until the instance is solved; if nothing defines when it is solved, the gap or the objective
    #[arg(long, value_name = "METRIC")]
    pub metric: Option<String>,
    /// If the cost is the work until the instance is solved: an unsolved run costs this many times the limit of processor time, of
    /// the experiment or of the call, whichever is longer; without a limit, or by another metric, this many times its own work
    #[arg(long, value_name = "N", default_value_t = 10.0)]
    pub penalty: f64,
    /// With `--style irace`: print the processor time after the cost even if irace gives no bound, as its `maxTime` needs
    #[arg(long)]
    pub time: bool,
    /// What the configurator passes on: for irace `CONFIGURATION INSTANCE_NUMBER SEED INSTANCE [BOUND]`, for SMAC3 `--instance=INSTANCE
    /// --seed=SEED`, for AClib `INSTANCE SPECIFICS CUTOFF RUNLENGTH SEED` or `--instance INSTANCE --seed SEED [--cutoff CUTOFF] --config`;
    /// then settings by dotted path, `--PATH=VALUE` or `-PATH VALUE`
    #[arg(value_name = "ARGUMENT", last = true, required = true)]
    pub arguments: Vec<String>,
}

/// The form of a configurator's calls, and of the answers that it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TargetStyle {
    /// irace, versions 3 and 4: `COST` or `COST TIME`
    Irace,
    /// SMAC3 with a script: `cost=COST; runtime=TIME; status=STATUS`
    Smac,
    /// Wrappers of AClib, as ParamILS, SMAC 2 and irace with `aclib = 1` call them
    Aclib,
}
