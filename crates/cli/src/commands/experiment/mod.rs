//! Commands on experiments: create, check, plan, run, tune and submit an experiment, and reproduce the claims of papers.

pub(crate) mod check;
pub(crate) mod external;
pub(crate) mod init;
pub(crate) mod plan;
pub(crate) mod reproduce;
pub(crate) mod run;
pub(crate) mod slurm;
pub(crate) mod space;
pub(crate) mod target;
pub(crate) mod tune;
