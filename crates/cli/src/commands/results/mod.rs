//! Commands that show results: tables, comparisons, charts, exports, imports, the live view.

pub(crate) mod answer;
pub(crate) mod export;
pub(crate) mod live;
#[cfg(feature = "charts")]
pub(crate) mod plot;
pub(crate) mod table;
