//! Baselines from elsewhere: mixed-integer programming ([`milp`]) and satisfiability ([`sat`]).
//!
//! Both read the all-different [`Structure`](evogrid_core::search::exact::Structure) of a problem, so they solve whatever the
//! core's own backtracking solves. They are a crate of their own since what they stand on takes long to build.

mod model;

pub mod milp;
pub mod sat;

use evogrid_core::catalogue::Catalogue;

/// Adds the solvers to a catalogue.
pub fn register(catalogue: &mut Catalogue) {
    catalogue.add_self_terminating(milp::member());
    catalogue.add_self_terminating(sat::member());
}
