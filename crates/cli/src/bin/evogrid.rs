//! The binary `runner` under the name of the project.

use std::process::ExitCode;

fn main() -> ExitCode {
    evogrid_cli::main(evogrid_cli::catalogue())
}
