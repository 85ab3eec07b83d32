//! Tables, comparisons and charts of whole result files.

mod direction;
mod minimising;
mod readme;
mod truncation;
