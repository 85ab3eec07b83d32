//! Access to the operating system: clocks, terminals, machine facts, and code that depends on the system.

pub mod clock;
pub mod machine;
pub mod numbers;
pub mod platform;
pub mod program;
pub mod terminal;
