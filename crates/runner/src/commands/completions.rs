//! `runner completions`: what a shell needs to complete the command line.

use std::process::ExitCode;

use anyhow::Result;
use evogrid_core::catalogue::Catalogue;

use super::output::print_as_it_is;
use crate::cli::{Cli, CompletionsArgs, called_name};

/// Prints the completions of a shell.
pub(super) fn completions(args: &CompletionsArgs, catalogue: &Catalogue) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::with_families(catalogue, None), called_name(), &mut script);
    print_as_it_is(&String::from_utf8(script)?)?;
    Ok(ExitCode::SUCCESS)
}
