//! Commands that describe the program: lists, the schema, the manual and completions.

pub(crate) mod installation;
pub(crate) mod list;
pub(crate) mod schema;
