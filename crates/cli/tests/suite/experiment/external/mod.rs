//! `kind = "external"`: programs that answer, fail, hang and lie. All of them are real processes.
// `check` refuses external programs elsewhere.
#![cfg(unix)]

mod answers;
mod arguments;
mod commands;
mod ends;
mod measured;
mod problem;
mod program_folder;
mod servers;
mod unasked;
