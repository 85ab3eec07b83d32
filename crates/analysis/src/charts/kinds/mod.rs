//! The kinds of charts: a file a kind.

pub(crate) mod cost;
pub(crate) mod ecdf;
pub(crate) mod gap;
pub(crate) mod heatmap;
pub(crate) mod profile;
pub(crate) mod published;
pub(crate) mod ranks;
pub(crate) mod scatter;
pub(crate) mod success;
pub(crate) mod tracks;
pub(crate) mod trajectory;
