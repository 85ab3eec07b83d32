//! `runner completions` and `runner man`: print shell completions and write manual pages.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use clap_mangen::Man;
use evogrid_core::catalogue::Catalogue;

use crate::arguments::Cli;
use crate::messages::{print, print_as_it_is, program};

/// Prints the completions of a shell.
pub(crate) fn completions(shell: clap_complete::Shell, catalogue: &Catalogue) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::with_families(catalogue, None), program::name(), &mut script);
    Ok(print_as_it_is(&String::from_utf8(script)?)?)
}

/// Writes the manual, a page for each command, and prints the path of the first page.
pub(crate) fn man(out: &Path, catalogue: &Catalogue) -> Result<()> {
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let name = program::name().to_owned();
    let command = Cli::with_families(catalogue, None).display_name(&name).bin_name(&name);
    // Otherwise the command `help` and its subcommands would have pages.
    let mut command = command.disable_help_subcommand(true);
    command.build();
    write(&command, out).with_context(|| format!("cannot write into {}", out.display()))?;
    Ok(print(&format!("{}\n", out.join(format!("{name}.1")).display()))?)
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
