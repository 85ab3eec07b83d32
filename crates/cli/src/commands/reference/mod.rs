//! Commands that describe the program: lists, the schema, the manual, completions.

pub(crate) mod completions;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod schema;
