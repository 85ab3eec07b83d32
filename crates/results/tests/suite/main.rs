//! What is kept of runs, as its users see it: journals, long solutions, and the columns of the tables.

mod journal;
mod readme;
mod solutions;
