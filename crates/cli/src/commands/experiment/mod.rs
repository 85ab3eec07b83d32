//! Commands on an experiment: begin one, check, plan, run and submit it, and try what papers claim.

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
