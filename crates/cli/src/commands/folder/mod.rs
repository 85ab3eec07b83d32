//! Commands on results folders: what is missing, several made one, a run done again, all of it verified.

pub(crate) mod merge;
pub(crate) mod missing;
pub(crate) mod replay;
pub(crate) mod verify;
