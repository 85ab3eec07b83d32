//! Commands that show results: tables, comparisons, charts, reports, exports, imports, the live view.

pub(crate) mod answer;
pub(crate) mod compare;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod live;
#[cfg(feature = "charts")]
pub(crate) mod plot;
#[cfg(feature = "charts")]
pub(crate) mod report;
pub(crate) mod table;
