//! The binary `runner`, with everything that ships with Evogrid. The library does the work.

fn main() -> std::process::ExitCode {
    evogrid_cli::main(evogrid_cli::catalogue())
}
