//! `runner plot`: which files it writes, what it says of the charts that cannot be made, and that names stay text.

mod test_folder;

use std::fs;

use serde_json::Value;
use test_folder::{Report, TestFolder};

fn plot(folder: &TestFolder, arguments: &[&str]) -> Report {
    folder.report(&[&["plot"], arguments].concat())
}

/// A folder with `runs.csv`: two populations on three instances, in two buckets.
fn results(setting: &str, algorithm: &str) -> TestFolder {
    let folder = TestFolder::empty();
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut text = format!("algorithm,{},instance,bucket,solved,evaluations\n", quoted(setting));
    for (population, solved) in [(10, [1, 0, 0]), (2000, [1, 1, 0])] {
        for (instance, solved) in solved.into_iter().enumerate() {
            let (bucket, algorithm) = (["easy", "hard"][instance % 2], quoted(algorithm));
            text += &format!("{algorithm},{population},i{instance},{bucket},{solved},{}\n", population + instance);
        }
    }
    folder.write("runs.csv", text);
    folder
}

#[test]
fn every_chart_that_can_be_made_is_written_and_named() {
    let folder = results("population", "huke");
    let (status, named, said) = plot(&folder, &[".", "--format", "vega"]);
    assert_eq!(status, Some(0), "{said}");
    let names: Vec<&str> = named.lines().collect();
    let expected = ["success", "ecdf", "cost", "profile", "ranks", "scatter"];
    assert_eq!(names, expected.map(|name| format!("./charts/{name}.vl.json")));
    for name in names {
        let text = folder.read(name);
        let spec: Value = serde_json::from_str(&text).expect("JSON");
        assert!(spec["config"]["font"].is_string() && spec["description"].is_string(), "{name}: it stands alone");
    }
    let told: Vec<&str> = said.lines().filter(|line| line.starts_with("note: no chart")).collect();
    assert_eq!(told.len(), 5, "{said}");
    assert!(told.contains(&"note: no chart `phase`: the buckets are not two or more numbers"), "{said}");
    assert!(said.contains("success: Intervals are Wilson's, 95 %.\n"), "{said}");
}

#[test]
fn a_csv_has_its_charts_beside_it_or_where_they_are_wanted() {
    let folder = results("population", "huke");
    let asked = ["runs.csv", "--chart", "success", "--chart", "ranks", "--format", "vega"];
    assert_eq!(plot(&folder, &asked).1, "charts/success.vl.json\ncharts/ranks.vl.json\n");
    let elsewhere = [&asked[..], &["--out", "a/b"]].concat();
    assert_eq!(plot(&folder, &elsewhere).1, "a/b/success.vl.json\na/b/ranks.vl.json\n");
}

#[test]
fn a_chart_that_is_asked_for_and_cannot_be_made_is_an_error() {
    let folder = results("population", "huke");
    let (status, named, said) = plot(&folder, &[".", "--chart", "heatmap", "--chart", "success"]);
    assert_eq!((status, named.as_str()), (Some(2), ""));
    assert!(said.contains("error: no chart `heatmap`: fewer than two settings are varied\n"), "{said}");
    assert!(!folder.path("charts").exists());
}

#[test]
fn a_misspelt_name_finds_the_nearest() {
    let folder = results("population", "huke");
    let (status, _, said) = plot(&folder, &[".", "--chart", "sucess"]);
    assert!(status == Some(2) && said.contains("a similar value exists: 'success'"), "{said}");
    let (status, _, said) = plot(&folder, &[".", "--by", "popluation"]);
    assert!(status == Some(2) && said.contains("did you mean `population`?"), "{said}");
}

#[test]
fn results_that_are_not_there_are_an_error() {
    let folder = results("population", "huke");
    let (status, _, said) = plot(&folder, &["elsewhere"]);
    assert_eq!(
        (status, said.as_str()),
        (Some(2), "error: elsewhere is not there\n  expected a results folder or a CSV\n")
    );
    fs::create_dir(folder.path("empty")).expect("a folder");
    let (status, _, said) = plot(&folder, &["empty"]);
    assert!(status == Some(2) && said.starts_with("error: empty has no runs.csv\n"), "{said}");
}

#[test]
fn each_format_is_what_it_says_and_the_same_every_time() {
    let folder = results("population", "huke");
    for (format, begins) in [("svg", &b"<svg"[..]), ("png", b"\x89PNG"), ("pdf", b"%PDF")] {
        let file = format!("charts/success.{format}");
        let drawn = || {
            let (status, named, said) = plot(&folder, &["runs.csv", "--chart", "success", "--format", format]);
            assert_eq!((status, named), (Some(0), format!("{file}\n")), "{said}");
            fs::read(folder.path(&file)).expect("the chart is there")
        };
        let bytes = drawn();
        assert!(bytes.starts_with(begins), "{format}");
        assert!(bytes == drawn(), "{format}: the same runs make the same bytes");
    }
}

#[test]
fn names_that_look_like_code_are_drawn_as_text() {
    let folder = results(r#"datum["x"] + "\" </text>"#, r#"{"expr": "alert(1)"}\"#);
    let (status, named, said) = plot(&folder, &["."]);
    assert_eq!((status, named.lines().count()), (Some(0), 6), "{said}");
    let told = |line: &&str| line.contains("WARN") || line.contains("error");
    assert_eq!(said.lines().find(told), None);
    let success = folder.read("charts/success.svg");
    assert!(success.contains(r#">datum["x"] + "\" &lt;/text&gt;</text>"#), "{success}");
}

#[test]
fn an_experiment_with_a_trace_has_its_convergence() {
    let folder = TestFolder::new("[40]", 2);
    folder.run(&["--set", "record.trace={ every = 1 }", "--quiet"]);
    let charts = ["--chart", "convergence", "--chart", "diversity", "--format", "vega"];
    let (status, named, said) = plot(&folder, &[&["results/test"], &charts[..]].concat());
    assert_eq!(status, Some(0), "{said}");
    assert_eq!(
        named,
        ["convergence", "diversity"].map(|name| format!("results/test/charts/{name}.vl.json\n")).concat()
    );
}
