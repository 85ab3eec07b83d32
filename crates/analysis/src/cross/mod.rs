//! Cross tables, as printed in papers. The rows are the values of one key, and the columns are the values of another key. Each cell shows
//! the estimate of a metric. In each row, the table marks the best estimate. The table also marks every estimate that a test cannot
//! distinguish from the best estimate.

mod figure;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use figure::Figure;
pub use figure::Spread;
pub use table::{CrossTable, render_cross};
