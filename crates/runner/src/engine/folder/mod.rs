//! A results folder: its manifest, its sessions, and the files from its journal.

pub mod beaten;
mod build_id;
pub mod comparison;
pub mod manifest;
pub mod outputs;
pub mod predecessor;
mod repository;
pub mod reuse;
pub mod session;
