//! `runner completions`: the completions of the command line for a shell.

use anyhow::Result;
use evogrid_core::catalogue::Catalogue;
use evogrid_runner::system::program;

use crate::arguments::{Cli, CompletionsArgs};
use crate::commands::output::print_as_it_is;

/// Prints the completions of a shell.
pub(crate) fn completions(args: &CompletionsArgs, catalogue: &Catalogue) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::with_families(catalogue, None), program::name(), &mut script);
    Ok(print_as_it_is(&String::from_utf8(script)?)?)
}
