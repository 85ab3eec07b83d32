//! What is kept of runs, as its users see it: journals and long solutions.

mod journal;
mod solutions;
