//! The workspace as a whole: its structure and releases, the examples, and searches on every family.
//!
//! Some tests count allocations. The allocator that counts is that of the whole binary, but it counts each thread by itself, and a test has
//! a thread of its own: none disturbs another.

mod added_neighbourhood;
mod allocations;
mod boards;
mod examples;
mod families;
mod neighbourhoods;
mod release;
mod search_laws;
mod small_instance;
mod structure;
mod worked_examples;
