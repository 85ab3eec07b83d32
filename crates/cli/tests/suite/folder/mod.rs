//! A results folder: written by many processes, interrupted, damaged and forged, joined and checked.

mod clean;
mod done;
mod faults;
mod forgeries;
mod late;
#[cfg(unix)]
mod links;
mod missing;
mod model;
mod predecessor;
mod reading;
mod replay;
mod repositories;
mod reuse;
mod sessions;
mod shards;
mod solutions;
mod starts;
mod torture;
mod verify;
