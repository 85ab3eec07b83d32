//! From a plan to a results folder: runs on all cores, each in the journal when it ends, through signals, crashes and several processes.

mod abnormal_ends;
pub mod carry_out;
pub mod execute;
pub mod experiment_error;
pub mod finished_runs;
pub mod first_generation;
pub mod folder;
pub mod memory;
pub mod progress;
mod queue;
pub mod replay;
pub mod signals;
pub mod timing;
mod tracer;
