//! Cross tables, as in papers. The rows are the values of one key, and the columns are the values of another. Each cell shows the estimate
//! of a metric. In each row, the table marks the best estimate. Estimates that a test cannot distinguish from the best are also marked.

mod figure;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use figure::Figure;
pub use figure::Spread;
pub use table::{CrossTable, render_cross};
