//! What is maximised is the mirror image of what is minimised: runs with the negative values have the same gaps, ranks and verdicts.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use evogrid_analysis::charts::{BestChoice, ChartInput, best_configurations, survey};
use evogrid_analysis::compare::{self, CompareOptions, compare};
use evogrid_analysis::metric::Metric;
use evogrid_analysis::samples::Samples;
use evogrid_analysis::summary::{FIGURES, Figure, Summary};
use evogrid_analysis::table::{ColumnSet, Format, Layout, render_by};
use evogrid_core::family::Direction;
use evogrid_results::runs::Reader;
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use serde_json::Value;

mod words;

/// The metrics by which tables and charts rank configurations.
const QUALITIES: [Metric; 3] = [Metric::Solved, Metric::Gap, Metric::Objective];

/// The figures of a summary that change their sign.
const MIRRORED: [Figure; 4] =
    [Figure::MeanBestFitness, Figure::MeanObjective, Figure::MedianObjective, Figure::BestObjective];

/// A run: its objective, if it found a solution, and its evaluations.
type Outcome = (Option<i32>, u32);

/// The runs of four configurations, so many on each instance, whose outcomes repeat these; the sign of all values and the name of the fitness.
fn csv(outcomes: &[Outcome], instances: usize, sign: i32, fitness: &str) -> String {
    let mut text = "run,algorithm,size,problem,bucket,instance,repetition,seed,objective,best_known,fitness,best_fitness,solved,stop,evaluations,cpu_ms,wall_ms,generations\n".to_owned();
    let mut number = 0;
    for (worse, setting) in [(0, "greedy,2"), (2, "greedy,5"), (4, "genetic,2"), (9, "random,")] {
        for instance in 0..instances {
            for repetition in 0..3 {
                let (objective, evaluations) = outcomes[number % outcomes.len()];
                let objective = objective.map(|objective| objective + worse * (1 + instance as i32 % 2));
                let value = objective.map_or(String::new(), |objective| (sign * objective).to_string());
                let known = if instance % 4 == 3 { String::new() } else { (sign * (instance as i32 - 9)).to_string() };
                let solved = objective.is_some_and(|objective| objective < 0);
                let stop = ["failed", "evaluations", "target"][usize::from(objective.is_some()) + usize::from(solved)];
                let bucket = ["easy", "hard"][instance % 2];
                text += &format!(
                    "{number},{setting},family,{bucket},i{instance},{repetition},{repetition},{value},{known},{fitness},{value},{solved},{stop},{evaluations},{evaluations}.5,{evaluations}.75,{}\n",
                    evaluations / 10
                );
                number += 1;
            }
        }
    }
    text
}

/// The trace of such runs: each reaches its best in three steps.
fn trace(folder: &Path, csv: &str, sign: i32) -> PathBuf {
    let path = folder.join(format!("trace{sign}.csv.gz"));
    let mut gzip = GzEncoder::new(File::create(&path).expect("a file"), Compression::fast());
    writeln!(gzip, "run,evaluations,generation,best_fitness").expect("it is written");
    for (number, run) in samples(csv).runs.iter().enumerate() {
        for (at, worse) in [(1, 9.0), (2, 4.0), (run.outcome.evaluations, 0.0)] {
            let best = run.outcome.best_fitness.unwrap_or_default() + f64::from(sign) * worse;
            writeln!(gzip, "{number},{at},{at},{best}").expect("it is written");
        }
    }
    gzip.finish().expect("it is written");
    path
}

fn summary(csv: &str) -> Summary {
    Summary::from_runs(Reader::new("runs.csv", csv.as_bytes()).expect("columns")).expect("rows")
}

fn samples(csv: &str) -> Samples {
    Samples::read(Reader::new("runs.csv", csv.as_bytes()).expect("columns")).expect("rows")
}

/// A text on runs that maximise in the words of runs that minimise.
fn in_mirrored_words(text: &str) -> String {
    let words = [
        ("higher objective", "lower objective"),
        ("higher fitness", "lower fitness"),
        ("rank 1 is the highest", "rank 1 is the lowest"),
        ("The highest value has rank 1", "The lowest value has rank 1"),
        ("(maximised)", "(minimised)"),
        ("objective (minimised)", "objective"),
        ("hortfall from the best", "xcess over the best"),
        ("Shortfall of the runs from the best", "Excess of the runs over the best"),
        ("The shortfall says", "The excess says"),
        ("the objective of a run is below", "the objective of a run is above"),
        ("Objectives are maximised: higher is better.", ""),
    ];
    let text = words.iter().fold(text.to_owned(), |text, (word, mirrored)| text.replace(word, mirrored));
    text.replace("sxcess", "excess")
}

/// The words of a text without signs of numbers.
fn unsigned(text: &str) -> Vec<String> {
    text.split([' ', ',', '\n', '|']).filter(|word| !word.is_empty()).map(|word| word.replace('-', "")).collect()
}

/// The figure of a group for negative values: an interval has its ends exchanged.
fn mirrored_figure(figure: &str) -> String {
    let negative = |number: &str| match number.strip_prefix('-') {
        Some(positive) => positive.to_owned(),
        None if number.trim_matches(['0', '.']).is_empty() || number.parse::<f64>().is_err() => number.to_owned(),
        None => format!("-{number}"),
    };
    match figure.strip_suffix(')').and_then(|figure| figure.split_once(" (")) {
        Some((median, ends)) => {
            let (low, high) = ends.split_once(" to ").expect("an interval");
            format!("{} ({} to {})", negative(median), negative(high), negative(low))
        }
        None => negative(figure),
    }
}

fn input<'a>(samples: &'a Samples, trace: &'a Path, metric: Metric) -> ChartInput<'a> {
    ChartInput {
        samples,
        trace: Some(trace),
        race: None,
        published: None,
        by: &[],
        unit: Metric::Evaluations,
        metric,
        shown: metric,
        columns: 1,
        caveats: &[],
        work_caveat: None,
        has_notes: true,
        most_bytes: usize::MAX,
    }
}

/// The numbers of a field in all rows of a specification.
fn numbers(value: &Value, field: &str, found: &mut Vec<f64>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| numbers(item, field, found)),
        Value::Object(fields) => {
            found.extend(fields.get(field).and_then(Value::as_f64));
            fields.values().for_each(|value| numbers(value, field, found));
        }
        _ => {}
    }
}

fn assert_mirror_image(minimised: &str, maximised: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let texts = [minimised, maximised];
    let [small, large] = texts.map(samples);
    let summaries = texts.map(summary);
    assert_eq!(summaries[1].direction(), Some(Direction::Maximise));
    for (one, other) in summaries[0].rows.iter().zip(&summaries[1].rows) {
        for declared in FIGURES.iter() {
            let values = [one, other].map(|row| row.figures[declared.figure]);
            let expected = if MIRRORED.contains(&declared.figure) { values[0].map(|value| -value) } else { values[0] };
            assert_eq!(values[1], expected, "{}", declared.name);
        }
        assert_eq!((one.figures.rate, one.figures.stops), (other.figures.rate, other.figures.stops));
    }
    for metric in QUALITIES {
        let [one, other] = [0, 1].map(|side: usize| {
            let summary = &summaries[side];
            let table = |format| render_by(summary, (Some(metric), ColumnSet::All), Layout::Buckets, format, None, &[]);
            let best = summary.best_of_many(metric, &["algorithm".to_owned()]);
            (table(Format::Csv), table(Format::Markdown), best)
        });
        if metric == Metric::Objective {
            assert_eq!(unsigned(&in_mirrored_words(&other.1)), unsigned(&one.1));
            assert_eq!(other.2.map(|best| unsigned(&best)), one.2.map(|best| unsigned(&best)));
        } else {
            assert_eq!(other, one);
        }
        let choice = BestChoice { top: Some(2), ..BestChoice::default() };
        let best = [&small, &large].map(|samples| best_configurations(samples, metric, choice).expect("two of four"));
        let [one, other] = best.map(|(best, caveat)| (best.runs.iter().map(|run| run.run).collect::<Vec<_>>(), caveat));
        assert_eq!(one, other);
    }
    assert_comparisons(&small, &large);
    let traces = [trace(folder.path(), minimised, 1), trace(folder.path(), maximised, -1)];
    for metric in QUALITIES {
        let [one, other] =
            [(&small, &traces[0]), (&large, &traces[1])].map(|(samples, trace)| survey(&input(samples, trace, metric)));
        for ((kind, one), (_, other)) in one.into_iter().zip(other) {
            let (one, other) = match (one, other) {
                (Ok(one), Ok(other)) => (one, other),
                (one, other) => {
                    let [one, other] = [one, other].map(|chart| chart.map(|_| ()).map_err(|error| error.to_string()));
                    assert_eq!(one, other, "{kind:?}");
                    continue;
                }
            };
            let [one, other] = [one, other].map(|chart| {
                let words = [&chart.caveats[..], &chart.notes, std::slice::from_ref(&chart.title)].concat().join("\n");
                (in_mirrored_words(&words), chart.spec)
            });
            assert_eq!(one.0, other.0, "{kind:?}");
            let is_of_values = one.1.to_string().contains("\"mean objective\"");
            let is_raw = kind.text() == "convergence" && one.1.to_string().contains("\"median\"");
            if !is_raw && !is_of_values {
                assert_eq!(one.1.to_string(), in_mirrored_words(&other.1.to_string()), "{kind:?} by {metric:?}");
                continue;
            }
            let [one, other] = [&one.1, &other.1].map(|spec| {
                // Along a number a mean is called `rate`.
                let along = match kind.text() {
                    "heatmap" | "bucket-heatmap" | "front" => "value",
                    _ if spec.to_string().contains("\"rate\"") => "rate",
                    _ => "mean",
                };
                let fields = if is_of_values { [along; 3] } else { ["low", "median", "high"] };
                fields.map(|field| {
                    let mut found = Vec::new();
                    numbers(spec, field, &mut found);
                    found
                })
            });
            let negative = |values: &Vec<f64>| values.iter().map(|value| -value).collect::<Vec<f64>>();
            assert!(!one[1].is_empty());
            assert_eq!([&other[0], &other[1], &other[2]].map(negative), [2, 1, 0].map(|at| one[at].clone()));
        }
    }
}

fn assert_comparisons(small: &Samples, large: &Samples) {
    for metric in evogrid_analysis::metric::METRICS.iter().map(|declared| declared.metric) {
        let both = [small, large].map(|samples| {
            compare(samples, metric, CompareOptions::default()).map_err(|error| (error.to_string(), error.help.clone()))
        });
        let [one, other] = match both {
            [Ok(one), Ok(other)] => [one, other],
            [one, other] => {
                assert_eq!(one.map(|_| ()), other.map(|_| ()));
                continue;
            }
        };
        assert_eq!((&one.pairs, &one.omnibus), (&other.pairs, &other.omnibus), "{metric:?}");
        let sentences = other.sentences();
        assert_eq!(one.sentences(), sentences.iter().map(|text| in_mirrored_words(text)).collect::<Vec<_>>());
        let is_mirrored = [Metric::Objective, Metric::BestFitness].contains(&metric);
        for (one, other) in one.groups.iter().zip(&other.groups) {
            let figure = if is_mirrored { mirrored_figure(&one.figure) } else { one.figure.clone() };
            assert_eq!((&one.blocks, figure), (&other.blocks, other.figure.clone()), "{metric:?}");
        }
        let data = [&one, &other].map(|comparison| compare::render(comparison, Format::Csv, &[]));
        assert_eq!(data[0], data[1]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn what_is_maximised_is_the_mirror_image_of_what_is_minimised(
        outcomes in proptest::collection::vec((proptest::option::weighted(0.95, -12..12), 10u32..5000), 1..40),
        instances in 1..9usize,
    ) {
        let [small, large] = [(1, "length"), (-1, "length (maximised)")].map(|(sign, fitness)| csv(&outcomes, instances, sign, fitness));
        assert_mirror_image(&small, &large);
    }
}

/// The runs of two families on the same instances.
fn mixed() -> String {
    let outcomes = [(Some(3), 10), (Some(5), 20), (Some(-4), 50), (Some(1), 9)];
    let [small, large] = [(1, "length"), (-1, "profit (maximised)")].map(|(sign, name)| csv(&outcomes, 3, sign, name));
    let large = large.split_once('\n').expect("a header").1.replace(",family,", ",sack,").replace(",i", ",s");
    small + &large
}

#[test]
fn runs_of_both_directions_are_compared_by_gap_only() {
    let (mixed, folder) = (mixed(), tempfile::tempdir().expect("a folder"));
    let both = samples(&mixed);
    let error = |metric| compare(&both, metric, CompareOptions::default()).expect_err("both directions");
    let refused = error(Metric::Objective);
    insta::assert_snapshot!(refused, @"cannot compare the objective of these runs: length in genetic, greedy, random; profit (maximised) in genetic, greedy, random");
    insta::assert_snapshot!(refused.help(), @"choose a metric that all runs have: `gap`, `solved`, `cpu_ms` or `wall_ms`; or select only the rows of one objective");
    insta::assert_snapshot!(error(Metric::BestFitness), @"cannot compare the best fitness of these runs: length in genetic, greedy, random; profit (maximised) in genetic, greedy, random");
    assert_eq!(both.check_comparable(Metric::Objective, &both.runs), Err(refused));
    let of_one: Vec<_> = both.runs.iter().filter(|run| both.direction(run) == Direction::Maximise).collect();
    assert!(both.check_comparable(Metric::Objective, of_one).is_ok());
    // By gap both families say the same, and so do both together.
    let gaps = compare(&both, Metric::Gap, CompareOptions::default()).expect("gaps");
    let alone = mixed.lines().filter(|line| !line.contains(",sack,")).collect::<Vec<_>>().join("\n");
    let alone = compare(&samples(&alone), Metric::Gap, CompareOptions::default()).expect("gaps");
    let sizes = [gaps, alone].map(|compared| compared.pairs.iter().map(|pair| pair.effect.size).collect::<Vec<_>>());
    assert_eq!(sizes[0], sizes[1]);
    let trace = folder.path().join("none");
    let refused = |metric| {
        let charts = survey(&input(&both, &trace, metric)).into_iter();
        let refused = charts.filter_map(|(kind, chart)| chart.err().map(|error| (kind.text(), error.to_string())));
        refused.filter(|(_, error)| error.contains("cannot compare")).map(|(kind, _)| kind).collect::<Vec<_>>()
    };
    assert_eq!(
        (refused(Metric::Gap), refused(Metric::Objective)),
        (
            vec![],
            vec![
                "gap",
                "gap-distribution",
                "gap-ecdf",
                "heatmap",
                "bucket-heatmap",
                "front",
                "pairs",
                "main-effects",
                "interactions",
                "importance",
                "profile",
                "ranks",
                "scatter"
            ]
        )
    );
    assert_eq!(summary(&mixed).best_of_many(Metric::Objective, &[]), None);
    let table = render_by(
        &summary(&mixed),
        (Some(Metric::Objective), ColumnSet::All),
        Layout::Buckets,
        Format::Markdown,
        None,
        &[],
    );
    assert!(
        table.contains("These objectives are maximised: \\`profit\\`. All other objectives are minimised."),
        "{table}"
    );
}
