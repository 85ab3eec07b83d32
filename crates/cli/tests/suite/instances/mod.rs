//! Instances by themselves: read, made, rated and solved.

mod generate;
mod paths;
mod rate;
mod solve;
