//! What is shown: warnings below tables, a watched search, text that is safe in a shell or a page.

pub(crate) mod foreign;
pub(crate) mod html;
pub(crate) mod plan_notes;
pub(crate) mod screen;
pub(crate) mod shell;
pub(crate) mod steps;
pub(crate) mod template;
pub(crate) mod wall_times;
pub(crate) mod warnings;
pub(crate) mod watch;
