//! A live view of results folders, made only from their files. The view needs no network port, and sends no messages to the processes that
//! do the runs.
//!
//! A [`Watch`] reads the manifests, the sessions and the ends of the journals, and keeps aggregates. Each look returns a [`LiveState`]. The
//! module [`text`] shows the state on a terminal, and the module [`page`] writes it as one HTML file.

mod experiment;
pub(crate) mod page;
mod processes;
mod standing;
mod state;
mod tally;
#[cfg(test)]
mod test_state;
pub(crate) mod text;
mod watch;

pub(crate) use state::{LiveState, Phase};
pub(crate) use watch::Watch;
