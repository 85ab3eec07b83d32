//! Bad input gets a clear error before anything runs: exit status 2, nothing written, all errors of a file at once, each with
//! its place and what was expected.

#[path = "errors/case.rs"]
mod case;
#[path = "errors/data_sets.rs"]
mod data_sets;
#[path = "errors/exclusions.rs"]
mod exclusions;
#[cfg(unix)]
#[path = "errors/external.rs"]
mod external;
#[path = "errors/files.rs"]
mod files;
#[path = "errors/filters.rs"]
mod filters;
#[path = "errors/grids.rs"]
mod grids;
#[path = "errors/mutations.rs"]
mod mutations;
#[path = "errors/options.rs"]
mod options;
#[path = "errors/settings.rs"]
mod settings;
#[path = "errors/syntax.rs"]
mod syntax;
