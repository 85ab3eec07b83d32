//! Runs and published figures for the tests, read from lines of a CSV as a user's are.

use evogrid_analysis::Published;
use evogrid_analysis::samples::Samples;
use evogrid_results::runs::Reader;

/// The runs of a CSV.
pub(crate) fn samples(csv: &str) -> Samples {
    Samples::read(Reader::new("runs.csv", csv.as_bytes()).expect("columns")).expect("rows")
}

/// Published figures; each row has a source, the values of the settings, and the six columns from `bucket` on.
pub(crate) fn published(settings: &str, rows: &[&str]) -> Published {
    let columns = "bucket,runs,success_rate,mean_ms_solved,mean_generations,mean_ms_unsolved";
    let csv = format!("source,{settings}{columns}\n{}\n", rows.join("\n"));
    Published::read("published.csv", csv.as_bytes()).expect("figures")
}
