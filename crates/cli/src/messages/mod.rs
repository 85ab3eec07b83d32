//! Messages: the parts of the sentences that commands print, and the outputs to which commands print the sentences.
//!
//! [`warnings`] and [`wall_times`] write the notes below tables, [`watch`] shows a single search, [`template`] fills in longer texts.

mod output;
pub(crate) mod screen;
pub(crate) mod shell;
mod template;
pub(crate) mod wall_times;
pub(crate) mod warnings;
pub(crate) mod watch;

pub(crate) use evogrid_core::suggestion::{list, nearest, one_of};
pub(crate) use evogrid_runner::engine::progress::{bar, line, wrapped_line};
pub(crate) use evogrid_runner::experiment::diagnostic::{in_one_line, joined_lines, printable};
pub(crate) use evogrid_runner::system::numbers::{counted, counted_are, duration, grouped};
pub(crate) use evogrid_runner::system::program;

pub(crate) use crate::usage_error::{UsageError, unmade, unrun};
pub(crate) use output::{notes, print, print_as_it_is, print_table, print_to_reader};
pub(crate) use shell::{command_line, going_on, shell_text, shell_word};
pub(crate) use template::{fill_in, rendered};
