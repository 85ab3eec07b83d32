//! An experiment: what its file may ask for, what is said of it before it runs, and how its runs go.

mod configurations;
mod designs;
mod determinism;
pub(crate) mod extension;
mod external;
mod families;
mod init;
mod instances;
mod limits;
mod memory;
mod minimising;
mod patience;
mod plan;
mod slurm;
mod space;
mod target;
mod timing;
mod tune;
