//! The binary `runner` by the name of the project.

use std::process::ExitCode;

fn main() -> ExitCode {
    evogrid_cli::main(evogrid_cli::catalogue())
}
