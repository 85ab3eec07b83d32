//! The binary `runner` under the name of the project.

fn main() -> std::process::ExitCode {
    evogrid_cli::main(evogrid_cli::catalogue())
}
