//! Cross tables, as in papers. The values of one key are the rows, the values of another key are the columns, and each cell shows the
//! estimate of a metric. In each row, the table marks the best estimate, and all estimates that a test cannot distinguish from the best
//! estimate.

mod figure;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use figure::Figure;
pub use figure::Spread;
pub use table::{CrossTable, render_cross};
