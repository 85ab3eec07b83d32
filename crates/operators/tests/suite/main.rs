//! Every operator and every search that uses one, on a small problem of any shape: laws, pinned outcomes, memory.
//!
//! Some tests count allocations. The allocator that counts is that of the whole binary, but it counts each thread by itself, and a test has
//! a thread of its own: none disturbs another.

mod allocations;
mod any;
mod genes;
mod laws;
mod memory;
mod nested;
mod pinned;
mod searches;
mod support;
