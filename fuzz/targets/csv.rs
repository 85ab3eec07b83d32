//! CSVs of other programs, runs or a summary, as `runner table` takes them; after a line of four dashes, published figures.
//!
//! No table in any format can steer a terminal, and none for a page holds markup that stood in the files.
#![no_main]

use evogrid_analysis::Published;
use evogrid_analysis::summary::Summary;
use evogrid_analysis::table::{ColumnSet, Format, Layout, render_by};
use evogrid_fuzz::{FORMATS, assert_harmless, check_or_refuse, parts};
use evogrid_results::runs::Reader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let [runs, published] = parts(bytes);
    let published = Published::read("published.csv", published);
    let published = published.map_err(|wrong| assert_harmless(&wrong.to_string())).ok();
    let of_runs = Reader::new("runs.csv", runs).and_then(Summary::from_runs);
    for summary in [of_runs, Summary::read_csv("runs.csv", runs)] {
        check_or_refuse(summary, |summary| check(&summary, published.as_ref()));
    }
});

fn check(summary: &Summary, published: Option<&Published>) {
    for layout in [Layout::Buckets, Layout::Long] {
        for format in FORMATS {
            let table = render_by(summary, (None, ColumnSet::All), layout, format, published, &[]);
            assert_harmless(&table);
            if format == Format::Markdown {
                let is_escaped = |(at, _): (usize, &str)| table[..at].ends_with('\\');
                assert!(table.match_indices('<').all(is_escaped), "{table}");
            }
        }
    }
    let mut written = Vec::new();
    summary.write_csv(&mut written, &[]).expect("writing to memory cannot fail");
}
