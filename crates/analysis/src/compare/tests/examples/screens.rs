//! Whole screens of comparisons at 80 columns, as a reviewer reads them.

use super::*;
use crate::table::Format;

fn screen(comparison: &Comparison) -> String {
    render(comparison, Format::Text { width: Some(80) }, &[])
}

#[test]
fn foreign_runs_with_unequal_limits_and_buckets_that_disagree() {
    // Runs of one law on steep instances, one of two laws on flat ones; the limits differ, and the file does not say why runs stopped.
    let rows = (0..160).flat_map(|run| {
        let (at, needed) = (run % 8, 37 * (run / 8 % 20 + 1));
        let row = move |name: &str, needed: u32, limit: u32| {
            let bucket = if at < 4 { "flat" } else { "steep" };
            format!("{name},i{at},{},{bucket},{},{}\n", run / 8, needed <= limit, needed.min(limit))
        };
        [row("short", if at < 4 { needed / 4 } else { 2 * needed }, 300), row("long", needed, 700)]
    });
    insta::assert_snapshot!(screen(&of_rows("bucket,solved,evaluations", rows, Metric::Evaluations, &[])));
}

#[test]
fn configurations_of_long_names_are_told_by_numbers() {
    let rows = (0..8).flat_map(|at| {
        (0..10).flat_map(move |run| {
            ["0.5", "1"].into_iter().flat_map(move |rate| {
                [10, 200].map(|population| {
                    let solved = run < 3 + population / 40 + at % 2;
                    format!("genetic,i{at},{run},{population},{rate},{solved}\n")
                })
            })
        })
    });
    insta::assert_snapshot!(screen(&of_rows("population,mutation_rate,solved", rows, Metric::Solved, &[])));
}
