//! Access to the operating system: clocks, terminals, and facts about the machine. Code that differs between operating systems is here,
//! too.

pub mod clock;
pub mod machine;
pub mod numbers;
pub mod platform;
pub mod program;
pub mod terminal;
