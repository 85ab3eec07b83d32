//! The system: clocks, terminals, the machine, and the differences between operating systems.

pub mod clock;
pub mod machine;
pub mod numbers;
pub mod platform;
pub mod program;
pub mod terminal;
