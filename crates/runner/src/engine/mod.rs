//! Executes the runs of a plan on all cores. When a run ends, it is written to the journal of the results folder. Signals, crashes and
//! other processes do not damage the results.

pub(crate) mod abnormal_ends;
pub mod carry_out;
pub mod execute;
pub mod experiment_error;
pub mod finished_runs;
pub mod first_generation;
pub mod folder;
pub mod forecast;
pub mod memory;
pub mod moments;
pub mod program_test;
pub mod progress;
pub(crate) mod queue;
pub mod replay;
pub mod run_cost;
pub mod signals;
pub mod solution_check;
pub mod timing;
mod tracer;
