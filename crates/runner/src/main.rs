//! The binary `runner`: everything that Evogrid ships, and nothing else. The work is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg_attr(not(feature = "solvers"), expect(unused_mut, reason = "nothing is added"))]
    let mut catalogue = evogrid_operators::catalogue();
    #[cfg(feature = "solvers")]
    evogrid_solvers::register(&mut catalogue);
    evogrid_runner::main(catalogue)
}
