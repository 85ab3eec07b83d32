//! Estimates with their intervals. Each method has its own file.

pub(crate) mod bootstrap;
pub(crate) mod clustered;
pub(crate) mod mean;
pub(crate) mod power_law;
pub(crate) mod quantiles;
pub(crate) mod shifted_exponential;
pub(crate) mod wilson;
