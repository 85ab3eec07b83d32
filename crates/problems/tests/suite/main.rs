//! Every family of problems, and the core's searches on real instances of them.
//!
//! Some tests count allocations. The allocator that counts is that of the whole binary, but it counts each thread by itself, and a test has
//! a thread of its own: none disturbs another.

mod ants;
mod backtracking;
mod combinatorial;
mod exact_search;
mod families;
mod flowshop;
mod history;
mod iterated_greedy;
mod memory;
mod qap;
mod restarting_search;
mod tsp;
