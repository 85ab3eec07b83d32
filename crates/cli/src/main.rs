//! The binary `runner`: everything that Evogrid ships, and nothing else. The library does the work.

use std::process::ExitCode;

fn main() -> ExitCode {
    evogrid_cli::main(evogrid_cli::catalogue())
}
