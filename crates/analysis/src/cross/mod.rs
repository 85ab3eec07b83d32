//! Cross tables, as in papers. One key is down and another key is across, and each cell has the figure of a metric. A table marks the best
//! figure of each row, and the figures that cannot be distinguished from the best.

mod cells;
mod figure;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use figure::Figure;
pub use figure::Spread;
pub use table::{CrossTable, render_cross};
