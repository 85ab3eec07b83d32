//! `kind = "external"`: programs that answer, fail, hang and lie. All of them are real processes.

#![cfg(unix)]

#[path = "external/answers.rs"]
mod answers;
#[path = "external/arguments.rs"]
mod arguments;
#[path = "external/bench.rs"]
mod bench;
#[path = "external/ends.rs"]
mod ends;
#[path = "external/harness.rs"]
mod harness;
