//! What the tables look like, for Huke's experiment and for hostile names.

use proptest::prelude::*;

use super::*;
use crate::published::tests::huke;
use crate::test_runs::{published, run, summary};

/// The prototype's rates at population 100, 100 runs a bucket.
fn ours() -> Summary {
    let bucket = |bucket: &'static str, solved: u64, ms: f64, generations: u64| {
        (0..100).map(move |run_number| {
            let is_solved = run_number < solved;
            let ms = if is_solved { ms } else { 3.0 * ms };
            run(100, bucket, is_solved, ms, if is_solved { generations } else { 33 })
        })
    };
    let easy = bucket("easy", 85, 1.2345, 9);
    let rows = easy.chain(bucket("medium", 54, 12.345, 20)).chain(bucket("hard", 35, 1234.5, 49));
    summary(rows.chain(bucket("expert", 0, 123456.0, 60)))
}

#[test]
fn a_block_has_a_row_for_each_bucket() {
    insta::assert_snapshot!(render_by(
        &ours(),
        (None, ColumnSet::All),
        Layout::Buckets,
        Format::Text { width: None },
        None,
        &[]
    ));
}

#[test]
fn published_figures_stand_beside_ours_and_those_outside_are_named() {
    insta::assert_snapshot!(render_by(
        &ours(),
        (None, ColumnSet::All),
        Layout::Buckets,
        Format::Text { width: None },
        Some(&huke()),
        &[]
    ));
}

#[test]
fn a_setting_that_an_algorithm_does_not_have_is_no_part_of_its_heading() {
    let mut ours = ours();
    ours.rows.iter_mut().for_each(|row| row.varied[0].clear());
    assert!(
        render_by(&ours, (None, ColumnSet::All), Layout::Buckets, Format::Text { width: None }, None, &[])
            .starts_with("huke\nbucket")
    );
}

#[test]
fn hukes_table_fits_a_terminal() {
    let blocks = [100, 500, 1000].map(|population| ["easy", "medium", "hard", "expert"].map(|b| (population, b)));
    let wide = blocks
        .into_iter()
        .flatten()
        .flat_map(|(population, bucket)| (0..1000).map(move |n| run(population, bucket, n % 8 > 0, 123_456.7, 1234)));
    let summary = summary(wide);
    for published in [None, Some(&huke())] {
        let text =
            render_by(&summary, (None, ColumnSet::All), Layout::Buckets, Format::Text { width: None }, published, &[]);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}

#[test]
fn figures_all_inside_are_said_to_be() {
    let rows = ["easy", "medium"].map(|bucket| run(100, bucket, true, 1.0, 1));
    let text = render_by(
        &summary(rows),
        (None, ColumnSet::All),
        Layout::Buckets,
        Format::Text { width: None },
        Some(&huke()),
        &[],
    );
    assert!(text.ends_with("\nAll 2 published rates lie inside the 95 % range that our runs predict.\n"), "{text}");
}

#[test]
fn figures_that_cannot_be_told_apart_are_not_shown() {
    let mut unvaried = ours();
    unvaried.varied.clear();
    unvaried.rows.iter_mut().for_each(|row| row.varied.clear());
    let text =
        render_by(&unvaried, (None, ColumnSet::All), Layout::Buckets, Format::Text { width: None }, Some(&huke()), &[]);
    let notes: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("No ")).collect();
    insta::assert_snapshot!(notes.join("\n"), @"");
}

#[test]
fn the_csv_has_numbers_only_and_a_column_for_each_end() {
    insta::assert_snapshot!(render_by(
        &ours(),
        (None, ColumnSet::All),
        Layout::Buckets,
        Format::Csv,
        Some(&huke()),
        &[]
    ));
}

#[test]
fn markdown_and_latex_show_the_same_table() {
    insta::assert_snapshot!(
        "markdown",
        render_by(&ours(), (None, ColumnSet::All), Layout::Buckets, Format::Markdown, Some(&huke()), &[])
    );
    insta::assert_snapshot!(
        "latex",
        render_by(&ours(), (None, ColumnSet::All), Layout::Buckets, Format::Latex, Some(&huke()), &[])
    );
}

/// The width of the tabulars in a LaTeX text in points, by the rules of its columns: what wraps says its width.
fn latex_widths(text: &str) -> Vec<f64> {
    let mut widths = Vec::new();
    for environment in text.split("\\begin{tabular}").skip(1) {
        let (alignment, body) = environment.split_once('\n').expect("lines");
        let alignment = alignment.replace(">{\\raggedright\\arraybackslash}", "");
        let (body, _) = body.split_once("\\end{").expect("an end");
        let rows = || body.lines().filter(|line| line.contains(" & ")).map(|line| line.split(" & "));
        let seen = |cell: &str| {
            let cell =
                cell.trim_end_matches(" \\\\").replace("$^{*}$", "*").replace("--", "-").replace("\\allowbreak", "");
            // Widths of a point, an average letter and a digit at 8 points.
            let width = |sign: char| match sign {
                '.' => 2.36,
                'a'..='z' => 4.0,
                _ => 4.25,
            };
            cell.chars().filter(|sign| !['\\', '{', '}'].contains(sign)).map(width).sum::<f64>()
        };
        let mut width = 0.0;
        let (mut column, mut signs) = (0, alignment[1..alignment.len() - 1].chars());
        while let Some(sign) = signs.next() {
            width += 5.0;
            width += match sign {
                'p' => signs
                    .by_ref()
                    .take_while(|&sign| sign != '}')
                    .filter(char::is_ascii_digit)
                    .collect::<String>()
                    .parse()
                    .expect("a width"),
                _ => rows().filter_map(|mut cells| cells.nth(column).map(seen)).fold(0.0, f64::max),
            };
            column += 1;
        }
        widths.push(width);
    }
    widths
}

#[test]
fn a_latex_table_is_no_wider_than_a_line_and_has_a_caption_and_a_label() {
    let many = (0..12).flat_map(|population| {
        ["easy", "medium", "hard", "expert"]
            .map(|bucket| run(100 * population, bucket, population % 2 > 0, 123_456.7, 1234))
    });
    let mut twelve = ours();
    twelve.varied = (0..12).map(|at| format!("setting_{at}.of_a_long_name_without_a_space")).collect();
    for row in &mut twelve.rows {
        row.algorithm =
            "an_algorithm_of_a_long_name_without_a_space_that_no_line_has_room_for_at_all_however_wide".to_owned();
        row.varied = twelve.varied.clone();
    }
    for summary in [ours(), summary(many), twelve] {
        for layout in [Layout::Buckets, Layout::Long] {
            for published in [None, Some(&huke())] {
                let text = render_by(&summary, (None, ColumnSet::All), layout, Format::Latex, published, &[]);
                let widths = latex_widths(&text);
                assert!(!widths.is_empty() && widths.iter().all(|width| *width <= 345.0), "{widths:?}\n{text}");
                let longest = text.split("\\begin{tabular}").map(|page| page.matches(" \\\\\n").count()).max();
                assert!(longest <= Some(45), "it has room on a page: {longest:?}\n{text}");
                assert_eq!(text.matches("\\begin{table*}").count(), widths.len(), "it also stands across two columns");
                assert_eq!(text.matches("\\caption{").count(), widths.len());
                assert_eq!(text.matches("\\label{tab:").count(), widths.len());
            }
        }
    }
}

#[test]
fn a_latex_text_needs_no_command_that_a_plain_document_lacks_and_names_foreign_letters() {
    let text =
        latex::render(&Table { notes: vec!["\"alike\", --reuse, Łódź 人口".to_owned()], ..Table::default() });
    assert!(
        text.starts_with("% needs \\usepackage{array,booktabs}\n% needs \\usepackage[T1]{fontenc} for óŁź人口\n"),
        "{text}"
    );
    assert!(text.contains("\\symbol{34}alike\\symbol{34}, -{}-reuse, Łódź 人口"), "{text}");
}

/// A table in a terminal of so many characters, in which no line is wider.
fn in_terminal(summary: &Summary, layout: Layout, width: usize) -> String {
    let text = render_by(summary, (None, ColumnSet::All), layout, Format::Text { width: Some(width) }, None, &[]);
    assert!(text.lines().all(|line| line.chars().count() <= width), "{width}:\n{text}");
    text
}

#[test]
fn in_a_terminal_a_table_wraps_or_comes_in_parts_and_nothing_is_lost() {
    let mut summary = ours();
    summary.varied = ["population", "mutation", "selection", "survival"].map(str::to_owned).to_vec();
    for row in &mut summary.rows {
        row.varied =
            ["100", "swap-diagonal", "truncation(fraction=0.2,elite=3)", "parents-stay"].map(str::to_owned).to_vec();
    }
    for width in [60, 80, 120] {
        insta::assert_snapshot!(format!("terminal_of_{width}"), in_terminal(&summary, Layout::Buckets, width));
        insta::assert_snapshot!(format!("long_terminal_of_{width}"), in_terminal(&summary, Layout::Long, width));
    }
}

#[test]
fn the_long_table_is_the_summary() {
    let summary = ours();
    let mut written = Vec::new();
    summary.write_csv(&mut written, &[]).expect("memory");
    assert_eq!(render_by(&summary, (None, ColumnSet::All), Layout::Long, Format::Csv, None, &[]).as_bytes(), written);
    let beside = render_by(&summary, (None, ColumnSet::All), Layout::Long, Format::Csv, Some(&huke()), &[]);
    let ends: Vec<&str> = beside.lines().take(4).filter_map(|line| line.get(line.len() - 51..)).collect();
    insta::assert_snapshot!(ends.join("\n"), @"
    blished_mean_generations,published_mean_ms_unsolved
    ,,0,1,100.000,100,10,1.0000,0.6000,1.0000,1102,7.2,
    ,100.000,100,10,0.6000,0.2000,0.8000,2721,18.8,6381
    ,0,1,100.000,100,10,0.0000,0.1000,0.7000,,32.3,9412
    ");
}

#[test]
fn foreign_signs_are_escaped() {
    let summary = summary([run(1, "a|b & 50%_<b>*\u{1b}[31m\n\\", true, 1.0, 1)]);
    let row = |format, start: &str| {
        let text = render_by(&summary, (None, ColumnSet::All), Layout::Buckets, format, None, &[]);
        text.lines().find(|line| line.starts_with(start)).map(str::to_owned).unwrap_or(text)
    };
    insta::assert_snapshot!(row(Format::Text { width: None }, "a|b"), @r"a|b & 50%_<b>*\u{1b}[31m\n\ 100 20-100    1 1.000 1.125 1.000     -      - 100.0 -");
    insta::assert_snapshot!(row(Format::Csv, "huke"), @r"huke,1,a|b & 50%_<b>*\u{1b}[31m\n\,100,20.6,100,1,1.000,1.125,1.000,,,100.0,");
    insta::assert_snapshot!(row(Format::Markdown, "| a"), @r"| a\|b \& 50%_\<b\>\*\\u{1b}\[31m\\n\\ | 100 | 20.6-100 | 1 | 1.000 | 1.125 | 1.000 | - | - | 100.0 | - |");
    insta::assert_snapshot!(row(Format::Latex, "a"), @r"a\textbar{}b \& 50\%\_\allowbreak{}\textless{}b\textgreater{}{*}\allowbreak{}\textbackslash{}u\{1b\}\allowbreak{}{[}31m\textbackslash{}\allowbreak{}n\textbackslash{} & 100 & 20.6--100 & 1 & 1.000 & 1.125 & 1.000 & -- & -- & 100.0 & -- \\");
}

#[test]
fn a_name_of_any_length_is_shown() {
    let summary = summary([run(1, &"x".repeat(200_000), true, 1.0, 1)]);
    assert!(
        render_by(&summary, (None, ColumnSet::All), Layout::Buckets, Format::Text { width: None }, None, &[]).len()
            > 200_000
    );
}

#[test]
fn the_ends_of_an_interval_are_rounded_outwards() {
    let ends = |low, high, step| model::interval_ends(low, high, step).join("-");
    assert_eq!(ends(99.996, 100.0, model::TENTH), "99.9-100");
    assert_eq!(ends(0.0, 0.001, model::TENTH), "0-0.1");
    assert_eq!(ends(60.000000001, 89.999999999, model::TENTH), "60-90");
    assert_eq!(ends(76.7, 90.2, 1.0), "76-91");
}

proptest! {
    #[test]
    fn nothing_that_steers_a_terminal_is_printed(algorithm in any::<String>(), name in any::<String>(), bucket in any::<String>()) {
        let mut summary = summary([run(1, &bucket, true, 1.0, 1)]);
        summary.varied = vec![name];
        summary.rows.iter_mut().for_each(|row| row.algorithm.clone_from(&algorithm));
        for layout in [Layout::Buckets, Layout::Long] {
            for format in [Format::Text { width: None }, Format::Csv, Format::Markdown, Format::Latex] {
                let text = render_by(&summary, (None, ColumnSet::All), layout, format, Some(&huke()), &[]);
                prop_assert!(!text.chars().any(|sign| sign.is_control() && sign != '\n'), "{text:?}");
            }
        }
    }
}

#[test]
fn a_published_rate_without_its_runs_is_shown_and_not_judged() {
    let published = published("population,", &["x,100,easy,,0.5,,,"]);
    let table = render_by(&ours(), (None, ColumnSet::All), Layout::Buckets, Format::Markdown, Some(&published), &[]);
    assert!(table.contains("cannot be compared with our runs: their numbers of runs are unknown."), "{table}");
}

#[test]
fn wall_times_are_shown_by_rates_and_in_the_long_layout() {
    let shows = |metric, layout| shows_wall_times(&ours(), metric, layout);
    assert!(shows(None, Layout::Buckets) && shows(Some(Metric::Solved), Layout::Buckets));
    assert!(!shows(Some(Metric::Gap), Layout::Buckets) && shows(Some(Metric::Gap), Layout::Long));
    let unclocked = "algorithm,instance,solved\na,x,true\n";
    let unclocked =
        Summary::from_runs(evogrid_results::runs::Reader::new("runs.csv", unclocked.as_bytes()).expect("columns"));
    assert!(!shows_wall_times(&unclocked.expect("rows"), None, Layout::Long), "there are none");
}
