//! Estimates with their intervals: a file a method.

pub(crate) mod bootstrap;
pub(crate) mod clustered;
pub(crate) mod mean;
pub(crate) mod newcombe;
pub(crate) mod quantiles;
pub(crate) mod wilson;
