//! Foreign solvers on boards: that they agree with the other exact methods, and what memory they take.
//!
//! Some tests count allocations. The allocator that counts is that of the whole binary, but it counts each thread by itself, and a test has
//! a thread of its own: none disturbs another.

mod agreement;
mod memory;
