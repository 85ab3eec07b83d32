//! Commands on results folders: list missing runs, move runs aside, join folders, repeat a run, and verify all results.

pub(crate) mod clean;
pub(crate) mod merge;
pub(crate) mod missing;
pub(crate) mod replay;
pub(crate) mod verify;
