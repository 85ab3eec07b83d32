//! The system that it runs on: clocks, terminals, the machine, and what differs between operating systems.

pub mod clock;
pub mod machine;
pub mod numbers;
pub mod platform;
pub mod program;
pub mod terminal;
