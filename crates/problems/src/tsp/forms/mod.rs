//! Files of instances and tours: TSPLIB95, and what all forms have in common.

pub(crate) mod document;
pub(crate) mod tsplib;
