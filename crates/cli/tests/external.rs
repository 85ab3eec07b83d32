//! `kind = "external"`: programs that answer, fail, hang and lie. All of them are real processes.

#![cfg(unix)]

#[path = "external/answers.rs"]
mod answers;
#[path = "external/arguments.rs"]
mod arguments;
#[path = "external/commands.rs"]
mod commands;
#[path = "external/ends.rs"]
mod ends;
#[path = "external/program_folder.rs"]
mod program_folder;
mod test_folder;
#[path = "external/unasked.rs"]
mod unasked;
