//! Tables, comparisons and charts of whole result files.

mod minimising;
mod readme;
