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
    let view = &data["views"][0];
    assert!(view["charts"].as_array().is_some_and(|charts| charts.len() >= 4), "{}", view["uncharted"]);
    let views: Vec<_> =
        data["views"].as_array().expect("views").iter().map(|view| (&view["bucket"], &view["metric"])).collect();
    assert_eq!(views.len(), 2 * 5, "success and work, of all runs and of four buckets: {views:?}");
    assert_eq!(view["ranking"]["rows"].as_array().map(Vec::len), Some(3));
    assert!(view["answer"].as_str().is_some_and(|answer| answer.contains("population = ")), "{}", view["answer"]);
    assert_eq!(data["solutions"].as_array().map(Vec::len), Some(8), "the best of each instance");
    // What charts show of any metric is that of the view.
    let heat_map = |view: &serde_json::Value| {
        let of_view = view["charts"]
            .as_array()
            .expect("charts")
            .iter()
            .map(|at| &data["charts"][at.as_u64().expect("a number") as usize]);
        of_view
            .filter(|chart| chart["name"] == "bucket-heatmap")
            .map(|chart| chart["title"].to_string())
            .collect::<String>()
    };
    assert!(heat_map(&data["views"][0]).contains("Success rate"), "{}", heat_map(&data["views"][0]));
    assert!(heat_map(&data["views"][1]).contains("valuations"), "{}", heat_map(&data["views"][1]));
    let content = data["instances"][0][3].as_str().expect("a board");
    assert!(content.starts_with("3x3 ") && content.len() == 4 + 81, "{content}");
    assert_eq!(
        [&data["warnings"][0], &data["warnings"][1]],
        [
            "The configurations have the same number of generations (1000), but populations of 5, 60, 200 need different numbers of evaluations.",
            "Differences between rates may be due to chance in 12 rows of the table with fewer than 10 runs."
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
    assert_eq!(data["configurations"][0][2], hostile);
    assert_eq!(data["folder"], serde_json::Value::Null, "no run of a foreign CSV can be done again");
    let notes = data["notes"].to_string();
    assert!(notes.contains("no column evaluations") && notes.contains("The manifest is missing"), "{notes}");
}

#[test]
fn a_race_has_a_chart_and_a_section_with_every_candidate() {
    let folder = TestFolder::empty();
    std::fs::create_dir_all(folder.path("o/test")).expect("folders");
    let hostile = "</script><script>alert(1)</script>";
    folder.write("o/runs.csv", "algorithm,rate,instance,objective\na,1,x,10\na,2,x,12\na,3,x,11\na,4,x,15\n");
    let race = format!(
        "candidate,iteration,parent,fate,place,first_block,last_block,runs,failed,evidence,mean,{hostile}\n\
         0,0,,worse,,0,3,4,1,25.5,15,{hostile}\n1,0,,set aside,,0,7,8,0,0.5,12,\n\
         2,1,1,in the race,2,8,9,2,0,1,11,3\n3,1,1,winner,1,8,9,2,0,0.1,10,4\n"
    );
    folder.write("o/race.csv", &race);
    let report = || {
        folder.outputs(0, &["report", "o"]);
        let page = folder.read("o/report.html");
        assert!(!page.contains("alert(1)</script>"), "only as JSON text");
        data(&page)
    };
    let page = report();
    assert_eq!(page["race"]["test"], serde_json::Value::Null);
    assert_eq!(page["race"]["settings"], serde_json::json!([hostile]));
    let shown = |row: &serde_json::Value| {
        ["number", "fate", "ended", "evidence", "mean"].map(|key| row[key].clone()).into_iter().collect()
    };
    let rows: Vec<serde_json::Value> = page["race"]["candidates"].as_array().expect("rows").iter().map(shown).collect();
    let expected = serde_json::json!([
        [3, "winner", null, 0.1, 10.0],
        [2, "in the race", null, 1.0, 11.0],
        [1, "set aside", 7, 0.5, 12.0],
        [0, "shown to be worse", 3, 25.5, 15.0]
    ]);
    assert_eq!(serde_json::Value::from(rows), expected);
    let charts = page["charts"].as_array().expect("charts");
    assert_eq!(charts.iter().filter(|chart| chart["name"] == "race").count(), 1, "one for all views");
    folder.write("o/test/runs.csv", "algorithm,instance,objective\na,y,1\n");
    assert_eq!(report()["race"]["test"], "runner report o/test");
    folder.write("o/race.csv", race.replace("set aside", "gone"));
    // Above it stand notes on columns that the runs do not have.
    let refused = |words: &[&str]| folder.refused(2, words).lines().last().map(str::to_owned).expect("an error");
    insta::assert_snapshot!(refused(&["report", "o"]), @"error: o/race.csv:3: column `fate`: expected `winner`, `in the race`, `worse` or `set aside`, found `gone`");
    folder.write("runs.csv", "algorithm,instance,objective\na,y,1\n");
    insta::assert_snapshot!(refused(&["plot", "runs.csv", "--chart", "race", "--out", "c"]), @"error: no chart `race`: race.csv is missing; only `runner tune` writes this file");
}

#[test]
fn a_folder_that_is_not_there_is_said_not_to_be() {
    let folder = TestFolder::empty();
    let told = folder.refused(2, &["report", "results/none"]);
    assert_eq!(told, "error: `results/none` does not exist\n  expected a results folder or a CSV file\n");
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
    let figures = data["figures"].as_array().expect("of all runs, and of each configuration");
    let names: Vec<_> = figures.iter().map(|figures| figures["name"].as_str()).collect();
    assert_eq!(names, [None, Some("population = 10"), Some("population = 20")]);
    for (figures, share) in figures.iter().zip([1, 2, 2]) {
        assert_eq!(figures["runs"], serde_json::json!([4000 / share, 4000 / share]));
        assert_eq!(figures["solved"], serde_json::json!([800 / share, 800 / share]));
        assert_eq!(figures["failed"], serde_json::json!([0, 80 / share]));
        assert_eq!(figures["value"], serde_json::json!([0.2, 0.2]));
    }
    // statsmodels.stats.proportion.proportion_confint(800, 4000, method="wilson") is 0.18789 to 0.21268, and of 400 of 2000 0.18304 to 0.21811.
    assert_eq!(data["figure_texts"], serde_json::json!(["20 % (18 to 22)"]), "each text once");
    assert_eq!(figures[0]["shown"], serde_json::json!([0, 0]));
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
    let page = data(&folder.read("runs.html"));
    let compared = &page["views"][0]["comparison"];
    assert_eq!(compared["pairs"].as_array().map(Vec::len), Some(21), "{compared}");
    let caveat = compared["caveat"].as_str().expect("it says so");
    assert!(caveat.starts_with("The best 7 of 30 configurations by success rate"), "{caveat}");
    assert_eq!(compared["groups"][0][0], "population = 21", "of equals the first");
    insta::assert_snapshot!(page["views"][0]["answer"].as_str().expect("an answer"), @"population = 27 is first in these runs: 90 % (54 to 99) of runs solved; next is population = 28, equal: 90 % (54 to 99) of runs solved. But 15 of the 30 configurations may be the best on instances like these (95 % confidence). If the best configuration is chosen on one half of the instances and measured on the other half, the result is: solved 81.7 %.");
    let ranked = page["views"][0]["ranking"]["rows"].as_array().expect("all configurations");
    let first = ranked[0][0].as_u64().expect("a configuration") as usize;
    assert_eq!(
        (ranked.len(), &page["configurations"][first][2]),
        (30, &"population = 27".into()),
        "of equals the first"
    );
    folder.outputs(0, &["report", "runs.csv", "--top", "3", "--by", "population"]);
    let compared = &data(&folder.read("runs.html"))["views"][0]["comparison"];
    assert_eq!(compared["pairs"].as_array().map(Vec::len), Some(3), "{compared}");
}

#[test]
fn what_runs_without_a_target_reached_stands_beside_rates() {
    let folder = TestFolder::empty();
    folder.write("runs.csv", "algorithm,instance,solved,gap,objective\na,x,true,0,10\na,y,,2,\na,y,,3,\na,z,,,70\n");
    folder.outputs(0, &["report", "runs.csv"]);
    let data = data(&folder.read("runs.html"));
    let expected = ["100 % (20 to 100)", "gap 2.50 %", "objective 70.00"];
    assert_eq!(data["figure_texts"], serde_json::json!(expected), "gaps, or objectives where there is none");
    assert_eq!(data["figures"][0]["value"], serde_json::json!([1.0, null, null]), "these are not rates to sort by");
}

#[test]
fn a_report_takes_the_options_of_every_command_that_analyses() {
    let folder = TestFolder::empty();
    let mut text = "algorithm,size,instance,repetition,solved,evaluations,wall_ms\n".to_owned();
    for (at, (algorithm, size)) in [("a", 1), ("b", 1), ("b", 2), ("c", 1)].into_iter().enumerate() {
        for repetition in 0..40 {
            let (instance, solved) = (repetition % 8, repetition % 4 < at);
            text +=
                &format!("{algorithm},{size},i{instance},{},{solved},{},5\n", repetition / 8, 100 * at + repetition);
        }
    }
    folder.write("runs.csv", text);
    folder.outputs(0, &["report", "runs.csv", "--metric", "par2_ms", "--by", "algorithm", "--baseline", "a"]);
    let views = &data(&folder.read("runs.html"))["views"];
    assert_eq!(views[0]["metric"], "PAR2 ms", "what was asked for comes first");
    assert_eq!(views[0]["ranking"]["rows"].as_array().map(Vec::len), Some(3), "grouped by what was asked for");
    let pairs = views[0]["comparison"]["pairs"].as_array().expect("pairs").iter();
    let pairs: Vec<_> = pairs.map(|pair| (pair["first"].as_u64(), pair["second"].as_u64())).collect();
    assert_eq!(pairs, [(Some(1), Some(0)), (Some(2), Some(0))], "each with the baseline");
    let compared =
        folder.outputs(0, &["compare", "runs.csv", "--by", "algorithm", "--baseline", "a"]).0.replace('\n', " ");
    assert!(
        compared.contains("is corrected for 2 comparisons by Holm's method") && !compared.contains("Between b and c"),
        "{compared}"
    );
    for (arguments, told) in [
        (
            ["compare", "runs.csv", "--baseline", "b"],
            "error: `b` matches 2 configurations; expected only one\n  group these configurations with `--by algorithm`, or write the name of one configuration as it appears in the table\n",
        ),
        (
            ["compare", "runs.csv", "--baseline", "d"],
            "error: `d` is not one of the configurations that are compared\n  expected `a, size = 1`, `b, size = 1`, `b, size = 2` or `c, \
             size = 1`\n",
        ),
        (
            ["table", "runs.csv", "--baseline", "a"],
            "error: `runner table` cannot use `--baseline`\n  omit `--baseline`; `runner table --help` lists the options of the command\n",
        ),
        (
            ["table", "runs.csv", "--metric", "par2_ms"],
            "error: `runner table` cannot show `par2_ms`\n  expected `solved`, `gap` or `objective`; `runner compare` accepts every metric\n",
        ),
        (
            ["plot", "runs.csv", "--metric", "par2"],
            "error: unknown metric `par2`\n  `diversity@N` is the diversity at the end of generation N; expected `solved`, `objective`, `gap`, \
             `best_fitness`, `evaluations`, `generations`, `restarts`, `wall_ms`, `cpu_ms`, `par2_ms` or `par10_ms`; did you mean \
             `par2_ms`?\n",
        ),
    ] {
        assert_eq!(
            folder.refused(2, &arguments).split_once("error: ").map(|(_, rest)| format!("error: {rest}")).as_deref(),
            Some(told)
        );
    }
}

#[test]
fn the_best_are_asked_for_in_place_of_planned_pairs() {
    let folder = TestFolder::new("[20, 40, 60]", 2);
    folder.change("test.toml", |text| {
        format!("{text}\n[analysis]\ncomparisons = [[\"huke, population = 20\", \"huke, population = 60\"]]\n")
    });
    folder.run(&["--out", "out", "--set", "budget.generations=5"]);
    let pairs = |arguments: &[&str]| {
        let (table, notes) = folder.outputs(0, &[&["compare", "out", "--format", "csv"], arguments].concat());
        (
            table.lines().count() - 1,
            notes.contains("this analysis differs from `[analysis]` of the experiment: comparisons"),
        )
    };
    assert_eq!((pairs(&[]), pairs(&["--top", "3"])), ((1, false), (3, true)));
}
