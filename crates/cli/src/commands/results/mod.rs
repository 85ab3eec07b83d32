//! Commands that show results: tables, comparisons, charts, reports, exports, imports, the live view.

pub(crate) mod answer;
pub(crate) mod compare;
pub(crate) mod effects;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod live;
#[cfg(feature = "charts")]
pub(crate) mod plot;
#[cfg(feature = "charts")]
pub(crate) mod report;
pub(crate) mod table;
#[cfg(not(feature = "charts"))]
pub(crate) mod without_charts;
#[cfg(not(feature = "charts"))]
pub(crate) use {without_charts as plot, without_charts as report};
