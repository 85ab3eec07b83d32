//! A results folder watched while processes fill it: no port, no message to the processes, only their files.
//!
//! A [`Watch`] reads the manifests, the sessions and the tails of the journals, and keeps aggregates; each look gives a [`LiveState`], which
//! [`text`] shows on a terminal and [`page`] as one HTML file.

mod experiment;
mod groups;
pub(crate) mod page;
mod processes;
mod rate;
mod standing;
mod state;
mod tally;
#[cfg(test)]
mod test_state;
pub(crate) mod text;
mod watch;

pub(crate) use state::{LiveState, Phase};
pub(crate) use watch::Watch;
