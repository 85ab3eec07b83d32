//! A results folder: its manifest, its sessions, and the files that are made from its journal.

pub mod beaten;
pub mod comparison;
pub mod manifest;
mod origin;
pub mod outputs;
pub mod predecessor;
pub mod reuse;
pub mod session;
