//! Cross tables, as in papers. The values of one key are the rows, the values of another key are the columns, and each cell has the figure
//! of a metric. The table marks the best figure of each row, and the figures that cannot be distinguished from the best figure.

mod cells;
mod figure;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use figure::Figure;
pub use figure::Spread;
pub use table::{CrossTable, render_cross};
