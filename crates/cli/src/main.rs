//! The binary `runner`: everything that Evogrid ships, and nothing else. The work is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    evogrid_cli::main(evogrid_cli::catalogue())
}
