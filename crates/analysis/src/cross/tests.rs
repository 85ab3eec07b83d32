//! Tables with one key down and another across, on made-up runs.

use std::fmt::Write;

use evogrid_results::runs::Reader;

use super::{CrossTable, Spread, render_cross};
use crate::metric::Metric;
use crate::samples::{Key, Samples};
use crate::table::Format;

/// `good` is better than `bad` by 1 on every instance, and `mixed` is the best on one class and the worst on the other.
fn runs() -> Samples {
    let mut csv = "algorithm,instance,bucket,repetition,solved,gap,evaluations\n".to_owned();
    for instance in 0..16 {
        let class = if instance < 8 { "20x5" } else { "50x10" };
        for repetition in 0..3 {
            let noise = f64::from((instance * 5 + repetition * 7) % 11) / 50.0;
            for (algorithm, gap) in [("good", 2.0), ("bad", 3.0), ("mixed", if instance < 8 { 1.0 } else { 4.0 })] {
                let gap = gap + noise;
                let _ = writeln!(
                    csv,
                    "{algorithm},i{instance},{class},{repetition},{},{gap},{}",
                    gap < 2.1,
                    (100.0 * gap).round()
                );
            }
        }
    }
    Samples::read(Reader::new("x.csv", csv.as_bytes()).expect("columns")).expect("rows")
}

const ASKED: CrossTable<'_> = CrossTable {
    rows: &[Key::Bucket],
    columns: &[Key::Algorithm],
    metrics: &[Metric::Gap],
    spread: Spread::Interval,
    baseline: None,
};

#[test]
fn the_table_of_a_paper_marks_the_best_and_what_may_be_the_best() {
    let shown = |asked, format| render_cross(&runs(), asked, format, &[]).expect("it can be compared");
    let text = Format::Text { width: Some(80) };
    insta::assert_snapshot!("cross_gap", shown(ASKED, text));
    insta::assert_snapshot!("cross_gap_markdown", shown(ASKED, Format::Markdown));
    insta::assert_snapshot!("cross_gap_csv", shown(ASKED, Format::Csv));
    let latex = shown(ASKED, Format::Latex);
    assert!(latex.contains("\\textbf{1.10 {[}") || latex.contains("\\textbf{1."), "{latex}");
    insta::assert_snapshot!(
        "cross_success",
        shown(CrossTable { metrics: &[Metric::Solved, Metric::Evaluations], baseline: Some("bad"), ..ASKED }, text)
    );
    for (spread, name) in [(Spread::Deviation, "deviation"), (Spread::Quartiles, "quartiles"), (Spread::None, "none")] {
        insta::assert_snapshot!(format!("cross_{name}"), shown(CrossTable { spread, ..ASKED }, text));
    }
}

#[test]
fn only_configurations_are_ranked() {
    let asked = CrossTable {
        rows: &[Key::Algorithm],
        columns: &[Key::Bucket],
        metrics: &[Metric::Evaluations],
        spread: Spread::Expected,
        baseline: None,
    };
    let text = render_cross(&runs(), asked, Format::Text { width: Some(80) }, &[]).expect("it can be shown");
    insta::assert_snapshot!("cross_ert", text);
    assert!(!text.contains('*') && !text.contains("mean rank"), "an easier class is not better: {text}");
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let refused = |asked| render_cross(&runs(), asked, Format::Csv, &[]).expect_err("refused");
    insta::assert_snapshot!(refused(CrossTable { baseline: Some("god"), ..ASKED }), @r"
    no column is called `god`
      expected `good`, `bad` or `mixed`; did you mean `good`?
    ");
    insta::assert_snapshot!(refused(CrossTable { metrics: &[Metric::WallMs], ..ASKED }), @r"
    the file has no column `wall_ms`
      choose another `--metric`, or add the missing column to the file
    ");
}
