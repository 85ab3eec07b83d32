//! Effects on made-up runs, and the same figures by other code.

use std::fmt::Write;

use evogrid_results::runs::Reader;

use super::{effects, render};
use crate::metric::Metric;
use crate::ranking::{Ranking, Unit};
use crate::samples::Samples;
use crate::table::Format;

fn samples(csv: &str) -> Samples {
    Samples::read(Reader::new("x.csv", csv.as_bytes()).expect("columns")).expect("rows")
}

/// Two settings that matter, and depend on each other, and one that does nothing; on eight instances, twice each.
fn grid(column: &str, figure: impl Fn(u32, u32, u32, u32) -> String) -> String {
    let mut csv = format!("algorithm,size,rate,colour,instance,repetition,seed,{column}\n");
    for instance in 0..8 {
        for repetition in 0..2 {
            for size in [10, 20, 40] {
                for rate in [1, 2] {
                    for colour in ["blue", "red"] {
                        let seed = 10 * instance + repetition;
                        let figure = figure(instance, repetition, size, rate);
                        let _ = writeln!(csv, "ga,{size},0.{rate},{colour},i{instance},{repetition},{seed},{figure}");
                    }
                }
            }
        }
    }
    csv
}

fn gap(instance: u32, repetition: u32, size: u32, rate: u32) -> String {
    // Something that looks like noise, but is the same everywhere.
    let noise = (instance * 7 + repetition * 5 + size * 3 + rate * 11) % 13;
    let value = 100 / size + 3 * rate * u32::from(size == 40) + instance + noise;
    format!("{value}")
}

#[test]
fn the_answer_is_one_screen() {
    let effects = effects(&samples(&grid("gap", gap)), Metric::Gap).expect("a grid");
    insta::assert_snapshot!(render(&effects, Format::Text { width: Some(80) }, &[]));
    insta::assert_snapshot!("effects_markdown", render(&effects, Format::Markdown, &[]));
    insta::assert_snapshot!("effects_csv", render(&effects, Format::Csv, &[]));
    let latex = render(&effects, Format::Latex, &[]);
    assert!(latex.contains("\\label{tab:shares}") && latex.contains("\\label{tab:effects}"), "{latex}");
}

#[test]
fn means_and_shares_are_those_of_the_definition() {
    let csv = grid("gap", gap);
    let settings = effects(&samples(&csv), Metric::Gap).expect("a grid").settings.expect("it is complete");
    // Each mean again, from the lines of the file.
    let rows: Vec<Vec<&str>> = csv.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let mean = |conditions: &[(usize, &str)]| {
        let fits = |row: &&Vec<&str>| conditions.iter().all(|&(at, value)| row[at] == value);
        let values: Vec<f64> = rows.iter().filter(fits).map(|row| row[7].parse().expect("a number")).collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    for (main, column) in settings.main.iter().zip([1, 2, 3]) {
        for level in &main.levels {
            let other = mean(&[(column, &level.level)]);
            assert!((level.mean - other).abs() < 1e-9, "{} {}", main.name, level.level);
            let difference = level.difference.map_or(0.0, |(difference, _)| difference);
            assert!((difference - (other - mean(&[(column, &main.levels[0].level)]))).abs() < 1e-9);
        }
    }
    // Shares of the variance of means, before noise is subtracted: sizes alone.
    let grand = mean(&[]);
    let sizes = ["10", "20", "40"].map(|size| (mean(&[(1, size)]) - grand).powi(2)).iter().sum::<f64>() / 3.0;
    let noise = sizes - settings.terms[0].variance;
    assert!(noise > 0.0 && noise < 0.3 * sizes, "{sizes} {noise}");
    assert_eq!(settings.terms[3].variance, 0.0, "colour changes nothing");
    assert!((settings.main.iter().map(|main| main.total_share).sum::<f64>() - 1.0).abs() < 1e-12);
}

#[test]
fn a_metric_without_means_is_ranked_and_failed_runs_count_by_its_rule() {
    let csv = grid("solved,evaluations,stop", |instance, _, size, rate| {
        if instance == 0 { "0,9,failed".to_owned() } else { format!("1,{},target", size * rate) }
    });
    let by = |metric| effects(&samples(&csv), metric).expect("a grid");
    let work = by(Metric::Evaluations);
    assert_eq!(work.shared().unit, Unit::Rank);
    assert_eq!(work.ranking.rows.iter().map(|row| row.failed).sum::<usize>(), 24);
    let settings = work.settings.as_ref().expect("it is complete");
    assert!(settings.main[0].levels.windows(2).all(|pair| pair[0].mean < pair[1].mean), "larger sizes take longer");
    let solved = by(Metric::Solved);
    assert_eq!(solved.shared().unit, Unit::Solved);
    assert_eq!(solved.ranking.rows[0].mean, Some(87.5), "seven of eight instances");
    assert_eq!(solved.ranking.n_may_be_best(), Some(12), "all are equal");
}

#[test]
fn gaps_of_several_families_are_ranked_since_they_have_no_common_scale() {
    let mut csv = "algorithm,problem,instance,gap\n".to_owned();
    for instance in 0..8 {
        let (problem, scale) = if instance < 4 { ("tour", 1) } else { ("board", 100) };
        let _ = writeln!(csv, "a,{problem},i{instance},{}\nb,{problem},i{instance},{}", 2 * scale, 3 * scale);
    }
    let of_both = effects(&samples(&csv), Metric::Gap).expect("two configurations");
    assert_eq!((of_both.shared().unit, of_both.ranking.rows[0].mean), (Unit::Rank, Some(0.0)));
    let of_one = effects(&samples(&csv.replace("board", "tour")), Metric::Gap).expect("two configurations");
    assert_eq!((of_one.shared().unit, of_one.ranking.rows[0].mean), (Unit::Gap, Some(101.0)));
}

#[test]
fn what_cannot_be_told_is_refused() {
    let refused = |csv: &str, metric| {
        let error = effects(&samples(csv), metric).expect_err("refused");
        format!("{error}\n  {}", error.help())
    };
    insta::assert_snapshot!(refused("algorithm,instance,gap\na,x,1\n", Metric::Gap), @r"
    there is only one configuration, so no setting varies
      expected an experiment with a varied setting, or several algorithms
    ");
    insta::assert_snapshot!(refused("algorithm,instance,gap\na,x,1\nb,y,1\n", Metric::Gap), @"
    on each instance, at least one configuration has no run that has a gap: the best known value of the instance is missing or 0
      select configurations with `--where`, or choose another `--metric`; metrics of work need a `--target`
    ");
    insta::assert_snapshot!(refused("algorithm,instance,gap\na,x,1\nb,x,1\n", Metric::CpuMs), @r"
    the file has no column `cpu_ms`
      choose another `--metric`, or add the missing column to the file
    ");
}

#[test]
fn a_sample_is_ranked_but_its_settings_are_not_told_apart() {
    let mut csv = "algorithm,size,rate,instance,gap\n".to_owned();
    for instance in 0..6 {
        for (size, rate) in [(10, 1), (20, 2), (30, 3)] {
            let _ = writeln!(csv, "ga,{size},{rate},i{instance},{}", size + instance);
        }
    }
    let effects = effects(&samples(&csv), Metric::Gap).expect("three configurations");
    assert_eq!((effects.settings.as_ref(), effects.ranking.n_may_be_best()), (None, Some(1)));
    let text = render(&effects, Format::Text { width: Some(80) }, &[]);
    assert!(text.contains("The configurations do not form a grid"), "{text}");
    // Which instance comes first decides its part for holdout values, and nothing else.
    let mut lines: Vec<&str> = csv.lines().collect();
    lines[1..].reverse();
    let turned = super::effects(&samples(&lines.join("\n")), Metric::Gap).expect("the same");
    let rows = |ranking: Ranking| -> Vec<_> {
        ranking.rows.into_iter().map(|row| (row.values, row.figure, row.mean, row.may_be_best)).collect()
    };
    assert_eq!(turned.ranking.splits, effects.ranking.splits);
    assert_eq!(rows(turned.ranking), rows(effects.ranking));
}
