//! The table of a paper: one key down, another across, and in each cell the figure of a metric; the best of each row is marked, and what
//! cannot be told from it.

mod cells;
mod figure;
mod standing;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use figure::Figure;
pub use figure::Spread;
pub use table::{CrossTable, render_cross};
