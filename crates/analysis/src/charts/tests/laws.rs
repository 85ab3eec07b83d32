//! What holds for every chart: it computes nothing, takes no name for more than text, stays bounded, and refuses with a sentence.

use super::*;
use crate::test_runs::quoted;

/// Two algorithms, two settings, numbered buckets and a trace: every chart but `published` can be made of it.
fn everything(names: [&str; 2]) -> String {
    let a = quoted(names[0]);
    let mut lines = format!("run,algorithm,{a},b,instance,bucket,solved,gap,evaluations,generations,wall_ms\n");
    let mut run = 0;
    for algorithm in [names[1], "other"] {
        for (a, b) in [(10, 1), (10, 2), (2000, 1), (2000, 2)] {
            for instance in (0..6).flat_map(|instance| [instance; 8]) {
                let solved = (run * 7) % 3 > 0;
                let (instance, bucket) = (quoted(&format!("{} {instance}", names[0])), 20 + instance % 3);
                let (algorithm, evaluations) = (quoted(algorithm), 50 + run);
                lines += &format!(
                    "{run},{algorithm},{a},{b},{instance},{bucket},{solved},{}.5,{evaluations},2,0.5\n",
                    run % 7
                );
                run += 1;
            }
        }
    }
    lines
}

fn surveyed(lines: &str) -> Vec<(ChartKind, Result<Chart, ChartError>)> {
    let (_folder, trace) = traced(Trigger::Every(1));
    let published = published("", &["x,20,10,0.5,,,"]);
    // A setting of the race has the name of one of the runs, and that as its value.
    let name = lines.split(',').nth(2).expect("a name");
    let race = recorded_race(name, &[&format!("0,,winner,1,0,3,4,1,1,,{name}"), "1,0,set aside,,0,3,4,0,2,8,"]);
    let mut samples = samples(lines);
    samples.sizes = (0..samples.roster.instances.len()).map(|at| Some(10.0 + at as f64)).collect();
    survey(&ChartInput { trace: Some(&trace), race: Some(&race), published: Some(&published), ..input(&samples) })
}

/// Visits every value with the key it stands under.
fn visit<'a>(key: &'a str, value: &'a Value, see: &mut impl FnMut(&'a str, &'a Value)) {
    see(key, value);
    match value {
        Value::Array(parts) => parts.iter().for_each(|part| visit(key, part, see)),
        Value::Object(parts) => parts.iter().for_each(|(key, part)| visit(key, part, see)),
        _ => {}
    }
}

/// Names that would do something, were they ever taken for more than text.
const HOSTILE: [&str; 2] = ["datum['x'] \\\" + alert(1) + \"", "{\"expr\": \"1\"}\n</script>.[0]"];

#[test]
fn every_chart_can_be_made_of_enough() {
    for (name, chart) in surveyed(&everything(["a", "one"])) {
        let chart = chart.unwrap_or_else(|error| panic!("{name:?}: {error}"));
        assert_eq!(chart.kind, name);
        assert!(!chart.title.is_empty() && !chart.notes.is_empty() && !name.doc().is_empty());
    }
}

#[test]
fn a_chart_computes_nothing_and_points_to_nothing() {
    for (name, chart) in surveyed(&everything(["a", "one"])) {
        visit("", &chart.expect("a chart").spec, &mut |key, value| {
            let is_computed =
                ["transform", "aggregate", "bin", "stack", "density", "impute", "timeUnit"].contains(&key);
            assert!(!is_computed && key != "url" && key != "href", "{name:?}: {key}: {value}");
            assert!(!value.is_number() || value.as_f64().is_some_and(f64::is_finite), "{name:?}: {key}: {value}");
        });
    }
}

#[test]
fn names_from_data_are_text_wherever_they_stand() {
    let own: Vec<String> = surveyed(&everything(["a", "one"]))
        .into_iter()
        .flat_map(|(_, chart)| expressions(&chart.expect("a chart").spec))
        .collect();
    for (name, chart) in surveyed(&everything(HOSTILE)) {
        let chart = chart.unwrap_or_else(|error| panic!("{name:?}: {error}"));
        for expression in expressions(&chart.spec) {
            assert!(own.contains(&expression), "{name:?}: {expression}");
        }
        visit("", &chart.spec, &mut |key, value| {
            assert!(!["expr", "signal"].contains(&key), "{name:?}: {value}");
            // Vega-Lite makes expressions of fields and of their titles.
            if let Some(parts) = value.as_object().filter(|parts| parts.contains_key("field")) {
                let is_plain = |text: &Value| {
                    text.as_str().is_some_and(|text| text.chars().all(|c| c.is_alphanumeric() || " ()".contains(c)))
                };
                assert!(is_plain(&parts["field"]) && parts.get("title").is_none_or(is_plain), "{name:?}: {value}");
            }
            if let Some(text) = value.as_str() {
                assert!(!text.contains(char::is_control), "{name:?}: {text:?}");
            }
        });
    }
}

/// The expressions of a description.
fn expressions(spec: &Value) -> Vec<String> {
    let mut found = Vec::new();
    visit("", spec, &mut |key, value| {
        if ["labelExpr", "test", "calculate", "filter", "datum"].contains(&key) {
            let expression = value.to_string();
            // The numbers of an axis differ from chart to chart.
            found.push(expression.chars().filter(|c| !c.is_ascii_digit() && *c != '.').collect());
        }
    });
    found
}

#[test]
fn the_same_runs_make_the_same_charts() {
    let text = || -> Vec<String> {
        let made = surveyed(&everything(["a", "one"]));
        made.into_iter().map(|(_, chart)| chart.expect("a chart").spec.to_string()).collect()
    };
    assert_eq!(text(), text());
}

#[test]
fn many_settings_make_no_bigger_chart() {
    let mut lines = "algorithm,a,b,c,instance,bucket,solved,evaluations,wall_ms\n".to_owned();
    for run in 0..8_000 {
        let (a, b, c) = (run % 17, run / 17 % 23, run);
        let bucket = run % 21;
        lines += &format!("algorithm-{},{a},{b},{c}.5,i{},{bucket},{},{run},1\n", run % 60, run % 500, run % 2);
    }
    let samples = samples(&lines);
    for (name, chart) in survey(&input(&samples)) {
        let Ok(chart) = chart else { continue };
        let bytes = chart.spec.to_string().len();
        assert!(bytes < 1_500_000 && panels(&chart).len() <= 8, "{name:?}: {bytes} bytes");
        assert!(
            chart
                .caveats
                .iter()
                .chain(&chart.notes)
                .any(|note| { ["left out", "taken together", "best"].iter().any(|said| note.contains(said)) }),
            "{name:?}: {:?} {:?}",
            chart.caveats,
            chart.notes
        );
    }
}

#[test]
fn what_cannot_be_made_is_refused_in_a_sentence() {
    let refused = |lines: &str| {
        let samples = samples(lines);
        let told =
            |(name, chart): (ChartKind, Result<Chart, ChartError>)| Some(format!("{}: {}", name.text(), chart.err()?));
        survey(&input(&samples)).into_iter().filter_map(told).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!("refused_columns", refused("algorithm,instance,solved\nga,1,true\n"));
    let unsolved = "algorithm,population,instance,solved,evaluations\nga,big,1,0,5\nga,small,1,0,5\n";
    insta::assert_snapshot!("refused_values", refused(unsolved));
    assert!(refused("algorithm,instance,solved\n").lines().all(|told| told.ends_with(": there are no runs")));

    let (_folder, trace) = traced(Trigger::Improvements);
    let published = published("", &["x,9,1,1,,,"]);
    let wide: String = (0..30).map(|at| format!("ga,{at},{},i,1,4,2\n", at % 2)).collect();
    let samples = samples(&format!("algorithm,a,b,instance,solved,evaluations,generations\n{wide}"));
    let input = ChartInput { trace: Some(&trace), published: Some(&published), ..input(&samples) };
    let told = |name| draw(name, &input).expect_err("none").to_string();
    let found = [ChartKind::Heatmap, ChartKind::Diversity, ChartKind::Published].map(told).join("\n");
    insta::assert_snapshot!(found, @"
    `a` has 30 values; a heatmap shows at most 24
    the trace has no diversity; set `[record] trace = { every = N }` in the experiment
    the published rates do not match any of these runs
    ");
}

/// The fields of a layer's tooltip.
fn tooltip_fields(layer: &Value) -> Vec<&str> {
    let tooltip = layer["encoding"]["tooltip"].as_array().into_iter().flatten();
    tooltip.map(|entry| entry["field"].as_str().expect("a name")).collect()
}

#[test]
fn a_tooltip_says_nothing_undefined() {
    for (name, chart) in surveyed(&everything(["a", "one"])) {
        let chart = chart.expect("a chart");
        for panel in panels(&chart) {
            for layer in panel["layer"].as_array().expect("layers") {
                let data = if layer["data"].is_null() { &panel["data"] } else { &layer["data"] };
                for (row, field) in data["values"]
                    .as_array()
                    .expect("rows")
                    .iter()
                    .flat_map(|row| tooltip_fields(layer).into_iter().map(move |field| (row, field)))
                {
                    assert!(!row[field].is_null(), "{name:?}: `{field}` of {row}");
                }
            }
        }
    }
}
