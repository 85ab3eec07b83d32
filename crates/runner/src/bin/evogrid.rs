//! The binary `runner` by the name of the project.

use std::process::ExitCode;

fn main() -> ExitCode {
    evogrid_runner::main(evogrid_runner::catalogue())
}
