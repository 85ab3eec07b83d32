//! `runner report`: one page that holds everything and fetches nothing, whatever names its data have.
//!
//! What a browser makes of it is checked by `scripts/check_report.mjs`, which CI runs.

use crate::test_folder::TestFolder;

/// The data of a page, as its script reads them.
fn data(page: &str) -> serde_json::Value {
    let start = "<script type=\"application/json\" id=\"data\">";
    let (_, rest) = page.split_once(start).expect("the page has data");
    let (text, _) = rest.split_once("</script>").expect("they end");
    serde_json::from_str(text).expect("they are JSON")
}

#[test]
fn a_report_holds_everything_and_fetches_nothing() {
    let folder = TestFolder::new("[5, 60, 200]", 3);
    folder.run(&[]);
    assert_eq!(folder.outputs(0, &["report", "results/test"]).0, "results/test/report.html\n");
    let page = folder.read("results/test/report.html");
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    assert!(!page.contains("src=\"http") && !page.contains("<link"), "nothing is fetched");
    let data = data(&page);
    assert_eq!(data["runs"].as_array().map(Vec::len), Some(3 * 8 * 3));
    assert_eq!(data["summary"].as_array().map(Vec::len), Some(3 * 5));
    assert_eq!(data["folder"], "results/test");
    assert!(data["charts"].as_array().is_some_and(|charts| charts.len() >= 4), "{}", data["uncharted"]);
    let content = data["instances"][0][3].as_str().expect("a board");
    assert!(content.starts_with("3x3 ") && content.len() == 4 + 81, "{content}");
    assert_eq!(
        [&data["warnings"][0], &data["warnings"][1]],
        [
            "Equal generations (1000) of populations of 5, 60, 200 are unequal work.",
            "12 rows of settings and buckets rest on fewer than 10 runs: their rates can hardly be told from one another."
        ]
    );
}

#[test]
fn names_from_a_file_are_text_wherever_they_stand() {
    let folder = TestFolder::empty();
    let hostile = "</script><script>alert(1)</script>";
    let text = format!("algorithm,instance,solved\n\"{hostile}\",\"<img src=x onerror=alert(2)>\",true\nb,x,false\n");
    folder.write("foreign.csv", text);
    folder.outputs(0, &["report", "foreign.csv"]);
    let page = folder.read("foreign.html");
    assert!(!page.contains("alert(1)</script>") && !page.contains("<img src=x"), "only as JSON text");
    let data = data(&page);
    assert_eq!(data["cells"][0][0], hostile);
    assert_eq!(data["folder"], serde_json::Value::Null, "no run of a foreign CSV can be done again");
    let warnings = data["warnings"].to_string();
    assert!(warnings.contains("no column evaluations") && warnings.contains("There is no manifest"), "{warnings}");
}

#[test]
fn a_folder_that_is_not_there_is_said_not_to_be() {
    let folder = TestFolder::empty();
    let told = folder.refused(2, &["report", "results/none"]);
    assert_eq!(told, "error: results/none is not there\n  expected a results folder or a CSV\n");
}

#[test]
fn rates_count_every_run_however_few_are_listed() {
    let folder = TestFolder::empty();
    let mut text = "algorithm,population,instance,repetition,solved,stop\n".to_owned();
    for population in [10, 20] {
        for repetition in 0..4000 {
            let (solved, stop) = if repetition % 5 == 0 { ("true", "target") } else { ("false", "evaluations") };
            let stop = if repetition % 100 == 1 { "failed" } else { stop };
            text += &format!("ga,{population},i{},{repetition},{solved},{stop}\n", repetition % 2);
        }
    }
    folder.write("runs.csv", text);
    folder.outputs(0, &["report", "runs.csv"]);
    let data = data(&folder.read("runs.html"));
    assert_eq!(data["runs"].as_array().map(Vec::len), Some(6000), "listed one by one");
    let counts = &data["counts"];
    assert_eq!(counts["group_of"], serde_json::json!([0, 1]));
    assert_eq!(counts["runs"], serde_json::json!([[2000, 2000], [2000, 2000]]));
    assert_eq!(counts["solved"], serde_json::json!([[400, 400], [400, 400]]));
    assert_eq!(counts["failed"], serde_json::json!([[0, 40], [0, 40]]));
}

#[test]
fn of_too_many_settings_the_best_are_compared() {
    let folder = TestFolder::empty();
    let mut text = "algorithm,population,instance,solved\n".to_owned();
    for population in 0..30 {
        let runs = (0..10).map(|instance| format!("ga,{population},i{instance},{}\n", instance < population / 3));
        text.extend(runs);
    }
    folder.write("runs.csv", text);
    folder.outputs(0, &["report", "runs.csv"]);
    let data = data(&folder.read("runs.html"));
    let compared = &data["comparisons"][0];
    assert_eq!(compared["pairs"].as_array().map(Vec::len), Some(21), "{compared}");
    let caveat = compared["caveat"].as_str().expect("it says so");
    assert!(caveat.starts_with("The best 7 of 30 settings by success rate"), "{caveat}");
    assert_eq!(compared["groups"][0][0], "population = 21", "of equals the first");
}

#[test]
fn what_runs_without_a_target_reached_stands_beside_rates() {
    let folder = TestFolder::empty();
    folder.write("runs.csv", "algorithm,instance,solved,gap,objective\na,x,true,0,10\na,y,,2,\na,y,,3,\na,z,,,70\n");
    folder.outputs(0, &["report", "runs.csv"]);
    let counts = &data(&folder.read("runs.html"))["counts"];
    assert_eq!(counts["unjudged"], serde_json::json!([[0.0, 5.0, 70.0]]), "gaps, or objectives where there is none");
    assert_eq!(counts["unjudged_runs"], serde_json::json!([[0, 2, 1]]));
}
