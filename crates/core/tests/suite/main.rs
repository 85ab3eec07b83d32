//! The core's own searches, budgets, settings and identities, on small problems made for the tests.

mod backtracking;
mod combinatorial;
mod evaluator;
mod exact_search;
mod families;
mod genetic;
mod identity;
mod latin;
mod memory;
