//! `runner completions` and `runner man`: what completes an installation.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use clap_mangen::Man;
use evogrid_core::catalogue::Catalogue;

use crate::arguments::{Cli, CompletionsArgs, ManArgs};
use crate::messages::{print, print_as_it_is, program};

/// Prints the completions of a shell.
pub(crate) fn completions(args: &CompletionsArgs, catalogue: &Catalogue) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::with_families(catalogue, None), program::name(), &mut script);
    Ok(print_as_it_is(&String::from_utf8(script)?)?)
}

/// Writes the manual, a page for each command, and prints the path of the first page.
pub(crate) fn man(args: &ManArgs, catalogue: &Catalogue) -> Result<()> {
    fs::create_dir_all(&args.out).with_context(|| format!("cannot make {}", args.out.display()))?;
    let name = program::name().to_owned();
    let command = Cli::with_families(catalogue, None).display_name(&name).bin_name(&name);
    // The word `help` and its own commands would have a page each.
    let mut command = command.disable_help_subcommand(true);
    command.build();
    write(&command, &args.out).with_context(|| format!("cannot write into {}", args.out.display()))?;
    Ok(print(&format!("{}\n", args.out.join(format!("{name}.1")).display()))?)
}

/// Writes the pages of a command and of its subcommands.
fn write(command: &clap::Command, folder: &Path) -> std::io::Result<()> {
    for below in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        write(below, folder)?;
    }
    let source = concat!("Evogrid ", env!("CARGO_PKG_VERSION"));
    Man::new(command.clone()).source(source).manual("Evogrid").generate_to(folder)?;
    Ok(())
}
