//! Commands that show results as tables, comparisons and charts, export or import them, or watch them.

pub(crate) mod answer;
pub(crate) mod export;
pub(crate) mod live;
#[cfg(feature = "charts")]
pub(crate) mod plot;
pub(crate) mod table;
