//! Beginning: arguments of `runner init`.

use clap::Args;
use evogrid_core::catalogue::Catalogue;
use evogrid_runner::system::program;

/// The arguments of `init`.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// Name of the experiment and of its file
    #[arg(value_name = "NAME", default_value = "first")]
    pub name: String,
    /// Family of problems; by default the first of `runner list problems`
    #[arg(long, value_name = "FAMILY")]
    pub problem: Option<String>,
}

/// The text that is printed if no command is given: how to begin.
pub(super) fn first_steps(catalogue: &Catalogue) -> String {
    let families = catalogue.families().filter(|family| family.first_experiment().is_some());
    let families: Vec<&str> = families.map(|family| family.declaration().name).collect();
    let runner = program::name();
    format!(
        "Evogrid runs experiments on metaheuristics: one TOML file from question to
chart.

To begin, in an empty folder:

  {runner} init                  write first.toml and its instances
  {runner} run first.toml        do all its runs and print their table
  {runner} report results/first  write one HTML page with everything

Another problem: `{runner} init --problem FAMILY`, of {}.
All commands: `{runner} --help`; one of them: `{runner} run --help`.",
        families.join(", ")
    )
}
