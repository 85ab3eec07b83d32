//! `runner plot`: which files it writes, what it says of the charts that cannot be made, and that names stay text.

use std::fs;

use serde_json::Value;

use crate::test_folder::{Report, TestFolder};

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
    let expected =
        ["success", "bucket-heatmap", "ecdf", "cost", "pairs", "main-effects", "profile", "ranks", "scatter"];
    assert_eq!(names, expected.map(|name| format!("./charts/{name}.vl.json")));
    for name in names {
        let text = folder.read(name);
        let spec: Value = serde_json::from_str(&text).expect("JSON");
        assert!(spec["config"]["font"].is_string() && spec["description"].is_string(), "{name}: it stands alone");
    }
    let told: Vec<&str> = said.lines().filter(|line| line.starts_with("note: no chart")).collect();
    assert_eq!(told.len(), 16, "{said}");
    assert!(told.iter().any(|line| line.starts_with("note: no chart `gap`: no run has a gap")), "{said}");
    assert!(
        told.contains(&"note: no chart `phase`: the chart needs at least two buckets whose names are numbers"),
        "{said}"
    );
    assert!(said.contains("success: Intervals (95 %) hold for instances like these.\n"), "{said}");
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
    assert!(
        said.contains("error: no chart `heatmap`: fewer than two settings are varied; the axes need two "),
        "{said}"
    );
    assert!(!folder.path("charts").exists());
}

#[test]
fn fifty_algorithms_are_never_one() {
    let folder = TestFolder::empty();
    let rows = |population: &dyn Fn(usize) -> usize| {
        let row = |at: usize| {
            let (algorithm, instance, population) = (at / 10, at % 5, population(at / 10));
            format!("a{algorithm},easy,{population},i{instance},{},{at}\n", at % 7 < 5)
        };
        let rows: String = (0..500).map(row).collect();
        format!("algorithm,bucket,population,instance,solved,evaluations\n{rows}")
    };
    folder.write("alike.csv", rows(&|_| 100));
    folder.write("varied.csv", rows(&|algorithm| 100 + algorithm));
    // What the keys that were asked for tell apart is said, or that they tell nothing apart.
    for (file, by, is_told_apart) in [
        ("alike.csv", &[][..], true),
        ("alike.csv", &["--by", "bucket"], false),
        ("alike.csv", &["--by", "population"], false),
        ("alike.csv", &["--by", "population", "--by", "bucket"], false),
        ("alike.csv", &["--by", "algorithm"], true),
        ("varied.csv", &["--by", "population"], true),
    ] {
        let (status, _, said) = plot(&folder, &[&[file, "--format", "vega", "--out", "charts"], by].concat());
        assert_eq!(status, Some(0), "{said}");
        for chart in ["profile", "ranks", "scatter"] {
            let wrong = format!("note: no chart `{chart}`: the chart compares configurations, but `--by ");
            assert!(said.contains(&wrong) != is_told_apart, "{file} {by:?}: {said}");
        }
        assert!(!said.contains("only one"), "{said}");
    }
    folder.write("one.csv", "algorithm,instance,solved,evaluations\na,i,true,1\na,j,true,1\n");
    let said = plot(&folder, &["one.csv", "--format", "vega"]).2;
    assert!(said.contains("`ranks`: the chart compares configurations, but these runs have only one"), "{said}");
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
        (Some(2), "error: `elsewhere` does not exist\n  expected a results folder or a CSV file\n")
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
fn a_caption_stands_beside_each_chart_and_notes_can_be_left_out_of_it() {
    let folder = results("population", "huke_1");
    let drawn = |arguments: &[&str]| {
        let (status, named, said) = plot(&folder, &[&["runs.csv", "--chart", "success"], arguments].concat());
        assert_eq!((status, named.lines().count()), (Some(0), 1), "{said}");
    };
    drawn(&[]);
    let noted = folder.read("charts/success.svg");
    assert!(noted.contains("come from fewer than 10 runs"), "{noted}");
    let caption = folder.read("charts/success.caption.txt");
    insta::assert_snapshot!(caption, @"Success rate by population (6 runs of 2 configurations on 3 instances). Intervals (95 %) hold for instances like these. All rates come from fewer than 10 runs or 6 instances. Each of these rates comes from at least 1 run and 1 instance.");
    drawn(&["--no-notes"]);
    assert!(!folder.read("charts/success.svg").contains("come from fewer than 10 runs"));
    assert_eq!(folder.read("charts/success.caption.txt"), caption);
    drawn(&["--format", "pdf"]);
    let latex = folder.read("charts/success.caption.tex");
    assert!(
        latex.starts_with(
            "\\caption{Success rate by population (6 runs of 2 configurations on 3 instances). Intervals (95 \\%) hold"
        ),
        "{latex}"
    );
    assert!(latex.ends_with("}\\label{fig:success}\n"), "{latex}");
}

#[test]
fn names_that_look_like_code_are_drawn_as_text() {
    let folder = results(r#"datum["x"] + "\" </text>"#, r#"{"expr": "alert(1)"}\"#);
    let (status, named, said) = plot(&folder, &["."]);
    assert_eq!((status, named.lines().count()), (Some(0), 9), "{said}");
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

/// Width and height of an SVG in millimetres.
fn millimetres(svg: &str) -> [f64; 2] {
    ["width", "height"].map(|side| {
        let (_, rest) = svg.split_once(&format!(" {side}=\"")).expect("it says so");
        rest.split_once("mm\"").and_then(|(number, _)| number.parse().ok()).expect("millimetres")
    })
}

#[test]
fn a_chart_is_as_wide_as_asked_and_its_text_keeps_its_size() {
    let folder = results("population", "huke");
    for (width, arguments) in [(85.0, &[][..]), (60.0, &["--width", "60"]), (174.0, &["--width", "174"])] {
        let charts = [".", "--chart", "success", "--chart", "cost", "--chart", "ranks", "--chart", "scatter"];
        let (status, named, said) = plot(&folder, &[&charts, arguments].concat());
        assert_eq!((status, named.lines().count()), (Some(0), 4), "{said}");
        for name in named.lines() {
            let svg = folder.read(name);
            let [found, _] = millimetres(&svg);
            assert!((found - width).abs() < 0.05, "{name} is {found} mm wide");
            let scaled =
                svg.split_once("viewBox=\"0 0 ").and_then(|(_, rest)| rest.split(' ').next()?.parse::<f64>().ok());
            let scale = found / 25.4 * 96.0 / scaled.expect("a width");
            assert!(
                svg.contains("font-size=\"10px\"") && scale > 0.93,
                "{name}: 10 pixels are 7.5 points times {scale}"
            );
        }
    }
    let mut cells = "algorithm,a,b,instance,solved\n".to_owned();
    cells.extend((0..48).map(|at| format!("ga,value-{},{},i,1\n", at / 2, at % 2)));
    folder.write("cells.csv", cells);
    let (_, _, said) = plot(&folder, &["cells.csv", "--chart", "heatmap", "--width", "60"]);
    assert!(said.contains("note: heatmap is too wide for 60 mm, so its text shrinks to "), "{said}");
    let (status, _, said) = plot(&folder, &[".", "--width", "8.5"]);
    assert!(status == Some(2) && said.contains("expected millimetres, from 40 to 400"), "{said}");
}

#[test]
fn characters_that_the_font_lacks_are_named() {
    let folder = results("population", "数独");
    let mut text = folder.read("runs.csv");
    text += "独,10,i0,easy,1,5\n";
    folder.write("runs.csv", text);
    let (status, _, said) = plot(&folder, &[".", "--chart", "cost", "--format", "png", "--by", "algorithm"]);
    assert_eq!(status, Some(0));
    let expected = "warning: cost: the font does not contain the characters 数 独: they appear as boxes; `--format svg` uses the fonts of the reader's computer instead";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn the_published_figures_of_the_experiment_are_shown_and_missing_runs_said() {
    let folder = TestFolder::new("[40]", 2);
    let experiment = folder.read("test.toml").replacen("[experiment]", "[experiment]\npublished = \"their.csv\"", 1);
    folder.write("test.toml", experiment);
    let columns = "source,bucket,runs,success_rate,mean_ms_solved,mean_generations,mean_ms_unsolved";
    folder.write("their.csv", format!("{columns}\nthem,easy,10,0.5,,,\n"));
    folder.run(&["--quiet"]);
    let (status, named, said) = plot(&folder, &["results/test", "--chart", "published", "--format", "vega"]);
    assert_eq!((status, named.as_str()), (Some(0), "results/test/charts/published.vl.json\n"), "{said}");
    // Also where it was set on the command line.
    folder.write_experiment("[40]", 2);
    folder.run(&["--quiet", "--set", "experiment.published=their.csv", "--out", "results/set"]);
    let (status, _, said) = plot(&folder, &["results/set", "--chart", "published", "--format", "vega"]);
    assert_eq!(status, Some(0), "{said}");

    let runs = folder.read("results/test/runs.csv");
    let (rest, _) = runs.trim_end().rsplit_once('\n').expect("many lines");
    folder.write("results/test/runs.csv", format!("{rest}\n"));
    let (_, _, said) = plot(&folder, &["results/test", "--chart", "ecdf", "--format", "vega"]);
    assert!(said.contains("ecdf: Incomplete: the results contain 15 of 16 planned runs.\n"), "{said}");
    assert!(
        folder
            .read("results/test/charts/ecdf.vl.json")
            .contains("Incomplete: the results contain 15 of 16 planned runs")
    );
}

#[test]
fn the_solution_of_a_run_is_drawn_by_its_family() {
    for (problem, part) in
        [("flowshop", "<title>job 1 on machine 1: "), ("tsp", "<polygon points="), ("sudoku", "font-weight=\"bold\"")]
    {
        let folder = TestFolder::empty();
        folder.outputs(0, &["init", "x", "--problem", problem]);
        folder.outputs(0, &["run", "x.toml", "--set", "experiment.repetitions=1", "--set", "budget.evaluations=300"]);
        assert_eq!(folder.outputs(0, &["plot", "results/x", "--run", "0"]).0, "results/x/charts/run-0.svg\n");
        let drawn = folder.read("results/x/charts/run-0.svg");
        assert!(drawn.starts_with("<svg ") && drawn.contains(part), "{drawn}");
        let caption = folder.read("results/x/charts/run-0.caption.txt");
        assert!(caption.starts_with("The best solution of run 0, ") && caption.contains(": objective "), "{caption}");
        let said = folder.outputs(0, &["plot", "results/x", "--run", "0", "--format", "pdf", "--out", "out"]).0;
        assert_eq!(said, "out/run-0.pdf\n");
        assert!(folder.read("out/run-0.caption.tex").starts_with("\\caption{"));
    }
}

#[test]
fn what_cannot_be_drawn_of_a_run_is_said() {
    let folder = TestFolder::empty();
    folder.outputs(0, &["init", "x", "--problem", "qap"]);
    folder.outputs(0, &["run", "x.toml", "--set", "experiment.repetitions=1", "--set", "budget.evaluations=300"]);
    folder.write("runs.csv", "algorithm,instance,solved\na,x,true\n");
    let told = [
        folder.refused(2, &["plot", "results/x", "--run", "0"]),
        folder.refused(2, &["plot", "results/x", "--run", "999999"]),
        folder.refused(2, &["plot", "runs.csv", "--run", "0"]),
    ];
    insta::assert_snapshot!(told.concat(), @"
error: no solution of `qap` can be drawn for instance `tai12a`
  `runner replay` prints the solution
error: results/x/runs.csv has no run 999999
error: runs.csv is not a results folder, so it has no solutions
");
}
